"""The showdown: all still in show their cards, and the payments fall due together (rules 8, 12, 13, 19)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.decks.stu import RANK, Kind
from companion.games.stu.rules import reasons
from companion.games.stu.rules.pedine import credit, finish, payment
from companion.games.stu.rules.state import Hand, Payment, Position, State
from companion.table.errors import Illegal


def show_down(state: State, hand: Hand) -> State:
    """Who pays, once everybody still in has been seen; the hand is over.

    Raises:
        Illegal: a card is still unseen (rule 8).
    """
    cards: dict[Position, Kind] = {}
    for position in hand.positions():
        face = hand.faces[hand.holds[position]]
        if face is None:
            name = state.table.names[hand.order[position]]
            raise Illegal(reasons.UNSEEN, rule=8, expected=f"a reveal by {name}", player=name)
        cards[position] = face
    due = _due(state, hand, cards)
    names, out = state.table.names, hand.out
    for entry in due:
        seat = names.index(entry.player)
        state = credit(state, seat, entry.delta)
        if not state.pedine[seat]:
            out = (*out, entry.player)
    return finish(state, replace(hand, payments=hand.payments + due, out=out))


def _due(state: State, hand: Hand, cards: dict[Position, Kind]) -> tuple[Payment, ...]:
    """The payments of the showdown: the Matti in order of play, then the lowest card."""
    matti = [position for position, kind in cards.items() if kind == "matto"]
    others = [position for position in cards if position not in matti]
    if len(matti) == 2 and state.table.variant.matto_pair:
        if not others or state.table.house.two_matti_lowest == "matti":
            nothing = payment(state, hand.order[matti[0]], "n_llev_e_n_matt", delta=0)
            return nothing, payment(state, hand.order[matti[1]], "two_matti", delta=1)
        gained = (payment(state, hand.order[position], "two_matti", delta=1) for position in matti)
        return (*gained, _lowest(state, hand, cards, others))
    paid = (payment(state, hand.order[position], "matto", card="matto") for position in matti)
    return (*paid, _lowest(state, hand, cards, others))


def _lowest(state: State, hand: Hand, cards: dict[Position, Kind], among: list[Position]) -> Payment:
    """The lowest of these cards pays, nearest di mano among equals; a Taverna that refused this very Nulla pays."""
    least = min([RANK[cards[position]] for position in among])
    lowest, *equal = [position for position in among if RANK[cards[position]] == least]
    tied = tuple([hand.order[position] for position in equal])
    if cards[lowest] == "nulla":
        for asked_with, taverna in hand.refused:
            if asked_with == hand.holds[lowest] and taverna in hand.holds:
                return payment(state, hand.order[hand.holds.index(taverna)], "taverna_for_nulla", card="nulla", tied=tied)
    return payment(state, hand.order[lowest], "lowest", card=cards[lowest], tied=tied)
