"""Cards on the move between places: which two neighbours exchanged theirs, who drew from the deck.

Backs look alike and cross under hands, so no card is followed from place to place. Instead a card seen well between two places
counts for that pair, whichever it is, and so do looks in which two neighbours' cards are away together; once it is quiet again,
all that was seen (`Evidence`) says how likely the two have exchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from companion.eyes.places import Place, Places
from companion.eyes.sighting import DeckExchanged, Exchanged, Point, Sighting

QUIET_SECONDS = 0.8
"""Traffic between two places is over when nothing was seen there for this long."""
AROUND_SECONDS = 1.5
"""What happens in the places this long before and after the traffic belongs to it."""
PATIENCE_SECONDS = 4.0
"""A place that stays bare this long after the traffic is not waited for."""
TOGETHER_SECONDS = 3.0
"""Cards away for longer have been taken up to be looked at."""
LEAST = 0.05
"""Less probable exchanges are not reported."""
DECK = -1
"""Stands for the deck among the ends of a way."""


@dataclass(slots=True)
class Way:
    """Traffic between two ends (a place's number, or DECK): from ``start`` to ``last`` seconds; in so many ``looks`` a card
    was seen on the way, and in so many both ends were bare (``together``)."""

    ends: tuple[int, int]
    start: float
    last: float
    looks: int = 0
    together: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for and against an exchange, or a draw where one end is the deck.

    ``looks``, ``together``: as of its `Way`. ``away``: share of the ends that were bare meanwhile; ``disturbed``: that were
    bare or held something else than their card at rest. ``otherwise``: share of the ends whose card lies otherwise than the
    one before, ``same``: just as before; of the others it is not known. ``back``: share of the ends where a card lies again.
    ``rivals``: other places that were bare meanwhile; ``rival``: looks, of both kinds, of the best of the other ways that
    share an end with this one. ``seconds``: how long it lasted; ``bare``: for how long the ends were bare (the shorter of the
    two). ``dealing``: somebody was dealt their first card meanwhile.
    """

    looks: int
    together: int
    away: float
    disturbed: float
    otherwise: float
    same: float
    back: float
    rivals: int
    rival: int
    seconds: float
    bare: float
    dealing: bool

    def features(self) -> tuple[float, ...]:
        """What the logistic model weighs, each about 0 to 1, the constant first."""
        return (
            1.0,
            min(self.looks, 8) / 8,
            min(self.looks, 2) / 2,
            min(self.together, 3) / 3,
            min(self.together, 9) / 9,
            self.away,
            self.disturbed,
            self.otherwise,
            self.same,
            self.back,
            min(self.rivals, 3) / 3,
            min(self.rival, 4) / 4,
            min(self.seconds, 4) / 4,
            min(self.bare, 1.5) / 1.5,
            float(self.dealing),
        )


PAIR_WEIGHTS = (-14.32, -1.74, 4.61, 3.72, 0.96, 1.6, 3.12, 5.19, 1.4, 2.88, -0.55, -1.22, -2.44, -0.14, -1.3)
DECK_WEIGHTS = (-6.36, -2.74, 0.98, 0.0, 0.0, 0.81, 0.27, 0.78, -0.46, 2.28, -0.75, -3.48, 3.36, 3.12, -3.29)
"""Fitted by `companion.workshop.streams.traffic` on 1650 pieces of traffic in 120 hands of choreography, 40 for each kind of bar
life, seen without pictures, and on the 57 of four filmed clips of two hands each, which count three times. Mean loss (nats) on
these: 0.11 and 0.33 for exchanges, 0.13 and 0.22 for draws; of guesses by the number of looks it was 0.40, 0.50, 1.59 and 1.52.
"""


def probability(deck: bool, evidence: Evidence) -> float:
    """How likely (0 to 1) this was an exchange; with ``deck`` a draw."""
    weights = DECK_WEIGHTS if deck else PAIR_WEIGHTS
    score = sum(weight * feature for weight, feature in zip(weights, evidence.features(), strict=True))
    return 1 / (1 + math.exp(-score))


class Traffic:
    """Watches the wanderers of ``places``; `step` after each of its steps answers with the exchanges that are over.

    ``judge`` says how probable each is, from whether the deck is one end, and the evidence.
    """

    def __init__(self, places: Places, judge: Callable[[bool, Evidence], float] = probability) -> None:
        self._places = places
        self._judge = judge
        self._ways: dict[tuple[int, int], Way] = {}
        self._over: list[Way] = []

    def step(self, t: float) -> tuple[Sighting, ...]:
        for wanderer in self._places.wanderers:
            ends = self._between(wanderer)
            if ends is not None and all(end == DECK or self._lay(end, t) for end in ends):
                self._note(ends, t).looks += 1
        for a, b in self._neighbours(t):
            self._note((min(a, b), max(a, b)), t).together += 1
        return tuple(sighting for way in list(self._ways.values()) for sighting in self._finish(way, t))

    def _neighbours(self, t: float) -> Iterator[tuple[int, int]]:
        """Pairs whose cards are away together: neighbours among those with a card in this hand, or across cards shown (Salta)."""
        places = self._places.places
        bare = [number for number in range(len(places)) if self._just_bare(number, t)]
        for a in bare:
            for step in range(1, len(places)):
                b = (a + step) % len(places)
                if b in bare:
                    yield a, b
                if places[b].dealt and places[b].face is None:
                    break

    def forget(self) -> None:
        """The cards have been gathered: what still moves belongs to no exchange."""
        self._ways.clear()

    def _note(self, ends: tuple[int, int], t: float) -> Way:
        way = self._ways.setdefault(ends, Way(ends, t, t))
        way.last = t
        return way

    def _just_bare(self, number: int, t: float) -> bool:
        """Whether the place's card, which lay there, is away in this look, and has not been for long."""
        since = self._places.places[number].away_since
        return since is not None and t - since <= TOGETHER_SECONDS

    def _lay(self, number: int, t: float) -> bool:
        """Whether a card lay in the place until now, so that it can be the one on the move."""
        place = self._places.places[number]
        return place.lying or place.disturbed_between(t - AROUND_SECONDS, t)

    def _between(self, wanderer: Point) -> tuple[int, int] | None:
        """The two ends that the card lies most nearly between, if it lies in the middle part of their way."""
        deck = self._places.deck
        ends = self._places.centres if deck is None else np.vstack([self._places.centres, deck])
        a, b = np.triu_indices(len(ends), 1)
        way = ends[b] - ends[a]
        span = np.hypot(way[:, 0], way[:, 1])
        offset = np.array(wanderer) - ends[a]
        along = (offset * way).sum(axis=1) / span**2
        aside = np.abs(way[:, 0] * offset[:, 1] - way[:, 1] * offset[:, 0]) / span
        margin = np.where((b == len(self._places.centres)), 0.15, 0.25)
        near = (along >= margin) & (along <= 1 - margin) & (aside <= 0.6 * self._places.card_length)
        if not near.any():
            return None
        best = int(np.where(near, aside + 0.3 * span, np.inf).argmin())
        first, second = int(a[best]), int(b[best])
        return (DECK, first) if second == len(self._places.centres) else (first, second)

    def _finish(self, way: Way, t: float) -> list[Sighting]:
        if t - way.last < QUIET_SECONDS:
            return []
        players = [end for end in way.ends if end != DECK]
        if not all(self._places.places[end].lying for end in players) and t - way.last < PATIENCE_SECONDS:
            return []
        del self._ways[way.ends]
        self._over = [old for old in self._over if t - old.last < 10] + [way]
        sure = self._judge(DECK in way.ends, self._evidence(way, players))
        if sure < LEAST:
            return []
        if DECK in way.ends:
            return [DeckExchanged(way.start, way.last, players[0], sure)]
        return [Exchanged(way.start, way.last, way.ends, sure)]

    def _evidence(self, way: Way, players: list[int]) -> Evidence:
        start, end = way.start - AROUND_SECONDS, way.last + AROUND_SECONDS
        places = self._places.places
        ends = [places[player] for player in players]
        lies = [self._shift(place, way) for place in ends]
        rivals = [
            other
            for other in (*self._ways.values(), *self._over)
            if other is not way
            and set(other.ends) & set(players)
            and other.start <= way.last + 0.5
            and other.last >= way.start - 0.5
        ]
        return Evidence(
            looks=way.looks,
            together=way.together,
            away=sum(place.bare_between(start, end) for place in ends) / len(ends),
            disturbed=sum(place.disturbed_between(start, end) for place in ends) / len(ends),
            otherwise=sum(shift is not None and shift > 0.04 for shift in lies) / len(ends),
            same=sum(shift is not None and shift <= 0.04 for shift in lies) / len(ends),
            back=sum(place.lying for place in ends) / len(ends),
            rivals=sum(place not in ends and place.bare_between(way.start, way.last) for place in places),
            rival=max((other.looks + other.together for other in rivals), default=0),
            seconds=way.last - way.start,
            bare=min(place.bare_seconds(start, end) for place in ends),
            dealing=any(place.dealt_at is not None and start <= place.dealt_at <= end for place in places),
        )

    def _shift(self, place: Place, way: Way) -> float | None:
        """How far, in card lengths, the card in the place lies from where it lay before the traffic."""
        shift = place.shifted(way.start - 0.3, way.last + 0.3)
        return None if shift is None else shift / self._places.card_length
