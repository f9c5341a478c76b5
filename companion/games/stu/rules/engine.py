"""The engine: `apply` what happens, `check` what could, `replay` a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from companion.games.stu.rules import between, log, passo, reasons
from companion.games.stu.rules.acts import legal_acts
from companion.games.stu.rules.between import begin
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.report import report, ruling
from companion.games.stu.rules.state import Payment, State
from companion.games.stu.rules.waiting import waiting
from companion.table import play
from companion.table.errors import Illegal
from companion.table.log import Line, LogFormat


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


_engine = play.Engine(begin, apply, log.LOG)
check, replay, replay_log = _engine.check, _engine.replay, _engine.replay_log


def names(state: State) -> tuple[str, ...]:
    """The players, anticlockwise, in the order of the log's first line."""
    return state.table.names


def hands(state: State) -> int:
    """The number of hands that are over, void ones included."""
    return len(state.hands)


def in_hand(state: State) -> bool:
    """Whether a hand is in progress."""
    return state.hand is not None


def outcome(state: State) -> tuple[Payment, ...]:
    """What the hand in progress made the players pay so far; between hands, what the last one did. Players whose card was as low
    as the one that pays are not in it: the payments are the same without."""
    if state.hand is not None:
        return state.hand.payments
    paid = state.hands[-1].payments if state.hands else ()
    return tuple([replace(one, tied=()) if one.tied else one for one in paid])


class StuRules:
    """The rules as an object: `companion.table.game.Rules`. A variant derives from it, and says how its log is read; its first
    line,
    which derives from `log.Game`, says what it plays differently."""

    LOG: LogFormat = log.LOG
    begin, apply, check = staticmethod(begin), staticmethod(apply), staticmethod(check)
    legal_acts, waiting = staticmethod(legal_acts), staticmethod(waiting)
    names, hands, in_hand, outcome = staticmethod(names), staticmethod(hands), staticmethod(in_hand), staticmethod(outcome)
    ruling, report = staticmethod(ruling), staticmethod(report)

    def replay(self, lines: Iterable[Line]) -> State:
        """As `companion.table.play.Engine.replay`."""
        return play.Engine(begin, apply, self.LOG).replay(lines)

    def replay_log(self, data: bytes) -> State:
        """As `companion.table.play.Engine.replay_log`."""
        return play.Engine(begin, apply, self.LOG).replay_log(data)
