"""What everybody may see of a picture: nothing of a face that was not shown to everybody, whatever the referee says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.line.cover import FACE_SECONDS, LASTING_SECONDS, PAINT, covered, hidden
from companion.line.footage import Look, Still

SIZE = (640, 360)
CORNERS = ((140.0, 40.0), (500.0, 40.0), (600.0, 340.0), (40.0, 340.0))
PLACES = ((200.0, 100.0), (440.0, 100.0), (480.0, 260.0), (160.0, 260.0))
T = 100.0
GREEN = (40, 120, 40)


def quad(x: float, y: float, half: float = 14.0) -> tuple:
    return ((x - half, y - 1.6 * half), (x + half, y - 1.6 * half), (x + half, y + 1.6 * half), (x - half, y + 1.6 * half))


BACKS = tuple(quad(*place) for place in PLACES)


def still(t: float = T, picture: np.ndarray | None = None) -> Still:
    image = np.full((SIZE[1], SIZE[0], 3), GREEN, np.uint8) if picture is None else picture
    return Still(1, 1, t, encode_jpeg(image, quality=95), SIZE, CORNERS, PLACES, ())


def looks(
    *, up: dict[int, str | None] | None = None, more: tuple = (), before: float = 4.0, after: float = 4.0
) -> tuple[Look, ...]:
    """The same found all the time: backs in all places, but for faces in those of ``up``, and ``more`` faces."""
    up = up or {}
    faces = (*((BACKS[place], kind) for place, kind in up.items()), *more)
    down = tuple(back for place, back in enumerate(BACKS) if place not in up)
    return tuple(Look(float(t), faces, down) for t in np.arange(T - before, T + after, 0.07))


def mask(found: tuple[Look, ...], opened: dict | None = None) -> np.ndarray:
    return hidden(still(), found, opened or {}, 1.0, (SIZE[1], SIZE[0])) > 0


def inside(outline) -> np.ndarray:
    return cv2.fillConvexPoly(np.zeros((SIZE[1], SIZE[0]), np.uint8), np.rint(outline).astype(np.int32), 1) > 0


def shares_covered(of: np.ndarray) -> list[float]:
    return [float(of[inside(np.asarray(back))].mean()) for back in BACKS]


def test_cards_that_lie_face_down_are_seen_and_all_but_the_table_is_not() -> None:
    found = mask(looks())
    assert shares_covered(found) == [0, 0, 0, 0]
    assert found[~inside(np.asarray(CORNERS))].all()
    assert found[inside(np.asarray(CORNERS))].mean() < 0.01


def test_a_face_that_was_shown_to_everybody_is_seen() -> None:
    assert shares_covered(mask(looks(up={1: "gnao"}), {1: ("gnao",)})) == [0, 0, 0, 0]
    assert shares_covered(mask(looks(up={1: "4"}), {1: ("4", "8")})) == [0, 0, 0, 0], "not sure which: a player who looks knows"


@pytest.mark.parametrize(
    ("up", "opened"),
    [({1: "gnao"}, {}), ({1: "gnao"}, {0: ("gnao",)}), ({1: "3"}, {1: ("gnao",)}), ({1: None}, {1: ("gnao",)})],
    ids=["not shown", "shown by somebody else", "another face was shown", "a face that cannot be read"],
)
def test_any_other_face_is_covered(up: dict, opened: dict) -> None:
    share = shares_covered(mask(looks(up=up), opened))
    assert share[1] == 1
    assert [share[place] for place in (0, 2, 3)] == [0, 0, 0]


def test_a_face_that_is_turned_down_again_was_a_look_whatever_the_referee_thinks() -> None:
    there, gone = looks(up={1: "gnao"}, after=1.0), looks(before=-1.0)
    assert shares_covered(mask((*there, *gone), {1: ("gnao",)}))[1] == 1


def test_a_face_that_may_not_stay_is_covered() -> None:
    assert shares_covered(mask(looks(up={1: "gnao"}, after=1.0), {1: ("gnao",)}))[1] == 1
    assert shares_covered(mask(looks(up={1: "gnao"}, after=LASTING_SECONDS), {1: ("gnao",)}))[1] == 0


def test_a_place_whose_card_is_not_seen_to_lie_there_is_covered_with_the_room_around_it() -> None:
    bare = tuple(Look(one.t, (), tuple(back for place, back in enumerate(BACKS) if place != 2)) for one in looks())
    found = mask(bare)
    assert [shares_covered(found)[place] for place in (0, 2, 3)] == [0, 1, 0]
    lifted = np.asarray(quad(PLACES[2][0], PLACES[2][1] - 30))
    assert found[inside(lifted)].all()


def test_one_look_that_misses_the_card_is_enough() -> None:
    found = list(looks())
    at = next(index for index, one in enumerate(found) if one.t > T)
    found[at] = Look(found[at].t, (), BACKS[1:])
    assert shares_covered(mask(tuple(found)))[0] == 1


@pytest.mark.parametrize("away", [-FACE_SECONDS + 0.1, -0.3, 0.3, FACE_SECONDS - 0.1])
def test_a_face_in_somebodys_hand_is_covered_a_little_before_and_after_it_was_found(away: float) -> None:
    held = quad(320, 180)
    found = (*looks(), Look(T + away, ((held, "cucco"),), BACKS))
    assert mask(tuple(sorted(found, key=lambda one: one.t)))[inside(np.asarray(held))].all()


def test_nothing_is_seen_where_the_eyes_have_not_looked() -> None:
    assert mask(()).all()
    assert mask(looks(after=-1.0)).all()


@pytest.mark.parametrize("gone", [(T + 0.01, T + 9), (T + 0.4, T + 9), (T + 0.4, T + 2), (T - 9, T - 0.4), (T - 2, T - 0.4)])
def test_nothing_is_seen_where_a_camera_fails_or_comes_as_a_card_may_be_lifted_just_then(gone: tuple[float, float]) -> None:
    since, until = gone
    assert mask(tuple(one for one in looks() if not since < one.t < until)).all()
    assert not mask(tuple(one for one in looks() if not T + 1 < one.t < T + 9)).all()


points = st.tuples(st.floats(60, 580), st.floats(50, 330))
kinds = st.sampled_from(["gnao", "cucco", "3", "8", None])
faces = st.lists(st.tuples(st.builds(quad, st.floats(60, 580), st.floats(50, 330), st.floats(8, 25)), kinds), max_size=4)
seen = st.lists(
    st.builds(
        Look, st.floats(T - 4, T + 4), faces.map(tuple),
        st.lists(st.one_of(st.sampled_from(BACKS), points.map(lambda at: quad(*at))), max_size=6).map(tuple),
    ), max_size=40,
).map(lambda found: tuple(sorted(found, key=lambda one: one.t)))  # fmt: skip
shown = st.dictionaries(st.integers(0, 3), st.sets(st.sampled_from(["gnao", "cucco", "3", "8"]), min_size=1), max_size=4)


@given(seen, shown)
def test_of_no_face_that_was_not_shown_a_pixel_is_left(found: tuple[Look, ...], opened: dict) -> None:
    """White faces on a green table: whatever was seen, and whatever the referee is sure of, nothing white is left but in places
    that have shown just that face."""
    picture = np.full((SIZE[1], SIZE[0], 3), GREEN, np.uint8)
    now = [one for one in found if abs(one.t - T) <= FACE_SECONDS]
    for one in now:
        for corners, _ in one.up:
            cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), (255, 255, 255))
    allowed = np.zeros((SIZE[1], SIZE[0]), bool)
    for place, kinds in opened.items():
        for one in now:
            for corners, kind in one.up:
                if kind in kinds and np.linalg.norm(np.mean(corners, axis=0) - PLACES[place]) < 60:
                    allowed |= inside(np.asarray(corners))
    jpeg = decode_jpeg(covered(still(picture=picture), found, opened))
    (left, upper), shape = (40, 40), jpeg.shape[:2]
    allowed = cv2.dilate(allowed.astype(np.uint8), np.ones((17, 17), np.uint8)) > 0
    allowed = allowed[upper : upper + shape[0], left : left + shape[1]]
    white = (jpeg.min(axis=2) > 150) & ~allowed
    assert not white.any()


@given(seen, shown)
def test_whatever_is_shown_of_a_picture_lies_on_the_table(found: tuple[Look, ...], opened: dict) -> None:
    white = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    jpeg = decode_jpeg(covered(still(picture=white), found, opened))
    assert np.abs(jpeg[5, 5].astype(int) - PAINT).max() < 20
    assert np.abs(jpeg[5, -5].astype(int) - PAINT).max() < 20
