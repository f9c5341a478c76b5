"""How many cards each player changed (rule 8), from the cards thrown and those dealt in their place, weighed together. Pure.

Every card can be counted twice, going out and coming in: each count makes up for what the other missed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.games.stoper.referee.costs import CHANGE_PROBABILITIES, COMING, GOING, IN_HOLE, UNUSUAL_THROW_FACTOR, CountErrors
from companion.games.stoper.referee.seen import Seen
from companion.games.stoper.rules.cards import HAND
from companion.games.stoper.rules.state import Seat, Seats
from companion.games.stoper.sightings import CountOdds, PlaceOdds, Thrown

Spread = tuple[float, ...]
"""Number of cards, from 0 on, → its probability."""

MAX_EARLY_SECONDS, MAX_LATE_SECONDS = 20.0, 1.5
"""Seconds by which the phone may be late with the word after which cards are changed, and with the first one afterwards."""


def spread(counts: CountOdds) -> Spread:
    """The probability of each number of cards, 0 to 3."""
    if not counts:
        return (0.0, *[1 / HAND] * HAND)
    odds = dict(counts)
    others = [number for number in range(HAND + 1) if number not in odds]
    rest = max(1.0 - sum(odds.values()), 0.0)
    found = [odds.get(number, rest / len(others) if others else 0.0) for number in range(HAND + 1)]
    return tuple(share / sum(found) for share in found)


def place_shares(places: PlaceOdds, players: int) -> Spread:
    """The probability of each place; what is missing to 1 is shared by those that are not named."""
    odds = dict(places)
    others = [place for place in range(players) if place not in odds]
    rest = max(1.0 - sum(odds.values()), 0.0)
    return tuple(odds.get(place, rest / len(others) if others else 0.0) for place in range(players))


def changed(seen: Seen, players: int, live: Seats, seat: Seat, since: float, until: float) -> Spread:
    """The probabilities that this player changed 0, 1 or 2 cards, from what was seen between ``since`` and ``until`` seconds.

    ``live``: the players in the exchange; all others have passed.
    """
    since, until = max(since - MAX_EARLY_SECONDS, seen.dealt_until), until + MAX_LATE_SECONDS
    out = _together(_thrown_by(one, players, live, seat) for one in seen.thrown if since < one.t < until)
    came = _together(spread(one.counts) for one in seen.dealt if one.place == seat and since < one.t < until)
    going, coming = (IN_HOLE, IN_HOLE) if seen.hidden(since, until) else (GOING, COMING)
    priors = enumerate(CHANGE_PROBABILITIES)
    found = [prior * _seen_of(number, out, going) * _seen_of(number, came, coming) for number, prior in priors]
    return tuple(share / sum(found) for share in found)


def thrown_in(seen: Seen, players: int, seat: Seat, since: float, changed: float = math.inf) -> float:
    """The probability that this player has thrown all three cards ``since`` then. ``changed``: when all have changed their cards,
    seconds: a player who throws cards after that throws all of them, however few were counted. Where none could be counted,
    hands that were shown may have been gathered.
    """
    none = 1.0
    for one in seen.thrown:
        if one.t >= since:
            nothing, *fewer, all_three = spread(one.counts)
            rest = sum(fewer) * (1.0 if one.t < changed or not one.counts else UNUSUAL_THROW_FACTOR)
            none *= 1.0 - place_shares(one.places, players)[seat] * all_three / (nothing + rest + all_three)
    return 1.0 - none


def _thrown_by(one: Thrown, players: int, live: Seats, seat: Seat) -> Spread:
    """How many cards of this player were thrown here. A player who has passed throws three; one who is still in hardly ever
    does."""
    places, counts = place_shares(one.places, players), spread(one.counts)
    mine, all_of_it = [0.0] * (HAND + 1), counts[0]
    for place, share in enumerate(places):
        stays = bool(live >> place & 1)
        for number in range(1, HAND + 1):
            weight = share * counts[number] * (1.0 if (number < HAND) == stays else UNUSUAL_THROW_FACTOR)
            all_of_it += weight
            if place == seat and number < HAND:
                mine[number] += weight
    if not all_of_it:
        return (1.0, *[0.0] * HAND)
    found = [share / all_of_it for share in mine]
    found[0] = 1.0 - sum(found[1:])
    return tuple(found)


def _together(spreads: Iterable[Spread]) -> Spread:
    """The probability of each sum, 0 to 3 and more as 3."""
    found = [1.0, *[0.0] * HAND]
    for one in spreads:
        new = [0.0] * (HAND + 1)
        for had, share in enumerate(found):
            for number, odd in enumerate(one):
                new[min(had + number, HAND)] += share * odd
        found = new
    return tuple(found)


def _seen_of(number: int, counted: Sequence[float], often: CountErrors) -> float:
    """The probability of these counts, where ``number`` cards went or came."""
    return sum(share * _counted(number, count, often) for count, share in enumerate(counted))


def _counted(number: int, count: int, often: CountErrors) -> float:
    """The probability that ``number`` cards, at most 2, are counted as ``count``."""
    if count > number:
        return float(often.more ** (count - number))
    if count < number:
        return often.one_missed if count else often.missed
    return 1.0 - often.more - (often.missed if number else 0.0) - (often.one_missed if number > 1 else 0.0)
