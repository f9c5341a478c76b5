"""Cards that lie on one another: rulings on what is read of the one below, and on what is left as the reader read it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from kings import COURT, taught
from numpy.typing import NDArray

from companion.eyes.beside import Lying
from companion.eyes.cardview import CardView
from companion.eyes.covered import glimpses, layered
from companion.eyes.covered import read_covered as uncovered
from companion.eyes.geometry import polygon_iou
from companion.eyes.heaps import MIN_SHOWING_SHARE, UNCOVERED_SHARE, Explained, Layer, ordered, plane_of
from companion.eyes.reading import Reading
from companion.eyes.sheets import Sheet, Sheets
from companion.eyes.templates import Templates

Image = NDArray[np.uint8]
UPRIGHT = np.array([[560, 340], [620, 340], [620, 445], [560, 445]], np.float64)
ASIDE = UPRIGHT + (28, 6)  # on the other's right half: its left shows, with one of its two signs
SHEETS = Sheets.of(taught(COURT))
assert SHEETS is not None
MINE = {"mine": SHEETS}
KINDS = (("hearts-13", 0.99), ("spades-11", 0.005), ("diamonds-12", 0.005))
KNOWN = Reading("mine", 0.99, KINDS, ("", 0.0), KINDS)


def table(*cards: tuple[str, NDArray[np.float64]]) -> Image:
    """A picture of cards on felt, the lowest first."""
    there = np.full((720, 1280, 3), (60, 110, 40), np.uint8)
    corners = np.array([[0, 0], [192, 0], [192, 336], [0, 336]], np.float32)
    for name, quad in cards:
        to = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
        card = cv2.warpPerspective(COURT[name], to, (1280, 720), flags=cv2.INTER_AREA)
        inside = cv2.warpPerspective(np.full((336, 192), 255, np.uint8), to, (1280, 720)) > 127
        there[inside] = card[inside]
    noise = np.random.default_rng(2).normal(0, 4, there.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(there, (0, 0), 0.7) + noise, 0, 255), np.uint8)


def read_covered(
    image: Image, quads: NDArray[np.float64], readings: list[Reading], sheets: dict[str, Sheets]
) -> list[Reading]:
    """The readings alone, where no further card is found."""
    told = uncovered(image, quads, readings, sheets)
    assert len(told) == len(readings)
    return [one.reading for one in told]


def rotated(quad: NDArray[np.float64], degrees: float) -> NDArray[np.float64]:
    to = cv2.getRotationMatrix2D(quad.mean(axis=0).tolist(), degrees, 1.0)
    return np.asarray(cv2.transform(quad[None], to)[0], np.float64)


def puzzled(known: float = 0.1) -> Reading:
    kinds = tuple((name, 1 / 3) for name in COURT)
    return Reading("mine", known, kinds, ("", 0.0), kinds)


@pytest.mark.parametrize("turned", [False, True], ids=["upright", "upside down"])
@pytest.mark.parametrize("below", COURT)
def test_a_card_half_under_another_is_read_by_what_shows(below: str, turned: bool) -> None:
    lies = np.roll(UPRIGHT, 2, axis=0) if turned else UPRIGHT
    image = table((below, lies), ("hearts-13", ASIDE))
    top, under = read_covered(image, np.stack([ASIDE, UPRIGHT]), [KNOWN, puzzled()], MINE)
    assert top is KNOWN
    assert (under.deck, under.card, under.known > 0.5) == ("mine", below, True), under
    assert under.probability < 0.995, "what was seen of a part of it is never quite sure"


def test_the_share_that_shows_is_told_top_card_first() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", ASIDE))
    layers = layered(image, np.stack([UPRIGHT, ASIDE]), [0, 1], [0.1, 0.98], MINE["mine"])
    (top, whole), (under, half) = glimpses(layers, MINE["mine"])
    assert (top.number, under.number) == (1, 0)
    assert whole.share >= UNCOVERED_SHARE
    assert not whole.kinds
    assert MIN_SHOWING_SHARE < half.share == pytest.approx(0.49, abs=0.08)
    assert half.kinds.keys() == COURT.keys()


def fan(step: float, turn: float) -> list[NDArray[np.float64]]:
    """Three quads, the lowest first: each ``step`` pixels further to the right, and turned by ``turn`` degrees more."""
    middle = UPRIGHT.mean(axis=0)
    quads = []
    for n in range(3):
        a = np.radians(n * turn)
        quads.append((UPRIGHT - middle) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + middle + (n * step, 0))
    return quads


FANS = pytest.mark.parametrize(("step", "turn"), [(27.0, 0.0), (24.0, 6.0)], ids=["straight", "turned"])


@FANS
@pytest.mark.parametrize("way", [1, -1], ids=["to the right", "to the left"])
def test_a_card_whose_corners_were_guessed_is_moved_to_where_it_lies(step: float, turn: float, way: int) -> None:
    low, middle, top = fan(way * step, way * turn)
    image = table(("spades-11", low), ("diamonds-12", middle), ("hearts-13", top))
    guessed = low + (7 * way, -5)
    told = uncovered(image, np.stack([guessed, top, middle]), [puzzled(), KNOWN, puzzled()], MINE)
    assert [one.reading.card for one in told] == ["spades-11", "hearts-13", "diamonds-12"]
    assert polygon_iou(told[0].quad, low) > 0.93 > polygon_iou(guessed, low)


@FANS
def test_a_fan_of_cards_34_pixels_long_is_read(step: float, turn: float) -> None:
    small = [(quad - UPRIGHT[0]) * 0.32 + UPRIGHT[0] for quad in fan(step, turn)]
    image = table(*zip(("spades-11", "diamonds-12", "hearts-13"), small, strict=True))
    told = read_covered(image, np.stack(small), [puzzled(), puzzled(), KNOWN], MINE)
    assert [one.card for one in told] == ["spades-11", "diamonds-12", "hearts-13"]


@pytest.mark.parametrize(("step", "turn", "off"), [(34.0, 0.0, 4), (30.0, 5.0, 8)], ids=["straight", "turned"])
def test_a_half_covered_card_that_the_reader_is_sure_of_does_not_cover_the_one_on_it(step: float, turn: float, off: int) -> None:
    low, middle, top = fan(step, turn)
    image = table(("spades-11", low), ("diamonds-12", middle), ("hearts-13", top))
    sure = replace(KNOWN, alternatives=(("spades-11", 0.99), ("hearts-13", 0.01)))
    told = uncovered(image, np.stack([top, rotated(middle + (off, 0), -6), low]), [KNOWN, puzzled(), sure], MINE)
    assert [one.reading.card for one in told[:3]] == ["hearts-13", "diamonds-12", "spades-11"]


@FANS
@pytest.mark.parametrize("missed", [0, 1], ids=["the lowest", "the one in between"])
def test_of_a_fan_the_card_that_nobody_found_is_told(missed: int, step: float, turn: float) -> None:
    *below, top = fan(step, turn)
    kinds = "spades-11", "diamonds-12"
    image = table(*zip(kinds, below, strict=True), ("hearts-13", top))
    *_, new = uncovered(image, np.stack([top, below[1 - missed]]), [KNOWN, puzzled()], MINE)
    assert (new.reading.card, new.reading.deck) == (kinds[missed], "mine"), new
    assert polygon_iou(new.quad, below[missed]) > 0.9


@FANS
def test_of_a_fan_the_card_on_top_that_nobody_found_is_told(step: float, turn: float) -> None:
    """The one below it has been read as if all of it showed."""
    low, middle, top = fan(step, turn)
    image = table(("spades-11", low), ("hearts-13", middle), ("diamonds-12", top))
    *_, new = uncovered(image, np.stack([low, middle]), [puzzled(), KNOWN], MINE)
    assert (new.reading.card, new.reading.deck) == ("diamonds-12", "mine"), new
    assert polygon_iou(new.quad, top) > 0.9


@FANS
def test_beside_two_cards_that_lie_alone_no_third_is_made_up(step: float, turn: float) -> None:
    _, middle, top = fan(step, turn)
    image = table(("diamonds-12", middle), ("hearts-13", top))
    assert len(uncovered(image, np.stack([top, middle]), [KNOWN, puzzled()], MINE)) == 2


@pytest.mark.parametrize(("off", "askew", "below"), [((3, 2), 5, 14), ((3, 2), 6, 14)], ids=str)
def test_a_card_that_is_read_for_sure_is_not_covered_by_itself_seen_better(off: tuple[int, int], askew: int, below: int) -> None:
    lower = rotated(UPRIGHT + (1, 11), below)
    image = table(("spades-11", lower), ("hearts-13", UPRIGHT))
    told = read_covered(image, np.stack([rotated(UPRIGHT + off, askew), lower + (3, 0)]), [KNOWN, puzzled()], MINE)
    assert told[0].probability > 0.9


def test_a_heap_whose_top_card_is_not_known_is_left_as_it_was_read() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", ASIDE))
    doubtful = replace(KNOWN, known=0.6)
    assert read_covered(image, np.stack([ASIDE, UPRIGHT]), [doubtful, puzzled()], MINE) == [doubtful, puzzled()]


def test_what_was_found_between_two_cards_resembles_none() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", ASIDE))
    between = (UPRIGHT + ASIDE) / 2 + (0, 30)
    (_, there) = read_covered(image, np.stack([ASIDE, between]), [KNOWN, puzzled()], MINE)
    assert there == puzzled()


def test_what_hardly_shows_is_not_what_lies_on_it() -> None:
    image = table(("hearts-13", UPRIGHT))
    again = replace(KNOWN, known=0.8)
    top, there = read_covered(image, np.stack([UPRIGHT, UPRIGHT + (1, 2)]), [KNOWN, again], MINE)
    assert top is KNOWN
    assert [share for _, share in there.alternatives] == pytest.approx([1 / 3] * 3)


def test_a_card_that_seemed_a_strangers_is_known_by_what_shows() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", ASIDE))
    stranger = replace(puzzled(), deck="ramino", known=0.03, alternatives=())
    under = read_covered(image, np.stack([ASIDE, UPRIGHT]), [KNOWN, stranger], MINE)[1]
    assert (under.deck, under.card, under.known > 0.5) == ("mine", "spades-11", True), under


def test_a_card_of_another_deck_under_ours_stays_what_it_is() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", ASIDE))
    pedina = Reading("ramino", 0.9, ())
    assert read_covered(image, np.stack([ASIDE, UPRIGHT]), [KNOWN, pedina], MINE)[1] is pedina


def test_cards_that_lie_apart_are_not_compared() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", UPRIGHT + (75, 0)))
    readings = [puzzled(), KNOWN]
    told = read_covered(image, np.stack([UPRIGHT, UPRIGHT + (75, 0)]), readings, MINE)
    assert [one is before for one, before in zip(told, readings, strict=True)] == [True, True]


def test_where_cards_lie_apart_they_lie_as_they_were_found() -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", UPRIGHT + (75, 0)))
    quads = np.stack([UPRIGHT, UPRIGHT + (75, 0)])
    told: list[Lying] = uncovered(image, quads, [puzzled(), KNOWN], MINE)
    assert [one.quad.tolist() for one in told] == quads.tolist()


@pytest.mark.parametrize("sheets", [{}, {"other": SHEETS}], ids=["no deck", "another deck"])
def test_without_pictures_of_the_deck_nothing_is_compared(sheets: dict[str, Sheets]) -> None:
    image = table(("spades-11", UPRIGHT), ("hearts-13", ASIDE))
    assert read_covered(image, np.stack([ASIDE, UPRIGHT]), [KNOWN, puzzled()], sheets) == [KNOWN, puzzled()]


def test_no_card_at_all_is_no_heap() -> None:
    assert read_covered(table(), np.zeros((0, 4, 2)), [], MINE) == []


def test_a_deck_without_pictures_has_no_sheets() -> None:
    assert Sheets.of(Templates({})) is None


def test_what_shows_of_a_card_under_the_same_others_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, maps = [], Sheet.maps
    monkeypatch.setattr(Sheet, "maps", lambda sheet, view, shows: (asked.append(view), maps(sheet, view, shows))[1])
    image = table(("hearts-13", UPRIGHT), ("spades-11", ASIDE))
    plane = plane_of(image, np.stack([UPRIGHT, ASIDE]), [1.0, 1.0])
    under, top = (Layer(n, CardView.of(image, plane, quad), 1.0) for n, quad in enumerate((UPRIGHT, ASIDE)))
    seen = Explained(MINE["mine"].coarse)
    assert ordered([under, top], seen) == [top, under]
    known = len(asked)
    assert seen.of_all([top, under]) > seen.of_all([under, top])
    assert (known, len(asked)) == (4, 4)
