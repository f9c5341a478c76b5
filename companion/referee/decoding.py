"""Decodes a hand: which histories are left by what was reported about it, step by step. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from types import MappingProxyType
from typing import Final, NamedTuple

from companion.referee.decode import Explained, extend, prune, rule
from companion.referee.mending import fixed, history_of, reweigh_by_later
from companion.referee.reasons import UNFITTING_BEGINNING
from companion.referee.record import Fixed
from companion.referee.sighting_model import Refereed, Step
from companion.referee.values import Beam, Facts, HandReports, struck
from companion.table.errors import Unfitting
from companion.table.game import State
from companion.table.log import Line, tag
from companion.table.sure import SURE_FROM

MAX_WEIGHT_BELOW_BEST = 9.0
"""Natural logarithm of a likelihood ratio: histories of a hand that is over are forgotten when they are further below the best
one."""
MAX_WEIGHT_BELOW_BEST_UNSURE = 20.0
"""The same of a hand whose ruling is not sure: an answer may make an unlikely history right."""


REMEMBERED_STEPS: Final = 24
"""Latest steps of a hand whose explanations are remembered: a report seldom changes what was thought of more of them."""


class Thinking(NamedTuple):
    """How a hand was decoded, for decoding it with more reports. ``steps``: what was seen and corrected, in the order in which it
    counts. ``beams``: the histories before the first step, after it, after the second, …. ``explained``: the latest steps, and
    what the histories before each may have become."""

    steps: tuple[Step, ...] = ()
    beams: tuple[Beam, ...] = ()
    explained: Mapping[Step, Explained] = MappingProxyType({})


class DecodedHand(NamedTuple):
    """``outcome``: the histories by now."""

    thinking: Thinking
    outcome: Beam


NOTHING_THOUGHT: Final = Thinking()


def decode_hand(game: Refereed, reports: HandReports, before: State, known: Thinking = NOTHING_THOUGHT) -> DecodedHand:
    """Decode a hand that begins in the state ``before``. ``known``: of an earlier decoding, with other reports; what is the same
    is taken over. A report may be put before others: what is thought of these is then thought again only where it differs.

    Raises:
        Unfitting: a correction in ``reports`` cannot be after ``before``.
    """
    model = game.sighting_model
    steps = _steps(game, reports)
    through = [_start(game, reports, before)]
    if known.beams and known.beams[0] == through[0]:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(known.steps, steps, strict=False)))
        through = list(known.beams[: same + 1])
    explained = dict(known.explained)
    for step in steps[len(through) - 1 :]:
        if isinstance(step, Fixed):
            through.append(fixed(game, through[-1], step, before))
        else:
            assert model is not None, "only eyes report steps"
            beam, explained[step] = extend(through[-1], step, model, explained.get(step))
            through.append(beam)
    latest = {step: explained[step] for step in steps[-REMEMBERED_STEPS:] if step in explained}
    return DecodedHand(Thinking(steps, tuple(through), latest), _outcome(game, through[-1], reports, before))


def _outcome(game: Refereed, beam: Beam, reports: HandReports, before: State) -> Beam:
    """The histories by now, of those after the last step."""
    model = game.sighting_model
    beam = _apply_answers(game, beam, reports, before)
    if model is not None:
        beam = model.with_answers(beam, reports, before)
        if reports.cleared is not None and beam:
            beam = model.ended(beam, reports.cleared)
        elif not reports.closed:
            beam = model.over_if_seen(beam)
    for fix in reports.fixes:
        if fix.after is None and fix.opening is None:
            beam = fixed(game, beam, fix, before)
    beam = reweigh_by_later(game, _apply_answers(game, beam, reports, before), reports.later)
    return _kept(beam) if reports.closed else beam


def _kept(beam: Beam) -> Beam:
    """What is worth keeping of a hand that is over."""
    if not beam:
        return beam
    barely = MAX_WEIGHT_BELOW_BEST if rule(beam).probability >= SURE_FROM else MAX_WEIGHT_BELOW_BEST_UNSURE
    best = max(history.weight for history in beam)
    return tuple(history for history in beam if history.weight > best - barely)


def facts_of(game: Refereed, beam: Beam, reports: HandReports, before: State) -> tuple[Facts, ...]:
    """What each history of a beam says about what can be asked for."""
    if game.sighting_model is None:
        return tuple({} for _ in beam)
    return tuple(game.sighting_model.facts(history, before, reports.sightings) for history in beam)


def _apply_answers(game: Refereed, beam: Beam, reports: HandReports, before: State) -> Beam:
    """What the answers given leave of a beam; one that would leave nothing is passed over."""
    for question, choice in reports.answers:
        if choice is not None and game.sighting_model is not None:
            fact = game.sighting_model.fact(question.partition(":")[2])
            facts = facts_of(game, beam, reports, before)
            beam = struck(beam, facts, fact, game.sighting_model.default(fact), choice) or beam
    return beam


def _steps(game: Refereed, reports: HandReports) -> tuple[Step, ...]:
    """What was seen, by time; each correction made in mid-hand after what was known of the hand then."""
    steps: list[Step] = list(game.sighting_model.steps(reports.sightings)) if game.sighting_model is not None else []
    for fix in reports.fixes:
        if fix.after is not None and fix.opening is None:
            known = [index for index, step in enumerate(steps) if isinstance(step, Fixed) or step.t <= fix.after]
            steps.insert(known[-1] + 1 if known else 0, fix)
    return tuple(steps)


def _start(game: Refereed, reports: HandReports, before: State) -> Beam:
    """How the hand can have begun."""
    model = game.sighting_model
    opening = [fix.lines[: fix.opening] for fix in reports.fixes if fix.opening is not None]
    if not opening:
        if model is None:
            return ()
        return prune(model.beginnings(model.history(before, (), 0.0), reports))
    lines = tuple(Line(said.event, said.t) for said in opening[-1])
    begun = history_of(game, before, lines)
    if begun is None:
        raise Unfitting(UNFITTING_BEGINNING)
    if model is None or any(tag(line.event) == "hand" for line in lines):
        return (begun,)
    return prune(model.beginnings(begun, reports)) or (begun,)
