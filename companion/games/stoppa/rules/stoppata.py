"""The stoppata at the table: lays, those taken back, a stoppata annulled, cards shown after it (rules 10 to 16)."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa.rules import log, reasons
from companion.games.stoppa.rules.cards import ACE, ACES, KINGS, OF_NUMBER, Card, Mask, Named, number_of
from companion.games.stoppa.rules.declarations import refuse_contradictions
from companion.games.stoppa.rules.known import cards_of, come_to_light, learn, learned, turns_gone_by
from companion.games.stoppa.rules.log import HouseRules
from companion.games.stoppa.rules.payment import of_stoppata, paid
from companion.games.stoppa.rules.state import Hand, Laid, Seat, State, Table, put, to_lay
from companion.table.errors import Contradictory, Illegal
from companion.table.seats import seat_of

# What a lay does to the sequence: the next number, exhausted ones, closing; aces; all of a number (rules 10 to 14). Pure.


Way = Literal["opens", "goes_on", "ace_on_ace", "thrown", "skips", "wrong"]
"""What a lay of some number is: ``thrown`` are aces put down whatever is wanted, ``wrong`` a number that is not wanted."""


def next_number(deck: Mask, laid: Mask, number: int) -> int:
    """The number that a sequence wants after this one: the next that is not exhausted; 0: the sequence is closed.

    ``deck``: all cards in play; ``laid``: those put down, with the card of ``number``.
    """
    left = deck & ~laid
    for wanted in range(number + 1, 11):
        if left & OF_NUMBER[wanted]:
            return wanted
    return 0


def way_of(house: HouseRules, wants: int, top: int, number: int, count: int, skipped: bool) -> Way:
    """The kind of lay that ``count`` cards of this number make. ``wants``: the number that is due, 0 where a sequence is to be
    opened; ``top``: the sequence's top number."""
    if not wants:
        return "opens"
    if number == wants:
        return "goes_on"
    if number == ACE:
        if top == ACE:
            return "ace_on_ace"
        if house.three_aces_anytime and count >= 3:
            return "thrown"
    return "skips" if skipped and number > wants else "wrong"


def may_lie_together(house: HouseRules, deck: Mask, laid: Mask, way: Way, number: int, cards: Mask) -> bool:
    """Whether these cards of one number, two or more, may be put down at once."""
    if number == ACE and way in ("opens", "ace_on_ace", "thrown"):
        return True
    whole = OF_NUMBER[number] & deck
    return cards == (whole & ~laid if house.all_at_once == "left" else whole)


def all_aces_known(known: Mask, laid: Mask, cards: Mask) -> bool:
    """Whether a player who throws these aces may hold, as far as is known, no other ace and no Re."""
    return not known & ~laid & ~cards & (ACES | KINGS)


def forced_lay(table: Table, hand: Hand) -> tuple[Seat, Card] | None:
    """Who must lay now, and the one card that they can lay: everybody has seen who holds each card of the wanted number, and the
    first of them in turn has one (rule 10). None where somebody can choose, or where it was not seen."""
    if not hand.wants or hand.declared or table.house.three_aces_anytime:
        return None
    out = table.deck & ~hand.on_pile
    left = OF_NUMBER[hand.wants] & out
    if left & (~sum(hand.known) | hand.unseen):
        return None
    if number_of(hand.top) == ACE and out & ACES:  # an ace may come first, and nobody has to lay one
        return None
    held = next(held for seat in table.round_from(hand.last) if (held := (seat, hand.known[seat] & left))[1])
    return (held[0], held[1].bit_length() - 1) if held[1].bit_count() == 1 else None


