"""Rulings on which of a taught deck's cards lies there where the reader hesitates."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kings import DECK, KINGS, court, taught
from numpy.typing import NDArray

from companion.decks.deckfile import TaughtCard
from companion.eyes import hesitation
from companion.eyes.hesitation import CLEAR_PROBABILITY, Hesitation, weighed
from companion.eyes.image import encode_jpeg
from companion.eyes.reading import Reading
from companion.eyes.sheets import Sheets
from companion.eyes.templates import Floats, Templates

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


def compared(image: Image, reading: Reading, deck: Templates = DECK, quad: NDArray[np.float64] = QUAD) -> Reading:
    """The reading of a card at ``quad`` after a comparison with a deck's pictures."""
    sheets = Sheets.of(deck)
    assert sheets is not None
    return Hesitation(sheets).settled(image, quad, reading)


def hesitating(known: float = 1.0) -> Reading:
    kinds = (("spades-13", 0.4), ("hearts-13", 0.31), ("diamonds-13", 0.29))
    return Reading("mine", known, kinds, ("", 0.0), kinds)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
@pytest.mark.parametrize("card", KINGS)
def test_kings_that_differ_in_a_sign_alone_are_told_apart(card: str, turned: bool) -> None:
    told = compared(laid(card, QUAD, turned), hesitating())
    assert (told.card, told.probability > 0.8) == (card, True), told.alternatives


@pytest.mark.parametrize("card", KINGS)
def test_corners_that_are_a_little_off_do_no_harm(card: str) -> None:
    off = QUAD + np.array([[2, -2], [2, 1], [-1, 2], [-2, -1]])
    assert compared(laid(card), hesitating(), quad=off).card == card


def test_a_card_that_the_reader_is_sure_of_is_not_compared() -> None:
    sure = Reading("mine", 0.99, (("hearts-13", CLEAR_PROBABILITY + 0.01), ("spades-13", 1 - CLEAR_PROBABILITY - 0.01)))
    assert compared(laid("spades-13"), sure) is sure


def far_from_the_first() -> Reading:
    """The reader takes the king of diamonds for any of four others."""
    clubs = ("clubs-2", 0.3), ("clubs-3", 0.28), ("clubs-4", 0.22), ("clubs-5", 0.15)
    kinds = (*clubs, ("diamonds-13", 0.03), ("hearts-13", 0.02))
    return Reading("mine", 1.0, kinds, ("", 0.0), kinds)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
def test_a_card_that_is_none_of_the_likeliest_is_known_by_what_it_resembles(
    turned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {f"clubs-{n}": court((40, 120, 30), True, seed=20 + n) for n in range(2, 6)}
    deck, image = taught(KINGS | others), laid("diamonds-13", QUAD, turned)
    told = compared(image, far_from_the_first(), deck)
    monkeypatch.setattr(hesitation, "MAX_RESEMBLING", 0)
    assert compared(image, far_from_the_first(), deck).card != "diamonds-13"
    assert (told.card, told.probability > 0.8) == ("diamonds-13", True), told.alternatives


def test_a_card_too_small_to_be_compared_stays_as_it_was_read() -> None:
    small = (QUAD - QUAD.mean(axis=0)) * 0.25 + QUAD.mean(axis=0)
    assert compared(laid("spades-13"), hesitating(), quad=small) == hesitating()


def test_a_card_of_the_deck_that_looked_strange_is_known_by_its_picture() -> None:
    assert compared(laid("hearts-13"), hesitating(0.4)).known > 0.6


def test_what_is_like_none_of_the_pictures_is_known_no_better() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (170, 170, 3)).astype(np.uint8)
    assert compared(noise, hesitating(0.4)).known == pytest.approx(0.4)


def test_a_picture_that_cannot_be_decoded_is_left_out() -> None:
    kept = encode_jpeg(KINGS["diamonds-13"], quality=88)
    broken = Templates.of([TaughtCard("hearts-13", (b"no picture",), b""), TaughtCard("diamonds-13", (kept,), b"")])
    told = compared(laid("diamonds-13"), hesitating(), broken)
    assert dict(told.alternatives)["hearts-13"] == pytest.approx(0.31)


