"""The pile in the middle: each hand that comes and goes puts a card on it, or several, or takes some back."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from companion.eyes.following.corridors import Origin, middle
from companion.eyes.following.lying import Look, tells_more
from companion.eyes.following.visits import Visit, Visits
from companion.eyes.sighting import Motion, Point
from companion.games.stoppa.sight.spots import Sign, Spot, Spots, alone, kinds_of, signs, together
from companion.games.stoppa.sightings import Cleared, Laid, Odds, Sighting, TakenBack

MIDDLE_LENGTHS = 1.7
"""Card lengths from the middle of the table, or of the last pile, within which cards may be on the pile at first."""
SPREAD, KNOWN = 1.1, 3
"""Card lengths from the pile's own middle within which cards are on it, once ``KNOWN`` cards were found there. In 15 filmed clips
none of 645 lay more than 0.66 away; on a small table the cards that somebody has left lay within the zone."""
ASIDE_LENGTHS = 0.9
"""Card lengths from where a pile was expected to where it lies, beyond which the place watched for hands moves there
(`visits.PILE_LENGTHS`)."""
SETTLED_SECONDS = 0.3
"""Seconds after a hand has gone until what it put down is reported, and between further reports of it; sooner when the next hand
comes."""
MIN_BEGUN_SAYS = 0.4
"""`Sign.says` (0 to 1), at least, for the first card of a pile: hands come to the middle for other things, too."""
BEGUN_LOOKS = 3
"""Looks, at least, that must have found the first card."""
MIN_NEW_SAYS = 0.3
"""`Sign.says` (0 to 1), at least, for a card that was put down; where no spot says this much, nothing may have been put down."""
NOTHING_PUT_PROBABILITY, NOTHING_PUT_UNSEEN_PROBABILITY = 0.005, 0.1
"""Probability that a hand put nothing down where a spot is new, and where none is."""
MIN_CHANGE = 0.1
"""Change of a kind's probability from which on a card is reported again."""
MIN_OPEN_PROBABILITY = 0.6
"""Probability of its kind, weighed by how well it was found, from which on a spot lies open and can be read well."""
CLEARED_SECONDS = 1.5
"""Seconds without a card on the pile after which it has been gathered."""
TAKEN_PROBABILITY = 0.7
"""Probability that a card that is gone was taken back."""


@dataclass(frozen=True, slots=True)
class Put:
    """What one hand put down. ``spots``: what was found when it had gone; ``top``: where the best of it lies, if it was found."""

    visit: Visit
    laid: tuple[Laid, ...]
    spots: Spots
    top: Spot | None


