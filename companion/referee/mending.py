"""A correction made in the histories of a hand: what they tell afterwards, and that it can have happened."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec.structs import replace

from companion.referee.decode import prune
from companion.referee.reasons import UNFITTING
from companion.referee.record import Fixed, Said
from companion.referee.sighting_model import Refereed
from companion.referee.values import Beam, Hypothesis
from companion.table.errors import Unfitting
from companion.table.game import State
from companion.table.log import Event, Line, tag
from companion.table.play import possible, state_after

LET_STAND_WEIGHT = math.log(10)
"""Natural logarithm of how much likelier the history becomes that a correction left as it is: the person has seen its other
lines and let them stand. A person who only tells the next line has not."""

MISTOLD_WEIGHT = math.log(0.01)
"""Natural logarithm of the probability that a told line is right which the earlier hands, as seen, rule out. A guess; those
hands are then less likely, not impossible."""
SAME_MOMENT_SECONDS = 5.0
"""Seconds by which a thumb may be late while others go on playing."""


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


def _place(lines: list[Line], said: tuple[Said, ...], index: int) -> int:
    """Where the said line belongs among the lines: after the one that it was said to follow, else by its time."""
    for at in range(len(lines), 0, -1):
        if index and lines[at - 1].event == said[index - 1].event:
            return at
    t = said[index].t
    return sum(t is not None and line.t is not None and line.t <= t for line in lines) if index else 0
