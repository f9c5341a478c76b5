"""Template matching: rulings on which of a taught deck's cards lies there where the reader hesitates."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kings import DECK, KINGS, court, taught
from numpy.typing import NDArray

from companion.decks.deckfile import TaughtCard
from companion.eyes.image import encode_jpeg
from companion.eyes.reading import Reading
from companion.eyes.templates import CLEAR_PROBABILITY, Sheets, Templates, weighed

Image = NDArray[np.uint8]
QUAD = np.array([[60, 40], [110, 46], [100, 130], [48, 122]], np.float64)


def laid(card: str, quad: NDArray[np.float64] = QUAD, turned: bool = False) -> Image:
    """A picture of the card, lying on felt."""
    there = np.roll(quad, 2, axis=0) if turned else quad
    target = np.array([[0, 0], [192, 0], [192, 336], [0, 336]], np.float32)
    homography = cv2.getPerspectiveTransform(target, there.astype(np.float32))
    felt = np.full((170, 170, 3), (60, 110, 40), np.uint8)
    card_there = cv2.warpPerspective(KINGS[card], homography, (170, 170), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full((336, 192), 255, np.uint8), homography, (170, 170))
    felt[mask > 127] = card_there[mask > 127]
    noise = np.random.default_rng(1).normal(0, 4, felt.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(felt, (0, 0), 0.8) + noise, 0, 255), np.uint8)


def hesitating(known: float = 1.0) -> Reading:
    kinds = (("spades-13", 0.4), ("hearts-13", 0.31), ("diamonds-13", 0.29))
    return Reading("mine", known, kinds, ("", 0.0), kinds)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
@pytest.mark.parametrize("card", KINGS)
def test_kings_that_differ_in_a_sign_alone_are_told_apart(card: str, turned: bool) -> None:
    told = DECK.compared(laid(card, QUAD, turned), QUAD, hesitating())
    assert (told.card, told.probability > 0.8) == (card, True), told.alternatives


@pytest.mark.parametrize("card", KINGS)
def test_corners_that_are_a_little_off_do_no_harm(card: str) -> None:
    off = QUAD + np.array([[2, -2], [2, 1], [-1, 2], [-2, -1]])
    assert DECK.compared(laid(card), off, hesitating()).card == card


def test_a_card_that_the_reader_is_sure_of_is_not_compared() -> None:
    sure = Reading("mine", 0.99, (("hearts-13", CLEAR_PROBABILITY + 0.01), ("spades-13", 1 - CLEAR_PROBABILITY - 0.01)))
    assert DECK.compared(laid("spades-13"), QUAD, sure) is sure


def far_from_the_first() -> Reading:
    """The reader takes the king of diamonds for any of four others."""
    clubs = ("clubs-2", 0.3), ("clubs-3", 0.28), ("clubs-4", 0.22), ("clubs-5", 0.15)
    kinds = (*clubs, ("diamonds-13", 0.03), ("hearts-13", 0.02))
    return Reading("mine", 1.0, kinds, ("", 0.0), kinds)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
def test_a_card_that_is_none_of_the_likeliest_is_known_by_what_it_resembles(turned: bool) -> None:
    others = {f"clubs-{n}": court((40, 120, 30), True, seed=20 + n) for n in range(2, 6)}
    deck = taught(KINGS | others)
    sheets = Sheets.of(deck)
    assert sheets is not None
    image = laid("diamonds-13", QUAD, turned)
    assert deck.compared(image, QUAD, far_from_the_first()).card != "diamonds-13"
    told = deck.compared(image, QUAD, far_from_the_first(), sheets.coarse.resembled)
    assert (told.card, told.probability > 0.8) == ("diamonds-13", True), told.alternatives


def test_a_card_too_small_to_be_compared_stays_as_it_was_read() -> None:
    small = (QUAD - QUAD.mean(axis=0)) * 0.25 + QUAD.mean(axis=0)
    assert DECK.compared(laid("spades-13"), small, hesitating()) == hesitating()


def test_a_card_of_the_deck_that_looked_strange_is_known_by_its_picture() -> None:
    assert DECK.compared(laid("hearts-13"), QUAD, hesitating(0.4)).known > 0.6


def test_what_is_like_none_of_the_pictures_is_known_no_better() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (170, 170, 3)).astype(np.uint8)
    assert DECK.compared(noise, QUAD, hesitating(0.4)).known == pytest.approx(0.4)


def test_a_picture_that_cannot_be_decoded_is_left_out() -> None:
    broken = Templates.of([TaughtCard("hearts-13", (b"no picture",), b"")])
    assert broken.compared(laid("spades-13"), QUAD, hesitating()) == hesitating()


def test_pictures_of_several_decks_are_compared_together() -> None:
    other = Templates.of([TaughtCard("spades-13", (encode_jpeg(court((200, 30, 30), True)),), b"")])
    both = DECK.and_those(other)
    assert {name: len(pictures) for name, pictures in both.cards.items()} == {"hearts-13": 1, "diamonds-13": 1, "spades-13": 2}


@given(known=st.floats(0, 1), first=st.floats(0.34, 1), a=st.floats(-1, 1), b=st.floats(-1, 1))
def test_a_comparison_makes_no_probability_out_of_nothing(known: float, first: float, a: float, b: float) -> None:
    kinds = (("x", first), ("y", (1 - first) * 0.7), ("z", (1 - first) * 0.3))
    told = weighed(Reading("mine", known, kinds), {"x": a, "y": b})
    assert sum(share for _, share in told.alternatives) == pytest.approx(1)
    assert dict(told.alternatives)["z"] == pytest.approx(kinds[2][1])
    assert known <= told.known <= 1
    assert list(told.alternatives) == sorted(told.alternatives, key=lambda entry: -entry[1])