class Pile:
    """Follows the pile between places with the ``centres`` (N, 2), table coordinates. ``episodes``, ``motions``: how many were
    reported before. ``at``: its middle; before any lay there, that of the table."""

    def __init__(self, centres: NDArray[np.float64], episodes: int = 0, motions: int = 0) -> None:
        self.at = self._middle = middle(centres)
        self.origin = Origin(centres)
        self._visits = Visits()
        self._episodes, self._motions = episodes, motions
        self._puts: list[Put] = []
        self._now = Spots()
        self._before: deque[Spots] = deque(maxlen=2)
        self._lay: dict[str, float] = {}
        """How surely (0 to 1) cards of each kind lay here before the latest hand came."""
        self._visit: Visit | None = None
        self._told, self._said_at = True, -math.inf
        self._lost = False
        """Whether nothing could be seen since the latest hand: what lies here now says nothing of what that one put down."""
        self._seen: float | None = None

    @property
    def lies(self) -> bool:
        """Whether cards have been laid in this hand, and have not been gathered."""
        return bool(self._puts)

    @property
    def top(self) -> Spot | None:
        """Where the card that was laid last was found."""
        return self._puts[-1].top if self._puts else None

    @property
    def _tops(self) -> list[Point]:
        """Where the cards laid so far were found, those that were."""
        return [put.top.at for put in self._puts if put.top is not None]

    def shows(self, spot: Spot, length: float) -> bool:
        """Whether what lies at this spot is found there still."""
        return any(spot.holds(one.at, one.turn, length) for one in self._now.spots)

    def lost(self) -> None:
        """Nothing can be seen for a while: what lies here afterwards may have been put down unseen."""
        self._turn(math.inf)
        self._told = self._lost = True

    def _turn(self, since: float) -> None:
        """Something may be put down from ``since`` seconds on: what was found belongs to the time before."""
        before = self._now.until(since)
        self._before.append(before)
        if not self._puts:
            self._lay.clear()
        for kind, p in before.read().items():
            self._lay[kind] = max(self._lay.get(kind, 0.0), p)
        self._now = Spots()

    def covered(self, length: float) -> Odds:
        """The kinds of a card that lies on top now, and did not when the pile was `lost`; empty where none is plain."""
        new = signs(self._now, self._before, self._lay, length)
        return kinds_of(new[:1]) if self._puts and new and new[0].says >= MIN_BEGUN_SAYS else ()

    def holds(self, at: Point, length: float) -> bool:
        """Whether a card there is on the pile."""
        known = len(self._tops) >= KNOWN
        return math.dist(at, self._middle if known else self.at) <= (SPREAD if known else MIDDLE_LENGTHS) * length

    def step(
        self, t: float, looks: Iterable[Look], anything: bool, motion: Motion | None, length: float
    ) -> tuple[Sighting, ...]:  # fmt: skip
        """What became sure with a look. ``looks``: at the faces on the pile; ``anything``: any card was found there."""
        moving = self._visits.step(t, motion, self.at, length)
        looks = tuple(looks)
        found: list[Sighting] = []
        if (visit := self._visited(() if moving else looks, length)) is not None:
            found += self._sightings(length, last=True)
            self._turn(visit.start)
            self._visit, self._told, self._lost = visit, False, False
        if not moving:
            self._now.add(t, looks, length)
            if self._visit is not None and t - max(self._visit.end, self._said_at) >= SETTLED_SECONDS:
                self._said_at = t
                found += self._sightings(length)
        if anything or moving:
            self._seen = t
        if self._puts and self._seen is not None and t - self._seen >= CLEARED_SECONDS:
            found.append(Cleared(self._seen))
            self._puts, self._told = [], True
            self._before.clear()
            self._lay.clear()
        return tuple(found)

    def _visited(self, looks: Iterable[Look], length: float) -> Visit | None:
        """A hand that has come since the last one; also one that hardly reached the pile, where a card has come to lie there."""
        visit, before = self._visits.latest, self._visit
        if before is None or (visit is not None and visit is not before and visit.end > before.end):
            return visit
        brush = self._visits.brush(before.end)
        return brush if brush is not None and any(self._has_come(look, brush.start, length) for look in looks) else None

    def _has_come(self, look: Look, since: float, length: float) -> bool:
        """Whether the eyes are sure that a card has come to lie there, which was not found there before ``since``, seconds."""
        known = (spot for spots in (*self._before, self._now) for spot in spots.until(since).spots)
        return look.card.around is not None and not any(
            spot.best == look.card.card and spot.holds(look.at, look.turn, length) for spot in known
        )

    def _sightings(self, length: float, *, last: bool = False) -> list[Sighting]:
        """What the latest hand has put down, as far as it is not told yet; ``last``: the next hand comes."""
        visit = self._visit
        if visit is None:
            return []
        new = signs(self._now, self._before, self._lay, length)
        here = self._puts[-1] if self._puts and self._puts[-1].visit is visit else None
        if here is not None and not self._lost:
            return self._more(here, new, length)
        if self._told:
            return []
        best = new[0] if new else None
        if not self._puts and (best is None or best.says < MIN_BEGUN_SAYS or best.spot.face.looks < BEGUN_LOOKS):
            return []
        if not last and not self._now.looks:
            return []
        if (back := self._taken_back(visit, new, length)) is not None:
            self._told = True
            return [back]
        return self._put(visit, new, length)

    def _put(self, visit: Visit, new: list[Sign], length: float) -> list[Sighting]:
        self._motions += 1
        laid = []
        t = (visit.start + visit.end) / 2
        odds = self._readings(new, length)
        places = self.origin.odds(t, new[0].spot.turn if new else None, self.at)
        for kinds in odds:
            self._episodes += 1
            laid.append(Laid(t, self._episodes, kinds, places, self._motions))
        self._puts.append(Put(visit, tuple(laid), self._now, _top(new)))
        if len(tops := self._tops) >= KNOWN:
            self._middle = median(x for x, _ in tops), median(y for _, y in tops)
            self.at = self._middle if math.dist(self._middle, self.at) > ASIDE_LENGTHS * length else self.at
        return list(laid)

    def _more(self, put: Put, new: list[Sign], length: float) -> list[Sighting]:
        """What more is known of cards that were reported; or of one that was put down with them."""
        found = list[Sighting]()
        laid = list(put.laid)
        for number, kinds in enumerate(self._readings(new, length)):
            if number >= len(laid):
                self._episodes += 1
                laid.append(replace(put.laid[0], episode=self._episodes, alternatives=kinds))
                found.append(laid[-1])
            elif tells_more(laid[number].alternatives, kinds, MIN_CHANGE):
                laid[number] = replace(laid[number], alternatives=kinds)
                found.append(laid[number])
        self._puts[-1] = replace(put, laid=tuple(laid), spots=self._now, top=_top(new) or put.top)
        return found

    def _readings(self, new: list[Sign], length: float) -> list[Odds]:
        """The kinds of each card that was put down; what is missing to 1 is that none was."""
        there = 1 - (NOTHING_PUT_PROBABILITY if new and new[0].says >= MIN_NEW_SAYS else NOTHING_PUT_UNSEEN_PROBABILITY)
        rows = together(new, length) or [alone(new)]
        return [tuple((kind, round(p * there, 4)) for kind, p in row) for row in rows]

    def _taken_back(self, visit: Visit, new: list[Sign], length: float) -> TakenBack | None:
        """The cards on top are gone, those below lie as before, and nothing new does."""
        if len(self._puts) < 2 or (new and new[0].says >= MIN_NEW_SAYS):
            return None
        top, below = self._puts[-1].top, self._puts[-2].top
        if top is None or below is None or self.shows(top, length) or not _open(self._puts[-1].spots, top):
            return None
        if not any(below.holds(spot.at, spot.turn, length) and _open(self._now, spot) for spot in self._now.spots):
            return None
        gone = self._puts.pop()
        t = (visit.start + visit.end) / 2
        return TakenBack(t, self._puts[-1].laid[-1].episode, gone.laid[0].places, TAKEN_PROBABILITY)


def _top(new: list[Sign]) -> Spot | None:
    """The spot that surely is what was put down."""
    return new[0].spot if new and new[0].says >= MIN_NEW_SAYS else None


def _open(spots: Spots, spot: Spot) -> bool:
    """Whether what lies there can be read well."""
    return spots.trust(spot) * max(spot.odds.values(), default=0.0) >= MIN_OPEN_PROBABILITY
