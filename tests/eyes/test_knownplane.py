"""The table's plane, as cards that were known say it from picture to picture."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.plane import MIN_KNOWN_CARDS, KnownPlane
from companion.eyes.sighting import CardSeen, Quad

SIZE = (1280, 720)
TOP = np.array([[250, 150], [1050, 150], [1200, 690], [100, 690]], np.float64)
CARD = np.array([[0, 0], [60, 0], [60, 105], [0, 105]], np.float64)


def card(
    at: tuple[float, float], name: str | None = "coppe-1", score: float = 0.95, size: float = 1.0, deck: str = "italian"
) -> CardSeen:
    x, y = at
    corners: Quad = tuple((float(u), float(v)) for u, v in CARD * size + (x, y))  # type: ignore[assignment]
    return CardSeen(corners, deck, "face", score, name, ((name, 1.0),) if name else ())


def row(count: int) -> list[tuple[float, float]]:
    return [(100.0 + 130 * number, 300.0) for number in range(count)]


def shape(plane_of: KnownPlane, quad: NDArray[np.float64]) -> float:
    plane = plane_of.of(SIZE)
    assert plane is not None
    return float(plane.misfit(quad[None])[0])


def test_cards_that_came_one_after_the_other_say_where_it_is() -> None:
    known = KnownPlane()
    for at in row(MIN_KNOWN_CARDS):
        assert known.of(SIZE) is None
        known.learn([card(at)])
    assert shape(known, CARD + (500, 200)) < 1
    assert shape(known, np.array([CARD[0], CARD[1] + (30, 0), CARD[2] + (30, 0), CARD[3]]) + (500, 200)) > 3


def test_a_card_that_lies_still_says_so_once() -> None:
    known = KnownPlane()
    for _ in range(2 * MIN_KNOWN_CARDS):
        known.learn([card((300, 300))])
    assert known.of(SIZE) is None


def test_what_is_not_read_or_not_sure_says_nothing() -> None:
    known = KnownPlane()
    known.learn([card(at, None) for at in row(8)])
    known.learn([card(at, score=0.7) for at in row(8)])
    assert known.of(SIZE) is None


def test_one_held_up_to_the_camera_does_not_bend_it() -> None:
    known = KnownPlane()
    known.learn([*(card(at) for at in row(8)), card((900, 500), size=1.6)])
    assert shape(known, CARD + (500, 200)) < 1


def test_when_the_camera_has_moved_it_is_not_known() -> None:
    known = KnownPlane()
    assert not known.moved(TOP)
    known.learn(card(at) for at in row(8))
    for same in (None, TOP, TOP + 1):
        assert not known.moved(same)
        assert known.of(SIZE) is not None
    assert known.moved(TOP + 9)
    assert known.of(SIZE) is None


def test_a_table_that_is_shown_late_takes_nothing_back() -> None:
    known = KnownPlane()
    known.learn(card(at) for at in row(8))
    assert not known.moved(TOP)
    assert known.of(SIZE) is not None


@pytest.mark.parametrize(("deck", "fits"), [("ramino", True), ("unknown", False)])
def test_cards_of_another_deck_may_be_of_another_size(deck: str, fits: bool) -> None:
    """Pedine are no wrong cards; a stranger's is none of the game's."""
    known = KnownPlane()
    known.learn([*(card(at) for at in row(8)), *(card((x, 500), None, size=0.7, deck=deck) for x, _ in row(8))])
    assert shape(known, CARD + (500, 200)) < 1
    assert (shape(known, 0.7 * CARD + (500, 200)) < 1) == fits
