"""The footage of several cameras as of one: whose pictures are shown, whose looks cover them, and what is left of a camera."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.eyes.image import encode_jpeg
from companion.eyes.sighting import CardSeen, Point
from companion.line.films import FURTHER_BYTES, NUMBERS_EACH, Films, further_footage
from companion.line.footage import Footage

SIZE = (160, 90)
GAME, EVERY = 1, 0.2
LIES = (
    (((20.0, 5.0), (140.0, 5.0), (155.0, 88.0), (5.0, 88.0)), ((40.0, 30.0), (110.0, 30.0), (80.0, 70.0))),
    (((5.0, 2.0), (155.0, 2.0), (140.0, 80.0), (20.0, 80.0)), ((120.0, 60.0), (50.0, 60.0), (80.0, 15.0))),
    (((30.0, 20.0), (130.0, 10.0), (150.0, 70.0), (10.0, 80.0)), ((45.0, 60.0), (60.0, 25.0), (115.0, 50.0))),
)
"""The table's corners and the three players' places, as each camera sees them."""


def card(at: Point, kind: str | None = None) -> CardSeen:
    x, y = at
    quad = ((x - 4, y - 6), (x + 4, y - 6), (x + 4, y + 6), (x - 4, y + 6))
    return CardSeen(quad, "stu", "face" if kind else "back", 0.9, kind)


def film(
    footage: Footage, lie: int, since: float, until: float, places: Sequence[int] = (0, 1, 2), game: int = GAME
) -> None:
    """Pictures of this camera's own brightness, in which the eyes have found a card in these places."""
    corners, at = LIES[lie]
    jpeg = encode_jpeg(np.full((SIZE[1], SIZE[0], 3), 60 * (lie + 1), np.uint8))
    for t in np.arange(since, until, EVERY):
        footage.keep(game, float(t), tuple(card(at[place]) for place in places), SIZE, corners, at, lambda: jpeg)


@pytest.fixture
def films() -> Films:
    return Films(Footage(), [further_footage(number, 240.0) for number in (2, 3)])


def each(films: Films) -> tuple[Footage, ...]:
    return films._all


def test_the_camera_that_saw_the_places_is_shown_and_the_first_one_where_none_saw_them_better(films: Films) -> None:
    first, second, third = each(films)
    film(first, 0, 0, 10, (0, 1))
    film(second, 1, 0, 10, (1, 2))
    film(third, 2, 0, 10, (0, 1, 2))
    assert films.seeing(GAME, 2, 6, (0,)) is first
    assert films.seeing(GAME, 2, 6, (2,)) is second
    assert films.seeing(GAME, 2, 6, (0, 2)) is third
    assert films.seeing(GAME, 2, 6, ()) is first
    assert films.seeing(GAME, 2, 6, (9,)) is first, "there is no such place"


@pytest.mark.parametrize(("until", "shown"), [(3.0, 0), (9.0, 1)], ids=["it failed before", "it failed afterwards"])
def test_a_camera_that_has_failed_is_shown_for_what_it_has_seen(films: Films, until: float, shown: int) -> None:
    first, second, _ = each(films)
    film(first, 0, 0, 20, (0, 1))
    film(second, 1, 0, until)
    assert films.seeing(GAME, 4, 7, (2,)) is each(films)[shown]


def test_without_pictures_of_the_first_one_another_is_shown(films: Films) -> None:
    _, second, _ = each(films)
    film(second, 1, 5, 20)
    assert films.seeing(GAME, 8, 12, (0,)) is second
    assert films.seeing(GAME, 1, 4, (0,)) is each(films)[0], "nobody has any"


def test_every_still_is_found_by_its_number_with_the_looks_and_the_corners_of_its_own_camera(films: Films) -> None:
    for lie, one in enumerate(each(films)):
        film(one, lie, 0, 6, (lie,))
    for lie, one in enumerate(each(films)):
        stills = one.between(GAME, 0, 100)
        assert stills
        assert {still.number // NUMBERS_EACH for still in stills} == {lie}
        for still in stills:
            assert films.find(GAME, still.number) is still
            assert films.film_of(still) is one
            assert (still.corners, still.places) == LIES[lie]
            looks = films.film_of(still).looks(GAME, still.t, 1.0)
            assert {look.down for look in looks} == {(card(LIES[lie][1][lie]).quad,)}
        assert films.find(GAME + 1, stills[0].number) is None, "another game"
    assert films.find(GAME, 3 * NUMBERS_EACH) is None


def test_a_picture_that_is_too_new_is_given_out_by_no_camera(films: Films) -> None:
    first, second, _ = each(films)
    film(first, 0, 0, 20)
    film(second, 1, 0, 6)
    newest = second._kept[-1]
    assert films.find(GAME, newest.number) is None, "what came after it this camera has not seen, whatever the first one has"
    film(second, 1, 6, 8)
    assert films.find(GAME, newest.number) is newest


def test_the_picture_beside_a_question_is_cut_out_round_the_places_as_that_camera_sees_them(films: Films) -> None:
    first, second, _ = each(films)
    film(first, 0, 0, 20, (0, 1))
    film(second, 1, 0, 20, (0, 1, 2))
    brightness = []
    for place in (0, 2):
        cut = films.crop(GAME, 8.0, (place,))
        assert cut is not None
        brightness.append(float(cv2.imdecode(np.frombuffer(cut, np.uint8), cv2.IMREAD_COLOR).mean()))
    assert brightness == [pytest.approx(60, abs=5), pytest.approx(120, abs=5)]
    assert films.crop(GAME + 1, 8.0, (0,)) is None


def test_of_a_game_that_is_erased_no_camera_keeps_anything(films: Films) -> None:
    for lie, one in enumerate(each(films)):
        film(one, lie, 0, 6)
    assert films.held == sum(one.held for one in each(films)) > 0
    numbers = [still.number for one in each(films) for still in one.between(GAME, 0, 100)]
    films.erase(GAME)
    assert films.held == 0
    assert not [number for number in numbers if films.find(GAME, number) is not None]


def test_further_cameras_keep_less_and_nothing_where_the_first_one_keeps_nothing() -> None:
    assert further_footage(2, 240.0)._most_bytes == FURTHER_BYTES < Footage()._most_bytes
    films = Films(Footage(0), [further_footage(2, 0)])
    film(each(films)[1], 1, 0, 6)
    assert not films.keeps
    assert films.held == 0
