"""Notices that time is missing from a source though its clock does not show it: a part was cut out of a recording, or a stream
stamps its pictures when they arrive.

From one picture to the next several cards have moved, and no hand was seen at them, neither before nor afterwards. Nobody puts
cards down like that, so something happened between the two pictures, in a time of unknown length. Needs no pictures itself.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.eyes.change import Mask
from companion.eyes.seeing import Seen
from companion.eyes.sighting import CardSeen, Point, Unseen
from companion.eyes.table import TableMap

TICK_SECONDS = 0.02
"""Seconds, by the source's clock, of the unseen span that is reported: less than from one picture to the next."""
MIN_SUDDEN_CARDS, MIN_STILL_SUDDEN = 3, 2
"""Number of cards that must have vanished or appeared without a hand, for a splice; and how many of these must still be so in the
next picture, without a hand there either. A card that has moved, or was turned over, counts twice: it vanished and appeared. In
the three bundled clips the count never reached three."""
MIN_LOOKS = 3
"""Number of pictures in a row that must find a card in one place, for it to count as lying there."""
SAME_CARD_LENGTHS = 0.15
"""Card lengths: a card found nearer than this to where one lay, with the same side up, is that card."""
HAND_SECONDS = 0.6
"""Seconds before a card appeared or vanished in which the hand that did it must have been seen."""
LATE_SECONDS = 1.5
"""As `HAND_SECONDS`, of a card that lies on or under others, or that was looked for by what a hand had changed: it may take a
second until it is decided what it is, and where it lies."""
JITTER_LENGTHS = 0.5
"""Card lengths: a card that cannot be read, found up to this far from where one lay, may be that card: of one that is half
covered the corners are guessed."""
HEAP_LENGTHS = 0.6
"""Card lengths between the middles of two cards up to which they lie on each other, however they are turned: a card's width."""
HAND_REACH_LENGTHS = 0.75
"""Card lengths: motion nearer than this to a card's middle may be a hand at that card."""


@dataclass(frozen=True, slots=True)
class _Spot:
    """A card found in ``looks`` pictures in a row: its middle ``at`` and its ``length``, pixels; ``face``: it lies face up;
    ``card``: its kind, where it could be read; ``arrived``: it was found by what a hand had changed."""

    at: Point
    length: float
    face: bool
    card: str | None = None
    arrived: bool = False
    looks: int = 1

    def within(self, other: _Spot, lengths: float) -> bool:
        """Whether the middles of the two are at most this number of card ``lengths`` apart."""
        return math.dist(self.at, other.at) <= lengths * max(self.length, other.length)

    def holds(self, other: _Spot) -> bool:
        """Whether the other one is the same card at the same place."""
        return self.face == other.face and self.within(other, SAME_CARD_LENGTHS)

    def may_be(self, other: _Spot) -> bool:
        """Whether the other one can be the same card, found a little beside its place."""
        return self.face == other.face and None in (self.card, other.card) and self.within(other, JITTER_LENGTHS)


@dataclass(frozen=True, slots=True)
class _Doubted:
    """A picture that does not seem to follow the one before, with the spots that have ``gone`` in it and those that have
    ``come``."""

    gone: tuple[_Spot, ...]
    come: tuple[_Spot, ...]


def unspliced(pictures: Iterable[Seen]) -> Iterator[Seen]:
    """The pictures of a source. One before which time is missing gets an `Unseen` of `TICK_SECONDS` seconds. A picture that does
    not seem to follow the one before is held back until the next one decides."""
    splices, waiting = _Splices(), None
    for seen in pictures:
        missed = splices.step(seen)
        if waiting is not None:
            yield _after_a_gap(waiting) if missed else waiting
        waiting = seen if splices.waits else None
        if waiting is None:
            yield seen
    if waiting is not None:
        yield waiting


def _after_a_gap(seen: Seen) -> Seen:
    t, frame_quality = seen.picture.t, seen.frame_quality
    sightings = (*frame_quality.sightings, Unseen(t - TICK_SECONDS, t, None, "gap"))
    return replace(seen, frame_quality=replace(frame_quality, resumed=True, sightings=sightings))


