"""What one camera can show of the places, from what it has shown for a while: which are behind somebody or outside the picture,
and how long a card is in each.

Nothing is claimed at once. A place is *behind somebody* where for `WATCHED_SECONDS` hardly ever a card was found in it, and what
the picture has there moved nearly all the time: people sway, lean and turn, a card and a table top lie still. Of who sits as
still as these nothing is said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.check import SMALL_PX, places_of
from companion.eyes.geometry import card_length
from companion.eyes.image import Image
from companion.eyes.sighting import CardSeen, Point
from companion.eyes.table import Seat, Table, TableMap
from companion.line.camera import AdviceView, PlaceState, PlaceView

Floats = NDArray[np.float64]
Points = Sequence[Point] | Floats

WATCHED_SECONDS: Final = 15.0
"""Seconds for which a place is watched before it is called hidden: somebody who reaches over the table takes less time."""
WINDOW_SECONDS: Final = 30.0
"""Seconds after which what was seen does not count any more: people lean in, and back."""
SAMPLE_SECONDS: Final = 1.5
"""Least seconds between two pictures that are compared: in less, people hardly move."""
GAP_SECONDS: Final = 6.0
"""Seconds without a picture after which the watch begins again."""
MIN_SAMPLES: Final = 8
"""Least number of comparisons from which anything is concluded."""
MOVED_SHARE, CARD_SHARE = 0.8, 0.1
"""Least share of the comparisons in which a hidden place has moved, and greatest in which a card was found in it. At a rendered
table of twelve the one place that was never in view moved in 83 %, the others in 59 % at most."""
SMALL_WIDTH: Final = 240
"""Width in pixels of the pictures that are compared."""
PATCH_PIXELS: Final = 2
"""Pixels of such a picture round a place that count as the place: a card is about as long as they are wide."""
MOVED_LEVELS, MOVED_NOISE = 5.0, 1.5
"""Mean difference (0..255, of the channel that differs most) from which on a place has moved, and how many times the whole
picture's median it must be: dark pictures are noisy."""
LARGE_PX: Final = 1900
"""Longer side of a picture, pixels, below which a larger one is advised where cards are short: 1920x1080 is common."""
MAX_NOISE: Final = 6.0
"""Median difference of the whole picture from which on the light or the camera has changed, and nothing is concluded."""

Code = Literal["hidden", "outside", "small_there", "low_resolution"]
"""What may be said besides what `companion.eyes.check` says."""


@dataclass(frozen=True, slots=True)
class _Sample:
    """At ``t`` seconds, for each place: whether a card was found there, and whether it has moved since the one before."""

    t: float
    card: NDArray[np.bool_]
    moved: NDArray[np.bool_]


