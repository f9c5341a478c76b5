"""The eyes of Stoppa over choreographies that nobody has filmed, and over looks made up by hand."""

from __future__ import annotations

from random import Random

import pytest
from looks_by_hand import CENTRES, Looks

from companion.eyes.sighting import Point
from companion.games.stoppa.bots import PLAIN, Settings, seated, simulate
from companion.games.stoppa.sight import Eyesight
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Shown, TakenBack
from companion.table.log import Line
from workshop.choreography.stoppa.director import direct
from workshop.streams.glimpses import SIGHT
from workshop.streams.stoppa.glimpsed import glimpsed, laid_figures

MIDDLE = (0.0, 0.0)


def table_of() -> Looks[Eyesight]:
    """A table at which nothing lies yet."""
    return Looks(Eyesight(CENTRES))


def dealt() -> Looks[Eyesight]:
    """A table at which a packet has been dealt and taken up: it is known how long a card is."""
    table = table_of()
    table.lying = [(None, (0.0, -0.4), 0.0)]
    table.look(1.0)
    table.lying = []
    return table.look(1.0)


def laid(table: Looks[Eyesight], place: int, kind: str, at: Point = MIDDLE) -> Looks[Eyesight]:
    """A card is laid by this place on what lies there."""
    table.look(0.5, moves=place)
    table.lying.append((kind, at, 90.0 if place % 2 == 0 else 0.0))
    return table.look(1.0)


def test_a_card_on_the_pile_is_reported_once_with_the_place_that_reached_out() -> None:
    table = laid(laid(dealt(), 1, "denari-5"), 2, "coppe-6")
    found = table.of(Laid)
    assert [(one.alternatives[0][0], one.places[0][0]) for one in found] == [("denari-5", 1), ("coppe-6", 2)]
    assert all(one.places[0][1] > 0.9 for one in found)
    assert len({one.motion for one in found}) == 2


def test_cards_that_come_together_are_one_motion() -> None:
    table = table_of().look(1.0).look(0.5, moves=3)
    table.lying += [("denari-1", (-0.01, 0.0), 0.0), ("spade-1", (0.01, 0.0), 0.0)]
    found = table.look(1.0).of(Laid)
    assert len(found) == 2
    assert len({one.motion for one in found}) == 1


def test_between_two_cards_of_a_fan_that_lie_far_apart_there_is_a_third_one() -> None:
    table = table_of().look(1.0).look(0.5, moves=3)
    table.lying += [("denari-1", (-0.022, 0.0), 0.0), ("spade-1", (0.022, 0.0), 0.0)]
    found = [one.alternatives for one in table.look(1.0).of(Laid)]
    assert [one[0][0] for one in found[:2]] == ["denari-1", "spade-1"]
    assert {kind for kind, _ in found[2]} == {"coppe-1", "bastoni-1"}


def test_a_hand_that_only_comes_and_goes_may_have_put_nothing_down() -> None:
    table = laid(laid(dealt(), 1, "denari-5"), 2, "coppe-6").look(0.5, moves=3).look(1.0)
    *_, last = table.of(Laid)
    assert sum(p for _, p in last.alternatives) == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize(("come", "number"), [((), 1), (("coppe-6",), 2)], ids=["not known", "known to have come"])
def test_a_card_that_has_come_was_put_down_though_the_hand_hardly_reached_the_pile(come: tuple[str, ...], number: int) -> None:
    table = laid(dealt(), 1, "denari-5")
    table.look(0.2, at=(0.11, 0.0))
    table.lying.append(("coppe-6", (0.05, 0.0), 0.0))
    table.come.update(come)
    found = table.look(1.0).last_of(Laid)
    assert [one.alternatives[0][0] for one in found] == ["denari-5", "coppe-6"][:number]


def test_a_card_that_lies_as_it_came_has_not_come_again_with_a_hand_that_passes_by() -> None:
    table = dealt()
    table.come.add("denari-5")
    laid(table, 1, "denari-5").look(0.2, at=(0.11, 0.0)).look(1.0)
    assert len(table.of(Laid)) == 1


