"""Two neighbours exchange their cards, or look at their own at the same moment: what is told of it at tables of many sizes, where
both cards are seen meanwhile, one of them, or none."""

from __future__ import annotations

import math
from itertools import product

import pytest
from looks import LOOKS, TABLE, Watcher, back, between, stack
from msgspec import structs

from companion.eyes.sighting import CardSeen, Point
from companion.eyes.table import Seat
from companion.games.stu.sightings import Exchanged

DECK: Point = (500, 500)
LENGTH = 72
"""A card's, pixels."""
TABLES = [*product((4, 8, 12), (300, 360, 410))]
"""Players, and how far (pixels) their cards lie from the middle of the table."""
TIGHT = (12, 300)
"""Here half the way between two places is hardly wider than a hand."""
SEEN = [(True, True), (True, False), (False, True), (False, False)]
"""Whose card is seen while it is away from its place: the one's, the other's."""


def around(players: int, far: float) -> list[Point]:
    angles = (2 * math.pi * (number + 0.3) / players for number in range(players))
    return [(500 + far * math.cos(angle), 500 + far * math.sin(angle)) for angle in angles]


def outwards(place: Point, lengths: float) -> Point:
    """This many card lengths from the place towards the edge of the table before it."""
    far = math.dist(place, DECK)
    return between(DECK, place, 1 + lengths * LENGTH / far)


class Neighbours:
    """The players at places 0 and 1 of a table; everybody else sits still."""

    def __init__(self, players: int, far: float) -> None:
        self.places = around(players, far)
        seats = tuple(Seat(f"player {number}", place) for number, place in enumerate(self.places))
        self.watcher = Watcher(structs.replace(TABLE, players=seats))
        self.others = [*(back(place) for place in self.places[2:]), stack(DECK)]
        self.watcher.see(*map(back, self.places), stack(DECK), seconds=2)

    def exchange(self, seen: tuple[bool, bool]) -> float:
        """How likely an exchange is told to be where the two push their cards across to each other."""
        a, b = self.places[:2]
        steps = round(0.8 * LOOKS)
        for i in range(1, steps):
            ways = (between(a, b, i / steps), between(b, a, i / steps))
            self.watcher.see(*self.others, *shown(ways, seen), hands=(a, b))
        return self.told()

    def look(self, seen: tuple[bool, bool], reach: bool, sideways: float = 0.0) -> float:
        """The same where each draws their own card up, and lays it down again. ``reach``: their hands stir all between them.
        ``sideways``: the share of the way to the other's place by which the one moves the card, in place of drawing it up."""
        a, b = pair = self.places[:2]
        drawn = [between(a, b, sideways) if sideways else outwards(a, 1.1), outwards(b, 1.1)]
        own = list(zip(pair, drawn, strict=True))
        hands = (a, b) if reach else None
        self.watcher.see(*self.others, *shown(drawn, seen), seconds=0.8, hands=hands, more=own)
        return self.told()

    def told(self) -> float:
        laid = [back((x + 6, y - 4)) for x, y in self.places[:2]]
        self.watcher.see(*laid, *self.others, seconds=3)
        found = [one for one in self.watcher.said if isinstance(one, Exchanged)]
        assert all(set(one.places) == {0, 1} for one in found if one.probability >= 0.3)
        return max((one.probability for one in found), default=0.0)


def shown(cards: tuple[Point, ...] | list[Point], seen: tuple[bool, bool]) -> list[CardSeen]:
    return [back(at) for at, visible in zip(cards, seen, strict=True) if visible]


@pytest.mark.parametrize(("players", "far"), TABLES)
@pytest.mark.parametrize("seen", SEEN[:3])
def test_an_exchange_is_likely_where_a_card_is_seen_on_its_way(players: int, far: float, seen: tuple[bool, bool]) -> None:
    assert Neighbours(players, far).exchange(seen) > 0.6


@pytest.mark.parametrize(("players", "far"), TABLES)
def test_an_exchange_under_hands_is_told_as_likely_as_not(players: int, far: float) -> None:
    assert 0.3 < Neighbours(players, far).exchange((False, False)) <= 0.5


@pytest.mark.parametrize(("players", "far"), TABLES)
@pytest.mark.parametrize("seen", SEEN)
def test_neighbours_whose_hands_stay_with_their_own_cards_have_not_exchanged(
    players: int, far: float, seen: tuple[bool, bool]
) -> None:
    assert Neighbours(players, far).look(seen, reach=False) < 0.1


@pytest.mark.parametrize(("players", "far"), TABLES)
@pytest.mark.parametrize("seen", SEEN)
def test_neighbours_whose_hands_reach_far_while_they_look_have_at_most_as_likely_as_not(
    players: int, far: float, seen: tuple[bool, bool]
) -> None:
    likely = Neighbours(players, far).look(seen, reach=True)
    assert likely < 0.1 if all(seen) else likely <= 0.5


@pytest.mark.parametrize(("players", "far"), [table for table in TABLES if table != TIGHT])
@pytest.mark.parametrize("seen", SEEN[:2])
def test_a_card_that_is_seen_between_two_places_with_no_hand_through_has_not_crossed(
    players: int, far: float, seen: tuple[bool, bool]
) -> None:
    assert Neighbours(players, far).look(seen, reach=False, sideways=0.3) < 0.1
