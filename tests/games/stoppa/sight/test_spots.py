"""How many cards were put down together: rulings on what has changed around the upper one."""

from __future__ import annotations

import pytest

from companion.eyes.following.lying import FaceEpisode, Look
from companion.eyes.sighting import CardSeen, Quad
from companion.games.stoppa.sight.spots import Sign, Spots, came_with, signs, together

QUAD: Quad = ((0, 0), (60, 0), (60, 105), (0, 105))
LENGTH = 0.1


def put_down(kind: str, around: float | None, *beside: str, turn: float = 0.0) -> list[Sign]:
    """What three looks say of a card that lies plain, and of others found beside it, each turned ``turn`` degrees more than the
    last."""
    found = Spots()
    for n in range(3):
        card = CardSeen(QUAD, "italian", "face", 0.9, kind, ((kind, 0.99),), around)
        others = [CardSeen(QUAD, "italian", "face", 0.9, one, ((one, 0.9),)) for one in beside]
        looks = [Look(float(n), one, (0.02 * at, 0.0), turn * at) for at, one in enumerate([card, *others])]
        found.add(float(n), looks, LENGTH)
    return signs(found, [], {}, LENGTH)


@pytest.mark.parametrize(
    ("number", "around", "came"),
    [(1, 0.03, 0), (1, 0.3, 1), (1, 0.8, 2), (7, 0.3, 0), (7, 0.75, 3), (10, 0.03, 0), (10, 0.75, 2)],
)
def test_how_many_more_cards_came_follows_from_what_has_changed_around_one(number: int, around: float, came: int) -> None:
    assert sum(p > 0.5 for p in came_with(number, around)) == came


def test_of_an_ace_that_came_with_another_the_other_is_any_of_the_aces() -> None:
    upper, under = together(put_down("coppe-1", 0.3), LENGTH)
    assert upper[0][0] == "coppe-1"
    assert {kind for kind, _ in under} == {"denari-1", "spade-1", "bastoni-1"}
    assert sum(p for _, p in under) > 0.9


def test_of_an_ace_that_came_with_another_that_is_read_both_are_known() -> None:
    rows = together(put_down("coppe-1", 0.3, "spade-1"), LENGTH)
    assert [row[0][0] for row in rows] == ["coppe-1", "spade-1"]


def test_an_ace_around_which_nothing_has_changed_came_alone_whatever_is_found_beside_it() -> None:
    assert together(put_down("coppe-1", 0.02, "spade-1"), LENGTH) == []


def test_an_ace_may_have_another_behind_it_where_nobody_knows_what_has_changed_around_it() -> None:
    _, under = together(put_down("coppe-1", None), LENGTH)
    assert 0.1 < sum(p for _, p in under) < 0.5


@pytest.mark.parametrize(("turn", "came"), [(15.0, 3), (25.0, 0)], ids=["a fan", "lie about"])
def test_aces_of_a_fan_are_turned_each_a_little_against_the_next(turn: float, came: int) -> None:
    """Also where the outer ones are read better than the one between them."""
    found = put_down("coppe-1", None, "spade-1", "bastoni-1", turn=turn)
    found = sorted(found, key=lambda sign: sign.best == "spade-1")
    read = [row[0][0] for row in together(found, LENGTH) if row[0][1] > 0.5]
    assert len(set(read)) == came


def test_four_of_a_number_come_together_or_none() -> None:
    assert len(together(put_down("coppe-7", 0.75), LENGTH)) == 4
    assert together(put_down("coppe-7", 0.3), LENGTH) == []


def test_what_a_later_look_says_of_it_counts() -> None:
    found = Spots()
    for t, around in enumerate((None, 0.3)):
        card = CardSeen(QUAD, "italian", "face", 0.9, "coppe-1", (("coppe-1", 0.99),), around)
        found.add(float(t), [Look(float(t), card, (0.0, 0.0), 0.0)], LENGTH)
    (spot,) = found.spots
    assert isinstance(spot.face, FaceEpisode)
    assert spot.around == 0.3
