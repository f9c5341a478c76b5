"""What happens around the hands: the first line, a new hand, chips bought, how it stands, a void hand, the end (rules 1, 2, 3,
5, 17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from functools import partial

from msgspec.structs import replace

from companion.games.stoper.rules import joining, log, phases, reasons
from companion.games.stoper.rules.cards import DECKS, Level, Size, deck_of
from companion.games.stoper.rules.ending import rulings
from companion.games.stoper.rules.state import NOTHING_KNOWN, Carried, Hand, Irregularity, Seat, Seats, State, Table
from companion.games.stoper.rules.waiting import expected
from companion.table.errors import Illegal
from companion.table.money import Minor
from companion.table.seats import put, seat_of
from companion.table.setting import Setting

_CARDS_EACH = 5
"""Cards that the deck must have for each player: three, and two changed (rule 8)."""


def begin(game: log.Game) -> State:
    """The game as its first line has it, before the first hand.

    Raises:
        Illegal: no such game can be.
    """
    names, number = game.players, len(game.players)
    if not 4 <= number <= 6:
        raise Illegal(reasons.NUMBER_OF_PLAYERS, rule=1, expected="4 to 6", number=number)
    if len(set(names)) < number:
        raise Illegal(reasons.SAME_NAME, expected="unique names")
    dealer = seat_of(names, game.dealer)
    stacks = _stacks(game)
    said = game.usual.buy_in if game.usual is not None else None
    table = Table(names, game.mode, game.house_rules, said or buy_in(stacks), game.usual)
    return State(table, stacks, dealer, _carried(game), sum(stacks) + (game.standing.pot if game.standing else 0))


def buy_in(stacks: Collection[int]) -> int:
    """What a player buys in for where nobody has said it: the chips with which most begin who have any, of equally many the most.

    >>> buy_in([5000, 5000, 12000, 0]), buy_in([4900, 5300]), buy_in([0, 0])
    (5000, 5300, 0)
    """
    counted = Counter(filter(None, stacks))
    return max(counted, key=lambda chips: (counted[chips], chips), default=0)


def _stacks(game: log.Game) -> tuple[int, ...]:
    """Everybody's chips at the start."""
    given, names = game.stacks, game.players
    if isinstance(given, int):
        stacks = (given,) * len(names)
    elif set(given) != set(names):
        raise Illegal(reasons.STACKS_NAMES, rule=5, expected="a sum for each of them")
    else:
        stacks = tuple([given[name] for name in names])
    if game.mode == "torneo":
        if not any(stacks):
            raise Illegal(reasons.NO_STACKS, rule=5, expected="chips")
        if game.standing is None and len(set(stacks)) > 1:
            raise Illegal(reasons.STACKS_DIFFER, rule=5, expected="the same for all, or `standing`")
    return stacks


def _carried(game: log.Game) -> Carried:
    """What earlier hands left, as the first line has it."""
    names, standing = game.players, game.standing
    if standing is None:
        return Carried((0,) * len(names))
    for name in (*standing.paid, *standing.said):
        if name not in names:
            raise Illegal(reasons.STANDING_NAMES, expected="only players", player=name)
    _refuse_level(standing.pot, standing.level)
    if standing.parola and not standing.pot:
        raise Illegal(reasons.STANDING_PAROLA, rule=11, expected="a pot, or `parola` false")
    of_some = standing.parola or (standing.pot > 0 and game.house_rules.carry_join == "always")
    said = set(standing.said)
    if len(said) != len(standing.said) or (len(said) < 2 if of_some else bool(said)):
        raise Illegal(reasons.STANDING_SAID, rule=11, expected="two or more, each once" if of_some else "none",
                      number=len(standing.said))  # fmt: skip
    paid = tuple([standing.paid.get(name, 0) if standing.pot else 0 for name in names])
    seats = sum([1 << seat for seat, name in enumerate(names) if name in said])
    return Carried(paid, standing.pot, standing.level, standing.parola, seats)


def hand(state: State, event: log.Hand) -> State:
    """A new hand: those who take part pay cip and invito; players who join pay what they are short of (rules 2, 3, 11).

    Raises:
        Illegal: the last hand is not over, or the game is; or these cannot play it so.
    """
    if state.hand is not None:
        raise Illegal(reasons.IN_MID_HAND, rule=2, expected=partial(expected, state), what="hand")
    table = state.table
    cip = state.cip if event.cip is None else event.cip
    if not state.cip:
        for what, amount in (("cip", event.cip), ("invito", event.invito)):
            if amount is None:
                raise Illegal(reasons.STAKES_MISSING, rule=3, expected=f"`{what}`", what=what)
    invito = state.invito if event.invito is None else event.invito
    taking, joined = joining.taking_part(state, event)
    dealer = _dealer(state, event, taking)
    due = dealer if event.dealer is None else joining.next_dealer(state, taking)
    size = _size(state, event, taking)

    stacks, carried, pot = list(state.stacks), state.carried, state.carried.pot
    for seat in joined:
        amount = joining.price(state, seat)
        stacks[seat] -= amount
        pot += amount
    order = tuple([seat for seat in table.round_from(table.after(dealer)) if taking >> seat & 1])
    none = (0,) * len(stacks)
    sums, stake, dealer_pays = list(none), cip + invito, table.house.dealer_pays
    for seat in order:
        if seat != dealer or dealer_pays:
            sums[seat] = paid = min(stacks[seat], stake)
            stacks[seat] -= paid
    credit = 0 if dealer_pays else max(sums)
    sums[dealer] += credit
    begun = Hand(
        n=len(state.hands) + 1,
        dealer=dealer,
        size=size,
        deck=DECKS[size],
        level=carried.level,
        stacks_before=state.stacks,
        before=carried,
        order=order,
        carried=pot,
        sums=tuple(sums),
        credit=credit,
        live=taking,
        known=(NOTHING_KNOWN,) * len(stacks),
        totals=none,
        irregularities=(Irregularity("wrong_dealer", table.names[dealer]),) if dealer != due else (),
    )
    of = replace(carried, pot=0, said=taking if carried.said else 0)
    away = sum([1 << seat_of(table.names, name) for name in event.absent])
    state = replace(state, stacks=tuple(stacks), carried=of, cip=cip, invito=invito, away=away, hand=begun, ended=None)
    return phases.opening(state, begun)


