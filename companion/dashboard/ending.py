"""How the program ends where a page asks for it: it stops, or begins again, with another ledger where one is brought back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from flask import current_app

ANSWER_SECONDS = 1.0
"""Seconds in which the answer to the page that asked for the end is still sent."""


class Ending:
    """What is to be done once everything is closed. ``close``: ends the server; nothing where none runs. ``again``: the program
    begins once more; ``bring_back``: the copy that first takes the ledger's place, None for none."""

    def __init__(self) -> None:
        self.close: Callable[[], None] = lambda: None
        self.again = False
        self.bring_back: Path | None = None

    def stop(self) -> None:
        """End, once the answer is sent."""
        timer = threading.Timer(ANSWER_SECONDS, self.close)
        timer.daemon = True
        timer.start()

    def begin_again(self, bring_back: Path | None = None) -> None:
        """End, and begin once more."""
        self.again, self.bring_back = True, bring_back
        self.stop()


def ending() -> Ending:
    """That of the application that is being asked."""
    found: Ending = current_app.extensions["ending"]
    return found