def test_a_card_seen_in_passing_does_not_lie_on_the_pile() -> None:
    table = table_of().look(1.0)
    for step in range(5):
        table.lying = [("denari-5", (0.15 - 0.06 * step, 0.0), 0.0)]
        table.look(0.1)
    table.lying = []
    assert not table.look(2.0).of(Laid)


def test_a_card_that_is_taken_off_the_pile_is_taken_back() -> None:
    table = laid(laid(table_of().look(1.0), 1, "denari-5", (-0.02, 0.0)), 2, "coppe-6", (0.02, 0.0))
    table.look(0.5, moves=2)
    table.lying.pop()
    (back,) = table.look(2.0).of(TakenBack)
    assert back.top == table.of(Laid)[0].episode


def test_the_pile_is_gathered_once_nothing_lies_there_and_no_hand_is_over_it() -> None:
    table = laid(table_of().look(1.0), 1, "denari-5")
    table.lying = []
    assert len(table.look(3.0).of(Cleared)) == 1


def test_backs_before_a_place_are_dealt_again_after_they_were_taken_up() -> None:
    table = table_of().look(1.0)
    for _ in range(2):
        table.lying = [(None, (0.0, -0.4), 0.0)]
        table.look(2.0)
        table.lying = []
        table.look(2.0)
    assert [one.place for one in table.of(Dealt)] == [0, 0]


def test_faces_laid_open_before_a_place_are_shown_and_shown_again_later() -> None:
    table = table_of().look(1.0)
    for _ in range(2):
        table.lying = [("coppe-3", (0.36, 0.0), 0.0), ("coppe-7", (0.42, 0.0), 0.0)]
        table.look(2.0)
        table.lying = []
        table.look(3.0)
    found = table.of(Shown)
    assert [(one.place, one.alternatives[0][0]) for one in found] == [(1, "coppe-3"), (1, "coppe-7")] * 2
    assert len({one.episode for one in found}) == 4


def test_what_is_left_on_a_small_table_is_laid_open_before_its_place_and_not_on_the_pile() -> None:
    table = Looks(Eyesight(CENTRES * 0.9))
    table.lying = [(None, (0.0, -0.36), 0.0)]
    table.look(1.0)
    table.lying = []
    table.look(1.0)
    for place, kind in enumerate(("denari-5", "coppe-6", "spade-7")):
        laid(table, place, kind, (0.01 * place, 0.0))
    before = len(table.of(Laid))
    table.lying += [("bastoni-3", (0.155, 0.0), 0.0), ("coppe-3", (0.16, 0.03), 0.0)]
    table.look(2.0)
    assert len(table.of(Laid)) == before
    assert [(one.place, one.alternatives[0][0]) for one in table.of(Shown)] == [(1, "bastoni-3"), (1, "coppe-3")]


def test_hands_are_looked_for_where_the_pile_lies() -> None:
    table = dealt()
    for number, kind in enumerate (("denari-5", "coppe-6", "spade-7", "bastoni-8", "denari-9")):
        table.look(0.5, at=(0.0, 0.05 if number < 3 else 0.2))  # then only at its far side
        table.lying.append((kind, (0.03 * number - 0.06, 0.15), 0.0))
        table.look(1.0)
    found = table.last_of(Laid)
    assert [one.alternatives[0][0] for one in found] == ["denari-5", "coppe-6", "spade-7", "bastoni-8", "denari-9"]


@pytest.mark.workshop
@pytest.mark.parametrize("seed", [1, pytest.param(9, marks=pytest.mark.thorough)])
def test_what_is_laid_in_a_whole_hand_is_found_with_the_right_player(seed: int) -> None:
    table = simulate(Settings(players=seated(4), event_probabilities=PLAIN), hands=1, seed=seed)
    timeline = direct(table, seed=seed, level="easy")
    true = tuple(Line(line.event, round(t, 3)) for line, t in zip(timeline.lines, timeline.events, strict=True))
    found = laid_figures(true, glimpsed(timeline, SIGHT["easy"], Random(seed)))
    assert found.laid > 20
    assert found.found >= 0.9 * found.laid
    assert found.place >= 0.95 * found.found
    assert found.false <= 0.1 * found.laid