def dealt_with(state: State, event: log.Hand) -> Seat:
    """The seat that deals this hand. Raises what `hand` raises."""
    return _dealer(state, event, joining.taking_part(state, event)[0])


def _dealer(state: State, event: log.Hand, taking: Seats) -> Seat:
    """The seat that deals: the next at the left that takes part, or the one that the line names (rule 2)."""
    if event.dealer is None:
        return joining.next_dealer(state, taking)
    seat = seat_of(state.table.names, event.dealer)
    if not taking >> seat & 1:
        raise Illegal(reasons.DEALER_OUT, rule=2, expected="somebody who takes part", player=event.dealer)
    return seat


def _size(state: State, event: log.Hand, taking: Seats) -> Size:
    """The number of cards in the deck: players put out of a tournament no longer count for it (rule 1)."""
    table, number = state.table, taking.bit_count()
    if event.deck is not None:
        if number * _CARDS_EACH > event.deck:
            raise Illegal(reasons.SMALL_DECK, rule=1, expected="five cards for each", number=number, cards=event.deck)
        return event.deck
    if table.mode == "torneo" and table.house.deck_follows == "seated":
        return deck_of(sum([stack > 0 for stack in state.stacks]))
    return deck_of(len(table.names))


def chips(state: State, event: log.Chips) -> State:
    """A player buys chips.

    Raises:
        Illegal: in a tournament, or in mid-hand.
    """
    seat = seat_of(state.table.names, event.by)
    if state.table.mode == "torneo":
        raise Illegal(reasons.CHIPS_IN_TORNEO, rule=5, expected="hand, or close")
    if state.hand is not None:
        raise Illegal(reasons.IN_MID_HAND, rule=5, expected=partial(expected, state), what="chips")
    stacks = put(state.stacks, seat, state.stacks[seat] + event.amount)
    return replace(state, stacks=stacks, brought=state.brought + event.amount)


def set_(state: State, event: log.Set) -> State:
    """The table says how it stands: everybody's chips, the pot that is carried, what opens it. Whose a pot is, and what each has
    put into it, stays as long as there is one.

    Raises:
        Illegal: a hand is in progress, or the game is over; a stranger is named, nobody of a tournament has chips, or the pot and
            what opens it do not go together.
    """
    if state.hand is not None:
        raise Illegal(reasons.IN_MID_HAND, expected=partial(expected, state), what="set")
    names, stacks = state.table.names, state.stacks
    for name, stack in event.stacks.items():
        stacks = put(stacks, seat_of(names, name), stack)
    if state.table.mode == "torneo" and not any(stacks):
        raise Illegal(reasons.NO_STACKS, rule=5, expected="chips")
    carried = _set_pot(state, event, stacks)
    moved = tuple([now - was for was, now in zip(state.stacks, stacks, strict=True)])
    brought = sum(stacks) + carried.pot
    setting = Setting(len(state.hands), event, moved, brought - state.brought)
    return replace(state, stacks=stacks, carried=carried, brought=brought, settings=(*state.settings, setting))


def _set_pot(state: State, event: log.Set, stacks: tuple[int, ...]) -> Carried:
    """What is carried after a `set`."""
    carried = state.carried
    pot = carried.pot if event.pot is None else event.pot
    level = event.level or ("donna" if event.pot == 0 else carried.level)  # without a pot nothing else can open
    _refuse_level(pot, level)
    if not pot:
        return Carried((0,) * len(stacks))
    said = carried.said
    if not carried.pot and state.table.house.carry_join == "always":
        said = sum([1 << seat for seat, stack in enumerate(stacks) if stack])
    return replace(carried, pot=pot, level=level, said=said)


def _refuse_level(pot: int, level: Level) -> None:
    if (pot == 0) != (level == "donna"):
        expected = "donna without a pot, cavallo or re with one"
        raise Illegal(reasons.STANDING_LEVEL, rule=6, expected=expected, pot=Minor(pot), level=level)


def void(state: State, hand: Hand, event: log.Void) -> State:
    """The hand is undone, but keeps its number and its irregularities; the same dealer deals (rule 17)."""
    return replace(
        state, stacks=hand.stacks_before, carried=hand.before, dealer=hand.dealer, hand=None, ended=None, end_may_follow=False,
        hands=state.hands + (rulings(state, hand, void=True),),
    )  # fmt: skip


def end(state: State, event: log.End) -> State:
    """The hand is over; it is by itself, so nothing changes.

    Raises:
        Illegal: it is not over, or there is none.
    """
    if state.hand is not None:
        raise Illegal(reasons.NOT_OVER_YET, expected=partial(expected, state))
    if not state.end_may_follow:
        raise Illegal(reasons.OUTSIDE_HAND, expected=partial(expected, state), what="end")
    return replace(state, end_may_follow=False)


def close(state: State, event: log.Close) -> State:
    """The game is over; a pot that nobody has won stays on the table.

    Raises:
        Illegal: a hand is in progress.
    """
    if state.hand is not None:
        raise Illegal(reasons.IN_MID_HAND, rule=17, expected=partial(expected, state), what="close")
    return replace(state, ended=None, end_may_follow=False, closed=True)
