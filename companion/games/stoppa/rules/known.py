"""Who has which card, as far as lines have named it, and the mistakes that this proves: a wanted card not laid, a hand that was
to be declared (rules 9, 16). Nothing is concluded by elimination."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.decks.italian import KINDS, Kind
from companion.games.stoppa.rules import reasons
from companion.games.stoppa.rules.cards import ACES, KINGS, OF_NUMBER, TWOS, Card, Mask, Named, named
from companion.games.stoppa.rules.log import HouseRules
from companion.games.stoppa.rules.state import Hand, Irregularity, Passed, Seat, Table, put
from companion.table.errors import Contradictory, Illegal

Knowledge = tuple[tuple[Mask, ...], tuple[Mask, ...], tuple[Card, ...]]
"""What lines have named of a hand: its ``known``, ``dealt_in`` and ``named``. No card is in two masks of a tuple, so that their
sum is their union."""


def cards_of(table: Table, kinds: tuple[Kind, ...], *, some: bool = True) -> Named:
    """The cards with these ids; at least one, unless ``some`` is False.

    Raises:
        Illegal: there is none.
        Contradictory: one twice, or one that is not in the deck (rule 2).
    """
    if some and not kinds:
        raise Illegal(reasons.NO_CARDS, expected="at least one card")
    given = named(kinds)
    mask = given.mask
    if mask & ~table.deck or mask.bit_count() < len(kinds):
        raise _none_of_them(table, given.cards)
    return given


def _none_of_them(table: Table, cards: tuple[Card, ...]) -> Contradictory:
    """Why these cannot be cards of one player: the first that is named twice or is not in the deck."""
    at = next(at for at, card in enumerate(cards) if not table.deck >> card & 1 or card in cards[:at])
    kind = KINDS[cards[at]]
    if not table.deck >> cards[at] & 1:
        return Contradictory(reasons.NOT_IN_DECK, rule=2, expected="a card in play", card=kind, number=len(table.names))
    return Contradictory(reasons.TWICE, expected="each card once", card=kind)


def elsewhere(hand: Hand, seat: Seat) -> Mask:
    """The cards known to be other players'. A card is known to be one player's at most."""
    return sum(hand.known) - hand.known[seat]


def learn(table: Table, hand: Hand, seat: Seat, given: Named, *, dealt: bool = False) -> Hand:
    """The hand after learning that these cards are this player's. ``dealt``: they were dealt in the iteration last begun.

    Raises:
        Contradictory: one of them is another player's or of another iteration, or they are more than the player was dealt.
    """
    known, dealt_in, names = learned(table, hand, seat, given, dealt=dealt)
    return hand if known is hand.known else replace(hand, known=known, dealt_in=dealt_in, named=names)


def seen(hand: Hand, cards: Mask) -> Hand:
    """The hand after everybody has seen these cards."""
    return replace(hand, unseen=hand.unseen & ~cards) if hand.unseen & cards else hand


def learned(table: Table, hand: Hand, seat: Seat, given: Named, *, dealt: bool = False) -> Knowledge:
    """What `learn` makes of a hand's ``known``, ``dealt_in`` and ``named``: the very same where all was known."""
    known, dealt_in, cards, mask = hand.known[seat], hand.dealt_in, given.cards, given.mask
    new = mask & ~known
    if new & sum(hand.known) or (dealt and mask & sum(dealt_in) & ~dealt_in[hand.iteration - 1]):
        raise _of_others(table, hand, seat, cards, dealt)
    if not new:
        return hand.known, dealt_in, hand.named
    known |= new
    if dealt:
        this = hand.iteration - 1
        of = dealt_in[this] | new
        if (of & known).bit_count() > table.deals[this]:
            raise Contradictory(reasons.TOO_MANY_CARDS, rule=7, expected="at most as many", player=table.names[seat],
                                number=table.deals[this])  # fmt: skip
        dealt_in = put(dealt_in, this, of)
    if known.bit_count() > table.size:
        raise Contradictory(reasons.TOO_MANY_CARDS, rule=2, expected="at most as many", player=table.names[seat],
                            number=table.size)  # fmt: skip
    fresh = cards if new == mask else tuple([card for card in cards if new >> card & 1])
    return put(hand.known, seat, known), dealt_in, hand.named + fresh


def _of_others(table: Table, hand: Hand, seat: Seat, cards: tuple[Card, ...], dealt: bool) -> Contradictory:
    """Why these cards cannot be this player's, or of the iteration last begun: the first that is another's."""
    for card in cards:
        others = [other for other, held in enumerate(hand.known) if other != seat and held >> card & 1]
        if others:
            return Contradictory(reasons.OF_ANOTHER, expected="a card not seen elsewhere", card=KINDS[card],
                                 player=table.names[others[0]])  # fmt: skip
        before = [at for at, of in enumerate(hand.dealt_in, start=1) if at != hand.iteration and of >> card & 1]
        if dealt and before:
            return Contradictory(reasons.OTHER_PUNTO, rule=7, expected="a card of this one", card=KINDS[card], number=before[0])
    raise AssertionError("who asks has found one")


# Mistakes that come to light when cards are seen.


def turns_gone_by(hand: Hand, seats: tuple[Seat, ...], line: int, left: Mask) -> tuple[tuple[Passed, ...], ...]:
    """All turns that have gone by once the lay of this line goes past these players, too. ``left``: cards not laid before it."""
    passed = Passed(line, OF_NUMBER[hand.wants] & left)
    all_of = list(hand.passed)
    for seat in seats:
        all_of[seat] += (passed,)
    return tuple(all_of)


def come_to_light(table: Table, before: Hand, hand: Hand, seats: tuple[Seat, ...]) -> Hand:
    """The hand with the mistakes noted that the cards known of these players now prove. ``before``: the hand before this line,
    when all turns but the newest were held against all cards known."""
    for seat in seats:
        turns = hand.passed[seat]
        if turns:
            known = hand.known[seat]
            new = known & ~before.known[seat]
            if turns[-1].cards & known or (new and _any_wanted(turns, new)):
                hand = _omitted(table, hand, seat, known)
    if not hand.begun or (before.begun and hand.known is before.known):
        return hand
    of, count, _ = needed(table.house)
    if (sum(hand.known) & of).bit_count() >= count:
        for seat, known in enumerate(hand.known):
            if (known & of).bit_count() >= count and not hand.undeclared >> seat & 1 and proved(table, hand, seat):
                noted = Irregularity("undeclared", table.names[seat])
                hand = replace(hand, irregularities=(*hand.irregularities, noted), undeclared=hand.undeclared | 1 << seat)
    return hand


def _any_wanted(turns: tuple[Passed, ...], cards: Mask) -> bool:
    """Whether one of these cards was wanted in one of these turns."""
    for turn in turns:  # noqa: SIM110 (faster so)
        if turn.cards & cards:
            return True
    return False


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
