"""What a game waits for: the one place that knows. The steps of a hand:

``piccolo``, ``grosso``
    The next punto begins. ``bet``: ``who`` is next to act in the betting, or somebody later in turn, who passes the others by.
``show``
    All still in show or concede.
``lay``
    ``who`` is to open a sequence, or laid last and may go on, or others in turn lay the wanted number.
``end``
    Somebody has declared; others may, then the next hand comes.
"""

from __future__ import annotations

from companion.games.stoppa.rules.report import turn
from companion.games.stoppa.rules.state import NOBODY, State
from companion.table.game import Between, Over, Turn, Waiting


def waiting(state: State) -> Waiting:
    """What the table waits for."""
    hand = state.hand
    if hand is None:
        return Over() if state.over else Between()
    seat, betting = turn(state, hand), hand.betting
    who = None if seat == NOBODY else state.table.names[seat]
    if hand.declared:
        return Turn("end", None)
    if betting is not None and not betting.decided:
        return Turn("bet", who) if betting.todo else Turn("show", None)
    if hand.grosso_decided:
        return Turn("lay", who)
    return Turn("piccolo" if hand.iteration < len(state.table.deals) else "grosso", None)


def expected(state: State) -> str:
    """What the table waits for, in words for an error."""
    wait, hand = waiting(state), state.hand
    match wait:
        case Over():
            return "close, or nothing"
        case Between():
            return "hand, or close"
        case Turn("bet", who):
            bet = hand is not None and hand.betting is not None and hand.betting.high
            return f"{'vedo, rilancio' if bet else 'punto'} or passo by {who} or somebody later in turn"
        case Turn("show"):
            return "show or muck by those still in"
        case Turn("lay", who):
            return f"a {hand.wants} laid by somebody" if hand is not None and hand.wants else f"lay by {who}"
        case Turn("end"):
            return "end, or the next hand"
        case Turn(step):
            return step
