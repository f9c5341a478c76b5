"""What the eyes report of a choreography of Lu Stù that nobody has filmed, and the weights that are fitted to it: of the evidence
for exchanges and for draws, a logistic model for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import TableView
from companion.games.stu.sight import sightings
from companion.games.stu.sight.places import Places
from companion.games.stu.sight.traffic import PAIR_WEIGHTS, Evidence, Traffic
from companion.games.stu.sightings import DeckExchanged, Exchanged, Sighting
from workshop.choreography.barlife import LEVELS
from workshop.choreography.timeline import Timeline
from workshop.logistic import fitted, probabilities
from workshop.streams.glimpses import SIGHT, Sight, views
from workshop.streams.stu.evenings import evenings, timed
from workshop.streams.stu.truth import ideal


def places_of(timeline: Timeline) -> Places:
    """The players' places of a choreography, before the first look."""
    return Places(np.array([seat.place for seat in timeline.plan.seats]) / 1000)


def glimpsed(timeline: Timeline, sight: Sight, rng: Random) -> tuple[Sighting, ...]:
    """What the eyes report of a choreography, in the order in which it becomes sure."""
    places = places_of(timeline)
    traffic = Traffic(places)
    return tuple(seen for view in views(timeline, sight, rng) for seen in sightings(places, traffic, view))

STRAY_SECONDS = 1.0
"""Traffic this near to a true exchange in time may be that exchange."""
PENALTY, CONSTANT_PENALTY = 0.3, 0.01
"""Ridge on the weights, so that rare evidence is not believed blindly; and on the constant, which is the first of them."""


@dataclass(frozen=True, slots=True)
class Case:
    """The evidence of some traffic, and whether it was truly an exchange, or with ``deck`` a draw."""

    deck: bool
    evidence: Evidence
    true: bool


def cases(views: Iterable[TableView], places: Places, truth: Sequence[Sighting]) -> list[Case]:
    """All traffic in these views, each piece with the truth about it. Where several could be one exchange, the one that lasted
    for most of it is."""
    seen: list[tuple[bool, Evidence]] = []

    def judge(deck: bool, evidence: Evidence) -> float:
        seen.append((deck, evidence))
        return 1.0

    traffic = Traffic(places, judge)
    moved: list[Exchanged | DeckExchanged] = []
    for view in views:
        moved += [s for s in sightings(places, traffic, view) if isinstance(s, Exchanged | DeckExchanged)]
    real = {index for true in truth if isinstance(true, Exchanged | DeckExchanged) if (index := _best(true, moved)) is not None}
    return [Case(deck, evidence, index in real) for index, (deck, evidence) in enumerate(seen)]


def missed(found: Sequence[Case], truth: Sequence[Sighting]) -> int:
    """How many true exchanges and draws led to no traffic at all."""
    return sum(isinstance(true, Exchanged | DeckExchanged) for true in truth) - sum(case.true for case in found)


def _same(true: Exchanged | DeckExchanged, seen: Exchanged | DeckExchanged) -> bool:
    if isinstance(true, DeckExchanged) or isinstance(seen, DeckExchanged):
        alike = isinstance(true, DeckExchanged) and isinstance(seen, DeckExchanged) and true.place == seen.place
    else:
        alike = set(true.places) == set(seen.places)
    return alike and true.t - STRAY_SECONDS <= seen.until and seen.t <= true.until + STRAY_SECONDS


def _best(true: Exchanged | DeckExchanged, seen: Sequence[Exchanged | DeckExchanged]) -> int | None:
    """Index of that sighting which is this exchange; None where none can be."""
    shared = {index: min(true.until, one.until) - max(true.t, one.t) for index, one in enumerate(seen) if _same(true, one)}
    return max(shared, key=lambda index: shared[index], default=None)


def glimpsed_cases(hands: int, seed: int) -> list[Case]:
    """The traffic in choreographies with ``hands`` hands for each kind of bar life, seen by simulated eyes."""
    found = []
    for life in LEVELS:
        for number, played in enumerate(evenings(hands, seed, life)):
            looks = views(played, SIGHT[life], Random(f"traffic {seed} {number}"))
            found += cases(looks, places_of(played), ideal(timed(played)))
    return found


def fit(found: Sequence[Case], deck: bool) -> NDArray[np.float64]:
    """The weights of `Evidence.features` under which these cases are likeliest, with a ridge.

    Raises:
        workshop.logistic.CannotFit: no case of this kind.
    """
    x, y = _table(found, deck)
    return fitted(x, y, np.array([CONSTANT_PENALTY] + [PENALTY] * (x.shape[1] - 1)))


def loss(found: Sequence[Case], deck: bool, weights: NDArray[np.float64]) -> float:
    """Mean negative log-likelihood of these cases, nats."""
    x, y = _table(found, deck)
    p = np.clip(probabilities(x, weights), 1e-6, 1 - 1e-6)
    return float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean())


def _table(found: Sequence[Case], deck: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Features (n, k) and truth (n,), 0 or 1, of the exchanges among the cases; with ``deck`` of the draws."""
    chosen = [case for case in found if case.deck == deck]
    features = np.array([case.evidence.features() for case in chosen], np.float64)
    return features.reshape(-1, len(PAIR_WEIGHTS)), np.array([case.true for case in chosen], np.float64)
