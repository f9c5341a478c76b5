"""Who takes part in the next hand, and what it costs to come into a pot of others (rules 1, 3, 5, 7, 11)."""

from __future__ import annotations

from companion.games.stoper.rules import log, reasons
from companion.games.stoper.rules.state import Seat, Seats, State
from companion.table.errors import Illegal
from companion.table.money import Minor
from companion.table.seats import seat_of


def price(state: State, seat: Seat) -> int:
    """What this player would pay to join the pot of those in ``said``: what they are short of the greatest sum of those."""
    carried = state.carried
    paid = carried.paid[seat]
    if paid and state.table.house.parola_join == "absent_only":
        return 0
    most = max([put_in for one, put_in in enumerate(carried.paid) if carried.said >> one & 1], default=0)
    return max(most - paid, 0)


def can_join(state: State, seat: Seat) -> bool:
    """Whether this player, not among ``said``, has the sum (rule 11)."""
    return state.stacks[seat] >= max(price(state, seat), 1)


def expected_in(state: State) -> Seats:
    """The seats that take part if nobody is absent or joins: all with chips, or those of them whose pot it is."""
    taking = 0
    for seat, stack in enumerate(state.stacks):
        if stack:
            taking |= 1 << seat
    return taking & state.carried.said if state.carried.said else taking


def next_dealer(state: State, among: Seats) -> Seat:
    """The first of these players from ``state.dealer`` on."""
    for seat in state.table.round_from(state.dealer):
        if among >> seat & 1:
            return seat
    return state.dealer


def taking_part(state: State, event: log.Hand) -> tuple[Seats, tuple[Seat, ...]]:
    """The seats that take part in this hand, and those of them that join.

    Raises:
        Illegal: somebody cannot be absent or join, is named twice, or fewer than two are left.
    """
    table, carried = state.table, state.carried
    absent, joining = _seats(table.names, event.absent), _seats(table.names, event.join)
    if absent and table.mode == "torneo":
        raise Illegal(reasons.ABSENT_IN_TORNEO, rule=5, expected="`absent` left out")
    for seat in absent:
        if carried.parola and carried.said >> seat & 1:
            raise Illegal(reasons.ABSENT_SAID_PAROLA, rule=11, expected="them in the hand", player=table.names[seat])
        if seat in joining:
            raise Illegal(reasons.NAMED_TWICE, expected="`absent` or `join`", player=table.names[seat])
    for seat in joining:
        _refuse_joining(state, seat)
    taking = expected_in(state)
    for seat in absent:
        taking &= ~(1 << seat)
    for seat in joining:
        taking |= 1 << seat
    if taking.bit_count() < 2:
        raise Illegal(reasons.TOO_FEW, rule=3, expected="two or more with chips", number=taking.bit_count())
    return taking, joining


def _refuse_joining(state: State, seat: Seat) -> None:
    name, said = state.table.names[seat], state.carried.said
    if not said:
        raise Illegal(reasons.NOTHING_TO_JOIN, rule=11, expected="`join` left out", player=name)
    if said >> seat & 1:
        raise Illegal(reasons.IN_ALREADY, rule=11, expected="only who is not in", player=name)
    if not can_join(state, seat):
        amount = max(price(state, seat), 1)
        raise Illegal(reasons.CANNOT_JOIN, rule=11, expected=f"{amount} or more in chips", player=name,
                      stack=Minor(state.stacks[seat]), amount=Minor(amount))  # fmt: skip


def _seats(names: tuple[str, ...], said: tuple[str, ...]) -> tuple[Seat, ...]:
    if not said:
        return ()
    seats = tuple([seat_of(names, name) for name in said])
    for at, seat in enumerate(seats):
        if seat in seats[:at]:
            raise Illegal(reasons.NAMED_TWICE, expected="each name once", player=names[seat])
    return seats
