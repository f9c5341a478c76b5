"""Labelled corner indices confirm proposed outlines, and nothing else is taken for a card."""

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workshop.dataset import edges
from workshop.dataset.confirm import Back, Confirmed, Index, Proposal, backs, doubtful, faces, filled, with_visible
from workshop.dataset.indices import corner_of, on_card, printed, table_of, to_pixels

PLACE = (0.1, 0.15)
RATIO = 1.4
OTHER_CORNER = (0.9, 0.85)


def card(x: float, y: float, turn: float = 0.0, width: float = 100.0) -> np.ndarray:
    """A card lying flat with its middle at (x, y), turned clockwise by ``turn`` degrees; corner 0 is its top left."""
    spokes = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * [width, RATIO * width]
    a = np.radians(turn)
    return spokes @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + [x, y]


def index(quad: np.ndarray, label: str, spot: tuple[float, float] = PLACE, trusted: bool = True) -> Index:
    return Index(to_pixels(quad, [spot])[0], label, trusted)


def confirmed(quad: np.ndarray, indices: list[Index], score: float = 0.9) -> list[str | None]:
    return [one.label for one in faces([Proposal(quad, score)], indices, PLACE, RATIO)]


A, B = card(200, 200), card(260, 230)

RULINGS = [
    ("both indices where they are printed", [index(A, "7H"), index(A, "7H", OTHER_CORNER)], 0.6, True),
    ("one index, and the eyes are sure", [index(A, "7H")], 0.9, True),
    ("one index, and the eyes are not sure", [index(A, "7H")], 0.7, False),
    ("no index", [], 0.99, False),
    ("an index that lies elsewhere on the card", [index(A, "7H", (0.5, 0.5))], 0.99, False),
    ("its second index in the wrong place: the outline is too long", [index(A, "7H"), index(A, "7H", (0.9, 0.7))], 0.9, False),
    ("its second index beyond the outline", [index(A, "7H"), index(A, "7H", (1.4, 0.85))], 0.9, False),
    ("another card's index in its other corner: a mixture of two", [index(A, "7H"), index(A, "2S", OTHER_CORNER)], 0.9, False),
    ("mirrored indices: no card is printed so", [index(A, "7H", (0.9, 0.15)), index(A, "7H", (0.1, 0.85))], 0.9, False),
    ("two cards of one name", [index(A, "7H"), index(A, "7H", (0.12, 0.16))], 0.9, False),
    ("a suspect label", [index(A, "BACK", trusted=False)], 0.9, False),
    ("another card's index within it, where that card lies on top", [index(A, "7H"), index(B, "2S")], 0.9, True),
]


@pytest.mark.parametrize(("indices", "score", "taken"), [case[1:] for case in RULINGS], ids=[case[0] for case in RULINGS])
def test_what_the_labels_confirm(indices: list[Index], score: float, taken: bool) -> None:
    assert confirmed(A, indices, score) == (["7H"] if taken else [])


@given(st.integers(0, 3), st.floats(-180, 180), st.integers(0, 1))
def test_it_does_not_matter_how_the_card_lies_and_which_corner_comes_first(first: int, turn: float, only: int) -> None:
    quad = card(300, 300, turn)
    shown = [index(quad, "7H"), index(quad, "7H", OTHER_CORNER)][only:]
    (found,) = faces([Proposal(np.roll(quad, first, axis=0), 0.9)], shown, PLACE, RATIO)
    assert min(np.abs(found.quad - np.roll(quad, k, axis=0)).max() for k in (0, 2)) < 1e-6, "it begins with a short side"


def test_a_card_that_looks_wider_than_long_is_known_by_its_indices() -> None:
    lying = card(300, 300) * [1.0, 0.6]  # seen from low down, its length is foreshortened: 100 wide, 84 long
    (found,) = faces([Proposal(lying, 0.9)], [index(lying, "7H"), index(lying, "7H", OTHER_CORNER)], PLACE, RATIO)
    assert np.allclose(found.quad[0], lying[0]) or np.allclose(found.quad[0], lying[2])


def test_the_best_outline_of_a_card_is_taken_and_two_indices_count_for_more_than_the_score() -> None:
    both = [index(A, "7H"), index(A, "7H", OTHER_CORNER)]
    (found,) = faces([Proposal(A + 1.0, 0.8), Proposal(A, 0.7), Proposal(A + 2.0, 0.6)], both, PLACE, RATIO)
    assert found.score == 0.8


def test_a_card_of_another_size_than_its_neighbour_is_not_confirmed_by_one_index() -> None:
    sure = [index(A, "7H"), index(A, "7H", OTHER_CORNER)]
    large = card(420, 200, width=120)
    found = faces([Proposal(A, 0.9), Proposal(large, 0.95)], [*sure, index(large, "2S")], PLACE, RATIO)
    assert [one.label for one in found] == ["7H"]
    usual = card(420, 200, width=104)
    found = faces([Proposal(A, 0.9), Proposal(usual, 0.95)], [*sure, index(usual, "2S")], PLACE, RATIO)
    assert [one.label for one in found] == ["2S", "7H"]


