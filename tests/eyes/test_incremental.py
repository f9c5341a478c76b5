"""Looking only where something happens: what is looked at, what is kept, on drawn tables; the detector is a stand-in that
finds every white card of the picture that lies in what it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.eyes import change, incremental, proposer
from companion.eyes.crops import SLACK_SHARE, Crop, cells_in, crops_of, whole
from companion.eyes.geometry import card_length
from companion.eyes.image import Image
from companion.eyes.incremental import IncrementalDetector, merged, stripe_due
from companion.eyes.look import Known
from companion.eyes.sighting import CardSeen, Point, Quad
from companion.eyes.source import Picture

SIZE = (640, 360)
CARD = (26, 38)
FRAME = 1 / 15


def quad(at: Point, card: tuple[int, int] = CARD) -> Quad:
    (x, y), (w, h) = at, (card[0] / 2, card[1] / 2)
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


@cache
def bare(size: tuple[int, int]) -> NDArray[np.int16]:
    """A brown table with its grain."""
    width, height = size
    grain = cv2.resize(np.random.default_rng(99).normal(0, 14, (height // 8, width // 8)).astype(np.float32), size)
    return (np.full((height, width, 3), (60, 90, 120), np.float32) + grain[:, :, None]).astype(np.int16)


@cache
def noise(number: int, size: tuple[int, int]) -> NDArray[np.int16]:
    """One of a few pictures' worth of a camera's noise."""
    return np.random.default_rng(number).normal(0, 2, (size[1], size[0], 3)).round().astype(np.int16)


def table(cards: Sequence[Point], gain: float = 1.0, seed: int = 0, shift: int = 0) -> Image:
    """White cards on a table, under the camera's noise."""
    picture = bare(SIZE).copy()
    for at in cards:
        (x1, y1), _, (x2, y2), _ = quad(at)
        picture[round(y1) : round(y2), round(x1) : round(x2)] = 200
    picture = np.roll(picture, shift, axis=1)
    return np.clip((picture if gain == 1 else picture * gain) + noise(seed % 5, SIZE), 0, 255).astype(np.uint8)


class Stand:
    """In the place of `Eyes`: knows where the cards of the picture lie, and tells those in what it is shown."""

    def __init__(self) -> None:
        self.cards: list[Point] = []
        self.looks: list[tuple[Crop, ...]] = []
        self.still: list[set[Point]] = []

    def look(
        self, image: Image, width: int, crops: Sequence[Crop], known: Known
    ) -> tuple[CardSeen, ...]:
        self.looks.append(tuple(crops))
        self.still.append({(x1 + CARD[0] / 2, y1 + CARD[1] / 2) for (x1, y1), *_ in known.still})
        there = [CardSeen(quad(at), "stu", "back", 0.9) for at in self.cards if quad(at) not in known.still]
        return tuple(card for card in there if any(crop.owns([card.quad], SLACK_SHARE)[0] for crop in crops))


