"""The eyes of Stoper over looks made up by hand, and over choreographies that nobody has filmed."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from looks_by_hand import CENTRES, Looks

from companion.eyes.sighting import Point, Unseen
from companion.games.stoper.bots import PLAIN, Settings, seated, simulate
from companion.games.stoper.rules import log
from companion.games.stoper.sight import Eyesight
from companion.games.stoper.sightings import Cleared, Dealt, Shown, Sighting, Thrown
from workshop.choreography.stoper.director import direct
from workshop.choreography.timeline import Timeline
from workshop.streams.glimpses import SIGHT, views

MIDDLE = (0.0, 0.0)
Table = Looks[Eyesight]


def table_of() -> Table:
    """A table at which nothing lies yet."""
    return Looks(Eyesight(CENTRES)).look(1.0)


def dealt(table: Table, place: int, off: float, turn: float = 0.0) -> Table:
    """A card is dealt to this place, ``off`` aside of its middle."""
    x, y = (float(at) for at in CENTRES[place])
    table.look(0.4, at=(x, y))
    table.lying.append((None, (x + off, y), turn))
    return table.look(0.8)


def thrown(table: Table, place: int, *at: Point) -> Table:
    """Cards are thrown to the middle from this place, where they come to lie at these points."""
    table.look(0.5, moves=place)
    table.lying += [(None, point, 90.0 if place % 2 == 0 else 0.0) for point in at]
    return table.look(1.0)


def test_cards_dealt_one_at_a_time_are_one_episode_that_counts_them() -> None:
    table = table_of()
    for number in range(3):
        dealt(table, 1, 0.01 * number)
    assert [one.counts[0][0] for one in table.of(Dealt)] == [1, 2, 3]
    (last,) = table.last_of(Dealt)
    assert (last.place, last.t < last.until) == (1, True)


def test_cards_that_come_after_those_before_were_taken_up_are_another_episode() -> None:
    table = dealt(table_of(), 2, 0.0)
    table.lying = []
    dealt(table.look(1.5), 2, 0.0)
    assert [(one.place, one.counts[0][0]) for one in table.last_of(Dealt)] == [(2, 1), (2, 1)]


def test_a_hand_over_the_cards_of_a_place_deals_none() -> None:
    table = dealt(table_of(), 0, 0.0)
    table.look(0.5, at=(0.0, -0.4)).look(1.0)
    assert [one.counts[0][0] for one in table.of(Dealt)] == [1]


@pytest.mark.parametrize("place", range(4))
def test_a_card_that_goes_to_the_middle_was_thrown_from_the_place_that_reached_out(place: int) -> None:
    (found,) = thrown(table_of(), place, MIDDLE).of(Thrown)
    assert found.places[0][0] == place
    assert found.places[0][1] > 0.8
    assert found.counts[0][0] == 1


def test_of_cards_that_lie_apart_the_number_is_told_and_of_those_on_others_only_that_there_are_some() -> None:
    table = thrown(table_of(), 1, (-0.03, 0.0), (0.03, 0.0))
    thrown(table, 2, (0.0, 0.04))
    first, second = table.of(Thrown)
    assert first.counts[0][0] == 2
    assert second.counts == ()


def test_a_card_on_others_that_looks_like_a_stack_was_thrown() -> None:
    table = thrown(table_of(), 1, MIDDLE)
    table.look(0.5, moves=2)
    table.lying.append(("stack", (0.01, 0.05), 0.0))
    first, second = table.look(1.0).of(Thrown)
    assert (first.places[0][0], second.places[0][0]) == (1, 2)


def test_the_pack_beside_a_place_is_not_dealt_there() -> None:
    table = table_of()
    table.lying = [("stack", (0.0, -0.4), 0.0)]
    assert not table.look(2.0).of(Dealt)


def test_a_card_that_was_found_now_and_then_is_no_new_one_when_it_is_found_in_every_look() -> None:
    table = thrown(table_of(), 1, MIDDLE)
    under = (None, (-0.03, 0.06), 45.0)
    for _ in range(4):
        table.lying.append(under)
        table.look(0.1)
        table.lying.remove(under)
        table.look(0.2)
    table.look(0.5, moves=3)
    table.lying.append(under)
    assert len(table.look(1.5).last_of(Thrown)) == 1


def test_chips_that_are_pushed_to_the_middle_are_no_cards() -> None:
    table = thrown(table_of(), 1, MIDDLE)
    table.look(0.5, moves=3).look(1.5)
    assert len(table.of(Thrown)) == 1


def test_cards_dealt_across_the_middle_are_not_thrown() -> None:
    table = thrown(table_of(), 1, MIDDLE)
    for step in range(6):
        table.lying.append((None, (0.3 - 0.1 * step, 0.03), 0.0))
        table.look(0.1, at=table.lying[-1][1])
        table.lying.pop()
    assert len(table.look(1.5).of(Thrown)) == 1


def test_a_fan_of_three_laid_open_is_three_faces_before_one_place() -> None:
    table = table_of()
    table.lying = [(kind, (0.4, -0.025 + 0.025 * n), 0.0) for n, kind in enumerate(("denari-1", "spade-7", "coppe-10"))]
    found = table.look(2.0).last_of(Shown)
    assert {(one.place, one.alternatives[0][0]) for one in found} == {(1, "denari-1"), (1, "spade-7"), (1, "coppe-10")}


def test_the_table_is_cleared_when_what_was_thrown_and_shown_is_gone_and_not_before() -> None:
    table = thrown(table_of(), 1, MIDDLE)
    table.lying.append(("denari-1", (0.4, 0.0), 0.0))
    table.look(2.0)
    table.lying = table.lying[1:]
    assert not table.look(3.0).of(Cleared)
    table.lying = []
    (cleared,) = table.look(3.0).of(Cleared)
    assert cleared.t == pytest.approx(table.t - 3.0, abs=0.3)


def test_covered_backs_that_are_taken_for_another_decks_are_not_gathered_and_not_counted() -> None:
    table = thrown(table_of(), 1, MIDDLE)
    table.deck = "ramino"
    thrown(table, 2, (0.0, 0.04))
    assert not table.look(5.0).of(Cleared)
    assert len(table.last_of(Thrown)) == 1
    table.lying = []
    assert table.look(3.0).of(Cleared)


def test_a_table_at_which_all_hold_their_cards_is_not_cleared() -> None:
    table = dealt(table_of(), 0, 0.0)
    table.lying = []
    assert not table.look(5.0).of(Cleared)


def test_every_episode_has_a_number_of_its_own() -> None:
    table = thrown(dealt(table_of(), 3, 0.0), 1, MIDDLE)
    table.lying.append(("denari-1", (0.4, 0.0), 0.0))
    table.look(1.0)
    numbers = [one.episode for one in (*table.last_of(Dealt), *table.last_of(Thrown), *table.last_of(Shown))]
    assert sorted(numbers) == [1, 2, 3]


@pytest.mark.parametrize(("comes", "same"), [(False, True), (True, False)])
def test_after_a_time_unseen_it_is_told_whether_all_lies_as_before(comes: bool, same: bool) -> None:
    table = thrown(table_of(), 1, MIDDLE)
    table.eyes.lost()
    if comes:
        table.lying.append((None, (0.05, 0.05), 45.0))
    table.t += 3.0
    told = table.look(1.5).eyes.resumed(Unseen(5.0, 8.0, None, "blocked"))
    assert (told.same, told.middle, told.backs, told.faces) == (same, True, (), ())
    assert len(table.of(Thrown)) == 1


def seen_of(timeline: Timeline, seed: int) -> list[Sighting]:
    """What the eyes tell of a choreography that nobody has filmed."""
    eyes = Eyesight(np.array([seat.place for seat in timeline.plan.seats]) / 1000)
    return [seen for view in views(timeline, SIGHT["easy"], Random(seed)) for seen in eyes.step(view)]


@pytest.mark.workshop
@pytest.mark.parametrize("seed", [104])
def test_of_a_whole_evening_the_showdowns_are_read_and_the_cards_found_that_go_and_come(seed: int) -> None:
    lines = simulate(Settings(players=seated(4), stacks=1500, event_probabilities=PLAIN), hands=2, seed=seed)
    timeline = direct(lines, seed=seed, level="easy")
    seen = seen_of(timeline, seed)
    latest = {(type(one), getattr(one, "episode", one.t)): one for one in seen}
    faces, backs = ([one for (kind, _), one in latest.items() if kind is of] for of in (Shown, Thrown))
    names = [seat.name for seat in timeline.plan.seats]
    shown = read = went = found = 0
    for line, t in zip(timeline.lines, timeline.events, strict=True):
        if isinstance(line.event, log.Show):
            place = names.index(line.event.by)
            near = {one.alternatives[0][0] for one in faces if one.place == place and abs(one.t - t) < 3}
            assert near <= set(line.event.cards)
            shown, read = shown + 3, read + len(near)
        if isinstance(line.event, log.Cambio) and line.event.n:
            went += 1
            came = [one for (kind, _), one in latest.items() if kind is Dealt and t - 2 < one.t < t + 1]
            found += any(one.place == names.index(line.event.by) for one in came)
    folded = sum(isinstance(line.event, log.Passo | log.Muck) for line in lines)
    assert shown >= 6
    assert read >= 0.9 * shown
    assert found >= 0.75 * went
    assert len(backs) >= 0.75 * (went + folded)
    assert sum(kind is Cleared for kind, _ in latest) == 1
