"""The check says what a picture lacks, and nothing of one that lacks nothing."""

import cv2
import numpy as np
import pytest

from companion.eyes.check import SMALL_PX, TINY_PX, Advice, check, places_of, sharpness, shown_at
from companion.eyes.sighting import CardSeen, Quad

CORNERS = [(40, 40), (600, 40), (600, 320), (40, 320)]
PLACES = [(120.0, 180.0), (320.0, 180.0), (520.0, 180.0)]


def quad(at: tuple[float, float], length: float) -> Quad:
    x, y = at
    w, h = length * 0.27, length / 2
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


def card(at: tuple[float, float], length: float = 60.0, **how) -> CardSeen:
    return CardSeen(quad(at, length), **({"deck": "stu", "side": "back", "score": 0.99} | how))


def picture(*cards: CardSeen, table: int = 110, blur: float = 0.7) -> np.ndarray:
    """A grey table on a dark floor with white cards on it."""
    image = np.full((360, 640, 3), 30, np.uint8)
    cv2.fillConvexPoly(image, np.array(CORNERS), (table,) * 3)
    for one in cards:
        cv2.fillConvexPoly(image, np.round(np.array(one.quad)).astype(np.int32), (215, 215, 215))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)


def advice(cards: list[CardSeen], image: np.ndarray, per_second: float = 10.0) -> tuple[Advice, ...]:
    return check(image, cards, CORNERS, PLACES, per_second).advice


def codes(found: tuple[Advice, ...]) -> list[str]:
    return [one.code for one in found]


def test_a_good_picture_needs_nothing() -> None:
    cards = [card(at) for at in PLACES]
    assert advice(cards, picture(*cards)) == ()


def test_the_smallest_card_of_a_place_decides_whether_to_move_closer() -> None:
    cards = [card(PLACES[0]), card(PLACES[1], 28.0), card(PLACES[2])]
    assert advice(cards, picture(*cards)) == (Advice("small", pytest.approx(28.0, abs=0.1), 2),)
    cards[2] = card(PLACES[2], 20.0)
    assert advice(cards, picture(*cards)) == (Advice("tiny", pytest.approx(20.0, abs=0.1), 3),)
    assert TINY_PX < 28 < SMALL_PX


def test_pedine_and_the_deck_are_no_measure_of_distance() -> None:
    cards = [card(at) for at in PLACES]
    cards += [card((320.0, 100.0), 15.0, deck="ramino", side="face"), card((400.0, 260.0), 15.0, side="stack")]
    assert advice(cards, picture(*cards[:3])) == ()


@pytest.mark.parametrize(("table", "code"), [(20, "dark"), (245, "bright")])
def test_too_little_and_too_much_light_are_told(table: int, code: str) -> None:
    cards = [card(at) for at in PLACES]
    assert code in codes(advice(cards, picture(*cards, table=table)))


def test_a_mirrored_lamp_is_told() -> None:
    cards = [card(at) for at in PLACES]
    image = picture(*cards)
    cv2.circle(image, (320, 290), 60, (255, 255, 255), -1)
    assert codes(advice(cards, image)) == ["glare"]


def test_a_picture_out_of_focus_is_told_whatever_its_light_and_contrast() -> None:
    cards = [card(at) for at in PLACES]
    for table in (60, 110, 170):
        assert "blurred" not in codes(advice(cards, picture(*cards, table=table, blur=0.8)))
        assert "blurred" in codes(advice(cards, picture(*cards, table=table, blur=4.0)))
    grey = np.asarray(cv2.cvtColor(picture(*cards), cv2.COLOR_BGR2GRAY), np.uint8)
    assert sharpness(grey, cards[0].quad) == pytest.approx(sharpness(np.asarray(grey // 2, np.uint8), cards[0].quad), rel=0.1)
    assert sharpness(grey, quad((5.0, 5.0), 60.0)) is None


def test_a_slow_machine_and_a_bare_table_are_told() -> None:
    cards = [card(at) for at in PLACES]
    assert codes(advice(cards, picture(*cards), per_second=2.5)) == ["slow"]
    assert advice(cards, picture(*cards), per_second=0.0) == ()  # a file that waits
    assert codes(advice([], picture())) == ["no_cards"]


def test_a_card_belongs_to_the_place_it_lies_in_and_to_none_far_from_all() -> None:
    cards = [card((130.0, 190.0)), card((320.0, 60.0)), card((500.0, 170.0))]
    assert places_of(cards, PLACES) == (0, None, 2)
    assert places_of(cards, []) == (None, None, None)


def test_the_seat_draw_reads_the_surest_face_of_each_place() -> None:
    cards = [
        card(PLACES[0], side="face", card="gnao", score=0.9),
        card((125.0, 185.0), side="face", card="3", score=0.7),
        card(PLACES[1]),
        card(PLACES[2], side="face", card=None),
        card((320.0, 60.0), side="face", card="cucco"),
    ]
    assert shown_at(cards, PLACES) == (("gnao", 0.9), None, None)
