"""Decodes a hand: which histories are left by what was reported about it, step by step, and by what a person corrected. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import takewhile
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.referee.beam import Explained, extend, prune, rule
from companion.referee.reasons import UNFITTING, UNFITTING_BEGINNING
from companion.referee.record import Fixed, StatedLine
from companion.referee.sighting_model import Refereed, Step
from companion.referee.values import Beam, Facts, HandReports, Hypothesis, struck
from companion.table.errors import Unfitting
from companion.table.game import State
from companion.table.log import Event, Line, tag
from companion.table.play import possible, state_after
from companion.table.sure import SURE_FROM

MAX_WEIGHT_BELOW_BEST = 9.0
"""Natural logarithm of a likelihood ratio: histories of a hand that is over are forgotten when they are further below the best
one."""
MAX_WEIGHT_BELOW_BEST_UNSURE = 20.0
"""Natural logarithm of the likelihood ratio for a hand whose ruling is not sure: an answer may make an unlikely history right."""
LET_STAND_WEIGHT = math.log(10)
"""Natural logarithm of how much likelier the history becomes that a correction left as it is: the person has seen its other
lines and let them stand. A person who only tells the next line has not looked at the others."""
MISTOLD_WEIGHT = math.log(0.01)
"""Natural logarithm of how much less likely a history of an earlier hand becomes when a line that somebody told of a later hand
cannot follow it. A guess; the history does not become impossible, as the told line may be wrong."""
SAME_MOMENT_SECONDS = 5.0
"""Seconds by which a person may be late in telling a line, while the others go on playing."""

REMEMBERED_STEPS: Final = 24
"""Latest steps of a hand whose explanations are remembered: a report seldom changes how more of them are decoded."""


class Decoding(NamedTuple):
    """How a hand was decoded, for decoding it with more reports. ``steps``: what was seen and corrected, in the order in which it
    counts. ``beams``: the histories before the first step, after it, after the second, …. ``explained``: the latest steps, and
    what the histories before each may have become."""

    steps: tuple[Step, ...] = ()
    beams: tuple[Beam, ...] = ()
    explained: Mapping[Step, Explained] = MappingProxyType({})


class DecodedHand(NamedTuple):
    """``outcome``: the histories by now."""

    decoding: Decoding
    outcome: Beam


NOTHING_DECODED: Final = Decoding()


def decode_hand(game: Refereed, reports: HandReports, before: State, known: Decoding = NOTHING_DECODED) -> DecodedHand:
    """Decode a hand that begins in the state ``before``. ``known``: of an earlier decoding, with other reports; what is the same
    is taken over. A report may be put before others: these are then decoded again only where that differs.

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
    return DecodedHand(Decoding(steps, tuple(through), latest), _outcome(game, through[-1], reports, before))


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


def history_of(game: Refereed, before: State, lines: Iterable[Line], like: Hypothesis | None = None) -> Hypothesis | None:
    """The history that these lines tell, as likely as ``like``; None when it cannot have happened."""
    lines = tuple(lines)
    state = state_after(game.rules.apply, before, (line.event for line in lines))
    if state is None:
        return None
    if like is not None:
        return replace(like, state=state, lines=lines)
    acted = max((line.t for line in lines if line.t is not None), default=0.0)
    if game.sighting_model is None:
        return Hypothesis(game.rules, state, 0.0, lines, acted)
    made: Hypothesis = game.sighting_model.history(state, lines, acted)
    return made


def fixed(game: Refereed, beam: Beam, fix: Fixed, before: State) -> Beam:
    """The histories with the correction made in each of them, and the history that the person has left: it alone when they have
    vouched for every line of it. A person who only told the next line has left none.

    Raises:
        Unfitting: that one cannot be, and nothing like it.
    """
    left = history_of(game, before, (Line(said.event, said.t) for said in fix.lines))
    found = []
    vouched = all(said.by_hand for said in fix.lines)
    played = any(tag(said.event) == "hand" for said in fix.lines)
    unended = left is not None and fix.after is None and game.rules.in_hand(left.state)  # by what was seen, it may be over
    if played and (unended or not (vouched and left)):
        corrected = (_corrected(game, history, fix, before) for history in beam)
        found = [history for history in corrected if history]
    if left and not (found and (unended or _goes_on(fix))):
        best = max((history.weight for history in found), default=0.0)
        twin = next((history for history in found if _events(history) == _events(left)), replace(left, weight=best))
        let_stand = 0.0 if _goes_on(fix) else LET_STAND_WEIGHT
        found = [*(history for history in found if history is not twin), replace(twin, weight=twin.weight + let_stand)]
    if not found:
        raise Unfitting(UNFITTING)
    if fix.after is None or (played and not any(game.rules.in_hand(history.state) for history in found)):
        # The hand is over: kept apart, as at its end. A void hand's state forgets what was shown: merged, one guess of a face
        # would stand there as sure as all of them together.
        return tuple(sorted(found, key=lambda history: -history.weight))
    return prune(found)


def reweigh_by_later(game: Refereed, beam: Beam, later: tuple[Event, ...]) -> Beam:
    """The histories of a hand once these ``later`` lines are known: a history that they cannot follow becomes less likely."""
    if not later:
        return beam
    apply = game.rules.apply
    weighed = (one if possible(apply, one.state, later) else replace(one, weight=one.weight + MISTOLD_WEIGHT) for one in beam)
    return tuple(sorted(weighed, key=lambda one: -one.weight))


def _goes_on(fix: Fixed) -> bool:
    """Whether a line was told when it was said, or so soon that only what happened in that moment follows it, and nothing was
    changed."""
    told = max((at for at, said in enumerate(fix.lines) if said.by_hand), default=0)
    t, later = fix.lines[told].t if fix.lines else None, fix.lines[told + 1 :]
    soon = t is not None and all(one.t is not None and one.t - t <= SAME_MOMENT_SECONDS for one in later)
    return not fix.removed and not fix.confirms and told > 0 and (soon or not later)


def _events(history: Hypothesis) -> list[Event]:
    return [line.event for line in history.lines]


def _corrected(game: Refereed, history: Hypothesis, fix: Fixed, before: State) -> Hypothesis | None:
    lines = list(history.lines)
    for gone in fix.removed:
        alike = [index for index, line in enumerate(lines) if line.event == gone.event]
        if alike:
            lines.pop(min(alike, key=lambda index: abs((lines[index].t or 0.0) - (gone.t or 0.0))))
    wanted: list[Event] = []
    for index, said in enumerate(fix.lines):
        wanted.append(said.event)
        if said.by_hand and sum(line.event == said.event for line in lines) < wanted.count(said.event):
            lines.insert(_place(lines, fix.lines, index), Line(said.event, said.t))
    return history_of(game, before, lines, like=history)


def _place(lines: list[Line], said: tuple[StatedLine, ...], index: int) -> int:
    """Where the said line belongs among the lines: after the one that it was said to follow, else by its time."""
    for at in range(len(lines), 0, -1):
        if index and lines[at - 1].event == said[index - 1].event:
            return at
    t = said[index].t
    return sum(t is not None and line.t is not None and line.t <= t for line in lines) if index else 0
