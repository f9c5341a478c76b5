"""Cards of a fan that show only a strip: found beside those that were found, and nothing else with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.assets import asset
from companion.eyes.fanned import Fans, like
from companion.eyes.geometry import polygon_iou
from companion.eyes.refiner import Refiner
from workshop.deck.strange.french import FrenchDeck

Floats = NDArray[np.float64]
CARD = np.array([[300, 300], [360, 300], [360, 390], [300, 390]], np.float64)
TABLE = np.full((700, 900, 3), 90, np.uint8)


def moved(x: float, turn: float = 0.0, card: Floats = CARD) -> Floats:
    """The card ``x`` pixels to the right, turned by ``turn`` degrees."""
    a, middle = np.radians(turn), card.mean(axis=0)
    spin = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.asarray((card - middle) @ spin + middle + (x, 0), np.float64)


SLANTED = CARD + np.array([[20, 0], [20, 0], [40, 0], [40, 0]], np.float64)


class FakeRefiner:
    """Leads to the nearest of the cards that lie there, and counts how often it looks."""

    def __init__(self, lying: Sequence[Floats], kind: int = 0) -> None:
        self.lying, self.kind, self.looks = list(lying), kind, 0

    def refine(self, image: Any, quads: Sequence[Floats]) -> tuple[Floats, Floats]:
        self.looks += len(quads)
        led = [max(self.lying, key=lambda card: polygon_iou(card, quad)) for quad in quads]
        shares = np.zeros((len(quads), 4))
        shares[:, self.kind], shares[:, -1] = 0.97, 0.03
        return np.array(led).reshape(-1, 4, 2), shares

    glance = refine


def found(lying: Sequence[Floats], known: Sequence[Floats], others: Sequence[Floats] = (), kind: int = 0) -> list[Floats]:
    """What is found beside the ``known`` ones of the cards ``lying`` there."""
    fans = Fans(FakeRefiner(lying, kind))  # type: ignore[arg-type]
    return [one.quad for one in fans.neighbours(TABLE, known, others)]


@pytest.mark.parametrize(
    ("lying", "further"),
    [
        ([CARD], []),
        ([CARD, moved(22)], [moved(22)]),
        ([CARD, moved(-20, 6)], [moved(-20, 6)]),
        ([CARD, moved(22), moved(44)], [moved(22), moved(44)]),
        ([CARD, moved(22, 85)], []),
        ([CARD, SLANTED], []),
        ([CARD, moved(22, card=CARD * 0.6 + 130)], []),
    ],
    ids=["alone", "a strip of one", "turned a little", "two further", "across", "drawn over two", "too small"],
)
def test_beside_a_card_is_found(lying: list[Floats], further: list[Floats]) -> None:
    seen = found(lying, [CARD])
    assert len(seen) == len(further)
    assert all(any(polygon_iou(one, other) > 0.95 for other in seen) for one in further)


def test_what_others_have_found_is_not_found_again() -> None:
    assert found([CARD, moved(22)], [CARD, moved(22)]) == []
    assert found([CARD, moved(22)], [CARD], others=[moved(23)]) == []


def test_a_stack_is_no_card_of_a_fan() -> None:
    assert found([CARD, moved(22)], [CARD], kind=2) == []


def test_while_the_picture_looks_the_same_there_it_is_not_looked_for_again() -> None:
    refiner = FakeRefiner([CARD, moved(22)])
    fans = Fans(refiner)  # type: ignore[arg-type]
    first = fans.neighbours(TABLE, [CARD])
    looks = refiner.looks
    again = fans.neighbours(TABLE, [CARD])
    assert refiner.looks == looks
    assert [one.quad.tolist() for one in again] == [one.quad.tolist() for one in first] != []


def test_a_cards_own_shape_is_like_it_in_perspective_too() -> None:
    flat = np.array([[0, 0], [900, 0], [900, 700], [0, 700]], np.float32)
    seen = cv2.getPerspectiveTransform(flat, np.array([[200, 90], [700, 120], [880, 650], [20, 600]], np.float32))

    def through(quad: Floats) -> Floats:
        return np.asarray(cv2.perspectiveTransform(quad[None], seen)[0], np.float64)

    assert like(through(moved(22)), through(CARD))
    assert not like(through(SLANTED), through(CARD))


def test_the_shipped_refiner_finds_the_strip_of_a_deck_that_it_was_not_trained_on() -> None:
    deck, table = FrenchDeck(700_001, 180), np.full((500, 700, 3), (70, 95, 60), np.uint8)
    under, top = (deck["ramino", card] for card in ("7h", "9s"))
    high, wide = top.shape[:2]
    quads = []
    for picture, x in ((under, 260), (top, 260 + round(0.32 * wide))):
        part = table[150 : 150 + high, x : x + wide]
        part[:] = np.where(picture[..., 3:] > 128, picture[..., :3], part)
        part[:, 0], part[:, -1] = 60, 60
        quads.append(np.array([[x, 150], [x + wide, 150], [x + wide, 150 + high], [x, 150 + high]], np.float64))
    fans = Fans(Refiner(asset("models/refiner.onnx")))
    (strip,) = fans.neighbours(np.asarray(cv2.GaussianBlur(table, (0, 0), 1.2), np.uint8), [quads[1]])
    assert polygon_iou(strip.quad, quads[0]) > 0.8