class PlaceWatch:
    """Watches the places in the pictures of one source. Not for several threads at once."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque()
        self._shape: tuple[int, ...] = ()
        self._places = np.zeros((0, 2))
        self._last: tuple[float, NDArray[np.float32]] | None = None

    @property
    def seconds(self) -> float:
        """For how long the places have been watched, as far as it counts."""
        return self._last[0] - self._samples[0].t if self._samples and self._last is not None else 0.0

    @property
    def states(self) -> tuple[PlaceState, ...]:
        """For each place what is known of it by now."""
        size = self._shape[1::-1] or (0, 0)
        outside = [not (0 <= x < size[0] and 0 <= y < size[1]) for x, y in self._places]
        nothing = [np.zeros(len(outside), np.bool_)]
        card, moved = (np.asarray(np.mean(all_of or nothing, axis=0), np.float64)
                       for all_of in ([one.card for one in self._samples], [one.moved for one in self._samples]))  # fmt: skip
        watched = len(self._samples) >= MIN_SAMPLES and self.seconds >= WATCHED_SECONDS
        return tuple(
            "outside" if outside[one]
            else "hidden" if watched and moved[one] >= MOVED_SHARE and card[one] <= CARD_SHARE
            else "seen" if card[one] > 0 else "unknown"
            for one in range(len(outside))
        )  # fmt: skip

    def shown(self, places: Sequence[Point], lengths: Sequence[float]) -> tuple[PlaceView, ...]:
        """The `states` as pages take them, for these ``places``, pixels, with the ``lengths`` of cards there (`lengths_at`)."""
        states = self.states if self._are_here(np.asarray(places, np.float64).reshape(-1, 2)) else ()
        return tuple(
            PlaceView(number, at, state or "unknown", length)
            for number, (at, state, length) in enumerate(zip_longest(places, states, lengths), 1)
        )

    @property
    def hidden(self) -> tuple[int, ...]:
        """The places (from 1) that are behind somebody or outside the picture."""
        return tuple(number for number, state in enumerate(self.states, 1) if state in ("hidden", "outside"))

    def put(self, t: float, image: Image, cards: Sequence[CardSeen], places: Points) -> None:
        """The picture (H, W, 3) at ``t`` seconds, with the ``cards`` found in it, and the players' ``places`` in it, pixels. One
        that comes too soon is left out; where the places lie elsewhere, the watch begins again."""
        here = np.asarray(places, np.float64).reshape(-1, 2)
        if image.shape != self._shape or not self._are_here(here) or not self._follows(t):
            self._samples.clear()
            self._shape, self._places, self._last = image.shape, here, None
        if not len(here) or (self._last is not None and t - self._last[0] < SAMPLE_SECONDS):
            return
        before, self._last = self._last, (t, _small(image))
        if before is None:
            return
        change = np.abs(self._last[1] - before[1]).max(axis=2)
        noise = float(np.median(change))
        if noise >= MAX_NOISE:
            return
        found = places_of([card for card in cards if card.side != "stack"], [(float(x), float(y)) for x, y in here])
        card = np.isin(np.arange(len(here)), [one for one in found if one is not None])
        moved = _at(change, here * (SMALL_WIDTH / image.shape[1])) >= max(MOVED_LEVELS, MOVED_NOISE * noise)
        self._samples.append(_Sample(t, card, moved))
        while t - self._samples[0].t > WINDOW_SECONDS:
            self._samples.popleft()

    def _are_here(self, places: Floats) -> bool:
        return places.shape == self._places.shape and bool(np.abs(places - self._places).max(initial=0) < 0.005 * self._shape[1])

    def _follows(self, t: float) -> bool:
        return self._last is None or 0 <= t - self._last[0] < GAP_SECONDS


def more_advice(
    size: tuple[int, int], shown: Sequence[PlaceView], measured: Sequence[AdviceView], seconds: float
) -> tuple[AdviceView, ...]:
    """What to mend besides what was ``measured`` in a picture of this ``size``, by what is ``shown`` of the places, which were
    watched for ``seconds``."""
    states: tuple[Code, ...] = ("hidden", "outside")
    there = {code: tuple(one.place for one in shown if one.state == code) for code in states}
    found = [AdviceView(code, seconds, None, places) for code, places in there.items() if places]
    small = any(one.code in ("tiny", "small") for one in measured)
    length, place = min(((one.length, one.place) for one in shown if one.length is not None), default=(SMALL_PX, 0))
    if length < SMALL_PX and not small:
        found.append(AdviceView("small_there", length, place))
        small = True
    if small and max(size) < LARGE_PX:
        found.append(AdviceView("low_resolution", max(size), None))
    return tuple(found)


def lengths_at(
    size: tuple[int, int], cards: Sequence[CardSeen], corners: Sequence[Point], places: Sequence[Point]
) -> tuple[float, ...]:
    """How long, in pixels, a card is in each of the ``places``: the one that lies there now; where none does, about how long it
    is with one end to the table's middle, by the cards that lie elsewhere and by the table's ``corners`` in the picture of
    ``size`` (width, height). Nothing where no card or no table is known."""
    single = [card for card in cards if card.side != "stack" and card.deck != "ramino"]
    if len(corners) != 4 or not places or not single:
        return ()
    a, b, c, d = corners
    top = TableMap(Table(1, size, (a, b, c, d), tuple(Seat("", place) for place in places)), size)
    quads = top.to_table(np.asarray([card.quad for card in single], np.float64).reshape(-1, 2)).reshape(-1, 4, 2)
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    length = float(np.median(np.maximum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2))
    inwards = np.array([0.5, 0.5 / top.aspect]) - top.places
    half = inwards / np.maximum(np.linalg.norm(inwards, axis=1, keepdims=True), 1e-6) * length / 2
    ends = top.to_pixels(top.places + half) - top.to_pixels(top.places - half)
    found = np.linalg.norm(ends, axis=1)
    for card, place in zip(single, places_of(single, places), strict=True):
        if place is not None:
            found[place] = card_length(card.quad)
    return tuple(round(float(one), 1) for one in found)


def _small(image: Image) -> NDArray[np.float32]:
    """The picture `SMALL_WIDTH` pixels wide, (h, w, 3)."""
    height = round(SMALL_WIDTH * image.shape[0] / image.shape[1])
    return np.asarray(cv2.resize(image, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA), np.float32)


def _at(change: NDArray[np.float32], places: Floats) -> Floats:
    """The mean of what has changed round each of the places (N, 2), pixels of ``change``; 0 outside of it."""
    found = np.zeros(len(places))
    for number, (x, y) in enumerate(np.floor(places).astype(int)):
        rows, columns = (slice(max(0, at - PATCH_PIXELS), max(0, at + PATCH_PIXELS + 1)) for at in (y, x))
        patch = change[rows, columns]
        found[number] = float(patch.mean()) if patch.size else 0.0
    return found
