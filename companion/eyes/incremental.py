"""Looks at the next picture of a source only where something happens, and keeps the cards elsewhere.

The detector's input is scaled so that cards have the length that it finds best, in a crop as in the whole picture.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.eyes.arrivals import Arrivals
from companion.eyes.change import Memory, compare, looked_at, remember, shrink
from companion.eyes.crops import Crop, cells_in, crops_of, whole
from companion.eyes.detection import SAME_CARD_IOU
from companion.eyes.geometry import bounding_boxes, card_length, shared_area, suppress
from companion.eyes.look import MIN_ON_TOP_PROBABILITY, Eyes, Known
from companion.eyes.plane import KnownPlane
from companion.eyes.proposer import comfortable_width
from companion.eyes.sighting import CardSeen, Quad
from companion.eyes.source import Picture

UNIT_PIXELS = 32
"""Pixels of the detector's input: the sides of crops are multiples of this."""
SETTLING_SECONDS = 0.6
"""Seconds after a change in a cell for which it is looked at again, so that a card that was put down is seen several times."""
SETTLING_STEP = 0.17
"""Least seconds between these looks while nothing moves: looks at the same picture make the same errors."""
BUSY_STEP = 0.1
"""Seconds between looks where something moves: mostly hands do."""
TRACKED_SECONDS = 0.25
"""Seconds after a card was last seen in a new place during which every picture is looked at there."""
TRACKED_REACH_LENGTHS = 0.5
"""Card lengths that a card in a new place may move until the next picture."""
IN_PLACE_LENGTHS = 0.15
"""Card lengths: a card whose middle is nearer than this to where one lay is not in a new place, as quads jitter a little."""
REFRESH_SECONDS = 6.0
"""Seconds within which every part of the picture is looked at, stripe by stripe, whether anything changed or not."""
STRIPES = 3
"""Vertical stripes of the picture, refreshed in turn."""
MARGIN_LENGTHS = 0.65
"""Card lengths of a crop's margin, for the longest card: half its diagonal and a little more."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What is known after a picture at ``t`` seconds.

    ``changed``, ``seen`` and ``tracked``: float64 (rows, columns), seconds: when each cell was last found changed, was last
    looked at, and was last near a card in a new place. ``busy``: when all changed cells were last looked at.
    """

    t: float
    memory: Memory
    changed: NDArray[np.float64]
    seen: NDArray[np.float64]
    tracked: NDArray[np.float64]
    busy: float
    cards: tuple[CardSeen, ...]


