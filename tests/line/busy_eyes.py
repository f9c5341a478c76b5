"""Eyes for a camera side in a process of its own, on a machine that has much else to do."""

from __future__ import annotations

import time

from side_eyes import SLOW_SECONDS, dealt

from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture


def busy(cards: str, deck: str) -> Look:
    """The second look works for `SLOW_SECONDS`, which is more than a camera may be silent."""
    waits = [SLOW_SECONDS, 0.0]

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        until = time.monotonic() + (waits.pop() if waits else 0.0)
        while time.monotonic() < until:
            pass
        return dealt(picture)

    return look
