"""The end of a hand: pots awarded, or left for the next; what it is in the book (rules 7, 11, 13)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoper.rules.cards import LEVELS, Level
from companion.games.stoper.rules.pots import awarded
from companion.games.stoper.rules.state import (
    Carried,
    Hand,
    HandRulings,
    Payment,
    Pot,
    Returned,
    Seats,
    State,
    Unassigned,
)


def finish(state: State, hand: Hand) -> State:
    """The hand is over, and its pots are awarded: nothing stays."""
    stacks, pots, returned = awarded(state, hand)
    return _over(state, hand, stacks, Carried((0,) * len(stacks)), pots=pots, returned=returned)


def finish_unassigned(state: State, hand: Hand, why: Unassigned) -> State:
    """The hand is over, and what is in stays for the next one: nobody opened, or all said parola."""
    house, before = state.table.house, hand.before
    paid = tuple([
        paid + was - now for paid, was, now in zip(before.paid, hand.stacks_before, state.stacks, strict=True)
    ])  # fmt: skip
    said: Seats = 0
    if why == "parola":
        said = hand.live
    elif before.parola or house.carry_join == "always":
        said = sum([1 << seat for seat in hand.order])
    higher = _higher(hand.level)
    level = higher if why == "no_opening" or hand.level == "donna" or house.parola_level == "step" else hand.level
    carried = Carried(paid, hand.pot, level, before.parola or why == "parola", said)
    return _over(state, hand, state.stacks, carried, unassigned=why)


def _higher(level: Level) -> Level:
    return LEVELS[min(LEVELS.index(level) + 1, len(LEVELS) - 1)]


def _over(
    state: State, hand: Hand, stacks: tuple[int, ...], carried: Carried, *, pots: tuple[Pot, ...] = (),
    returned: tuple[Returned, ...] = (), unassigned: Unassigned | None = None,
) -> State:  # fmt: skip
    payments = tuple([
        Payment(name, now - was)
        for name, now, was in zip(state.table.names, stacks, hand.stacks_before, strict=True)
        if now != was
    ])  # fmt: skip
    book = rulings(state, hand, pots=pots, returned=returned, unassigned=unassigned, payments=payments)
    return replace(
        state,
        stacks=stacks,
        carried=carried,
        dealer=state.table.after(hand.dealer),
        hands=state.hands + (book,),
        hand=None,
        ended=hand,
        end_may_follow=True,
    )


def rulings(
    state: State, hand: Hand, *, pots: tuple[Pot, ...] = (), returned: tuple[Returned, ...] = (),
    unassigned: Unassigned | None = None, payments: tuple[Payment, ...] = (), void: bool = False,
) -> HandRulings:  # fmt: skip
    """What a hand comes to: in progress, over, or undone (``void``: with its mistakes alone)."""
    names = state.table.names
    return HandRulings(
        n=hand.n,
        dealer=names[hand.dealer],
        first=names[hand.first],
        deck=hand.size,
        level=hand.level,
        carried_in=hand.before.pot,
        opened=None if void else hand.opened,
        pots=pots,
        returned=returned,
        unassigned=unassigned,
        payments=payments,
        irregularities=hand.irregularities,
        void=void,
    )