class IncrementalDetector:
    """The eyes on one source. They look at the whole of the first pictures, and at later ones where they change, at the scale
    that suits the cards."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._lengths: deque[float] = deque(maxlen=200)
        self._kept: Kept | None = None
        self._arrivals = Arrivals()
        self._plane = KnownPlane()

    def look(self, picture: Picture) -> tuple[CardSeen, ...]:
        """The cards in the next picture of the source, surest first; where nothing has changed, as they were last seen."""
        if self._plane.moved(picture.top):
            self._arrivals.forget(picture)
        grey = shrink(picture.image) if picture.small is None else picture.small
        kept, size = self._kept, (picture.image.shape[1], picture.image.shape[0])
        if kept is None or kept.memory.grey.shape != grey.shape or not 0 < picture.t - kept.t < REFRESH_SECONDS:
            self._arrivals.forget(picture)
            return self._look_at_all(picture, remember(grey))
        change = compare(kept.memory, grey)
        if change.everywhere:
            self._arrivals.disturbed(picture.t)
            return self._look_at_all(picture, remember(grey))
        happening = change.cells & on_table(picture.top, size, change.cells.shape, self._margin())
        changed = np.where(happening, picture.t, kept.changed)
        everything = picture.t - kept.busy >= BUSY_STEP
        due = stripe_due(kept.t, picture.t, happening.shape)
        quads = [card.quad for card in kept.cards]
        still = tuple(card for card, part in zip(kept.cards, parts(quads, size, due.shape), strict=True)
                      if not due[part].any() and picture.t - changed[part].max() > SETTLING_SECONDS)  # fmt: skip
        if everything:
            due |= happening | ((picture.t - changed <= SETTLING_SECONDS) & (picture.t - kept.seen >= SETTLING_STEP))
        else:
            due |= happening & (picture.t - kept.tracked <= TRACKED_SECONDS)
        for part in parts(self._arrived(picture, changed), size, due.shape):
            due[part] = True
        crops = crops_of(due, size, quads, self._margin(), self._unit(size[0]))
        seen_now = self._see(picture, crops, still)
        cards = merged(kept.cards, seen_now, crops, still)
        tracked = kept.tracked.copy()
        for part in parts(in_new_places(seen_now, quads), size, due.shape, TRACKED_REACH_LENGTHS):
            tracked[part] = picture.t
        for crop in crops:
            due |= cells_in(crop, due.shape)
        seen = np.where(due, picture.t, kept.seen)
        memory = looked_at(change.memory, grey, due)
        busy = picture.t if everything and happening.any() else kept.busy
        self._kept = Kept(picture.t, memory, changed, seen, tracked, busy, cards)
        return cards

    def width(self, available: int) -> int:
        """The width of the detector's input, pixels, for a picture that is ``available`` pixels wide: see `comfortable_width`."""
        return comfortable_width(self._lengths, available)

    def _look_at_all(self, picture: Picture, memory: Memory) -> tuple[CardSeen, ...]:
        """Look at the whole picture, and forget what was known."""
        size = picture.image.shape[1], picture.image.shape[0]
        cards = self._see(picture, (whole(size),), ())
        now = np.full(memory.noise.shape, picture.t)
        self._kept = Kept(picture.t, memory, now, now, now, picture.t, cards)
        return cards

    def _see(self, picture: Picture, crops: tuple[Crop, ...], still: tuple[CardSeen, ...]) -> tuple[CardSeen, ...]:
        """The cards in the ``crops``, without those that lie ``still``."""
        if not crops:
            return ()
        size = picture.image.shape[1], picture.image.shape[0]
        known = Known([card.quad for card in still], self._arrivals.near(picture.image, crops), self._plane.of(size))
        cards = self._eyes.look(picture.image, self.width(size[0]), crops, known)
        self._plane.learn(cards)
        self._lengths.extend(float(card_length(card.quad)) for card in cards)
        return cards

    def _arrived(self, picture: Picture, changed: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """The quad (4, 2) of a card that was just put down on others and that the reader knows; mostly there is none."""
        length = float(np.median(self._lengths)) if self._lengths else 0.0
        plane = self._plane.of((picture.image.shape[1], picture.image.shape[0]))
        for one in self._arrivals.step(picture, changed, length, plane):
            top = self._eyes.on_top(picture.image, one.places)
            if top is None:
                continue
            lies = self._arrivals.lies(picture.image, top.quad)
            if top.reading.sure >= MIN_ON_TOP_PROBABILITY and self._on_others(top.quad) and not lies:
                self._arrivals.keep(picture.image, top.quad, one.changed)
                return [top.quad]
            # a hand that brought nothing, a back, or a card on the bare table: the detector finds it; a coin is no ace of coins
            self._arrivals.done()
            break
        return []

    def _on_others(self, quad: NDArray[np.float64]) -> bool:
        """Whether other cards lay where a card was put down at ``quad`` (4, 2)."""
        before = self._kept.cards if self._kept is not None else ()
        return any(shared_area(card.quad, quad) > 0 for card in before)

    def _margin(self) -> float:
        """A crop's margin in pixels of the picture."""
        return MARGIN_LENGTHS * float(np.quantile(self._lengths, 0.9)) if self._lengths else np.inf

    def _unit(self, available: int) -> float:
        """`UNIT_PIXELS` in pixels of the picture."""
        return UNIT_PIXELS * available / self.width(available)


def stripe_due(before: float, now: float, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """The cells (rows, columns) of the stripes of the picture whose turn to be looked at came between ``before`` and ``now``,
    seconds."""
    step = REFRESH_SECONDS / STRIPES
    due = np.zeros(shape, np.bool_)
    for turn in range(int(before // step) + 1, int(now // step) + 1):
        columns = np.array_split(np.arange(shape[1]), STRIPES)[turn % STRIPES]
        due[:, columns] = True
    return due


def on_table(
    top: NDArray[np.float64] | None, size: tuple[int, int], shape: tuple[int, int], reach: float
) -> NDArray[np.bool_]:
    """Which cells of a grid of ``shape`` (rows, columns) over a picture of ``size`` (width, height) are on the table or near it.

    ``top`` (4, 2): the table's corners in pixels; None: all cells count. ``reach``: how far from the table cells still count,
    pixels.
    """
    if top is None or not np.isfinite(reach):
        return np.ones(shape, np.bool_)
    cell = np.array([size[0] / shape[1], size[1] / shape[0]])
    outline = np.rint(np.clip(top / cell, -9999, 9999) - 0.5).astype(np.int32)
    cells = cv2.fillConvexPoly(np.zeros(shape, np.uint8), outline, 1)
    wide = 2 * int(np.ceil(reach / cell.min())) + 1
    return cv2.dilate(cells, np.ones((wide, wide), np.uint8)) > 0


def parts(
    quads: ArrayLike, size: tuple[int, int], shape: tuple[int, int], reach: float = 0.0
) -> list[tuple[slice, slice]]:
    """For each of ``quads`` (n, 4, 2), pixels, the rows and columns that it covers in a grid of ``shape`` over a picture of
    ``size`` (width, height). ``reach``: with how much room around it, in lengths of the card.
    """
    points = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    boxes = bounding_boxes(points)
    more = reach * card_length(points)[:, None]
    cell = np.array([size[0] / shape[1], size[1] / shape[0]])
    first = np.maximum(0, (boxes[:, :2] - more) // cell).astype(int)
    last = np.maximum(first, (boxes[:, 2:] + more) // cell).astype(int)
    return [(slice(min(y1, shape[0] - 1), y2 + 1), slice(min(x1, shape[1] - 1), x2 + 1))
            for (x1, y1), (x2, y2) in zip(first.tolist(), last.tolist(), strict=True)]  # fmt: skip


def in_new_places(seen: tuple[CardSeen, ...], before: ArrayLike) -> list[Quad]:
    """The quads of the cards ``seen`` that lie where none of the quads ``before`` (n, 4, 2) did."""
    middles = np.asarray(before, np.float64).reshape(-1, 4, 2).mean(axis=1)
    found = [card.quad for card in seen]
    return [
        quad for quad in found
        if not np.any(np.linalg.norm(middles - np.mean(quad, axis=0), axis=1) < IN_PLACE_LENGTHS * card_length(quad))
    ]  # fmt: skip


def merged(
    kept: tuple[CardSeen, ...], seen: tuple[CardSeen, ...], crops: tuple[Crop, ...], still: tuple[CardSeen, ...] = ()
) -> tuple[CardSeen, ...]:
    """The cards ``kept`` and the cards ``seen``, surest first, without kept ones that a crop decides about and that are not
    ``still``.

    Where several cards overlap, one that was just put down is taken first, then one that was seen, then one that was kept.
    """
    quads = [card.quad for card in kept]
    gone = np.any([crop.owns(quads) for crop in crops], axis=0) if crops and kept else np.zeros(len(kept), np.bool_)
    resting = {id(card) for card in still}
    cards = [*(card for card, over in zip(kept, gone, strict=True) if not over or id(card) in resting), *seen]
    old = len(cards) - len(seen)
    first = [card.score + float(n >= old) + (0.0 if card.around is None else 2.0) for n, card in enumerate(cards)]
    left = [cards[i] for i in suppress([card.quad for card in cards], first, SAME_CARD_IOU)]
    return tuple(sorted(left, key=lambda card: -card.score))
