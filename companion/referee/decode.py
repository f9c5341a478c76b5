"""From the sightings of one hand to its likely histories: a beam of engine states, each extended by every sighting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.decks.stu import KINDS
from companion.eyes.sighting import Sighting
from companion.games.stu.referee.costs import COSTS
from companion.games.stu.referee.covered import Covered
from companion.games.stu.referee.explain import explain
from companion.games.stu.rules import State
from companion.games.stu.rules.faces import copies
from companion.games.stu.rules.log import End, Reveal, Void
from companion.games.stu.rules.state import Payment
from companion.referee.hypothesis import Hypothesis
from companion.table.log import Line

WIDTH = 120
"""Histories kept after each sighting."""
COURSES = 100
"""Beyond those, the likeliest history of each other course of the hand is kept, up to so many courses."""
FORLORN = 30.0
"""A history this much less likely (natural logarithm) than the best is given up."""
GUESSED_FACES = 2
"""So many faces that were never seen are tried through at the end of a hand; with more the hand cannot be ruled."""
GUESSED_HISTORIES = 8
"""In so many of the likeliest histories: each face multiplies them by twenty."""
ENDINGS = 1000
"""Histories kept of a hand that is over: all that was not seen has been tried through."""
SUREST = 0.999
"""No ruling from pictures is surer than this."""


Beam = tuple[Hypothesis, ...]
"""Histories of one hand, most likely first."""


def extend(beam: Beam, sighting: Sighting | Covered) -> Beam:
    """The likely histories after one more sighting."""
    return prune(found for history in beam for found in explain(history, sighting))


def prune(histories: Iterable[Hypothesis]) -> Beam:
    """Merge histories that lead to the same state, keeping the likelier telling; keep the best, most likely first."""
    merged: dict[tuple[State, bool, frozenset[str]], Hypothesis] = {}
    for history in histories:
        key = (history.state, history.showing, history.owed)
        twin = merged.get(key)
        if twin is None:
            merged[key] = history
        else:
            better, other = (twin, history) if twin.weight >= history.weight else (history, twin)
            merged[key] = replace(better, weight=better.weight + math.log1p(math.exp(other.weight - better.weight)))
    ranked = sorted(merged.values(), key=lambda history: -history.weight)
    kept = ranked[:WIDTH]
    told = {_course(history) for history in kept} if ranked[WIDTH:] else set()
    for history in ranked[WIDTH:]:
        if len(told) >= COURSES or history.weight < ranked[0].weight - FORLORN:
            break
        if (course := _course(history)) not in told:
            told.add(course)
            kept.append(history)
    return tuple(history for history in kept if history.weight > ranked[0].weight - FORLORN)


def _course(history: Hypothesis) -> object:
    """What was done in the hand, whatever the faces: the next face may prove right even an unlikely course."""
    hand = history.state.hand
    if hand is None:
        return payments(history)
    return hand.holds, hand.payments, hand.turn, hand.asking, hand.back, hand.drawing, history.showing


def ended(beam: Beam, t: float) -> Beam:
    """The histories with the hand ended at ``t`` seconds; faces that nobody saw are tried through.

    Where too many faces are missing the hand ends void: there is nothing to rule on. Histories that come to the same payments
    are kept apart: they may tell of other cards, which somebody can be asked for.
    """
    over = [_over(history, t) for history in beam]
    seen = [history for history in over if history]
    unseen = [history for history, end in zip(beam, over, strict=True) if not end][:GUESSED_HISTORIES]
    found = [*seen, *(end for history in unseen for end in _end(history, t, GUESSED_FACES))]
    found = sorted(found, key=lambda history: -history.weight)[:ENDINGS]
    return tuple(history for history in found if history.weight > found[0].weight - FORLORN)


def _over(history: Hypothesis, t: float) -> Hypothesis | None:
    """The history with its ``end``, None while a face is missing. An exchange that was never seen counts against it."""
    return history.after([End()], COSTS.unpaid if history.owed else 0.0, t)


def _end(history: Hypothesis, t: float, guesses: int) -> Iterator[Hypothesis]:
    hand = history.state.hand
    if hand is None:
        yield history
        return
    over = _over(history, t)
    if over:
        yield over
        return
    unseen = [position for position in hand.positions() if hand.face_of(position) is None]
    if not unseen or len(unseen) > guesses:
        void = history.after([Void(reason="cards not seen")], math.log(1e-6), t)
        if void:
            yield void
        return
    name = history.state.table.names[hand.order[unseen[0]]]
    left = {kind: copies(hand, kind) - hand.faces.count(kind) for kind in KINDS}
    for kind in [kind for kind in KINDS if left[kind] > 0]:
        chance = math.log(left[kind] / sum(left.values()))
        guess = history.after([Reveal(by=name, card=kind)], chance + COSTS.faceless, t)
        if guess:
            yield from _end(guess, t, guesses)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a hand most probably came to.

    ``history``: the likeliest among those with the likeliest payments. ``probability``: of exactly these payments.
    ``odds``: each possible set of payments with its probability, most likely first.
    """

    history: Hypothesis
    probability: float
    odds: tuple[tuple[tuple[Payment, ...], float], ...]
    line_confidence: tuple[float, ...]


def rule(beam: Beam) -> Ruling:
    """Weigh the histories of a beam (not empty) by what they make the players pay."""
    best = max(history.weight for history in beam)
    shares = [math.exp(history.weight - best) for history in beam]
    total = sum(shares)
    odds: dict[tuple[Payment, ...], float] = {}
    for history, share in zip(beam, shares, strict=True):
        odds[payments(history)] = odds.get(payments(history), 0.0) + share / total
    ranked = sorted(odds.items(), key=lambda pair: -pair[1])
    chosen = max((h for h in beam if payments(h) == ranked[0][0]), key=lambda h: h.weight)
    confidence = tuple(
        min(SUREST, sum(share for history, share in zip(beam, shares, strict=True) if _tells(history, line)) / total)
        for line in chosen.lines
    )
    return Ruling(chosen, min(SUREST, ranked[0][1]), tuple(ranked), confidence)


def payments(history: Hypothesis) -> tuple[Payment, ...]:
    """What the hand made the players pay in this history, so far or in the end."""
    hand = history.state.hand
    if hand is not None:
        return hand.payments
    return history.state.hands[-1].payments if history.state.hands else ()


def _tells(history: Hypothesis, line: Line) -> bool:
    return any(other.event == line.event for other in history.lines)
