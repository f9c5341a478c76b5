"""The end of a hand: pots awarded, or left for the next; what it is in the book (rules 7, 11, 13)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoper.rules.cards import LEVELS, Level, edge, rank
from companion.games.stoper.rules.state import (
    NOBODY,
    Beaten,
    Carried,
    Hand,
    HandRulings,
    How,
    Payment,
    Pot,
    Ranked,
    Returned,
    Seat,
    Seats,
    State,
    Unassigned,
)
from companion.table.seats import put

# What goes back, which pots there are, and whose they are (rule 13).


def unmatched(hand: Hand) -> tuple[Seat, int]:
    """The seat that put in most, and by how much it exceeds the second highest sum: that goes back to it. Players who have passed
    count, too."""
    ordered = sorted(hand.order, key=hand.sums.__getitem__)
    most, next_to = ordered[-1], ordered[-2]
    return most, hand.sums[most] - hand.sums[next_to]


def layers(hand: Hand, sums: tuple[int, ...], answering: Seats = 0) -> list[tuple[int, Seats]]:
    """The pots, from the first on: how much, and which seats are entitled. ``sums``: per seat, without what goes back.

    Every sum of a player still in is a level. A pot is what all put in between two levels; the players who reached the upper one
    are entitled to it. What earlier hands left belongs to the first pot. Players still ``answering`` a bet may reach every level.
    """
    live = [seat for seat in hand.order if hand.live >> seat & 1]
    found: list[tuple[int, Seats]] = []
    below, left, credit = 0, hand.carried, hand.credit
    for level in sorted({sums[seat] for seat in live if not answering >> seat & 1}):
        amount = left + sum([(total if total < level else level) - below for total in sums if total > below])
        if credit > below:  # of a dealer who paid nothing
            amount -= min(level, credit) - below
        entitled = 0
        for seat in live:
            if sums[seat] >= level or answering >> seat & 1:
                entitled |= 1 << seat
        if amount:
            found.append((amount, entitled))
        below, left = level, 0
    return found


def so_far(hand: Hand) -> tuple[list[tuple[int, Seats]], tuple[Seat, int]]:
    """The pots of a hand in progress as they stand, and the seat to which an amount goes back, with the amount: 0 while somebody
    may still match it."""
    if hand.high and hand.todo:
        answering = sum([1 << seat for seat in hand.todo])
        return layers(hand, hand.sums, answering), (NOBODY, 0)
    seat, back = unmatched(hand) if hand.phase in ("exchange", "final", "showdown") else (NOBODY, 0)
    sums = put(hand.sums, seat, hand.sums[seat] - back) if back else hand.sums
    return layers(hand, sums), (seat, back)


def awarded(state: State, hand: Hand) -> tuple[tuple[int, ...], tuple[Pot, ...], tuple[Returned, ...]]:
    """The stacks when all pots are paid out, the pots, and what went back."""
    names, stacks, sums = state.table.names, list(state.stacks), hand.sums
    returned: tuple[Returned, ...] = ()
    seat, back = unmatched(hand)
    if back:
        stacks[seat] += back
        sums = put(sums, seat, sums[seat] - back)
        returned = (Returned(names[seat], back),)
    pots = []
    for amount, entitled in layers(hand, sums):
        winner, how, ranking = _won(state, hand, entitled)
        stacks[winner] += amount
        ties = _ties(state, hand, winner, ranking)
        pots.append(Pot(amount, state.table.named(entitled), names[winner], how, ranking, ties))
    return tuple(stacks), tuple(pots), returned


def _won(state: State, hand: Hand, entitled: Seats) -> tuple[Seat, How, tuple[Ranked, ...]]:
    """The entitled player who takes a pot: the only one, the one with the best hand shown, or the one who did not concede or
    conceded last."""
    house, names = state.table.house, state.table.names
    seats = [seat for seat in hand.order if entitled >> seat & 1]
    if len(seats) == 1:
        return seats[0], "alone", ()
    shown = [(rank(cards, house.ace_pair_third), seat) for seat in seats if (cards := hand.known[seat].shown)]
    if not shown:
        left = [seat for seat in seats if seat not in hand.conceded]
        return left[0] if left else max(seats, key=hand.conceded.index), "alone", ()
    shown.sort(reverse=True)
    ranking = tuple([Ranked(names[seat], found.score) for found, seat in shown])
    winner = shown[0][1]
    if house.false_opening == "forfeit" and len(shown) > 1 and _forfeits(hand, names[winner]):
        winner = shown[1][1]
    return winner, "shown", ranking


def _ties(state: State, hand: Hand, winner: Seat, ranking: tuple[Ranked, ...]) -> tuple[Beaten, ...]:
    """Why entitled players who have shown the winner's score, or more, do not take the pot."""
    if len(ranking) < 2:
        return ()
    found, house, names = [], state.table.house, state.table.names
    best = rank(hand.known[winner].shown, house.ace_pair_third)
    for one in ranking:
        other = rank(hand.known[names.index(one.player)].shown, house.ace_pair_third)
        if other > best:
            found.append(Beaten(one.player, "false_opening"))
        elif other.score == best.score and other != best:
            found.append(Beaten(one.player, *edge(best, other)))
    return tuple(found)


def _forfeits(hand: Hand, name: str) -> bool:
    return any(found.kind == "false_opening" and found.player == name for found in hand.irregularities)

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
