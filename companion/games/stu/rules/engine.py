"""The engine: `apply` what happens, `check` what could, `replay` a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.stu.rules import between, log, passo, reasons
from companion.games.stu.rules.acts import legal_acts
from companion.games.stu.rules.between import begin
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.report import report, ruling
from companion.games.stu.rules.state import Payment, State
from companion.games.stu.rules.waiting import waiting
from companion.table.errors import Illegal
from companion.table.log import LogFormat
from companion.table.play import PlainRules


def _game(state: State, event: log.Game) -> State:
    raise Illegal(reasons.SECOND_GAME_LINE, expected="what happens in this game")


_ACTS: dict[type, Callable[[State, Any], State]] = {
    log.Game: _game,
    log.Hand: between.hand,
    log.Deal: passo.deal,
    log.Sto: passo.sto,
    log.Passo: passo.passo,
    log.Swap: passo.swap,
    log.Taverna: passo.taverna,
    log.Draw: passo.draw,
    log.Reveal: passo.reveal,
    log.End: between.end,
    log.Rebuy: between.rebuy,
    log.Matto: between.matto,
    log.Penalty: between.penalty,
    log.Void: between.void,
    log.Set: between.set_,
    log.Split: between.split,
    log.Close: between.close,
}


def apply(state: State, event: Event) -> State:
    """The game after this event. The given state stays as it is.

    Raises:
        Illegal: this cannot have happened now; the error says why, by which rule, and what was expected.
    """
    after = _ACTS.get(type(event), _game)(state, event)  # the first line of a variant is one of a game, too
    return replace(after, end_may_follow=False) if state.end_may_follow else after


def outcome(state: State) -> tuple[Payment, ...]:
    """What the hand in progress made the players pay so far; between hands, what the last one did. Players whose card was as low
    as the one that pays are not in it, nor whether a penalty was told before or after a `set` line: the payments are the same
    without."""
    if state.hand is not None:
        return state.hand.payments
    paid = state.hands[-1].payments if state.hands else ()
    return tuple([replace(one, tied=(), since_set=False) if one.tied or one.since_set else one for one in paid])


class StuRules(PlainRules[State]):
    """The rules as an object. A variant derives from it, and says how its log is read; its first line, which derives from
    `log.Game`, says what it plays differently."""

    LOG: LogFormat = log.LOG
    begin, apply, outcome = staticmethod(begin), staticmethod(apply), staticmethod(outcome)
    legal_acts, waiting = staticmethod(legal_acts), staticmethod(waiting)
    ruling, report = staticmethod(ruling), staticmethod(report)
