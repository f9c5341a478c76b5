"""The engine: `apply` what happens, `check` what could, `replay` a log."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from msgspec.structs import force_setattr, replace

from companion.games.stoppa.rules import betting, between, declarations, giro, log, reasons, stoppata
from companion.games.stoppa.rules.acts import legal_acts
from companion.games.stoppa.rules.between import begin
from companion.games.stoppa.rules.log import Event
from companion.games.stoppa.rules.report import report, ruling, rulings
from companion.games.stoppa.rules.state import Hand, State
from companion.games.stoppa.rules.waiting import expected, waiting
from companion.table.errors import Illegal
from companion.table.log import LogFormat, tag
from companion.table.play import PlainRules

Act = Callable[[State, Any, Any], State]
"""What an event does to a state in a hand, which is the second of the three."""


def _after_grosso(act: Act) -> Act:
    """What is done once the punto grosso is decided, if need be by passes (rule 10)."""

    def done(state: State, hand: Hand, event: Event) -> State:
        if hand.begun or hand.grosso_decided:
            return act(state, hand, event)
        state = between.after_grosso(state, hand, tag(event))
        return act(state, between.hand_in(state), event)

    return done


def _show(state: State, hand: Hand, event: log.Show) -> State:
    """Cards at a comparison, or left in the hand of a player after a declaration."""
    return (stoppata.show_left if hand.declared else betting.show)(state, hand, event)


_IN_HAND: dict[type, Act] = {
    log.Piccolo: between.piccolo,
    log.Grosso: between.grosso,
    log.Deal: between.deal,
    log.Punto: betting.punto,
    log.Vedo: betting.vedo,
    log.Rilancio: betting.rilancio,
    log.Passo: betting.passo,
    log.Show: _show,
    log.Muck: betting.muck,
    log.Void: between.void,
    log.Back: stoppata.back,
    log.Declare: _after_grosso(declarations.declare),
    log.Lay: _after_grosso(stoppata.lay),
    log.Annul: _after_grosso(stoppata.annul),
}


def apply(state: State, event: Event) -> State:
    """The game after this event. The given state stays as it is.

    Raises:
        Illegal: this cannot have happened now; the error says why, by which rule, and what was expected.
    """
    hand = state.hand
    act = None if hand is None else _IN_HAND.get(type(event))
    after = _around_hands(state, event) if act is None else act(state, hand, event)
    hand = after.hand
    if hand is not None and hand.ending:
        after = between.finish(after, hand)
    if after is state:
        return replace(after, line=state.line + 1)
    force_setattr(after, "line", state.line + 1)  # nobody else has seen this value yet
    return after


def _around_hands(state: State, event: Event) -> State:
    """What may happen at any time, or between two hands."""
    kind = type(event)
    if kind is log.Game:
        raise Illegal(reasons.SECOND_GAME_LINE, expected="what happens in this game")
    if (state.closed and kind is not log.Close) or (state.over and kind not in (log.Close, log.End, log.Show)):
        raise Illegal(reasons.GAME_OVER, rule=19 if state.closed else 18, expected="close, or nothing")
    if (whenever := _WHENEVER.get(kind)) is not None:
        return whenever(state, event)
    raise Illegal(reasons.OUTSIDE_HAND, expected=partial(expected, state), what=tag(event))


def _show_late(state: State, event: log.Show) -> State:
    """Cards at a comparison, or left in hand, of a hand that is over: they change what the book says of it."""
    ended = state.ended
    if ended is None or (ended.ending == "grosso" and state.ended_said):
        raise Illegal(reasons.NOTHING_COMPARED, rule=6, expected=partial(expected, state))
    after = (betting.show if ended.ending == "grosso" else stoppata.show_left)(replace(state, hand=ended), ended, event)
    shown = between.hand_in(after)
    return replace(after, hand=None, ended=shown, hands=(*after.hands[:-1], rulings(after, shown)))


_WHENEVER: dict[type, Callable[[State, Any], State]] = {
    log.Hand: between.hand,
    log.Show: _show_late,
    log.Giro: giro.call,
    log.Set: between.set_,
    log.End: between.end,
    log.Close: between.close,
}


def at_line(state: State, number: int) -> State:
    """The game, whose next event stands in this line of the log (some lines of a file may be empty)."""
    return state if state.line == number - 1 else replace(state, line=number - 1)


def outcome(state: State) -> Hashable:
    """What the hand in progress comes to so far, between hands the last one: who took which punto, what was declared, who
    stopped, who pays.

    Cards left in a hand are not in it, as long as they cost the same.
    """
    one = rulings(state, state.hand) if state.hand is not None else state.hands[-1] if state.hands else None
    if one is None:
        return None
    pots = tuple([(pot.phase, pot.prize, pot.bets, pot.winner, pot.how) for pot in one.pots])
    payments = tuple([(paid.payer, paid.to, paid.amount, paid.cause) for paid in one.payments])
    stopped = None if one.stoppata is None else (one.stoppata.winner, one.stoppata.annulled)
    return pots, one.declared, stopped, payments, one.void


class StoppaRules(PlainRules[State]):
    """The rules as an object."""


    LOG: LogFormat = log.LOG
    begin, apply, outcome = staticmethod(begin), staticmethod(apply), staticmethod(outcome)
    legal_acts, waiting = staticmethod(legal_acts), staticmethod(waiting)
    ruling, report = staticmethod(ruling), staticmethod(report)
    at_line = staticmethod(at_line)
