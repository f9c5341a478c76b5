"""Pictures → what is found in each: the part of the line that needs the pictures, and nearly all of its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from companion.eyes.change import Mask, shrink
from companion.eyes.motion import MotionDetector
from companion.eyes.sighting import CardSeen
from companion.eyes.source import Picture
from companion.eyes.table import Table, TableMap
from companion.eyes.trouble import CameraGuard, FrameQuality

Look = Callable[[Picture], tuple[CardSeen, ...]]
"""Finds the cards in the next picture of a source: `companion.eyes.incremental.IncrementalDetector.look`, or a substitute."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One picture: the ``cards`` in it, what it is good for at all (``frame_quality``), and where the table is in it (``top``).

    ``moving``: the cells (rows, columns) of the picture in which something moves; None where that is not known.
    """

    picture: Picture
    cards: tuple[CardSeen, ...]
    frame_quality: FrameQuality
    top: TableMap
    moving: Mask | None


def see(pictures: Iterable[Picture], table: Table, look: Look) -> Iterator[Seen]:
    """What is in each of the ``pictures``, which are in order of time; there are no cards in one that shows nothing reliably."""
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
