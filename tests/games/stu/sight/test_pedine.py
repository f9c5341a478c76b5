"""Pedine counted before the players: rows and fans put to the right player, and a vote that a hand over them does not upset."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.eyes.sighting import CardSeen, Motion, Point, Side, TableView
from companion.games.stu.sight.pedine import Pedine
from companion.games.stu.sightings import PedineSeen
from workshop.choreography.layout import CARD_LENGTH, TOKEN_LENGTH, plan_table

NOWHERE = ((0.0, 0.0),) * 4
PLACES = np.array([[0.0, 0.0], [4.0, 0.0]])
ROW = ((0.75, 0.0), (1.4, 0.0), (2.05, 0.0))
"""Three side by side, a card's length being 1, right of the first place; the last lies nearer to the second."""



def view(
    t: float, *centres: Point, deck: str = "ramino", side: Side = "face", long: float = 1.0, broad: float = 0.65,
    motion: Motion | None = None,
) -> TableView:  # fmt: skip
    n = len(centres)
    cards = (CardSeen(NOWHERE, deck, side, 0.9),) * n
    return TableView(t, cards, centres, (long,) * n, (0.0,) * n, motion, (broad * long,) * n)


def seen(*views: TableView, own: tuple[Point, ...] = (), deck: Point | None = None) -> list[PedineSeen]:
    """What is reported of these views, in which a Stù card is 1 long."""
    pedine = Pedine(PLACES)
    return [told for view in views for told in pedine.step(view, length=1.0, own=own, deck=deck)]


def counted(*views: TableView, own: tuple[Point, ...] = (), deck: Point | None = None) -> list[int]:
    """The counts that were reported last, by place."""
    counts = [-1] * len(PLACES)
    for one in seen(*views, own=own, deck=deck):
        counts[one.place] = one.count
    return counts


def still(*centres: Point, deck: str = "unknown", side: Side = "face", long: float = 1.0, broad: float = 0.65) -> list[TableView]:
    """Ten seconds in which these lie there."""
    return [view(0.5 * k, *centres, deck=deck, side=side, long=long, broad=broad) for k in range(20)]


@pytest.mark.parametrize("players", [2, 4, 8, 12])
def test_at_tables_of_any_size_they_are_counted_to_whom_they_belong(players: int) -> None:
    right = total = 0
    for seed in range(15):
        rng = Random(seed)
        plan = plan_table(tuple(map(str, range(players))), rng)
        counts = [rng.randint(0, 3) for _ in range(players)]
        poses = [seat.token(i, count, rng) for seat, count in zip(plan.seats, counts, strict=True) for i in range(count)]
        cards = tuple(CardSeen(NOWHERE, "ramino", "back", 0.9) for _ in poses)
        centres = tuple((pose.x, pose.y) for pose in poses)
        table = TableView(0.0, cards, centres, (TOKEN_LENGTH,) * len(poses), (0.0,) * len(poses))
        pedine = Pedine(np.array([seat.place for seat in plan.seats]))
        told = {one.place: one.count for k in range(20) for one in pedine.step(replace(table, t=0.5 * k), length=CARD_LENGTH)}
        right += sum(told[place] == count for place, count in enumerate(counts))
        total += players
    assert right >= 0.98 * total


def test_a_row_belongs_to_whom_it_begins_with() -> None:
    assert counted(*still(*ROW)) == [3, 0]


def test_what_is_told_is_the_count_and_since_when() -> None:
    told = seen(*(view(0.5 * k, *ROW[:2]) for k in range(12)))
    assert sorted((one.place, one.count, one.t) for one in told) == [(0, 2, 0.0), (1, 0, 0.0)]
    assert all(one.probability > 0.8 for one in told)


def test_a_hand_over_them_for_a_second_is_no_change() -> None:
    told = seen(*(view(0.5 * k, *(ROW[:1] if k in (20, 21) else ROW[:2])) for k in range(60)))
    assert len(told) == 2


def test_one_that_is_taken_away_is_told_once() -> None:
    told = seen(*(view(0.5 * k, *(ROW[:2] if k < 20 else ROW[:1])) for k in range(60)))
    assert [one.count for one in told if one.place == 0] == [2, 1]
    assert told[-1].t == pytest.approx(10.0)


def test_while_a_place_is_hidden_nothing_is_counted_there() -> None:
    pedine = Pedine(PLACES)
    told = [one for k in range(20) for one in pedine.step(view(0.5 * k, *ROW[:2]))]
    told += [one for k in range(20, 60) for one in pedine.step(view(0.5 * k), hidden=frozenset({0, 1}))]
    assert sorted((one.place, one.count) for one in told) == [(0, 2), (1, 0)]


@pytest.mark.parametrize("side", ["face", "back"])
@pytest.mark.parametrize("deck", ["ramino", "unknown"])
def test_a_card_that_lies_still_in_a_row_is_a_pedina_whatever_the_eyes_call_it(deck: str, side: Side) -> None:
    assert counted(*still(*ROW, deck=deck, side=side)) == [3, 0]


