"""What a card on the pile may be, by what the eyes say of its face and by what is known of everybody's hands."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from msgspec.structs import replace

from companion.decks.italian import KINDS, Kind
from companion.games.stoppa import rules
from companion.games.stoppa.referee.fans import known_of
from companion.games.stoppa.referee.history import COSTS, History, log_of
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import INDEX, OF_NUMBER, Card, cards_in, mask_of, number_of
from companion.games.stoppa.rules.log import Lay, Show
from companion.games.stoppa.rules.state import Hand, Seat
from companion.games.stoppa.sightings import Laid, Odds
from companion.referee.beam import left_out
from companion.table.errors import Illegal
from companion.table.log import Event, Line

C = COSTS
UNLISTED_PROBABILITY = 5e-4
"""Probability of a kind that the eyes have left out."""
MIN_TRIED_PROBABILITY = 0.02
"""Probability below which a card that somebody is known to have is not tried in place of the one it looks like."""
REREAD_BELOW_PROBABILITY = 0.99
"""Probability below which a face may be that of another card, once its own turns up again."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a card on the pile may be: its number, the ``card`` (None: any of the number), and the logarithm of the
    probability."""

    number: int
    card: Card | None
    cost: float


def readings(one: History, hand: Hand, seen: Laid) -> tuple[Reading, ...]:
    """The numbers that a card may have: those that the eyes consider, and the one that is wanted."""
    free = one.state.table.deck & ~hand.on_pile
    misread = {card for card, odds in one.read if not odds or odds[0][1] < REREAD_BELOW_PROBABILITY}
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
    """The probability (0..1), by its face alone, that a card is of this number."""
    return shares_of(seen.alternatives)[number]


@lru_cache(maxsize=1024)  # asked for again and again, for each of the histories
def shares_of(alternatives: Odds) -> tuple[float, ...]:
    """The probability of each number, from 0 to 10."""
    found = [0.0] * 11
    for kind, p in alternatives:
        found[number_of(INDEX[kind])] += p
    return tuple(found)


def ways_to_name(one: History, hand: Hand, seat: Seat, seen: Laid, reading: Reading) -> Iterator[tuple[Card, float]]:
    """The cards of this number that it may be, with the logarithm of the probability: the one that it looks like, or one that the
    player is known to have, as any other is in their hand only by chance."""
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
    looks_like = odds.get(KINDS[reading.card], UNLISTED_PROBABILITY) / len(one.state.table.names)
    has = odds.get(KINDS[known], UNLISTED_PROBABILITY)
    share = has / (looks_like + has)
    yield reading.card, reading.cost + math.log(1 - share)
    if share >= MIN_TRIED_PROBABILITY:
        yield known, reading.cost + math.log(share)


# A card that turns up a second time was misread before: the earlier face is read as another one, and the hand goes on from there.


def done(
    one: History, events: Iterable[Event], cost: float, t: float, *, reread: bool = True, least: float = -math.inf
) -> Iterator[History]:
    """The history with these events. ``reread``: where they name a card that has been laid before, the earlier one is read as
    another card, if the history then has a weight of ``least`` or more."""
    events, prune_below = tuple(events), one.weight + cost < least
    in_the_way = _in_the_way(one, events) & mask_of(card for card, _ in one.read) if reread else 0
    if prune_below and not in_the_way:
        return
    found = one.after(events, cost, t)
    if found is not None and not prune_below:
        yield found
    if found is not None:
        return
    for card in cards_in(in_the_way):
        for start in _read_again(one, card, least - cost):
            again = start.after(events, cost, t)
            if again is not None:
                yield again


def _in_the_way(one: History, events: tuple[Event, ...]) -> int:
    """The cards that the events name; where they are more than a player was dealt, those known to be left in their hand."""
    found, hand = 0, one.state.hand
    for event in events:
        if isinstance(event, Show | Lay):
            named = mask_of(INDEX[kind] for kind in event.cards)
            seat = one.state.table.names.index(event.by)
            found |= named
            if hand is not None and (hand.known[seat] | named).bit_count() > one.state.table.size:
                found |= hand.known[seat] & ~hand.laid[seat]
    return found


def _read_again(one: History, card: Card, least: float) -> Iterator[History]:
    """The history with another card wherever a face was taken for this one; or with such a face left out, where one was shown.

    None of a weight below ``least``.
    """
    if one.before is None:
        return
    readings = [odds for read, odds in one.read if read == card]
    kind = KINDS[card]
    mine = sum(log_of(dict(odds).get(kind, 1.0)) for odds in readings)
    free = one.state.table.deck & ~mask_of(card for card, _ in one.read) & ~_named(one)
    others = {INDEX[other]: 0.0 for odds in readings for other, _ in odds}
    if not any(readings):
        others = dict.fromkeys(cards_in(OF_NUMBER[number_of(card)] & free)[:1], 0.0)
    elif alike := cards_in(OF_NUMBER[number_of(card)] & free):
        others.setdefault(alike[0], 0.0)
    for other in others:
        if free >> other & 1:
            cost = sum(log_of(dict(odds).get(KINDS[other], 1e-3)) if odds else 0.0 for odds in readings) - mine
            found = _with(one, card, other) if one.weight + cost >= least else None
            if found is not None:
                yield found.costing(cost)
    cost = sum(map(left_out, readings)) - mine
    without = _with(one, card, None) if all(readings) and one.weight + cost >= least else None
    if without is not None:
        yield without.costing(cost)


def _named(one: History) -> int:
    """The cards known of anybody."""
    hand = one.state.hand if one.state.hand is not None else one.state.ended
    found = 0
    for known in hand.known if hand is not None else ():
        found |= known
    return found


def _with(one: History, card: Card, other: Card | None) -> History | None:
    """The history with ``other`` in this card's place, or None: with the card left out of what was shown."""
    assert one.before is not None
    told = _told_again(one.before, one.lines, card, other)
    if told is None:
        return None
    state, lines = told
    bit, new = 1 << card, 0 if other is None else 1 << other
    read = tuple((other if was == card and other is not None else was, odds) for was, odds in one.read if other is not None
                 or was != card)  # fmt: skip
    return replace(
        one, state=state, lines=lines, read=read,
        episodes=tuple((number, other if was == card and other is not None else was) for number, was in one.episodes),
        held=tuple(own & ~bit | (new if own & bit else 0) for own in one.held),
        open=tuple(own & ~bit | (new if own & bit else 0) for own in one.open),
    )  # fmt: skip


@lru_cache(maxsize=1024)  # the ways to read what follows ask for the same again and again
def _told_again(before: State, lines: tuple[Line, ...], card: Card, other: Card | None) -> tuple[State, tuple[Line, ...]] | None:
    """The hand with ``other`` wherever it has the card, and the state after it; None where that cannot be."""
    state, found = before, list[Line]()
    try:
        for line in lines:
            event = line.event
            if isinstance(event, Show | Lay) and KINDS[card] in event.cards:
                cards = _put_in(event.cards, KINDS[card], None if other is None else KINDS[other])
                if not cards or (other is None and isinstance(event, Lay)):
                    return None
                event = Show(by=event.by, cards=cards) if isinstance(event, Show) else Lay(
                    by=event.by, cards=cards, skipped=event.skipped)  # fmt: skip
            state = rules.apply(state, event)
            found.append(Line(event, line.t))
    except Illegal:
        return None
    return state, tuple(found)


def _put_in(cards: tuple[Kind, ...], old: Kind, new: Kind | None) -> tuple[Kind, ...]:
    """The cards with ``new``, if any, in the place of ``old``."""
    return tuple(kind for kind in (new if kind == old else kind for kind in cards) if kind is not None)
