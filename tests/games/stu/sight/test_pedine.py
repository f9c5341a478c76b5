"""Pedine counted before the players: rows and fans put to the right player, and a vote that a hand over them does not upset."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.eyes.sighting import CardSeen, Point, Side, TableView
from companion.games.stu.sight.pedine import Pedine
from companion.games.stu.sightings import PedineSeen
from companion.workshop.choreography.layout import TOKEN_LENGTH, plan_table

NOWHERE = ((0.0, 0.0),) * 4
PLACES = np.array([[0.0, 0.0], [4.0, 0.0]])
ROW = ((0.75, 0.0), (1.4, 0.0), (2.05, 0.0))
"""Three side by side, a card's length being 1, right of the first place; the last lies nearer to the second."""


def view(t: float, *centres: Point, deck: str = "ramino", side: Side = "face") -> TableView:
    n = len(centres)
    return TableView(t, (CardSeen(NOWHERE, deck, side, 0.9),) * n, centres, (1.0,) * n, (0.0,) * n)


def seen(*views: TableView) -> list[PedineSeen]:
    pedine = Pedine(PLACES)
    return [told for view in views for told in pedine.step(view)]


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
        counted = Pedine(np.array([seat.place for seat in plan.seats])).counted(table)
        right += sum(a == b for a, b in zip(counted, counts, strict=True))
        total += players
    assert right >= 0.98 * total


def test_a_row_belongs_to_whom_it_begins_with() -> None:
    assert Pedine(PLACES).counted(view(0, *ROW)) == [3, 0]


def test_what_is_told_is_the_count_and_since_when() -> None:
    told = seen(*(view(0.5 * k, *ROW[:2]) for k in range(12)))
    assert [(one.place, one.count, one.t) for one in told] == [(0, 2, 0.0), (1, 0, 0.0)]
    assert all(one.probability > 0.8 for one in told)


def test_a_hand_over_them_for_a_second_is_no_change() -> None:
    told = seen(*(view(0.5 * k, *(ROW[:1] if k in (20, 21) else ROW[:2])) for k in range(60)))
    assert len(told) == 2


def test_one_that_is_taken_away_is_told_once() -> None:
    told = seen(*(view(0.5 * k, *(ROW[:2] if k < 20 else ROW[:1])) for k in range(60)))
    assert [(one.place, one.count) for one in told] == [(0, 2), (1, 0), (0, 1)]
    assert told[-1].t == pytest.approx(10.0)


def test_while_a_place_is_hidden_nothing_is_counted_there() -> None:
    pedine = Pedine(PLACES)
    told = [one for k in range(20) for one in pedine.step(view(0.5 * k, *ROW[:2]))]
    told += [one for k in range(20, 60) for one in pedine.step(view(0.5 * k), hidden=frozenset({0, 1}))]
    assert [(one.place, one.count) for one in told] == [(0, 2), (1, 0)]


@pytest.mark.parametrize(("deck", "side"), [("stu", "back"), ("ramino", "stack")])
def test_other_cards_and_packs_are_no_pedine(deck: str, side: Side) -> None:
    assert Pedine(PLACES).counted(view(0, *ROW, deck=deck, side=side)) == [0, 0]


def test_a_ramino_card_far_from_everybody_is_nobodys() -> None:
    assert Pedine(PLACES).counted(view(0, (2.0, 3.0))) == [0, 0]
