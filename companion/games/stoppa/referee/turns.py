"""Whose turn it can be to lay the wanted card: how many cards everybody has left, and who has let it go by before. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb

from companion.eyes.sighting import Unseen
from companion.games.stoppa.rules.cards import OF_NUMBER, Mask
from companion.games.stoppa.rules.state import Hand, State
from companion.games.stoppa.sightings import Dealt, Laid, Resumed, Shown, Sighting, TakenBack

OVERLOOKED_PROBABILITY = 0.02
"""Probability that a player has a card of a number that they let go by before."""


def turn_odds(state: State, hand: Hand, held: tuple[Mask, ...]) -> tuple[float, ...]:
    """Per seat, the probability (0..1) that this player lays the wanted card, before anything is seen of it; they sum to about 1.

    The first player who has it, in turn from the one who laid last, lays it. ``held``: per seat, faces that were seen in their
    hand.
    """
    table = state.table
    wanted = OF_NUMBER[hand.wants] & table.deck & ~hand.on_pile
    unknown = wanted
    seats = []
    for seat in table.round_from(hand.last):
        own = (hand.known[seat] | held[seat]) & ~hand.laid[seat]
        unknown &= ~own
        gone_by = any(passed.cards & wanted for passed in hand.passed[seat])
        dark = max(table.size - hand.laid[seat].bit_count() - own.bit_count(), 0)
        seats.append((seat, dark, bool(own & wanted), gone_by))
    count = unknown.bit_count()
    pool = sum(dark for _, dark, _, gone_by in seats if not gone_by)
    odds = [0.0] * len(seats)
    none_so_far = 1.0
    for seat, dark, has, gone_by in seats:
        chance = 1.0 if has else OVERLOOKED_PROBABILITY if gone_by or not count else _some(pool, dark, count)
        pool -= 0 if gone_by else dark
        chance = min(max(chance, OVERLOOKED_PROBABILITY), 1 - OVERLOOKED_PROBABILITY)
        odds[seat] = none_so_far * chance
        none_so_far *= 1 - chance
    return tuple(odds)


def may_begin_lower(state: State, hand: Hand, own: Mask, number: int) -> bool:
    """Whether a sequence leads to ``number`` from one of a player's ``own`` cards: they would begin with that one."""
    for lower in range(number - 1, 0, -1):
        if left := OF_NUMBER[lower] & state.table.deck & ~hand.on_pile:
            return bool(left & own)
    return False


@lru_cache(maxsize=4096)
def _some(pool: int, own: int, count: int) -> float:
    """The probability that ``own`` unknown cards out of a ``pool`` hold at least one of the ``count`` wanted ones."""
    if own <= 0 or pool <= own or pool < count:
        return float(own > 0)
    return 1.0 - comb(pool - own, count) / comb(pool, count)


# What was seen of a hand, taken together where it was one act: cards put down in one motion, faces laid open at one place.


APART_SECONDS = 0.6
"""Seconds within which cards from the same place are one motion: nobody puts down one card after the other sooner."""
TOGETHER_SECONDS = 2.0
"""Seconds from one face before a place to the next within which they are laid open together."""


@dataclass(frozen=True, slots=True)
class Put:
    """Cards put on the pile in one motion at ``t`` seconds, the lowest first."""

    t: float
    cards: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """Faces laid open before ``place`` from ``t`` to ``until`` seconds."""

    t: float
    until: float
    place: int
    faces: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Hole:
    """From ``t`` to ``until`` seconds nothing could be seen; ``resumed``: how the table lay afterwards, None: not yet known."""

    t: float
    until: float
    resumed: Resumed | None


Act = Dealt | Put | Opened | TakenBack | Hole


def steps(sightings: tuple[Sighting, ...]) -> tuple[Act, ...]:
    """The acts in these sightings of one hand, in order of time."""
    found: list[Act] = []
    lying = {seen.t: seen for seen in sightings if isinstance(seen, Resumed)}
    motions: dict[int, int] = {}
    for seen in sightings:
        match seen:
            case Dealt() | TakenBack():
                found.append(seen)
            case Laid(motion=motion):
                last = found[-1] if found else None
                if motion not in motions and isinstance(last, Put) and _at_once(last.cards[-1], seen):
                    motions[motion] = len(found) - 1
                if motion in motions:
                    put = found[motions[motion]]
                    assert isinstance(put, Put)
                    found[motions[motion]] = replace(put, cards=(*put.cards, seen))
                else:
                    motions[motion] = len(found)
                    found.append(Put(seen.t, (seen,)))
            case Shown():
                _open(found, seen)
            case Unseen(places=None):
                found.append(Hole(seen.t, seen.until, lying.get(seen.t)))
    return tuple(found)


def _at_once(one: Laid, next_one: Laid) -> bool:
    """Whether two cards that came to lie one after the other came with one hand."""
    places = [max(seen.places, key=lambda place: place[1], default=None) for seen in (one, next_one)]
    whose = {place[0] for place in places if place is not None}
    return next_one.t - one.t < APART_SECONDS and len(whose) < 2


def _open(found: list[Act], seen: Shown) -> None:
    """Add a face to those that lie open at its place, unless something else has happened since."""
    for at in range(len(found) - 1, -1, -1):
        before = found[at]
        if not isinstance(before, Opened):
            break
        if before.place == seen.place:
            if seen.t - before.until > TOGETHER_SECONDS:
                break
            found[at] = replace(before, until=seen.t, faces=(*before.faces, seen))
            return
    found.append(Opened(seen.t, seen.t, seen.place, (seen,)))


def of_a_hand(sightings: Iterable[Sighting]) -> bool:
    """Whether backs were dealt to two places among these, or cards put on the pile."""
    sightings = tuple(sightings)
    dealt = {seen.place for seen in sightings if isinstance(seen, Dealt)}
    return len(dealt) > 1 or any(isinstance(seen, Laid) for seen in sightings)


def replaces(new: Sighting, old: Sighting) -> bool:
    """Whether ``new`` tells more of what ``old`` told."""
    if isinstance(new, Unseen) and isinstance(old, Unseen):
        return new.t == old.t and new.places == old.places
    if isinstance(new, Laid) and isinstance(old, Laid):
        return new.episode == old.episode
    return isinstance(new, Shown) and isinstance(old, Shown) and new.episode == old.episode
