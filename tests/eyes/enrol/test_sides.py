"""Where the sides of a card lie in its photo, when it is known about where the card lies."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.eyes.enrol.sides import sharpened
from companion.eyes.geometry import card_length, grown
from companion.eyes.image import Image

Floats = NDArray[np.float64]
QUAD = np.array([[210.0, 120.0], [395.0, 160.0], [330.0, 480.0], [130.0, 440.0]])
TIGHT = 0.008
"""Of the card's length: the networks are off by two to four hundredths."""


def off(found: Floats | None, quad: Floats = QUAD) -> float:
    """The corner that is furthest off, as a share of the card's length, whichever corner comes first."""
    assert found is not None
    return min(float(np.linalg.norm(np.roll(found, n, axis=0) - quad, axis=1).max()) for n in range(4)) / float(card_length(quad))


def felt(rng: np.random.Generator) -> Image:
    return np.asarray(np.clip(rng.normal((60, 110, 40), 6, (600, 560, 3)), 0, 255), np.uint8)


def checks(rng: np.random.Generator) -> Image:
    """A cloth whose stripes are as clear as any card's sides."""
    y, x = np.mgrid[:600, :560]
    dark = ((x // 34 + y // 34) % 2)[..., None].astype(bool)
    return np.where(dark, (150, 60, 50), (210, 200, 190)).astype(np.uint8)


def paper(rng: np.random.Generator) -> Image:
    """A sheet of paper hardly darker than the card's."""
    return np.asarray(np.clip(rng.normal((218, 231, 235), 2, (600, 560, 3)), 0, 255), np.uint8)


def light(rng: np.random.Generator) -> Image:
    """A light table top."""
    return np.asarray(np.clip(rng.normal((160, 185, 200), 4, (600, 560, 3)), 0, 255), np.uint8)


def face() -> Image:
    """A card with a frame that is clearer than its sides, and a picture."""
    card = np.full((672, 384, 3), (222, 234, 238), np.uint8)
    cv2.rectangle(card, (26, 26), (357, 645), (20, 20, 20), 5)
    cv2.circle(card, (192, 250), 90, (40, 40, 190), -1)
    cv2.rectangle(card, (120, 420), (260, 560), (150, 60, 30), -1)
    return card


def photo(table: Image, quad: Floats = QUAD, card: Image | None = None) -> Image:
    """The ``card``, by default `face`, on this ``table``."""
    corners = np.array([[0, 0], [384, 0], [384, 672], [0, 672]], np.float32) - np.float32(0.5)
    homography = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    size = (table.shape[1], table.shape[0])
    mask = np.zeros((672, 384), np.uint8)  # corners are round
    cv2.rectangle(mask, (18, 0), (365, 671), (255,), -1)
    cv2.rectangle(mask, (0, 18), (383, 653), (255,), -1)
    for x, y in ((18, 18), (365, 18), (18, 653), (365, 653)):
        cv2.circle(mask, (x, y), 18, (255,), -1)
    print_ = face() if card is None else card
    laid, share = (cv2.warpPerspective(one, homography, size, flags=cv2.INTER_AREA) for one in (print_, mask))
    there = share[..., None] / 255
    return np.asarray(cv2.GaussianBlur(laid * there + table * (1 - there), (0, 0), 1.0), np.uint8)


@pytest.mark.parametrize("table", [felt, checks, light])
@pytest.mark.parametrize("seed", range(4))
def test_a_guess_that_is_off_is_put_right_on_any_table(table: Callable[[np.random.Generator], Image], seed: int) -> None:
    rng = np.random.default_rng(seed)
    share = float(rng.choice([-0.05, 0.05])) + rng.uniform(-0.005, 0.005)
    guess = grown(QUAD, share, share / 1.75) + rng.uniform(-0.01, 0.01, (4, 2)) * float(card_length(QUAD))
    assert off(guess) > 2 * TIGHT
    assert off(sharpened(photo(table(rng)), guess)) < TIGHT


def test_a_frame_that_was_taken_for_the_card_is_left_for_its_sides() -> None:
    frame = grown(QUAD, -26 / 384, -26 / 672)
    assert off(sharpened(photo(felt(np.random.default_rng(5))), frame)) < TIGHT


def test_a_quad_larger_than_the_card_shrinks_to_it() -> None:
    assert off(sharpened(photo(felt(np.random.default_rng(6))), grown(QUAD, 0.1, 0.06))) < TIGHT


def test_any_corner_may_be_the_first() -> None:
    image = photo(felt(np.random.default_rng(7)))
    for first in range(4):
        assert off(sharpened(image, np.roll(QUAD + 3.0, first, axis=0))) < TIGHT


def test_a_card_at_the_very_edge_of_the_photo_keeps_its_place() -> None:
    near = QUAD - QUAD.min(axis=0) + 3
    assert off(sharpened(photo(felt(np.random.default_rng(8)), near), near + 5.0), near) < 2 * TIGHT


def test_on_paper_like_its_own_a_card_has_no_sides_to_be_seen() -> None:
    assert sharpened(photo(paper(np.random.default_rng(9))), QUAD + 5.0) is None  # but a frame, which is none of them


def test_nor_has_a_back_with_a_white_border() -> None:
    back = np.full((672, 384, 3), (222, 234, 238), np.uint8)
    cv2.rectangle(back, (20, 20), (363, 651), (120, 60, 30), -1)
    assert sharpened(photo(paper(np.random.default_rng(10)), card=back), QUAD) is None
    assert off(sharpened(photo(felt(np.random.default_rng(10)), card=back), QUAD + 3.0)) < TIGHT


def test_a_photo_that_the_card_fills_shows_no_table() -> None:
    whole = np.array([[0.0, 0.0], [383.0, 0.0], [383.0, 671.0], [0.0, 671.0]])
    assert off(sharpened(face(), whole), whole) == 0
