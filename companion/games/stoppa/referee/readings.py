"""What a card on the pile may be, by what the eyes say of its face and by what is known of everybody's hands."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.decks.italian import KINDS
from companion.games.stoppa.referee.costs import COSTS, log_of
from companion.games.stoppa.referee.fans import known_of
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.rules.cards import INDEX, OF_NUMBER, Card, cards_in, number_of
from companion.games.stoppa.rules.state import Hand, Seat
from companion.games.stoppa.sightings import Laid, Odds

C = COSTS
UNLISTED = 5e-4
"""How probable a kind is that the eyes have left out."""
SELDOM = 0.02
"""A card that somebody is known to have is not tried for another which it is less likely than this."""
DOUBTFUL = 0.99
"""A face that is less sure may be that of another card, once its own turns up again."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a card on the pile may be: its number, the ``card`` (None: any of the number), and the logarithm of how likely."""

    number: int
    card: Card | None
    cost: float


def readings(one: History, hand: Hand, seen: Laid) -> tuple[Reading, ...]:
    """The numbers that a card may have: those that the eyes consider, and the one that is wanted."""
    free = one.state.table.deck & ~hand.on_pile
    misread = {card for card, odds in one.read if not odds or odds[0][1] < DOUBTFUL}
    mass: dict[int, float] = defaultdict(float)
    best: dict[int, Card] = {}
    for kind, probability in seen.alternatives:
        card = INDEX[kind]
        mass[number_of(card)] += probability
        if free >> card & 1 or card in misread:
            best.setdefault(number_of(card), card)
    found = [
        Reading(number, best.get(number), log_of(share) + (0.0 if number in best else C.suit)) for number, share in mass.items()
    ]
    wanted = (hand.wants,) if hand.wants else tuple(range(1, 11)) if not seen.alternatives else ()
    unlisted = C.unread if seen.alternatives else -math.log(max(len(wanted), 1))
    found += [Reading(number, None, unlisted) for number in wanted if number not in mass]
    return tuple(sorted(found, key=lambda reading: -reading.cost))


def share_of(seen: Laid, number: int) -> float:
    """How probable it is (0..1), by its face alone, that a card is of this number."""
    return shares_of(seen.alternatives)[number]


@lru_cache(maxsize=1024)  # asked for again and again, for each of the histories
def shares_of(alternatives: Odds) -> tuple[float, ...]:
    """How probable each number is, from 0 to 10."""
    found = [0.0] * 11
    for kind, p in alternatives:
        found[number_of(INDEX[kind])] += p
    return tuple(found)


def ways_to_name(one: History, hand: Hand, seat: Seat, seen: Laid, reading: Reading) -> Iterator[tuple[Card, float]]:
    """Which card of this number it is, and how likely (logarithm): the one that it looks like, or one that the player is known to
    have, as any other is in their hand only by chance."""
    if reading.card is None:
        if (card := one.unseen_of(reading.number, seat)) is not None:
            yield card, reading.cost
        return
    own = known_of(one, hand, seat) & ~hand.laid[seat] & OF_NUMBER[reading.number]
    odds = dict(seen.alternatives)
    known = max(cards_in(own), key=lambda card: odds.get(KINDS[card], 0.0), default=reading.card)
    if known == reading.card or own >> reading.card & 1:
        yield reading.card, reading.cost
        return
    looks_like, has = odds.get(KINDS[reading.card], UNLISTED) / len(one.state.table.names), odds.get(KINDS[known], UNLISTED)
    share = has / (looks_like + has)
    yield reading.card, reading.cost + math.log(1 - share)
    if share >= SELDOM:
        yield known, reading.cost + math.log(share)
