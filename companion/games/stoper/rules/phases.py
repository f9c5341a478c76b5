"""From one phase of a hand to the next; each ends by itself (rules 4, 7, 8, 9, 14)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoper.rules.ending import finish, finish_unassigned
from companion.games.stoper.rules.state import NOBODY, Hand, Seat, State


def with_chips(state: State, hand: Hand, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Those among these seats that are still in and have chips."""
    live, stacks = hand.live, state.stacks
    return tuple([seat for seat in seats if live >> seat & 1 and stacks[seat]])


def others_with_chips(state: State, hand: Hand, seat: Seat) -> tuple[Seat, ...]:
    """All others who are still in and have chips, in turn from the one at this player's left."""
    return with_chips(state, hand, hand.round_from(seat)[1:])


def anybody_else_has_chips(state: State, hand: Hand, seat: Seat) -> bool:
    """Whether somebody else who is still in has chips: only then there can be a blind or a raise."""
    live = hand.live & ~(1 << seat)
    for other, stack in enumerate(state.stacks):  # noqa: SIM110 (faster so)
        if stack and live >> other & 1:
            return True
    return False


def next_blind(state: State, hand: Hand) -> tuple[Seat, int] | None:
    """The seat that may make the next blind, and its price, minor units; None where nobody may (rule 4)."""
    if not blinds_left(hand):
        return None
    seat, cost = hand.order[hand.blinds], blind_cost(hand)
    if state.stacks[seat] < cost or not anybody_else_has_chips(state, hand, seat):
        return None
    return seat, cost


def blinds_left(hand: Hand) -> bool:
    """Whether fewer blinds than three were made, and somebody has made none (rule 4)."""
    return hand.blinds < min(3, len(hand.order))


def blind_cost(hand: Hand) -> int:
    """What the next blind costs, minor units: the pot, then twice the one before (rule 4)."""
    return 2 * hand.high if hand.blinds else hand.pot


def opening(state: State, hand: Hand) -> State:
    """The opening begins; with fewer than two who have chips nobody is asked."""
    todo = with_chips(state, hand, hand.order)
    if len(todo) < 2:
        return exchange(state, hand)
    hand = replace(hand, phase="blind" if next_blind(state, hand) else "opening", todo=todo)
    return replace(state, hand=hand)


def nobody_opened(state: State, hand: Hand) -> State:
    """All have passed the word: the pot stays. But the hand goes on where somebody in has no chips, unless the table plays it
    differently (rule 7)."""
    all_have_chips = len(with_chips(state, hand, hand.order)) == len(hand.order)
    thrown_in = state.table.mode == "cash" and state.table.house.no_chips_no_opening == "thrown_in"
    if all_have_chips or thrown_in:
        return finish_unassigned(state, hand, "no_opening")
    return exchange(state, hand)


def answered(state: State, hand: Hand) -> State:
    """All have answered the opening or a raise: the exchange, or the last blind raiser's word, follows; one alone has won."""
    raiser = hand.blind_raiser
    if hand.blind_open and state.stacks[raiser] and anybody_else_has_chips(state, hand, raiser):
        return replace(state, hand=replace(hand, todo=(raiser,)))
    return exchange(state, hand)


def exchange(state: State, hand: Hand) -> State:
    """The exchange, from First on; of one alone the hand is over."""
    if one_left(hand):
        return finish(state, hand)
    return replace(state, hand=exchanging(hand))


def exchanging(hand: Hand) -> Hand:
    """The hand when the exchange begins."""
    live = hand.live
    todo = tuple([seat for seat in hand.order if live >> seat & 1])
    return replace(hand, phase="exchange", todo=todo, totals=(0,) * len(hand.totals), high=0, blind_open=False)


def final(state: State, hand: Hand) -> State:
    """The final phase; with fewer than two who have chips the showdown."""
    todo = with_chips(state, hand, hand.round_from(_speaker(state, hand)))
    if len(todo) < 2:
        return showdown(state, hand)
    return replace(state, hand=replace(hand, phase="final", todo=todo))


def _speaker(state: State, hand: Hand) -> Seat:
    """From whom on the final phase is spoken (rules 4, 9)."""
    if hand.blinds and not (hand.reraised and state.table.house.blind_speaks_last == "unless_reraised"):
        return hand.round_from(hand.blind_raiser)[1]
    return hand.first if hand.raiser == NOBODY else hand.raiser


def after_word(state: State, hand: Hand) -> State:
    """A word of the final phase is said: go on, or to the showdown, or leave the pot to the next hand."""
    if one_left(hand):
        return finish(state, hand)
    if hand.todo and (hand.high or len(with_chips(state, hand, hand.order)) > 1):
        return replace(state, hand=hand)
    if hand.todo or hand.high or hand.bussed:
        return showdown(state, hand)
    return finish_unassigned(state, hand, "parola")


def showdown(state: State, hand: Hand) -> State:
    """All still in show or concede; over once all have, or all but one concede."""
    hand = replace(hand, phase="showdown", todo=(), totals=(0,) * len(hand.totals), high=0)
    return compared(state, hand)


def compared(state: State, hand: Hand) -> State:
    """The hand over, if all who are still in have shown or conceded, or one alone has not conceded."""
    pending = left = 0
    for seat in hand.order:
        if hand.live >> seat & 1 and seat not in hand.conceded:
            left += 1
            pending += not hand.known[seat].shown
    if pending and left > 1:
        return replace(state, hand=hand)
    return finish(state, hand)


def one_left(hand: Hand) -> bool:
    """Whether all others have passed."""
    return not hand.live & (hand.live - 1)
