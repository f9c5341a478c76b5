"""What the eyes say of the table once it is in view again: which cards lie as they lay, which do not, and where the deck is."""

from __future__ import annotations

import numpy as np
import pytest
from looks import DECK, PLACES, TABLE, back, face, stack

from companion.eyes.sighting import CardSeen, Point, Unseen
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality
from companion.games.stu.sight import Watcher
from companion.games.stu.sightings import Appeared, Cleared, Resumed, Shown, Sighting

TOP = TableMap(TABLE, (1000, 1000))
BACKS = tuple(back(at) for at in PLACES)
ELSEWHERE: Point = (120, 620)
"""Beside Dino's place, as `DECK` is beside Anna's."""


class Table:
    """A table that is looked at ten times a second by a watcher, and now and then not at all."""

    def __init__(self, before: tuple[Sighting, ...] = ()) -> None:
        self.watcher, self.t = Watcher(TOP, before), 0.0
        self.said: list[Sighting] = []
        self._lost: tuple[float, float] | None = None

    def see(self, *cards: CardSeen, seconds: float = 3.0) -> None:
        for _ in range(round(seconds * 10)):
            self.t = round(self.t + 0.1, 3)
            lost, self._lost = self._lost, None
            unseen = (Unseen(*lost, None, "gap"),) if lost is not None else ()
            self.said += self.watcher.step(self.t, cards, FrameQuality(resumed=lost is not None, sightings=unseen), TOP)

    def see_nothing(self, seconds: float) -> None:
        self._lost = self.t, round(self.t + seconds + 0.1, 3)
        self.t = round(self.t + seconds, 3)

    @property
    def resumed(self) -> Resumed:
        (found,) = [one for one in self.said if isinstance(one, Resumed)]
        return found


def nudged(place: int, millimetres: float, degrees: float) -> CardSeen:
    x, y = PLACES[place]
    return back((x + millimetres * 0.72, y), degrees)  # a card of 100 mm is 72 pixels long here


@pytest.mark.parametrize(("now", "same", "moved"), [
    (BACKS, (0, 1, 2, 3), ()),
    ((*BACKS[:3], nudged(3, 1.5, 1)), (0, 1, 2, 3), ()),
    ((*BACKS[:3], nudged(3, 9, 0)), (0, 1, 2), (3,)),
    ((*BACKS[:3], nudged(3, 0, 8)), (0, 1, 2), (3,)),
    (BACKS[:3], (0, 1, 2), ()),
], ids=["untouched", "within what can be measured", "shoved", "turned", "gone"])  # fmt: skip
def test_a_card_lies_as_before_or_it_does_not(now: tuple[CardSeen, ...], same: tuple[int, ...], moved: tuple[int, ...]) -> None:
    table = Table()
    table.see(*BACKS)
    table.see_nothing(8)
    table.see(*now)
    assert (table.resumed.same, table.resumed.moved) == (same, moved)
    assert table.resumed.until - table.resumed.t == pytest.approx(8.1)


def test_backs_where_faces_lay_and_other_faces_are_told() -> None:
    table = Table()
    shown = [face(PLACES[0], _7=0.99, _3=0.01), face(PLACES[1], _2=0.99, _3=0.01)]
    table.see(*BACKS)
    table.see(*shown, *BACKS[2:])
    table.see_nothing(20)
    table.see(BACKS[0], face(PLACES[1], _9=0.99, _3=0.01), *BACKS[2:])
    assert (table.resumed.turned, table.resumed.backs, table.resumed.faces) == ((0, 1), (0, 2, 3), (1,))
    assert [one.alternatives[0][0] for one in table.said if isinstance(one, Shown)] == ["7", "2", "9"]


def test_the_same_face_is_seen_again_and_is_no_news() -> None:
    table = Table()
    table.see(*BACKS)
    table.see(face(PLACES[0], _7=0.99, _3=0.01), *BACKS[1:])
    table.see_nothing(8)
    table.see(face(PLACES[0], _7=0.99, _3=0.01), *BACKS[1:])
    assert (table.resumed.turned, table.resumed.same) == ((), (0, 1, 2, 3))


def test_the_deck_that_was_passed_on_lies_beside_another_place() -> None:
    table = Table()
    table.see(*BACKS, stack(DECK))
    table.see_nothing(20)
    table.see(*BACKS, stack(ELSEWHERE))
    assert table.resumed.deck == (0, 3)


def test_cards_that_are_gone_after_a_while_have_been_gathered_though_nobody_saw_a_face() -> None:
    table = Table()
    table.see(*BACKS)
    table.see_nothing(20)
    table.see()
    assert [type(one) for one in table.said[-2:]] == [Resumed, Cleared]


def test_a_program_that_was_started_again_knows_the_faces_that_were_told_before() -> None:
    before = (Appeared(1, 0), Appeared(1.5, 1), Shown(9, 0, 1, (("7", 0.99), ("3", 0.01))))
    table = Table(before)
    table.said += table.watcher.lost(Unseen(10, 40, None, "stopped"))
    table.see(*BACKS)
    assert (table.resumed.turned, table.resumed.same, table.resumed.moved) == ((0,), (), ())
    assert np.isclose(table.resumed.until, 40)


def test_a_second_hole_before_the_table_was_compared_makes_one_of_both() -> None:
    table = Table()
    table.see(*BACKS)
    table.see_nothing(5)
    table.see(*BACKS[:2], seconds=0.4)
    table.see_nothing(5)
    table.see(*BACKS)
    assert len([one for one in table.said if isinstance(one, Unseen)]) == 2
    assert table.resumed.same == (0, 1, 2, 3)


def test_cards_seen_again_by_a_slow_machine_in_mid_hand_are_not_gathered() -> None:
    watcher, said = Watcher(TOP, tuple(Appeared(1.0, place) for place in range(4))), []
    for number in range(6):
        t = 20 + 0.7 * number
        unseen = () if number else (Unseen(18.0, t, None, "gap"),)
        said += watcher.step(t, BACKS, FrameQuality(resumed=not number, sightings=unseen), TOP)
    assert not [one for one in said if isinstance(one, Cleared)]
