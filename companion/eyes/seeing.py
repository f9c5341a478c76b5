"""From pictures to what is seen on the table, and to a game's sightings.

`see` finds the cards in pictures, which is nearly all of the cost. `view_of` maps the cards of one picture to the table. A game's
`Watcher` makes sightings of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.eyes.change import Mask, MotionDetector, shrink
from companion.eyes.sighting import CardSeen, Motion, Sighting, TableView, Unseen
from companion.eyes.source import Picture
from companion.eyes.table import Table, TableMap
from companion.eyes.trouble import CameraGuard, FrameQuality

Look = Callable[[Picture], tuple[CardSeen, ...]]
"""Finds the cards in the next picture of a source: `companion.eyes.incremental.IncrementalDetector.look`, or a substitute."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One picture with the ``cards`` in it, what can be concluded from it (``frame_quality``), and where the table is in it
    (``top``).

    ``moving``: the cells (rows, columns) of the picture in which something moves; None where that is not known.
    """

    picture: Picture
    cards: tuple[CardSeen, ...]
    frame_quality: FrameQuality
    top: TableMap
    moving: Mask | None


def see(pictures: Iterable[Picture], table: Table, look: Look) -> Iterator[Seen]:
    """Find what is in each of the ``pictures``, which come in order of time. A picture from which nothing can be concluded has no
    cards."""
    guard: CameraGuard | None = None
    motion = MotionDetector()
    for picture in pictures:
        if guard is None:
            height, width = picture.image.shape[:2]
            guard = CameraGuard(TableMap(table, (width, height)), picture.image)
        frame_quality = guard.step(picture.t, picture.image)
        small = shrink(picture.image)
        cards = look(replace(picture, top=guard.top.corners, small=small)) if frame_quality.blind is None else ()
        moving = motion.step(small)
        yield Seen(picture, cards, frame_quality, guard.top, moving if frame_quality.blind is None else None)


def view_of(cards: Iterable[CardSeen], t: float, table: TableMap, moving: NDArray[np.bool_] | None = None) -> TableView:
    """The cards of one picture in table coordinates: their centres, lengths and turns.

    ``moving``: the cells (rows, columns) over the picture in which something moves; None: not known.
    """
    cards = tuple(cards)
    corners = table.to_table([corner for card in cards for corner in card.quad]).reshape(-1, 4, 2)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
    lengths, widths = (way(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2 for way in (np.maximum, np.minimum))
    centres = corners.mean(axis=1)
    ways = corners - np.roll(corners, -1, axis=1)
    first = sides[:, 0] + sides[:, 2] >= sides[:, 1] + sides[:, 3]
    long = np.where(first[:, None], ways[:, 0] - ways[:, 2], ways[:, 1] - ways[:, 3])
    turns = np.degrees(np.arctan2(long[:, 1], long[:, 0])) % 180
    middles = tuple((float(x), float(y)) for x, y in centres)
    motion = None
    if moving is not None:
        ground, near = table.ground((moving.shape[0], moving.shape[1]))
        motion = Motion(ground, moving[near])
    return TableView(t, cards, middles, tuple(map(float, lengths)), tuple(map(float, turns)), motion, tuple(map(float, widths)))


class Watcher(Protocol):
    """Follows one table at which a game is played, picture after picture."""

    def lost(self, unseen: Unseen, /) -> tuple[Sighting, ...]:
        """The sightings about a time in which nothing could be seen, before the first picture after it."""

    def step(
        self, t: float, cards: tuple[CardSeen, ...], frame_quality: FrameQuality, top: TableMap, moving: Mask | None = None, /
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table is where ``top`` says.

        ``moving``: the cells (rows, columns) of the picture in which something moves; None: not known.
        """
