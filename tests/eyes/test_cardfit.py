"""Where a card was put down, by what has changed: rulings on piles of white paper, and on hands, light and noise beside them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kings import COURT
from numpy.typing import NDArray
from test_covered import table

from companion.eyes.cardfit import UPPER_INSIDE_WEIGHT, Changed, around, changes, places
from companion.eyes.geometry import polygon_iou
from companion.eyes.plane import Plane

Image = NDArray[np.uint8]
SIZE = (1280, 720)
CAMERA = cv2.getPerspectiveTransform(
    np.array([[0, 0], [1000, 0], [1000, 600], [0, 600]], np.float32),
    np.array([[250, 150], [1050, 150], [1200, 690], [100, 690]], np.float32),
)
"""From a table on which cards are 60 wide and 105 long to the picture."""
BOX = (430, 180, 850, 560)
NAMES = tuple(COURT)


def card(x: float, y: float, turn: float) -> NDArray[np.float64]:
    """The corners (4, 2), pixels, of a card with its middle there on the table, turned by ``turn`` degrees."""
    way = np.radians(turn)
    across, along = np.array([np.cos(way), np.sin(way)]) * 30, np.array([-np.sin(way), np.cos(way)]) * 52.5
    corners = np.array([x, y]) + np.array([-across - along, across - along, across + along, -across + along])
    return np.asarray(cv2.perspectiveTransform(corners[None], CAMERA)[0], np.float64)


ELSEWHERE = ((150, 120, 0), (800, 100, 40), (200, 450, 80), (850, 480, 15), (500, 80, 110), (480, 520, 5))
PLANE = Plane.through([card(*at) for at in ELSEWHERE], [1.0] * 6, SIZE)
PILE = tuple((NAMES[n % len(NAMES)], card(500 + 7 * n, 300 - 5 * n, 25.0 * n)) for n in range(5))


def arm(image: Image, further: int = 0) -> Image:
    """The picture with an arm that reaches in from below, beside the pile; ``further``: pixels by which it is higher up."""
    return cv2.line(image.copy(), (800, 719), (760, 480 - further), (120, 150, 200), 60)


def changed(before: Image, now: Image) -> Changed | None:
    assert PLANE is not None
    return changes(before, now, PLANE, BOX)


def found(before: Image, now: Image) -> NDArray[np.float64]:
    differs = changed(before, now)
    return places(differs) if differs is not None else np.zeros((0, 4, 2))


def best(quads: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """How well one of the places agrees with where the card lies, polygon IoU."""
    return max((polygon_iou(quad, true) for quad in quads), default=0.0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("at", [(505, 300, 10), (470, 320, 85), (540, 270, 140)], ids=str)
def test_a_card_on_a_pile_is_found_where_it_lies(name: str, at: tuple[float, float, float]) -> None:
    lies = card(*at)
    assert best(found(table(*PILE), table(*PILE, (name, lies))), lies) > 0.88


@pytest.mark.networks
@settings(max_examples=12, deadline=None)
@given(st.floats(430, 560), st.floats(230, 370), st.floats(0, 180))
def test_it_may_lie_anywhere_and_be_turned_in_any_way(x: float, y: float, turn: float) -> None:
    lies = card(x, y, turn)
    assert best(found(table(*PILE), table(*PILE, (NAMES[0], lies))), lies) > 0.85


@pytest.mark.parametrize("step", [0.15, 0.3, 0.45])
def test_of_two_cards_put_down_together_the_upper_one_is_among_the_places(step: float) -> None:
    lower, upper = card(490, 300, 12), card(490 + 105 * step, 303, 17)
    differs = changed(table(*PILE), table(*PILE, (NAMES[0], lower), (NAMES[1], upper)))
    assert differs is not None
    assert max(best(places(differs), upper), best(places(differs, UPPER_INSIDE_WEIGHT), upper)) > 0.85


def test_around_a_card_that_came_alone_hardly_anything_has_changed() -> None:
    lies = card(505, 300, 30)
    differs = changed(table(*PILE), table(*PILE, (NAMES[0], lies)))
    assert differs is not None
    assert around(differs, lies) < 0.1


def test_around_the_upper_one_of_several_the_others_have_changed_the_more_the_more_came() -> None:
    lies = [card(480 + 25 * n, 300, 8 * n) for n in range(4)]
    found = []
    for many in (2, 3, 4):
        differs = changed(table(*PILE), table(*PILE, *((NAMES[n % len(NAMES)], lies[n]) for n in range(many))))
        assert differs is not None
        found.append(around(differs, lies[many - 1]))
    assert 0.15 < found[0] < found[1] <= found[2] + 0.1


def test_an_arm_that_reaches_in_is_no_card_and_hides_none() -> None:
    assert not len(found(table(*PILE), arm(table(*PILE))))
    lies = card(480, 290, 60)
    assert best(found(table(*PILE), arm(table(*PILE, (NAMES[2 % len(NAMES)], lies)))), lies) > 0.9


@pytest.mark.parametrize("light", [0.8, 0.9, 1.0])
def test_where_only_the_light_has_changed_nothing_was_put_down(light: float) -> None:
    before = table(*PILE)
    assert not len(found(before, np.clip(before * light, 0, 255).astype(np.uint8)))


def test_what_is_much_larger_than_cards_was_not_put_down() -> None:
    assert PLANE is not None
    assert changes(table(), table(*PILE), PLANE, (0, 0, *SIZE)) is None
