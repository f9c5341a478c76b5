"""Cards as one picture shows them: on a table of four places, seen from straight above."""

from __future__ import annotations

import numpy as np

from companion.eyes.sighting import CardSeen, Point, Quad
from companion.eyes.table import Seat, Table

PLACES: tuple[Point, ...] = ((500, 800), (800, 500), (500, 200), (200, 500))
DECK: Point = (620, 860)
TABLE = Table(
    v=1,
    image_size=(1000, 1000),
    corners=((50, 50), (950, 50), (950, 950), (50, 950)),
    players=tuple(Seat(name, place) for name, place in zip(("Anna", "Bruno", "Carla", "Dino"), PLACES, strict=True)),
)
LOOKS = 10


def quad(at: Point, turn: float = 0) -> Quad:
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    a, b, c, d = ((at[0] + x * cos - y * sin, at[1] + x * sin + y * cos) for x, y in ((-20, -36), (20, -36), (20, 36), (-20, 36)))
    return a, b, c, d


def back(at: Point, turn: float = 0) -> CardSeen:
    return CardSeen(quad(at, turn), "stu", "back", 0.9)


def face(at: Point, **kinds: float) -> CardSeen:
    ranked = tuple(sorted(((kind.strip("_"), p) for kind, p in kinds.items()), key=lambda pair: -pair[1]))
    return CardSeen(quad(at), "stu", "face", 0.9, ranked[0][0], ranked)


def stack(at: Point) -> CardSeen:
    return CardSeen(quad(at), "stu", "stack", 0.9)


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
