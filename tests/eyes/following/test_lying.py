"""Faces that lie on the table, followed by their kind and by where they lie."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.eyes.following.lying import Faces, Look
from companion.eyes.sighting import CardSeen, Odds, Point

LENGTH = 10.0
TEN: Odds = (("denari-10", 0.8), ("denari-9", 0.15))
NINE: Odds = (("denari-9", 0.7), ("denari-10", 0.25))
UNDER: Point = (0.0, 1.5)
"""A card of a tight fan lies so far from the next one."""


def seen(odds: Odds, at: Point, t: float) -> Look:
    return Look(t, CardSeen(((0, 0), (1, 0), (1, 2), (0, 2)), "italian", "face", 0.9, None, odds), at, 90.0)


def after(looks: Sequence[Sequence[tuple[Odds, Point]]]) -> list[str]:
    """The kinds of the faces that are reported of these looks, a tenth of a second apart."""
    faces = Faces()
    for number, cards in enumerate(looks):
        list(faces.step([seen(odds, at, 0.1 * number) for odds, at in cards], LENGTH))
    return sorted(face.kind for face in faces.lying if face.known)


def test_a_card_is_one_wherever_it_lies() -> None:
    assert after([[(TEN, (0.0, 0.0))]] * 3 + [[(TEN, (0.5, 0.0))]] * 3) == ["denari-10"]


def test_a_card_that_is_misread_for_a_moment_stays_one_card() -> None:
    assert after([[(TEN, UNDER)]] * 4 + [[(NINE, UNDER)]] * 2 + [[(TEN, UNDER)]] * 4) == ["denari-10"]


def test_two_cards_of_a_fan_are_two_though_each_may_be_the_other() -> None:
    assert after([[(NINE, (0.0, 0.0)), (TEN, UNDER)]] * 5) == ["denari-10", "denari-9"]


def test_a_card_that_was_found_now_and_then_is_there_beside_the_one_next_to_it() -> None:
    both, one = [(TEN, UNDER), (NINE, (0.0, 0.0))], [(NINE, (0.0, 0.0))]
    assert after([one, both, one, both, one, both, both, one]) == ["denari-10", "denari-9"]


ONE: Odds = (("denari-1", 0.97),)


@pytest.mark.parametrize(
    ("later", "found"),
    [(UNDER, ["denari-1", "denari-9"]), ((0.0, 3.0), ["denari-9"])],
    ids=["where it lay", "elsewhere"],
)
def test_a_card_of_a_fan_that_is_found_twice_for_a_moment_lies_there_if_it_lies_as_before(later: Point, found: list[str]) -> None:
    """In a filmed clip one of three was found in three looks, and for four when the cards were gathered, four seconds later."""
    fan = [(NINE, (0.0, 0.0))]
    assert after([[*fan, (ONE, UNDER)]] * 2 + [fan] * 30 + [[*fan, (ONE, later)]] * 2) == found