def lay(state: State, hand: Hand, event: log.Lay) -> State:
    """Cards put down. With a player's last card the stoppata is over.

    Raises:
        Illegal: the number is not wanted, the cards may not be put down together, another is to open, after a declaration, or it
            is said to be forced, and is not.
        Contradictory: a card is another player's, or has been laid.
    """
    table, seat, wants = state.table, seat_of(state.table.names, event.by), hand.wants
    if hand.declared:
        raise Illegal(reasons.DECLARED_ALREADY, rule=9, expected="end, or the next hand", what="lay")
    given = cards_of(table, event.cards)
    cards, mask = given.cards, given.mask
    number, count = number_of(cards[0]), len(cards)
    if event.forced and (count > 1 or forced_lay(table, hand) != (seat, cards[0])):
        raise Illegal(reasons.NOT_FORCED, rule=10, expected="a lay without `forced`", player=event.by)
    if count > 1 and mask & ~OF_NUMBER[number]:
        raise Illegal(reasons.DIFFERENT_NUMBERS, rule=13, expected="one card, own aces, or all of a number")
    way = "goes_on" if number == wants else _way(state, hand, seat, event, mask, number)
    on_pile = _pile_without(hand, given)
    if count > 1 and not may_lie_together(table.house, table.deck, on_pile, way, number, mask):
        raise Illegal(reasons.NOT_TOGETHER, rule=13, expected="one card, own aces, or all of the number",
                      count=count, number=number)  # fmt: skip
    known, _, names = learned(table, hand, seat, given)
    passing: tuple[Seat, ...] = ()
    passed, top = hand.passed, hand.top
    if way == "skips":
        passing = table.round_from(hand.last)
    elif wants and seat != hand.last:
        passing = table.round_from(hand.last)[: (seat - hand.last) % len(table.names)]
    if passing:
        passed = turns_gone_by(hand, passing, state.line + 1, table.deck & ~on_pile)
    if way != "thrown":
        top, wants = cards[-1], next_number(table.deck, on_pile | mask, number)
    laid = put(hand.laid, seat, hand.laid[seat] | mask)
    lays = hand.lays + (Laid(seat, mask, hand.top, hand.wants, hand.last),)
    after = replace(hand, known=known, laid=laid, passed=passed, named=names, unseen=hand.unseen & ~mask, begun=True, lays=lays,
                    top=top, wants=wants, last=seat)  # fmt: skip
    hand = come_to_light(table, hand, after, (*passing, seat))
    if laid[seat].bit_count() < table.size:
        return replace(state, hand=hand)
    return paid(state, replace(hand, ending="stop", winner=seat), of_stoppata(table, hand, seat))


def _way(state: State, hand: Hand, seat: Seat, event: log.Lay, cards: Mask, number: int) -> Way:
    """What this lay is, which is not of the wanted number.

    Raises:
        Illegal: not by this player, or not this number.
    """
    if not hand.wants and seat != (opener := to_lay(state.table, hand)):
        name = state.table.names[opener]
        raise Illegal(reasons.NOT_TO_OPEN, rule=10, expected=f"lay by {name}", player=event.by, opener=name)
    top = number_of(hand.top) if hand.wants else 0
    way = way_of(state.table.house, hand.wants, top, number, cards.bit_count(), event.skipped)
    if way == "wrong":
        expected = f"a {hand.wants}, or `skipped` where the table went on without one"
        raise Illegal(reasons.WANTED, rule=10, expected=expected, wanted=hand.wants, number=number)
    if way == "thrown" and not all_aces_known(hand.known[seat], hand.laid[seat], cards):
        raise Illegal(reasons.NOT_ALL_ACES, rule=14, expected="all aces of a hand without a Re", player=event.by)
    return way


def _pile_without(hand: Hand, given: Named) -> Mask:
    """The cards on the pile, once it is checked that none of the ``given`` ones is among them.

    Raises:
        Contradictory: one is.
    """
    on_pile = hand.on_pile
    if on_pile & given.mask:
        card = next(card for card in given.cards if on_pile >> card & 1)
        raise Contradictory(reasons.LAID_ALREADY, rule=10, expected="a card not yet laid", card=KINDS[card])
    return on_pile


def back(state: State, hand: Hand, event: log.Back) -> State:
    """The last lays that stand are taken back; what was seen stays known, and mistakes stay noted.

    Raises:
        Illegal: there are fewer.
    """
    stand = len(hand.lays)
    if hand.declared or event.lays > stand:
        raise Illegal(reasons.TOO_FEW_LAYS, rule=16, expected=f"at most {stand}", lays=event.lays, number=stand)
    first = hand.lays[-event.lays]
    laid = list(hand.laid)
    for taken in hand.lays[-event.lays :]:
        laid[taken.seat] &= ~taken.cards
    lays = hand.lays[: -event.lays]
    hand = replace(hand, lays=lays, laid=tuple(laid), top=first.top, wants=first.wants, last=first.last)
    return replace(state, hand=hand)


def annul(state: State, hand: Hand, event: log.Annul) -> State:
    """All agree that there is no stoppata: the hand is over, and nobody pays.

    Raises:
        Illegal: somebody has declared.
    """
    if hand.declared:
        raise Illegal(reasons.DECLARED_ALREADY, rule=16, expected="end, or the next hand", what="annul")
    return replace(state, hand=replace(hand, ending="annul"))


def show_left(state: State, hand: Hand, event: log.Show) -> State:
    """Cards left in hand are shown when the stoppata is over: no money moves, mistakes may come to light.

    Raises:
        Contradictory: they cannot be left in this hand.
    """
    seat = seat_of(state.table.names, event.by)
    given = cards_of(state.table, event.cards)
    _pile_without(hand, given)
    after = learn(state.table, hand, seat, given)
    refuse_contradictions(state.table, after)
    return replace(state, hand=come_to_light(state.table, hand, after, (seat,)))
