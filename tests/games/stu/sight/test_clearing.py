"""When the cards of a hand have been gathered, at a table that somebody hides in part."""

from __future__ import annotations

import pytest
from looks import DECK, TABLE, Watcher, back, face, stack
from msgspec import structs
from test_neighbours import around

from companion.eyes.table import Seat
from companion.games.stu.sightings import Appeared, Cleared, Shown

PLAYERS = 6
PLACES = around(PLAYERS, 360)


def shown_down() -> Watcher:
    """All cards were dealt, and all but the last two shown."""
    seats = tuple(Seat(f"player {number}", place) for number, place in enumerate(PLACES))
    watcher = Watcher(structs.replace(TABLE, players=seats))
    watcher.see(*map(back, PLACES), stack(DECK), seconds=2)
    watcher.see(*(face(place, asso=0.99) for place in PLACES[:4]), *map(back, PLACES[4:]), stack(DECK), seconds=2)
    return watcher


@pytest.mark.parametrize("hidden", [{5}, {4, 5}])
def test_who_hides_a_place_for_good_does_not_keep_a_hand_open(hidden: set[int]) -> None:
    watcher = shown_down()
    gathered = watcher.t
    watcher.see(stack(DECK), seconds=5, hidden=frozenset(hidden))
    (cleared,) = watcher.heard(Cleared)
    assert gathered <= cleared.t <= gathered + 1.5


def test_a_card_that_others_left_alone_in_sight_is_waited_for() -> None:
    watcher = shown_down()
    watcher.see(back(PLACES[4]), stack(DECK), seconds=8, hidden=frozenset({5}))
    assert watcher.heard(Cleared) == []
    watcher.see(stack(DECK), seconds=5, hidden=frozenset({5}))
    assert len(watcher.heard(Cleared)) == 1


@pytest.mark.parametrize(("hidden", "seconds"), [({2, 3, 4, 5}, 20), ({3, 4, 5}, 20), ({5}, 2)],
                         ids=["most are hidden", "half are hidden", "for a moment"])  # fmt: skip
def test_of_few_bare_places_nothing_is_concluded_about_those_out_of_sight(hidden: set[int], seconds: float) -> None:
    watcher = shown_down()
    watcher.see(stack(DECK), seconds=seconds, hidden=frozenset(hidden))
    assert watcher.heard(Cleared) == []


def test_after_the_clearing_a_card_that_comes_into_sight_is_of_the_next_hand() -> None:
    watcher = shown_down()
    watcher.see(stack(DECK), seconds=5, hidden=frozenset({5}))
    watcher.said.clear()
    watcher.see(*map(back, PLACES), stack(DECK), seconds=2)
    assert sorted(one.place for one in watcher.heard(Appeared)) == list(range(PLAYERS))
    watcher.see(*(face(place, asso=0.99) for place in PLACES), stack(DECK), seconds=2)
    assert {one.place for one in watcher.heard(Shown)} == set(range(PLAYERS))
    watcher.see(stack(DECK), seconds=2)
    assert len(watcher.heard(Cleared)) == 1
