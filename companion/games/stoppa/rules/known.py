"""Who has which card, as far as lines have named it, and the mistakes that this proves: a wanted card not laid, a hand that was
to be declared (rules 9, 16). Nothing is concluded by elimination."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from companion.decks.italian import KINDS, Kind
from companion.games.stoppa.rules import reasons
from companion.games.stoppa.rules.cards import ACES, INDEX, KINGS, OF_NUMBER, TWOS, Card, Mask
from companion.games.stoppa.rules.log import HouseRules
from companion.games.stoppa.rules.state import Hand, Irregularity, Passed, Seat, State, Table, put
from companion.table import seats
from companion.table.errors import Contradictory, Illegal


def seat_of(state: State, name: str) -> Seat:
    """The seat of this player.

    Raises:
        Illegal: nobody is called so.
    """
    return seats.seat_of(state.table.names, name)


def cards_of(table: Table, kinds: Sequence[Kind], *, some: bool = True) -> list[Card]:
    """The cards with these ids; at least one, unless ``some`` is False.

    Raises:
        Illegal: there is none.
        Contradictory: one twice, or one that is not in the deck (rule 2).
    """
    if some and not kinds:
        raise Illegal(reasons.NO_CARDS, expected="at least one card")
    cards = [INDEX[kind] for kind in kinds]
    for at, card in enumerate(cards):
        if not table.deck >> card & 1:
            raise Contradictory(reasons.NOT_IN_DECK, rule=2, expected="a card in play", card=KINDS[card], number=len(table.names))
        if card in cards[:at]:
            raise Contradictory(reasons.TWICE, expected="each card once", card=KINDS[card])
    return cards


def elsewhere(hand: Hand, seat: Seat) -> Mask:
    """The cards known to be other players'."""
    found = 0
    for other, held in enumerate(hand.known):
        found |= held if other != seat else 0
    return found


def learn(table: Table, hand: Hand, seat: Seat, cards: Sequence[Card], *, dealt: bool = False) -> Hand:
    """These cards are this player's; ``dealt``: in the iteration last begun.

    Raises:
        Contradictory: one of them is another player's or of another iteration, or they are more than the player was dealt.
    """
    changes = learned(table, hand, seat, cards, dealt=dealt)
    return replace(hand, **changes) if changes else hand


def learned(table: Table, hand: Hand, seat: Seat, cards: Sequence[Card], *, dealt: bool = False) -> dict[str, Any]:
    """What `learn` changes of a hand, by its attributes' names; nothing where all was known."""
    known, new, this = hand.known[seat], 0, hand.iteration - 1
    for card in cards:
        bit = 1 << card
        if not known & bit:
            for other, held in enumerate(hand.known):
                if held & bit:
                    raise Contradictory(reasons.OF_ANOTHER, expected="a card not seen elsewhere", card=KINDS[card],
                                        player=table.names[other])  # fmt: skip
            new |= bit
        if dealt:
            for iteration, of in enumerate(hand.dealt_in):
                if iteration != this and of & bit:
                    raise Contradictory(reasons.OTHER_PUNTO, rule=7, expected="a card of this one", card=KINDS[card],
                                        number=iteration + 1)  # fmt: skip
    if not new:
        return {}
    changes: dict[str, Any] = {}
    known |= new
    if dealt:
        of = hand.dealt_in[this] | new
        if (of & known).bit_count() > table.deals[this]:
            raise Contradictory(reasons.TOO_MANY_CARDS, rule=7, expected="at most as many", player=table.names[seat],
                                number=table.deals[this])  # fmt: skip
        changes["dealt_in"] = put(hand.dealt_in, this, of)
    if known.bit_count() > table.size:
        raise Contradictory(reasons.TOO_MANY_CARDS, rule=2, expected="at most as many", player=table.names[seat],
                            number=table.size)  # fmt: skip
    changes["known"] = put(hand.known, seat, known)
    changes["named"] = (*hand.named, *[card for card in cards if new >> card & 1])
    return changes


# Mistakes that come to light when cards are seen.


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