def test_a_back_is_the_outline_that_fills_its_box_as_far_as_the_picture_goes() -> None:
    cut = card(40, 200)  # 10 pixels of it lie beyond the left edge
    label = Back(np.array([-0.5, 130.0, 90.0, 270.0]))
    (found,) = backs([Proposal(card(60, 230), 0.9), Proposal(cut, 0.5)], [label], (640, 480))
    assert found.quad is cut
    assert found.label is None
    turned = Back(label.box, card(45, 200, 45.0))
    assert backs([Proposal(cut, 0.9)], [turned], (640, 480)) == [], "the labelled polygon says something else"


SEVEN, TWO = Confirmed(A, "7H", (0,), 0.9), Confirmed(B, "2S", (1,), 0.9)
LABELS = [index(A, "7H"), index(B, "2S")]
BETWEEN = card(229, 215)
ELSEWHERE = card(500, 300)


@pytest.mark.parametrize(
    ("quad", "score", "indices", "in_doubt"),
    [
        (ELSEWHERE, 0.9, LABELS, True),
        (ELSEWHERE, 0.2, LABELS, False),
        (A + 3, 0.9, LABELS, False),
        (card(200, 200, width=40), 0.9, LABELS, False),
        (BETWEEN, 0.9, LABELS, False),
        (BETWEEN, 0.9, [*LABELS, index(BETWEEN, "KC", (0.4, 0.5))], True),
    ],
    ids=["a card apart", "hardly one", "the same card", "a pip", "a mixture of two", "one on top that shows its index"],
)
def test_what_stays_in_doubt(quad: np.ndarray, score: float, indices: list[Index], in_doubt: bool) -> None:
    assert bool(doubtful([Proposal(quad, score)], [SEVEN, TWO], indices, (640, 480))) is in_doubt


def test_the_card_whose_index_shows_lies_on_top() -> None:
    indices = [index(A, "7H"), index(B, "2S"), index(B, "2S", OTHER_CORNER)]
    lower, upper = Confirmed(A, "7H", (0,), 0.9), Confirmed(B, "2S", (1, 2), 0.9)
    shared = (filled([A], 640, 480) & filled([B], 640, 480)).sum() / filled([A], 640, 480).sum()
    one, other = with_visible([lower, upper], indices, np.zeros((480, 640), np.bool_), PLACE)
    assert one.visible == pytest.approx(1 - shared, abs=0.03)
    assert other.visible == pytest.approx(1.0, abs=0.03)


@given(st.floats(-60, 60), st.floats(0.7, 1.3), st.floats(-2e-4, 2e-4))
@example(52.0, 1.25, -1.87e-4)
def test_two_indices_and_a_neighbour_on_the_table_give_a_cards_outline(turn: float, size: float, tilt: float) -> None:
    lens = np.array([[size, 0.1, 20.0], [-0.05, size, 40.0], [tilt, tilt / 2, 1.0]])
    known, wanted = (cv2.perspectiveTransform(quad[None], lens)[0] for quad in (A, card(420, 330, turn)))
    middles = to_pixels(wanted, [PLACE, OTHER_CORNER])
    made = edges.from_both(middles, table_of(known, RATIO), PLACE, RATIO)
    assert made == pytest.approx(wanted, abs=0.5)
    far = 1.1 * np.linalg.norm(wanted - middles[0], axis=1).max() * np.pi / edges.TURNS  # half a step of those that are tried
    assert any(np.abs(one - wanted).max() < far for one in edges.from_one(middles[0], table_of(known, RATIO), PLACE, RATIO))


def test_edges_show_a_dark_card_on_a_light_table() -> None:
    true = card(240.3, 219.6, 20.0, width=120)
    image = np.full((480, 480, 3), 210, np.uint8)
    cv2.fillPoly(image, [np.round(true * 16).astype(np.int32)], (25, 25, 25), cv2.LINE_AA, 4)
    (quad, *_) = edges.patches(image)
    snapped, held = edges.snapped(image, quad)
    assert held > 0.95
    assert min(np.abs(np.roll(snapped, k, axis=0) - true).max() for k in range(4)) < 1.5
    moved, _ = edges.snapped(image, true + 4.0)
    assert np.abs(moved - true).max() < 1.5, "an outline a little off is brought to the edges"
    _, nothing = edges.snapped(np.full((480, 480, 3), 128, np.uint8), true)
    assert nothing == 0.0
    assert edges.dark(image)[219, 240]
    assert not edges.dark(image)[20, 20]


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.floats(-180, 180))
def test_card_coordinates_and_pixels_are_each_others_inverse(u: float, v: float, turn: float) -> None:
    quad = card(300, 300, turn)
    assert on_card(quad, to_pixels(quad, [(u, v)]))[0] == pytest.approx((u, v), abs=1e-4)


def test_corners_are_a_quarter_by_a_quarter() -> None:
    spots = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8], [0.2, 0.3], [0.3, 0.2], [-0.02, 0.1], [1.1, 0.1]])
    assert corner_of(spots).tolist() == [0, 1, 2, 3, -1, -1, -1, -1]
    assert corner_of(spots, slack=0.03).tolist()[6:] == [0, -1]
    assert printed(np.array([PLACE, OTHER_CORNER, (0.1, 0.3), (0.9, 0.15)]), PLACE, 0.05).tolist() == [0, 2, -1, -1]
