"""What a hand waits for: the one place that knows.

By positions (`awaited`) for code that runs often, by names (`waiting`) for the house, in words (`expected`) for an error. The
steps:

``decide``
    ``who`` is next to say sto or passo, which would ask ``whom`` (nobody: the dealer, who goes to the deck, or nobody is left).
    Somebody later in turn may act too: those before them have stayed.
``answer``
    ``who`` was asked by ``whom``, with a passo or with an offer of the backward run, and exchanges or shows a trump.
``draw``
    ``who`` takes the top card of the deck.
``keep``
    ``who`` holds the travelling card of the backward run and may keep it or send it on to ``whom``; or the next in turn acts.
``show``
    Everybody has decided: all still in show their cards, then the hand ends.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.games.stu.rules.state import NOBODY, Hand, Position, State, Table
from companion.table.game import Between, Over, Turn, Waiting

Step = Literal["decide", "answer", "draw", "keep", "show"]


class Awaited(Struct, frozen=True, gc=False):
    """What a hand waits for, by positions; `NOBODY` where there is nobody. The steps are the module's.

    ``back``: the answer is to an offer of the backward run.
    """

    step: Step
    who: Position = NOBODY
    whom: Position = NOBODY
    back: bool = False


_SHOW = Awaited("show")


def awaited(hand: Hand) -> Awaited:
    """What this hand waits for."""
    if (ask := hand.asking) is not None:
        return Awaited("answer", ask.asked, ask.asker, ask.back)
    if hand.drawing != NOBODY:
        return Awaited("draw", hand.drawing)
    if hand.back != NOBODY:
        return Awaited("keep", hand.back, hand.before(hand.back))
    turn = hand.turn
    if turn == len(hand.order):
        return _SHOW
    asked = hand.after(turn)
    return Awaited("decide", turn, asked if asked < len(hand.order) else NOBODY)


def pending(hand: Hand) -> bool:
    """Whether an answer or a draw must come before anybody may act."""
    return hand.asking is not None or hand.drawing != NOBODY


def waiting(state: State) -> Waiting:
    """What the table waits for. Where nobody is named in a turn, it is all still in (``show``), or the deck (``decide``)."""
    hand = state.hand
    if hand is None:
        return Over() if state.won else Between()
    wait = awaited(hand)
    return Turn(wait.step, _name(state.table, hand, wait.who), _name(state.table, hand, wait.whom))


def expected(table: Table, hand: Hand) -> str:
    """What the hand waits for, in words for an error."""
    wait = awaited(hand)
    who = _name(table, hand, wait.who)
    match wait.step:
        case "answer":
            return f"swap with {who}, or a trump revealed by {who}"
        case "draw":
            return f"draw by {who}"
        case "keep":
            return f"sto or passo by {who}, or the next in turn"
        case "decide":
            return f"sto or passo by {who} or somebody later in turn"
        case "show":
            return "reveals of all still in, then end"


def _name(table: Table, hand: Hand, position: Position) -> str | None:
    return None if position == NOBODY else table.names[hand.order[position]]