class Session:
    """A incremental on a drawn table, fed picture by picture."""

    def __init__(self, *cards: Point) -> None:
        self.eyes = Stand()
        self.incremental = IncrementalDetector(self.eyes)  # type: ignore[arg-type]
        self.t, self.number, self.cards = 0.0, 0, list(cards)
        self.hand: Point | None = None
        self.top: NDArray[np.float64] | None = None

    def see(self, seconds: float = FRAME, gain: float = 1.0, shift: int = 0) -> tuple[CardSeen, ...]:
        """Pictures for ``seconds``; what is known after the last."""
        known: tuple[CardSeen, ...] = ()
        self.eyes.cards = self.cards
        for _ in range(max(1, round(seconds / FRAME))):
            self.t += FRAME
            self.number += 1
            image = table(self.cards, gain, self.number, shift)
            if self.hand:
                cv2.circle(image, (round(self.hand[0]), round(self.hand[1])), 24, (120, 150, 200), -1)
            known = self.incremental.look(Picture(self.t, image, self.top))
        return known

    def area(self, since: int) -> float:
        """Pictures' worth of pixels looked at after the first ``since`` looks."""
        boxes = [crop.box for look in self.eyes.looks[since:] for crop in look]
        return sum((x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in boxes) / (SIZE[0] * SIZE[1])


def at(cards: Sequence[CardSeen]) -> set[Point]:
    return {(float(x), float(y)) for x, y in (np.mean(card.quad, axis=0).round(3) for card in cards)}


CARDS: tuple[Point, ...] = ((150, 100), (320, 300), (450, 175))


def test_a_table_that_stands_still_costs_no_look_but_the_refresh() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    before = len(session.eyes.looks)
    known = session.see(incremental.REFRESH_SECONDS)
    assert at(known) == set(CARDS)
    assert len(session.eyes.looks) - before <= incremental.STRIPES + 1
    assert session.area(before) < 2.0  # all of it once, with the stripes' margins


def test_a_card_that_comes_is_seen_at_once_and_only_there() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    before = len(session.eyes.looks)
    session.cards.append((280, 150))
    assert at(session.see()) == {*CARDS, (280, 150)}
    assert session.area(before) < 0.25


def test_a_card_that_goes_is_forgotten_at_once() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    del session.cards[0]
    assert at(session.see()) == set(CARDS[1:])


def test_a_card_on_its_way_is_seen_in_every_picture() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    for step in range(12):
        session.cards[0] = (150 + 7 * step, 100 + 6 * step)
        assert at(session.see()) == set(session.cards)


def test_a_hand_that_moves_is_not_looked_at_in_every_picture_but_a_card_that_it_leaves_is_seen_within_two() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    before = len(session.eyes.looks)
    for step in range(20):
        session.hand = (200 + 9 * step, 220)
        session.see()
    assert 9 <= len(session.eyes.looks) - before <= 12
    session.cards.append((371, 180))
    assert at(session.see(2 * FRAME)) == set(session.cards)


def test_a_card_that_lies_still_beside_what_moves_is_kept_as_it_was_seen() -> None:
    session = Session((300, 150), (450, 300))
    session.see(incremental.SETTLING_SECONDS + 1)
    kept = session.incremental._kept
    assert kept is not None
    session.cards.append((335, 150))
    known = session.see()
    assert (300, 150) in session.eyes.still[-1]
    assert at(known) == set(session.cards)
    session.cards.remove((300, 150))
    assert at(session.see(2 * FRAME)) == set(session.cards), "once its own place changes it is looked at"


def test_what_moves_beyond_the_table_waits_for_the_refresh() -> None:
    session = Session((300, 150))
    session.top = np.array([(200, 60), (500, 60), (500, 300), (200, 300)], np.float64)
    session.see(1.5)
    before = len(session.eyes.looks)
    session.cards.append((80, 150))
    session.see(2 * FRAME)
    assert len(session.eyes.looks) == before
    session.see(incremental.REFRESH_SECONDS)
    assert at(session.see()) == set(session.cards)
    session.cards.append((190, 200))  # on its edge
    assert at(session.see()) == set(session.cards)


def test_a_camera_s_lone_flicker_is_no_change_and_two_cells_side_by_side_are() -> None:
    cells = np.zeros((5, 9), np.bool_)
    cells[0, 0] = cells[2, 4] = cells[4, 8] = True
    assert not change.together(cells).any()
    cells[3, 5] = True
    assert set(zip(*np.nonzero(change.together(cells)), strict=True)) == {(2, 4), (3, 5)}


def test_a_card_that_has_come_to_lie_is_looked_at_again_a_few_times() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    session.cards.append((280, 150))
    session.see()
    before = len(session.eyes.looks)
    session.see(incremental.SETTLING_SECONDS + FRAME)
    again = [look for look in session.eyes.looks[before:] if any(crop.owns([quad((280, 150))])[0] for crop in look)]
    assert 3 <= len(again) <= 5


def test_an_exposure_that_hunts_is_no_change() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    before = len(session.eyes.looks)
    for number in range(60):
        known = session.see(gain=1 + 0.12 * float(np.sin(number / 4)))
    assert at(known) == set(CARDS)
    assert session.area(before) < 3.0  # two refreshes' worth in four seconds at most, not 60 pictures


def test_a_lamp_that_is_turned_on_voids_what_was_known() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    session.see(gain=1.6)
    assert session.eyes.looks[-1] == (whole(SIZE),)


def test_a_camera_that_moved_voids_what_was_known() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    session.see(shift=25)
    assert session.eyes.looks[-1] == (whole(SIZE),)


def test_after_a_gap_everything_is_looked_at() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    session.t += incremental.REFRESH_SECONDS + 1
    session.see()
    assert session.eyes.looks[-1] == (whole(SIZE),)


def test_a_change_that_creeps_under_the_threshold_is_seen_with_the_refresh() -> None:
    session = Session(*CARDS)
    session.see(1.5)
    session.eyes.cards = [*CARDS, (280, 150)]  # it is there, and the picture does not show it
    session.cards = list(CARDS)
    for _ in range(round(incremental.REFRESH_SECONDS / FRAME) + 1):
        session.t += FRAME
        session.number += 1
        known = session.incremental.look(Picture(session.t, table(CARDS, 1.0, session.number)))
    assert at(known) == {*CARDS, (280, 150)}


@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (3840, 2160), (720, 1280), (1000, 1000)])
def test_the_small_picture_has_the_same_cells_whatever_the_camera(size: tuple[int, int]) -> None:
    grey = change.shrink(np.full((size[1], size[0], 3), 130, np.uint8))
    assert max(grey.shape) == change.COLUMNS * change.PIXELS
    assert grey.shape[0] / grey.shape[1] == pytest.approx(size[1] / size[0], rel=0.03)
    assert np.all(grey == 130)


