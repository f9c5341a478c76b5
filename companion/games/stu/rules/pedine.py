"""Paying pedine, leaving a hand, and what stands when a hand or a penalty is over (rules 8, 9, 18, 21)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.decks.stu import Kind
from companion.games.stu.rules.state import (
    NOBODY,
    RULE_OF,
    Cause,
    Hand,
    HandRulings,
    Payment,
    Position,
    Seat,
    State,
)
from companion.table.seats import put


def credit(state: State, seat: Seat, delta: int) -> State:
    """This player has ``delta`` more pedine. A player who pays is no virgin any more; gaining never makes one (rule 9)."""
    pedine = put(state.pedine, seat, state.pedine[seat] + delta)
    if delta >= 0 or not state.virgins[seat]:
        return replace(state, pedine=pedine)
    return replace(state, pedine=pedine, virgins=put(state.virgins, seat, False))


def payment(
    state: State, seat: Seat, cause: Cause, *, delta: int = -1, by: Seat | None = None, card: Kind | None = None,
    tied: tuple[Seat, ...] = (),
) -> Payment:  # fmt: skip
    """The entry for the report, with the rule that asks it."""
    names = state.table.names
    equal = tuple([names[other] for other in tied])
    return Payment(names[seat], delta, cause, RULE_OF[cause], None if by is None else names[by], card, equal)


def pay_at_once(state: State, hand: Hand, position: Position, cause: Cause, by: Position | None = None) -> State:
    """A gnaffata, bbummata or penalty: one pedina now; a player who pays the last one leaves the hand (rules 14, 16, 18, 24).

    The state has the hand in it, or None when only one player was left, who has won.
    """
    seat = hand.order[position]
    entry = payment(state, seat, cause, by=None if by is None else hand.order[by])
    state = credit(state, seat, -1)
    hand = replace(hand, payments=(*hand.payments, entry))
    if state.pedine[seat] == 0:
        hand = _leave(hand, position, entry.player)
        if hand.present.bit_count() == 1:
            return replace(finish(state, hand), end_may_follow=True)
    return replace(state, hand=hand)


def _leave(hand: Hand, position: Position, name: str) -> Hand:
    """Out in mid-hand ("su saupr"): the card goes under the deck, and play passes over the empty place (rule 18)."""
    token = hand.holds[position]
    hand = replace(
        hand,
        present=hand.present & ~(1 << position),
        holds=put(hand.holds, position, NOBODY),
        shown=hand.shown & ~(1 << token),
        under=(*hand.under, token),
        out=(*hand.out, name),
        back=NOBODY if hand.back == position else hand.back,
    )
    return replace(hand, turn=hand.after(position)) if hand.turn == position else hand


def finish(state: State, hand: Hand, *, void: bool = False) -> State:
    """The hand is over and goes into the book; then `conclude` does what follows from the players left."""
    names = state.table.names
    rulings = HandRulings(
        n=hand.n,
        dealer=names[hand.dealer],
        payments=() if void else hand.payments,
        out=() if void else hand.out,
        irregularities=hand.irregularities,
        void=void,
    )
    return conclude(
        replace(
            state,
            hand=None,
            hands=state.hands + (rulings,),  # unpacked it would be copied twice: half the time of a log of many hands
            virgins_then=state.virgins_then + (hand.virgins_before,),
            last_ended=state.last_ended if void else len(state.hands),
            next_seat=hand.dealer if void else state.next_seat,
        )
    )


def conclude(state: State) -> State:
    """One player left has won, unless ricompere are open; with nobody left all come back (rules 8, 10, 21)."""
    left = len(state.pedine) - state.pedine.count(0)
    if left == 0:
        state = state.without((agreed for agreed in state.agreements if agreed.kind != "taverna"), rule=21)
        return replace(  # all have paid, so nobody is a virgin any more and no ricompera is possible
            state,
            pedine=(state.table.variant.pedine,) * len(state.pedine),
            restarted=True,
            restarts=(*state.restarts, state.last_ended + 1),
        )
    if left == 1 and not state.ricompere_open:
        return replace(state, won=True)
    return state
