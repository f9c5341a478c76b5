"""Eyes for a camera side in a process of its own: each is named as MODULE:NAME, and told apart by what befalls it."""

from __future__ import annotations

import time

import numpy as np

from companion.eyes.seeing import Look
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture

PLACES = ((160.0, 140.0), (250.0, 60.0), (70.0, 60.0))


def lying(at: tuple[float, float]) -> CardSeen:
    x, y = at
    quad = ((x - 8, y - 14), (x + 8, y - 14), (x + 8, y + 14), (x - 8, y + 14))
    return CardSeen(quad, "stu", "back", 0.99)


def dealt(picture: Picture) -> tuple[CardSeen, ...]:
    """One card more every second: dealt to Anna, Bruno, Carla."""
    return tuple(lying(at) for at in PLACES[: int(picture.t)])


def sound(cards: str, deck: str) -> Look:
    return dealt


def all_there(cards: str, deck: str) -> Look:
    return lambda picture: tuple(lying(at) for at in PLACES)


def growing(cards: str, deck: str) -> Look:
    held: list[object] = []

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        held.append(np.ones(3_000_000))
        return dealt(picture)

    return look


def stumbling(cards: str, deck: str) -> Look:
    def look(picture: Picture) -> tuple[CardSeen, ...]:
        raise RuntimeError("the detector stumbled")

    return look


SLOW_SECONDS = 2.6
"""Seconds of the first look of `slow_at_first`: more than a camera may be silent."""


def slow_at_first(cards: str, deck: str) -> Look:
    waits = [SLOW_SECONDS]

    def look(picture: Picture) -> tuple[CardSeen, ...]:
        time.sleep(waits.pop() if waits else 0.0)
        return dealt(picture)

    return look
