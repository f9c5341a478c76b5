"""Whose chips are in doubt after a hand that is not sure, and whether a later hand, or a word, depends on them.

The phone says what everybody put in; the eyes see who took it. Where that is doubtful, one player may have fewer chips than the
log says, and another one more. A later hand depends on it only where somebody comes to the end of their chips.
"""

from __future__ import annotations

from companion.games.stoper import rules
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Void
from companion.games.stoper.rules.reasons import TOO_MUCH
from companion.games.stoper.rules.state import Hand
from companion.referee.beam import rule
from companion.referee.sighting_model import ChipUncertainty
from companion.referee.values import Beam
from companion.table.errors import Illegal
from companion.table.log import Line

MIN_RELATIVE_LOG_PROBABILITY = -4.0
"""Natural logarithm of a probability relative to that of the likeliest ending; endings of a hand below it are not considered."""


def doubted(outcome: Beam, before: State, was: ChipUncertainty) -> ChipUncertainty:
    """See `companion.referee.sighting_model.SightingModel.doubted`; minor units. Where a hand ended void because too little was
    told of it, anybody who was still in may have taken all."""
    if not outcome:
        return was
    chosen = rule(outcome).history
    likely = [one for one in outcome if one.weight > chosen.weight + MIN_RELATIVE_LOG_PROBABILITY]
    stacks = chosen.state.stacks
    ways = [one.state.stacks for one in likely]
    for one in likely:
        last = _last_in_hand(before, tuple(one.lines))
        if last is not None and last.hand is not None and isinstance(one.lines[-1].event, Void):
            ways += [_with_pot(last.stacks, seat, last.hand.pot) for seat in last.hand.order if last.hand.live >> seat & 1]
    return tuple(
        (less + max(stacks[seat] - way[seat] for way in ways), more + max(way[seat] - stacks[seat] for way in ways))
        for seat, (less, more) in enumerate(was or ((0, 0),) * len(stacks))
    )


def _with_pot(stacks: tuple[int, ...], seat: int, pot: int) -> tuple[int, ...]:
    return tuple(stack + pot * (one == seat) for one, stack in enumerate(stacks))


def depends_on_chips(before: State, lines: tuple[Line, ...], those: ChipUncertainty) -> bool:
    """See `companion.referee.sighting_model.SightingModel.depends_on_chips`."""
    state = _last_in_hand(before, lines)
    if state is None or (hand := state.hand) is None:
        return False
    return any(_hangs(state, hand, seat, less, more) for seat, (less, more) in enumerate(those))


def depends_on_past(error: Illegal) -> bool:
    """See `companion.referee.sighting_model.SightingModel.depends_on_past`: somebody bets more chips than they have by the
    log."""
    return error.code == TOO_MUCH.code


def _hangs(state: State, hand: Hand, seat: int, less: int, more: int) -> bool:
    """Whether this player has put in what they may not have, or has come to the end of their chips and may have more."""
    left = state.stacks[seat]
    return left < less if seat in hand.order and left else bool(more) and not left


def _last_in_hand(before: State, lines: tuple[Line, ...]) -> State | None:
    """The state before the line that ended the hand, or the last one of a hand in progress; None where none was begun."""
    state, last = before, None
    for line in lines:
        state = rules.apply(state, line.event)
        last = state if state.hand is not None else last
    return last
