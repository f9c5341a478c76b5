"""Declarations before the stoppata, and what contradicts one (rule 9)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoppa.rules import log, reasons
from companion.games.stoppa.rules.cards import FIGURES, KINGS, Mask
from companion.games.stoppa.rules.known import cards_of, elsewhere, learn, seat_of
from companion.games.stoppa.rules.omissions import needed
from companion.games.stoppa.rules.payment import of_declarations, paid
from companion.games.stoppa.rules.state import Declared, Hand, State, Table
from companion.table.errors import Contradictory, Illegal


def declare(state: State, hand: Hand, event: log.Declare) -> State:
    """A declaration, once the punto grosso is decided and before the first card is laid.

    Raises:
        Illegal: it is too late.
        Contradictory: known cards or other declarations exclude it.
    """
    seat, table = seat_of(state, event.by), state.table
    if hand.begun:
        raise Illegal(reasons.AFTER_A_LAY, rule=9, expected="the stoppata to go on")
    cards = cards_of(table, event.cards, some=False)
    hand = learn(table, hand, seat, cards)
    said = Declared(event.by, event.what)
    if said not in hand.declared:
        hand = replace(hand, declared=(*hand.declared, said))
    refuse_contradictions(table, hand)
    return paid(state, hand, of_declarations(table, hand))


def refuse_contradictions(table: Table, hand: Hand) -> None:
    """Refuse what is known and declared where it cannot be true together.

    Raises:
        Contradictory: it cannot.
    """
    of, count, without_king = needed(table.house)
    for name in {declared.player: None for declared in hand.declared}:
        seat = table.names.index(name)
        whats = {declared.what for declared in hand.declared if declared.player == name}
        known, others = hand.known[seat], elsewhere(hand, seat)
        kings, stops = "four_kings" in whats, "no_stoppata" in whats
        if "misera" in whats and (kings or known & FIGURES):
            raise Contradictory(reasons.FIGURE_IN_MISERA, rule=9, expected="no figure", player=name)
        if stops and without_king and (kings or known & KINGS):
            raise Contradictory(reasons.KING_IN_NO_STOPPATA, rule=9, expected="no Re", player=name)
        if kings and (KINGS & table.deck != KINGS or others & KINGS):
            raise Contradictory(reasons.NEEDED_ELSEWHERE, rule=9, expected="all four Re in one hand", player=name)
        if stops and (of & ~others).bit_count() < count:
            raise Contradictory(reasons.NEEDED_ELSEWHERE, rule=9, expected=f"{count} of them in one hand", player=name)
        fixed: Mask = (KINGS if kings else 0) | (of if stops else 0)
        room = (known & ~fixed).bit_count() + 4 * kings + (max(count, (known & of).bit_count()) if stops else 0)
        if room > table.size:
            raise Contradictory(reasons.NO_ROOM, rule=9, expected=f"{table.size} cards in all", player=name)
        for other in hand.declared:
            if other.player != name and other.what in whats and other.what != "misera":
                raise Contradictory(reasons.TWO_DECLARED, rule=9, expected="one of them", player=name)
