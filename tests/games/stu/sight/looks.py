"""Cards as one picture shows them: on a table of four places, seen from straight above."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.seeing import view_of
from companion.eyes.sighting import CardSeen, Point, Quad
from companion.eyes.table import Seat, Table, TableMap
from companion.games.stu.sight.places import Places
from companion.games.stu.sight.traffic import Traffic
from companion.games.stu.sightings import Sighting

Stretch = tuple[Point, Point]
"""Two points between which a hand moves back and forth."""

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


class Watcher:
    """Feeds looks at a ``table`` to the eyes' places and traffic, and keeps what they say."""

    def __init__(self, table: Table = TABLE) -> None:
        top = TableMap(table, (1000, 1000))
        self.top = top
        self.places = Places(top.places)
        self.traffic = Traffic(self.places)
        self.t = 0.0
        self.said: list[Sighting] = []

    def see(
        self, *cards: CardSeen, seconds: float = 1 / LOOKS, hands: Stretch | None = None, more: Sequence[Stretch] = (),
        hidden: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        """The same ``cards`` for ``seconds``; ``hands`` move back and forth meanwhile, and ``more``, and nothing else.
        ``hidden``: places that are out of sight."""
        for _ in range(max(1, round(seconds * LOOKS))):
            self.t += 1 / LOOKS
            view = view_of(cards, self.t, self.top, stirred_between([*([hands] if hands else []), *more]))
            self.said += self.places.step(view, hidden)
            self.said += self.traffic.step(self.t, view.motion)

    def heard(self, kind: type) -> list[Sighting]:
        return [sighting for sighting in self.said if isinstance(sighting, kind)]


def stirred_between(stretches: Sequence[Stretch]) -> NDArray[np.bool_]:
    """Cells of 20 px in which something moves."""
    cells = np.zeros((50, 50), np.uint8)
    for ends in stretches:
        a, b = ((round(x / 20), round(y / 20)) for x, y in ends)
        cv2.line(cells, a, b, 1, 3)
    return cells > 0
