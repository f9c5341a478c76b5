"""Who has which card, as far as lines have named it, and what it proves of an opening (rules 6, 8). Nothing is concluded by
elimination."""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from companion.decks.italian import KINDS, Kind
from companion.decks.italian_sets import INDEX
from companion.games.stoper.rules import reasons
from companion.games.stoper.rules.cards import HAND, Mask, cards_in, mask_of, opens, set_of
from companion.games.stoper.rules.state import NOTHING_KNOWN, Hand, Irregularity, Known, Seat, Table
from companion.table.errors import Contradictory
from companion.table.seats import put


def cards_of(hand: Hand, kinds: tuple[Kind, ...]) -> Mask:
    """The cards with these ids.

    Raises:
        Contradictory: one twice, or one that is not in the deck in use (rule 1).
    """
    found = set_of(kinds)
    if found & ~hand.deck or found.bit_count() < len(kinds):
        at = next(at for at, kind in enumerate(kinds) if not hand.deck >> INDEX[kind] & 1 or kind in kinds[:at])
        if not hand.deck >> INDEX[kinds[at]] & 1:
            raise Contradictory(reasons.NOT_IN_DECK, rule=1, expected="a card in play", card=kinds[at], number=hand.size)
        raise Contradictory(reasons.TWICE, expected="each card once", card=kinds[at])
    return found


def learn(table: Table, hand: Hand, seat: Seat, known: Known) -> Hand:
    """The hand when this is known of a player's cards.

    Raises:
        Contradictory: a card is another player's, or the cards of this one do not agree.
    """
    cards = known.cards
    for other, theirs in enumerate(hand.known):
        if theirs is not NOTHING_KNOWN and other != seat and (twice := theirs.cards & cards):
            raise Contradictory(reasons.OF_ANOTHER, expected="a card not seen elsewhere",
                                card=KINDS[cards_in(twice)[0]], player=table.names[other])  # fmt: skip
    if not agree(known):
        raise Contradictory(reasons.DO_NOT_AGREE, rule=8, expected="the cards kept and those received",
                            player=table.names[seat])  # fmt: skip
    return replace(hand, known=put(hand.known, seat, known))


def agree(known: Known) -> bool:
    """Whether a player can have been dealt, have thrown away, received and shown these cards."""
    changed = max(known.changed, 0)
    first = known.dealt | known.discards
    if first.bit_count() > HAND or first & known.received:
        return False
    if not known.shown:
        return True
    if known.discards & known.shown or known.received & ~known.shown:
        return False
    kept = known.dealt & ~known.discards
    if known.discards and kept & ~known.shown:
        return False
    return (kept & known.shown).bit_count() <= HAND - changed and (known.dealt & ~known.shown).bit_count() <= changed


def proved_false(table: Table, hand: Hand, seat: Seat) -> bool:
    """Whether what this player has shown and thrown away proves that they opened without what it takes (rule 6)."""
    known = hand.known[seat]
    changed = max(known.changed, 0)
    if not known.shown or (changed and not known.discards):
        return False  # cards changed and not named prove nothing
    house = table.house
    return not any(
        opens(known.discards | mask_of(kept), hand.level, by_figure_alone=house.opening_point == "figure_only",
              ace_pair_third=house.ace_pair_third)
        for kept in combinations(cards_in(known.shown), HAND - changed)
    )  # fmt: skip


def note_false_opening(table: Table, hand: Hand, seat: Seat) -> Hand:
    """The hand with the false opening that the cards of this player prove, if they do."""
    opened = hand.opened
    if opened is None or opened.blind or opened.by != table.names[seat]:
        return hand
    noted = Irregularity("false_opening", opened.by)
    if noted in hand.irregularities or not proved_false(table, hand, seat):
        return hand
    return replace(hand, irregularities=(*hand.irregularities, noted))
