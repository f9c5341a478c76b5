"""How a page ends the program: it stops, or starts again, if wanted with a backup in place of the ledger."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from flask import current_app

ANSWER_SECONDS = 1.0
"""Seconds in which the answer to the page that asked for the end is still sent."""


class Ending:
    """What to do at the end of the program. ``close``: ends the server, does nothing where none runs; ``again``: start the
    program once more after it has closed everything; ``bring_back``: the copy that takes the ledger's place before that, None for
    none."""

    def __init__(self) -> None:
        self.close: Callable[[], None] = lambda: None
        self.again = False
        self.bring_back: Path | None = None

    def stop(self) -> None:
        """End the program, `ANSWER_SECONDS` from now so that the answer to this request is still sent."""
        timer = threading.Timer(ANSWER_SECONDS, self.close)
        timer.daemon = True
        timer.start()

    def begin_again(self, bring_back: Path | None = None) -> None:
        """End the program in the same way, and start it once more."""
        self.again, self.bring_back = True, bring_back
        self.stop()


def ending() -> Ending:
    """The `Ending` of the current application."""
    found: Ending = current_app.extensions["ending"]
    return found
