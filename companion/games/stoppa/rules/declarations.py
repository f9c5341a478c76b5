"""Declarations before the stoppata, and what contradicts one (rule 9)."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter

from msgspec.structs import replace

from companion.games.stoppa.rules import log, reasons
from companion.games.stoppa.rules.cards import FIGURES, KINGS, WORTH, Mask, cards_in, mask_of, number_of
from companion.games.stoppa.rules.known import cards_of, elsewhere, learn, needed, seen
from companion.games.stoppa.rules.payment import of_declarations, paid
from companion.games.stoppa.rules.state import Betting, Declared, Hand, Ranked, Seat, State, Table
from companion.table.errors import Contradictory, Illegal
from companion.table.seats import seat_of


def declare(state: State, hand: Hand, event: log.Declare) -> State:
    """A declaration, once the punto grosso is decided and before the first card is laid.

    Raises:
        Illegal: it is too late.
        Contradictory: known cards or other declarations exclude it.
    """
    seat, table = seat_of(state.table.names, event.by), state.table
    if hand.begun:
        raise Illegal(reasons.AFTER_A_LAY, rule=9, expected="the stoppata to go on")
    cards = cards_of(table, event.cards, some=False)
    hand = seen(learn(table, hand, seat, cards), cards.mask)
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


# The comparison: how many cards of one suit, then what they are worth, then who was served first (rule 6).


TRIO = 3
"""Cards in a group, at most (rule 8)."""


@lru_cache(maxsize=1024)
def _in_suit(numbers: Mask) -> tuple[int, int]:
    """How many cards the best group of one suit has and what they are worth; ``numbers``: bit 0 is the ace."""
    worth = sorted((WORTH[number] for number in WORTH if numbers >> (number - 1) & 1), reverse=True)[:TRIO]
    return len(worth), sum(worth)


@lru_cache(maxsize=8192)
def best_cards(cards: Mask) -> Mask:
    """The best group of one suit among these cards: three at most. Of two equal groups, that of the suit that comes first.

    >>> from companion.games.stoppa.rules.cards import INDEX, kinds_in, mask_of
    >>> kinds_in(best_cards(mask_of(INDEX[kind] for kind in ("denari-2", "denari-7", "denari-1", "denari-6", "coppe-10"))))
    ('denari-1', 'denari-6', 'denari-7')
    """
    suit = max((0, 10, 20, 30), key=lambda suit: _in_suit(cards >> suit & 1023))
    dearest = sorted(cards_in(cards & 1023 << suit), key=lambda card: -WORTH[number_of(card)])
    return mask_of(dearest[:TRIO])


@lru_cache(maxsize=8192)
def best_group(cards: Mask) -> tuple[int, int]:
    """How many cards of one suit, and their worth, of the best group among these cards.

    >>> from companion.games.stoppa.rules.cards import INDEX, mask_of
    >>> best_group(mask_of(INDEX[kind] for kind in ("coppe-10", "coppe-8", "coppe-3", "denari-7")))
    (3, 33)
    """
    return max(_in_suit(cards >> suit & 1023) for suit in (0, 10, 20, 30))


def ranking(table: Table, betting: Betting, dealer: Seat) -> tuple[Ranked, ...]:
    """The players who have shown cards, best group first; equal groups in order of play."""
    shown, order = betting.shown, table.round_from(table.after(dealer))
    rows = [(best_group(shown[seat]), seat) for seat in order if shown[seat]]
    rows.sort(key=itemgetter(0), reverse=True)  # equal ones stay as they are
    return tuple([Ranked(table.names[seat], cards, score) for (cards, score), seat in rows])