class _Splices:
    """Follows the pictures of one source, in order of time."""

    def __init__(self) -> None:
        self._spots: tuple[_Spot, ...] | None = None
        self._hands: deque[tuple[float, Mask | None]] = deque(maxlen=30)
        self._doubted: _Doubted | None = None
        self._top: TableMap | None = None

    @property
    def waits(self) -> bool:
        """Whether the next picture is needed to decide if time is missing before the last one."""
        return self._doubted is not None

    def step(self, seen: Seen) -> bool:
        """Take the next picture. Returns whether time is missing before the last one, if that was undecided (`waits`)."""
        doubted, self._doubted = self._doubted, None
        if seen.frame_quality.blind is not None or seen.frame_quality.resumed or seen.top is not self._top:
            self._spots, self._top = None, seen.top  # it is known that something was not seen, or that all has moved
            self._hands.clear()
        if seen.frame_quality.blind is not None:
            return False
        before, self._spots = self._spots, _spots(seen.cards, self._spots or ())
        missed = False
        if before is not None and doubted is not None:
            missed = self._still_so(doubted, seen)
        elif before is not None:
            self._doubted = self._doubts(before, self._spots, seen)
        self._hands.append((seen.picture.t, seen.moving))
        return missed

    def _doubts(self, before: Sequence[_Spot], now: Sequence[_Spot], seen: Seen) -> _Doubted | None:
        """The cards that have moved since the picture before though no hand was at them; None where there are fewer than
        `MIN_SUDDEN_CARDS`.

        Unreadable cards in a heap do not count, as they are found now here, now there.
        """
        gone = [spot for spot in before
                if spot.looks >= MIN_LOOKS and not any(one.holds(spot) or one.may_be(spot) for one in now)]  # fmt: skip
        come = [spot for spot in now if spot.looks == 1 and not any(one.may_be(spot) for one in before)]
        if len(gone) + len(come) < MIN_SUDDEN_CARDS:
            return None
        lying = [spot for spot in now if spot.looks > 1]
        gone, come = ([one for one in some if self._sudden(one, lying, seen)] for some in (gone, come))
        return _Doubted(tuple(gone), tuple(come)) if len(gone) + len(come) >= MIN_SUDDEN_CARDS else None

    def _sudden(self, spot: _Spot, lying: Iterable[_Spot], seen: Seen) -> bool:
        """Whether this card has come or gone without a hand that was seen, and does not lie in a heap that hides most of it.
        ``lying``: the cards that have not moved."""
        heaped = any(one.within(spot, HEAP_LENGTHS) for one in lying)
        if heaped and spot.card is None:
            return False
        seconds, width = LATE_SECONDS if heaped or spot.arrived else HAND_SECONDS, seen.picture.image.shape[1]
        hands = [moving for t, moving in self._hands if t >= seen.picture.t - seconds]
        return bool(hands) and not any(_at(moving, spot, width) for moving in hands)

    def _still_so(self, doubted: _Doubted, seen: Seen) -> bool:
        """Whether the next picture confirms that these spots have come and gone."""
        now, width = self._spots or (), seen.picture.image.shape[1]
        changed = [one for one in doubted.gone if not _among(one, now)] + [one for one in doubted.come if _among(one, now)]
        return sum(not _at(seen.moving, one, width) for one in changed) >= MIN_STILL_SUDDEN


def _spots(cards: Sequence[CardSeen], before: Sequence[_Spot]) -> tuple[_Spot, ...]:
    """The spots of the cards in a picture, with the number of pictures for which each has been there."""
    found = []
    for card in cards:
        a, b, c, d = card.quad
        at = (a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4
        spot = _Spot(at, max(math.dist(a, b), math.dist(b, c)), card.side == "face", card.card, card.around is not None)
        looks = next((old.looks for old in before if old.holds(spot)), 0)
        found.append(replace(spot, looks=looks + 1) if looks else spot)
    return tuple(found)


def _among(spot: _Spot, spots: Sequence[_Spot]) -> bool:
    return any(other.holds(spot) for other in spots)


def _at(moving: Mask | None, spot: _Spot, width: int) -> bool:
    """Whether something moves at the card, in a picture ``width`` pixels wide; True where that is not known."""
    if moving is None:
        return True
    rows, columns = np.nonzero(moving)
    cell = width / moving.shape[1]
    away = np.hypot((columns + 0.5) * cell - spot.at[0], (rows + 0.5) * cell - spot.at[1])
    return bool((away <= HAND_REACH_LENGTHS * spot.length).any())