def test_pictures_of_several_decks_are_compared_together() -> None:
    other = Templates.of([TaughtCard("spades-13", (encode_jpeg(court((200, 30, 30), True)),), b"")])
    both = DECK.and_those(other)
    assert {name: len(pictures) for name, pictures in both.cards.items()} == {"hearts-13": 1, "diamonds-13": 1, "spades-13": 2}


def alignments(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One entry for each picture that is aligned from now on."""
    asked: list[object] = []
    align = hesitation._aligned

    def counted(view: Floats, template: Floats, x: float, y: float) -> float:
        asked.append(template)
        return align(view, template, x, y)

    monkeypatch.setattr(hesitation, "_aligned", counted)
    return asked


def test_what_lies_there_and_is_like_none_of_the_pictures_is_aligned_with_none(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = alignments(monkeypatch)
    compared(np.random.default_rng(3).integers(0, 255, (170, 170, 3)).astype(np.uint8), hesitating(0.4))
    assert not asked


def test_pictures_that_cannot_win_any_more_are_not_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {f"clubs-{n}": court((40, 120, 30), True, seed=20 + n) for n in range(2, 6)}
    asked = alignments(monkeypatch)
    told = compared(laid("diamonds-13"), far_from_the_first(), taught(KINGS | others))
    assert told.card == "diamonds-13"
    assert 1 <= len(asked) <= len(KINGS)


def test_a_card_that_lies_as_before_is_not_compared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sheets, asked = Sheets.of(DECK), alignments(monkeypatch)
    assert sheets is not None
    eyes = Hesitation(sheets)
    first = eyes.settled(laid("hearts-13"), QUAD, hesitating())
    known = len(asked)
    assert (eyes.settled(laid("hearts-13"), QUAD + 0.5, hesitating()), len(asked)) == (first, known)
    eyes.settled(laid("spades-13"), QUAD, hesitating())
    assert len(asked) > known


def test_a_kind_that_the_reader_thinks_of_only_now_is_compared_too() -> None:
    image, sheets = laid("diamonds-13"), Sheets.of(DECK)
    assert sheets is not None
    eyes = Hesitation(sheets)
    two = (("spades-13", 0.5), ("hearts-13", 0.5))
    assert eyes.settled(image, QUAD, Reading("mine", 1.0, two, ("", 0.0), two)).card != "diamonds-13"
    assert eyes.settled(image, QUAD, hesitating()).card == "diamonds-13"


@pytest.mark.parametrize("shift", [(0, 0), (2, -3)], ids=str)
def test_pictures_are_laid_over_where_opencv_finds_them(shift: tuple[int, int]) -> None:
    sheets = Sheets.of(DECK)
    assert sheets is not None
    view = np.asarray(np.random.default_rng(5).normal(0, 1, (84, 48, 3)), np.float32)
    view[3 + shift[1] : 81 + shift[1], 3 + shift[0] : 45 + shift[0]] += 2 * sheets.fine.picture(1)
    found, places = sheets.fine.placed(view, np.arange(len(sheets.fine.kinds)))
    for number, (correlation, (x, y)) in enumerate(zip(found, places, strict=True)):
        theirs = cv2.matchTemplate(view, np.ascontiguousarray(sheets.fine.picture(number)), cv2.TM_CCOEFF_NORMED)
        assert correlation == pytest.approx(float(theirs.max()), abs=1e-4)
        assert theirs[y, x] == pytest.approx(float(theirs.max()), abs=1e-4)
    assert tuple(places[1]) == (3 + shift[0], 3 + shift[1])


@given(known=st.floats(0, 1), first=st.floats(0.34, 1), a=st.floats(-1, 1), b=st.floats(-1, 1))
def test_a_comparison_makes_no_probability_out_of_nothing(known: float, first: float, a: float, b: float) -> None:
    kinds = (("x", first), ("y", (1 - first) * 0.7), ("z", (1 - first) * 0.3))
    told = weighed(Reading("mine", known, kinds), {"x": a, "y": b})
    assert sum(share for _, share in told.alternatives) == pytest.approx(1)
    assert dict(told.alternatives)["z"] == pytest.approx(kinds[2][1])
    assert known <= told.known <= 1
    assert list(told.alternatives) == sorted(told.alternatives, key=lambda entry: -entry[1])
