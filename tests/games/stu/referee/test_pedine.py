"""Pedine on the table against the engine's: what is reported, and what is no difference."""

from __future__ import annotations

import pytest
import stories
from stories import ANNA, BRUNO, CARLA, evening, grown, plain

from companion.games.stu.referee import words
from companion.games.stu.referee.pedine import PedineDiffer, differences
from companion.games.stu.sightings import PedineSeen, Sighting
from companion.referee import Evening

LOST: list[Sighting] = plain(0, "2", "7", "9", "10")
"""Anna has lost her first pedina at about 17 s: two should lie before her."""


def seen(t: float, place: int, count: int, probability: float = 0.97) -> PedineSeen:
    return PedineSeen(t, place, count, probability)


def after(now: float, *pedine: PedineSeen) -> tuple[PedineDiffer, ...]:
    return differences(evening(LOST, list(pedine)), now)


def test_a_lasting_difference_is_reported_and_says_what_should_lie_there() -> None:
    (found,) = after(80, seen(25, ANNA, 1))
    assert (found.player, found.shown, found.expected) == ("Anna", 1, 2)
    assert words.pedine(found, "it") == "Davanti ad Anna: 1 pedina, dovrebbero essere 2"
    assert words.pedine(found, "en") == "Before Anna: 1 pedina, there should be 2"


def test_it_never_overrules_the_engine() -> None:
    without, with_it = evening(LOST), evening(LOST, [seen(25, ANNA, 1)])
    assert with_it.log == without.log
    assert with_it.current.after == without.current.after


NO_DIFFERENCE = {
    "what the engine says": (80, seen(25, ANNA, 2)),
    "it has not lasted": (40, seen(25, ANNA, 1)),
    "it is not sure": (80, seen(25, ANNA, 1, 0.5)),
    "some hide theirs": (80, seen(25, ANNA, 0)),
    "a virgin shows none": (80, seen(25, BRUNO, 0)),
}


@pytest.mark.parametrize("case", NO_DIFFERENCE)
def test_no_difference_is(case: str) -> None:
    now, pedine = NO_DIFFERENCE[case]
    assert after(now, pedine) == ()


def test_a_virgin_with_pedine_on_the_table_is_reported_as_such() -> None:
    (found,) = after(80, seen(25, CARLA, 2))
    assert (found.virgin, found.expected) == (True, 0)
    assert "vergine" in words.pedine(found, "it")


def test_one_who_is_out_with_pedine_on_the_table_is_reported_as_such() -> None:
    three: list[list[Sighting]] = [plain(100 * k, "2", "7", "9", "10") for k in range(3)]
    (found,) = differences(evening(*three, [seen(225, ANNA, 1)]), 300)
    assert (found.out, found.expected) == (True, 0)
    assert words.pedine(found, "it") == "Davanti ad Anna: 1 pedina, ma è fuori"


def test_the_table_has_time_to_take_away_what_was_just_lost() -> None:
    two: list[list[Sighting]] = [plain(0, "2", "7", "9", "10"), plain(100, "2", "7", "9", "10")]
    waiting = evening(two[0], [seen(25, ANNA, 2)], two[1])
    assert differences(waiting, 125) == ()
    assert [found.shown for found in differences(waiting, 170)] == [2]


def test_a_pedina_that_is_taken_away_when_it_is_lost_in_mid_hand_is_no_difference() -> None:
    """Bruno has paid for a Gnao, and may take the pedina away now or when the hand is over."""
    gnao = [*stories.dealt(100), stories.shown(105, CARLA, "gnao")]
    for count, different in ((0, False), (1, False), (2, False), (3, True)):
        result: Evening = grown(evening(plain(0, "7", "2", "9", "10"), [seen(25, BRUNO, count)]), gnao)
        assert bool(differences(result, 170)) is different


def test_when_it_is_put_right_nothing_is_reported_any_more() -> None:
    assert after(80, seen(25, ANNA, 1), seen(60, ANNA, 2)) == ()