def test_a_row_is_counted_whole_where_the_eyes_know_one_of_its_cards() -> None:
    def mixed(t: float) -> TableView:
        sorts: tuple[tuple[str, Side], ...] = (("ramino", "face"), ("unknown", "face"), ("unknown", "back"))
        return replace(view(t, *ROW), cards=tuple(CardSeen(NOWHERE, deck, side, 0.8) for deck, side in sorts))

    assert counted(*(mixed(0.5 * k) for k in range(20))) == [3, 0]


def test_one_that_is_called_now_this_and_now_that_is_counted_as_one() -> None:
    assert counted(*(view(0.5 * k, ROW[0], deck=("ramino", "unknown")[k % 2]) for k in range(20))) == [1, 0]


def test_fanned_ones_that_show_a_strip_each_are_counted_each() -> None:
    assert counted(*still((0.8, 0.0), (0.98, 0.02), (1.16, 0.04))) == [3, 0]


def test_one_card_that_is_found_twice_is_counted_once() -> None:
    twice = [view(0.5 * k, *((0.8, 0.0), (0.88, 0.0))[: 1 + k % 2], deck="unknown") for k in range(20)]
    assert counted(*twice) == [1, 0]


def test_one_that_is_found_in_three_looks_of_four_is_counted() -> None:
    assert counted(*(view(0.5 * k, *ROW[: 1 if k % 4 == 0 else 2], deck="unknown") for k in range(40))) == [2, 0]


SINGLES = ((0.8, 0.0), (4.8, 0.0))
"""One before each place."""


@pytest.mark.parametrize(("widths", "counts"), [
    ((0.8, 0.63, 0.65), [2, 2]),  # the first as wide as what shows of two that lie 17 mm apart
    ((0.7, 0.7, 0.69), [1, 2]),  # all of a deck of poker cards
    ((0.63, 0.63, 0.8), [1, 2]),  # in a row with another one it is one that was found askew
], ids=["two that were found as one", "broad ones", "a broad one in a row"])  # fmt: skip
def test_one_that_lies_alone_and_is_too_wide_for_a_card_is_two_of_a_fan(widths: tuple[float, ...], counts: list[int]) -> None:
    spots = (SINGLES[0], SINGLES[1], (5.4, 0.0))
    assert counted(*(replace(one, widths=widths) for one in still(*spots))) == counts


@pytest.mark.parametrize(("width", "count"), [(0.83, 2), (0.74, 1)])
def test_where_few_pedine_lie_only_what_is_wider_than_any_card_is_two(width: float, count: int) -> None:
    assert counted(*(replace(one, widths=(width,)) for one in still(SINGLES[0]))) == [count, 0]


def test_a_pedina_near_where_a_card_was_put_down_askew_before_is_counted_once_that_lies_in_its_place() -> None:
    back = CardSeen(NOWHERE, "stu", "back", 0.9)
    both = [replace(one, cards=(back, *one.cards), centres=((0.1, 0.0), *one.centres), lengths=(1.0, *one.lengths),
                    turns=(0.0, *one.turns), widths=(0.55, *one.widths)) for one in still((0.9, 0.0))]  # fmt: skip
    assert counted(*both, own=((0.7, 0.0), (4.0, 0.0))) == [1, 0]


NO_PEDINE: dict[str, list[TableView]] = {
    "a Stù card that lies face down": still(*ROW, deck="stu", side="back"),
    "a pack of rummy cards": still(ROW[0], deck="ramino", side="stack"),
    "a pack of cards that nobody knows": still(ROW[0], side="stack"),
    "a telephone": still(ROW[0], long=1.65),
    "a coaster": still(ROW[0], broad=0.97),
    "a receipt": still(ROW[0], broad=0.3),
    "a box of matches": still(ROW[0], long=0.55),
    "a card far from everybody": still((2.0, 3.0), deck="ramino"),
    "the hand's own card under a hand": still((0.1, 0.1)),
    "something that is carried past": [view(0.5 * k, (0.8 + 0.1 * k, 0.0), deck="unknown") for k in range(20)],
    "something that lay there for two seconds": [view(0.5 * k, *ROW[: k < 4], deck="unknown") for k in range(20)],
}


@pytest.mark.parametrize("what", NO_PEDINE)
def test_what_is_no_pedina_is_not_counted(what: str) -> None:
    assert counted(*NO_PEDINE[what]) == [0, 0]


def test_neither_the_card_where_it_was_put_back_nor_the_deck_is_a_pedina() -> None:
    aside, deck = (0.7, 0.0), (0.2, 1.4)
    assert counted(*still(aside, deck), own=(aside, (4.0, 0.0)), deck=deck) == [0, 0]


def test_before_any_card_of_the_game_is_known_they_are_counted_by_their_own_length() -> None:
    pedine = Pedine(PLACES)
    told = {one.place: one.count for one_view in still(*ROW) for one in pedine.step(one_view)}
    assert told == {0: 3, 1: 0}


def test_while_a_hand_moves_over_them_looks_that_find_nothing_say_nothing() -> None:
    stirred = Motion(np.array([ROW[0]]), np.array([True]))
    hand = [view(0.5 * k, motion=stirred) for k in range(20, 60)]
    told = seen(*(view(0.5 * k, *ROW[:2]) for k in range(20)), *hand)
    assert [one.count for one in told if one.place == 0] == [2, 1], "only the second one lies beside the hand"
