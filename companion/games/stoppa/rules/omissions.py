"""Mistakes that come to light when cards are seen: a wanted card not laid, a hand that was to be declared (rules 9, 16)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa.rules.cards import ACES, KINGS, OF_NUMBER, TWOS, Mask
from companion.games.stoppa.rules.known import elsewhere
from companion.games.stoppa.rules.log import HouseRules
from companion.games.stoppa.rules.state import Hand, Irregularity, Passed, Seat, Table, put


def turns_gone_by(hand: Hand, seats: tuple[Seat, ...], line: int, left: Mask) -> tuple[tuple[Passed, ...], ...]:
    """All turns that have gone by once the lay of this line goes past these players, too. ``left``: cards not laid before it."""
    passed = Passed(line, OF_NUMBER[hand.wants] & left)
    all_of = list(hand.passed)
    for seat in seats:
        all_of[seat] = (*all_of[seat], passed)
    return tuple(all_of)


def come_to_light(table: Table, hand: Hand, seats: tuple[Seat, ...]) -> Hand:
    """The hand with the mistakes noted that the cards known of these players now prove."""
    for seat in seats:
        known = hand.known[seat]
        for passed in hand.passed[seat]:
            if passed.cards & known:
                hand = _omitted(table, hand, seat, known)
                break
    if hand.begun:
        of, count, _ = needed(table.house)
        for seat, known in enumerate(hand.known):
            if (known & of).bit_count() >= count and not hand.undeclared >> seat & 1 and proved(table, hand, seat):
                noted = Irregularity("undeclared", table.names[seat])
                hand = replace(hand, irregularities=(*hand.irregularities, noted), undeclared=hand.undeclared | 1 << seat)
    return hand


def _omitted(table: Table, hand: Hand, seat: Seat, known: Mask) -> Hand:
    noted, left = [], []
    for passed in hand.passed[seat]:
        if not passed.cards & known:
            left.append(passed)
            continue
        card = next(card for card in hand.named if passed.cards & known & 1 << card)
        noted.append(Irregularity("omitted", table.names[seat], KINDS[card], passed.line))
    irregularities = (*hand.irregularities, *noted)
    return replace(hand, passed=put(hand.passed, seat, tuple(left)), irregularities=irregularities)


_NEEDED: Final[dict[str, tuple[Mask, int, bool]]] = {
    "three_twos_no_king": (TWOS, 3, True),
    "three_aces_no_king": (ACES, 3, True),
    "four_aces_no_king": (ACES, 4, True),
    "three_aces": (ACES, 3, False),
}


def needed(house: HouseRules) -> tuple[Mask, int, bool]:
    """The hand that prevents the stoppata: the cards that count, how many of them it takes, and whether without a Re (rule 9)."""
    return _NEEDED[house.no_stoppata]


def proved(table: Table, hand: Hand, seat: Seat) -> bool:
    """Whether the known cards prove that this player held the hand that prevents the stoppata."""
    of, count, without_king = needed(table.house)
    known = hand.known[seat]
    if (known & of).bit_count() < count:
        return False
    if not without_king:
        return True
    if known & KINGS:
        return False
    return known.bit_count() == table.size or not KINGS & table.deck & ~elsewhere(hand, seat)
