"""The engine: `apply` what happens, `check` what could, `replay` a log."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from companion.games.stoper.rules import betting, between, comparing, log, reasons
from companion.games.stoper.rules.acts import legal_acts
from companion.games.stoper.rules.between import begin
from companion.games.stoper.rules.log import Event
from companion.games.stoper.rules.report import report, ruling
from companion.games.stoper.rules.state import Hand, State
from companion.games.stoper.rules.waiting import expected, waiting
from companion.table.errors import Illegal
from companion.table.log import LogFormat, tag
from companion.table.play import PlainRules

_IN_HAND: dict[type, Callable[[State, Hand, Any], State]] = {
    log.Deal: comparing.deal,
    log.Buio: betting.blind,
    log.Apro: betting.word,
    log.Parola: betting.word,
    log.Busso: betting.word,
    log.Punto: betting.word,
    log.Vedo: betting.word,
    log.Rilancio: betting.word,
    log.Passo: betting.word,
    log.Cambio: comparing.cambio,
    log.Show: comparing.show,
    log.Muck: comparing.muck,
    log.Void: between.void,
}
_WHENEVER: dict[type, Callable[[State, Any], State]] = {
    log.Hand: between.hand,
    log.Chips: between.chips,
    log.Set: between.set_,
    log.End: between.end,
    log.Close: between.close,
}


def apply(state: State, event: Event) -> State:
    """The game after this event. The given state stays as it is.

    Raises:
        Illegal: this cannot have happened now; the error says why, by which rule, and what was expected.
    """
    kind, hand = type(event), state.hand
    if hand is not None and (act := _IN_HAND.get(kind)) is not None:
        return act(state, hand, event)
    if kind is log.Game:
        raise Illegal(reasons.SECOND_GAME_LINE, expected="what happens in this game")
    if (state.closed and kind is not log.Close) or (kind in (log.Hand, log.Set) and state.over):
        raise Illegal(reasons.GAME_OVER, rule=17 if state.closed else 5, expected="close, or nothing")
    if (whenever := _WHENEVER.get(kind)) is not None:
        return whenever(state, event)
    if isinstance(event, log.Show) and state.ended is not None:
        return comparing.show_late(state, state.ended, event)
    raise Illegal(reasons.OUTSIDE_HAND, expected=partial(expected, state), what=tag(event))


def outcome(state: State) -> Hashable:
    """What the hand in progress comes to so far; between hands, what the last one came to: whose its pots are, what went back or
    stays. With which cards is not in it, as long as they win the same."""
    one = ruling(state, len(state.hands) + (state.hand is not None))
    if one is None:
        return None
    pots = tuple([(pot.amount, pot.entitled, pot.winner) for pot in one.pots])
    return pots, one.returned, one.unassigned, one.payments, one.void


class StoperRules(PlainRules[State]):
    """The rules as an object."""


    LOG: LogFormat = log.LOG
    begin, apply, outcome = staticmethod(begin), staticmethod(apply), staticmethod(outcome)
    legal_acts, waiting = staticmethod(legal_acts), staticmethod(waiting)
    ruling, report = staticmethod(ruling), staticmethod(report)