def test_noise_is_learnt_and_no_change() -> None:
    memory = change.remember(change.shrink(table(CARDS)))
    rng = np.random.default_rng(1)
    seen = []
    for _ in range(80):
        loud = table(CARDS)[:, :, 1] + rng.normal(0, 6, (SIZE[1], SIZE[0]))
        grey = change.shrink(np.clip(np.repeat(loud[:, :, None], 3, axis=2), 0, 255).astype(np.uint8))
        found = change.compare(memory, grey)
        memory = change.looked_at(found.memory, grey, found.cells)
        seen.append(float(found.cells.mean()))
    assert np.mean(seen[-20:]) < 0.005


cells = st.lists(st.tuples(st.integers(0, 44), st.integers(0, 79)), min_size=1, max_size=40)
spots = st.lists(st.tuples(st.floats(20, 620), st.floats(30, 330)), max_size=12)


def grid(chosen: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    due = np.zeros((45, 80), np.bool_)
    due[tuple(np.array(chosen).T)] = True
    return due


@given(cells, spots, st.floats(5, 120), st.floats(16, 90))
def test_every_changed_cell_lies_in_the_core_of_a_crop(
    chosen: list[tuple[int, int]], cards: list[Point], margin: float, unit: float
) -> None:
    due = grid(chosen)
    crops = crops_of(due, SIZE, np.array([quad(card) for card in cards]), margin, unit)
    covered = np.any([cells_in(crop, due.shape) for crop in crops], axis=0)
    assert not np.any(due & ~covered)
    for crop in crops:
        x1, y1, x2, y2 = crop.box
        assert 0 <= x1 < x2 <= SIZE[0]
        assert 0 <= y1 < y2 <= SIZE[1]


@given(cells, spots)
def test_no_card_that_is_kept_lies_where_somebody_looked(chosen: list[tuple[int, int]], cards: list[Point]) -> None:
    """What is kept and what is seen are never the same card: each crop's own cards come from the look alone."""
    kept = tuple(CardSeen(quad(card), "stu", "back", 0.8) for card in cards)
    crops = crops_of(grid(chosen), SIZE, np.array([card.quad for card in kept]).reshape(-1, 4, 2), 30.0, 32.0)
    left = merged(kept, (), crops)
    assert not any(crop.owns([card.quad])[0] for crop in crops for card in left)
    again = tuple(card for card in kept if any(crop.owns([card.quad], SLACK_SHARE)[0] for crop in crops))
    both = merged(kept, again, crops)
    assert len({card.quad for card in both}) == len(both)


def test_a_card_that_was_just_put_down_stays_where_others_are_taken_for_it() -> None:
    put_down = CardSeen(quad((100, 100)), "italian", "face", 0.6, "coppe-1", (("coppe-1", 0.99),), 0.1)
    slipped = CardSeen(quad((104, 101)), "unknown", "face", 0.95)
    elsewhere = (Crop((300, 200, 420, 300), SIZE, 20.0),)
    assert merged((put_down,), (slipped,), elsewhere) == (put_down,)
    upper = replace(put_down, quad=quad((102, 100)), card="spade-2", score=0.5)
    assert merged((put_down,), (upper, slipped), elsewhere) == (upper,)


@given(cells, spots)
def test_a_card_that_a_change_touches_is_looked_at_whole(chosen: list[tuple[int, int]], cards: list[Point]) -> None:
    due = grid(chosen)
    quads = np.array([quad(card) for card in cards]).reshape(-1, 4, 2)
    crops = crops_of(due, SIZE, quads, 30.0, 32.0)
    for one in quads:
        (x1, y1), (x2, y2) = np.floor(one.min(axis=0) / 8 + 1e-9).astype(int), np.ceil(one.max(axis=0) / 8 - 1e-9).astype(int)
        if due[max(0, y1) : y2, max(0, x1) : x2].any():
            assert any(crop.owns([one])[0] for crop in crops)


@given(spots, st.floats(0, 1))
def test_a_cards_cells_are_all_that_it_reaches_into(cards: list[Point], reach: float) -> None:
    quads = [quad(card) for card in cards]
    for (rows, columns), one in zip(incremental.parts(quads, SIZE, (45, 80), reach), quads, strict=True):
        more = reach * max(CARD)
        (x1, y1), _, (x2, y2), _ = one
        assert all(columns.start <= x < columns.stop for x in range(80) if x * 8 < x2 + more and x * 8 + 8 > x1 - more)
        assert all(rows.start <= y < rows.stop for y in range(45) if y * 8 < y2 + more and y * 8 + 8 > y1 - more)


@given(st.floats(0, 50), st.lists(st.floats(0.01, 1.0), min_size=1, max_size=60))
def test_every_stripe_has_its_turn_in_time(start: float, gaps: list[float]) -> None:
    seen = np.zeros((4, 9), np.bool_)
    now = start
    for gap in gaps:
        before, now = now, now + gap
        seen |= stripe_due(before, now, (4, 9))
    if now - start >= incremental.REFRESH_SECONDS:
        assert seen.all()


def test_the_closer_the_cards_the_smaller_the_input() -> None:
    session = Session(*CARDS)
    assert session.incremental.width(1280) == 1280  # nothing known yet: as closely as the picture allows
    session.see()
    length = float(card_length(quad(CARDS[0])))
    wanted = 1000 * proposer.COMFORTABLE_PIXELS / length
    assert session.incremental.width(1000) == pytest.approx(wanted, abs=proposer.VIDEO_STEP)
    assert session.incremental.width(2000) == proposer.VIDEO_WIDTHS[1]
    assert session.incremental.width(400) == proposer.VIDEO_WIDTHS[0]
