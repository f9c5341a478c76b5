"""What the detector makes of its network's output, and of pictures of any shape."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.assets import asset
from companion.eyes import detection as eyes
from companion.eyes.detection import CLASSES, SAME_CARD_IOU, Calibration, mirrored
from companion.eyes.detector import Detector
from companion.eyes.geometry import card_length, compass_order, polygon_iou, signed_area
from companion.eyes.proposer import VIDEO_WIDTHS, comfortable_width, decode, fit
from companion.table.errors import BadModel


def output(cards: list[tuple[NDArray[np.float64], int, float]], anchors: int = 40) -> NDArray[np.float32]:
    """The network's output (21, anchors) for cards given as quad in input pixels, class, probability."""
    found = np.zeros((len(CLASSES) + 16, anchors), dtype=np.float32)
    for i, (quad, kind, probability) in enumerate(cards):
        found[kind, i] = probability
        found[len(CLASSES) :, i] = compass_order(quad)[0].ravel()
    return found


CARD = np.array([[100, 60], [150, 62], [148, 150], [98, 148]], dtype=np.float64)


def test_what_the_network_says_comes_back_in_pixels_of_the_picture() -> None:
    (one,) = decode(output([(CARD, 1, 0.8)]), 0.5, 0.4)
    assert one.name == "back"
    assert one.score == pytest.approx(0.8)
    assert polygon_iou(one.quad, (CARD + 0.5) / 0.5 - 0.5) > 0.99


@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(0.4, 3), st.floats(-2, 2), st.floats(0, 3))
def test_a_surer_network_never_lowers_the_score(raw: float, refined: float, slope: float, offset: float, second: float) -> None:
    calibration = Calibration(slope, offset, 0.5, second)
    raws, opinions = np.array([raw, raw + 0.04, raw]), np.array([refined, refined, refined + 0.04])
    score, *surer = calibration(raws, opinions)
    assert 0 < score < 1
    assert all(one >= score for one in surer)
    assert Calibration(slope, offset)(raws)[0] == pytest.approx(1 / (1 + math.exp(-slope * math.log(raw / (1 - raw)) - offset)))


def test_points_that_make_no_card_are_dropped() -> None:
    torn = CARD[[0, 2, 1, 3]]
    tiny = (CARD - CARD.mean(axis=0)) * 0.05 + 50
    found = output([(CARD, 0, 0.9)])
    found[0, 1] = found[0, 2] = 0.9
    found[len(CLASSES) :, 1] = np.concatenate([torn, torn]).ravel()
    found[len(CLASSES) :, 2] = compass_order(tiny)[0].ravel()
    assert len(decode(found, 1.0, 0.5)) == 1


ANY = 0


class Pyramid:
    """A proposer that is told what it sees at each input width, or at `ANY` other, of a `bare` picture."""

    def __init__(self, seen: dict[int, list[NDArray[np.float64]]]) -> None:
        self.seen = seen

    def propose(self, image: NDArray[np.uint8], width: int, least: float) -> list[eyes.Detection]:
        seen = [eyes.Detection(quad, 0, 0.9, 0.9) for quad in self.seen.get(width, self.seen.get(ANY, []))]
        return seen if image[0, 0].any() else mirrored(seen, image.shape[1])


def bare(height: int, width: int) -> NDArray[np.uint8]:
    """A dark picture whose left edge is white, so that it is known in a mirror."""
    image = np.zeros((height, width, 3), dtype=np.uint8)
    image[:, 0] = 255
    return image


def told(seen: dict[int, list[NDArray[np.float64]]]) -> Detector:
    detector = Detector.__new__(Detector)
    detector.proposer, detector.refiner = Pyramid(seen), None  # type: ignore[assignment]
    detector.calibration = detector.still = Calibration()
    return detector


def test_a_part_of_a_near_card_is_no_card_farther_off() -> None:
    near = (CARD - CARD[0]) * 4 + 50  # 350 px long
    inner = (CARD - CARD[0]) * 2.9 + 60
    image = bare(600, 800)
    (alone,) = told({640: [inner]}).detect(image, 640)
    assert polygon_iou(alone.quad, inner) > 0.99, "one input size alone answers for every length"
    (one,) = told({320: [near], 640: [inner + 400]}).detect_still(image)
    assert polygon_iou(one.quad, near) > 0.99


def test_a_card_that_is_overlooked_but_in_a_mirror_is_found_where_it_lies() -> None:
    detector = told({})
    detector.proposer.propose = lambda image, width, least: (  # type: ignore[method-assign]
        [] if image[0, 0].any() else mirrored([eyes.Detection(CARD, 0, 0.9, 0.9)], image.shape[1])
    )
    (one,) = detector.detect_still(bare(600, 800))
    assert polygon_iou(one.quad, CARD) > 0.99
    assert signed_area(one.quad) * signed_area(CARD) > 0, "corners go round as before"


@given(st.floats(12, 2000), st.sampled_from([640, 800, 1280, 1920, 4000]))
def test_of_several_input_sizes_one_answers_for_every_card(length: float, largest: int) -> None:
    card = (CARD - CARD[0]) * length / 88.5 + 10
    image = bare(1, largest)
    assert len(told({ANY: [card]}).detect_still(image)) == 1


def test_a_small_picture_of_small_cards_is_looked_at_closer_than_it_is() -> None:
    far, farther = (CARD - CARD[0]) * 0.3 + 50, (CARD - CARD[0]) * 0.25 + 200
    image = bare(360, 640)
    assert len(told({320: [], 640: [far], 1216: [far, farther]}).detect_still(image)) == 2
    near = (CARD - CARD[0]) * 0.6 + 50  # 53 px long: as it should be
    assert len(told({320: [], 640: [near], ANY: [near, farther]}).detect_still(image)) == 1


def test_a_picture_without_those_before_it_is_looked_at_as_its_cards_ask_for() -> None:
    """At its own width first; the closer look finds the small card that the first one missed, and is the one that counts."""
    far, farther = (CARD - CARD[0]) * 0.3 + 50, (CARD - CARD[0]) * 0.25 + 200  # 27 and 22 px long
    asked = comfortable_width([card_length(far)], 640)
    assert asked == 1216
    image = np.zeros((360, 640, 3), dtype=np.uint8)
    found = told({640: [far], asked: [far, farther]}).detect_comfortably(image)
    assert len(found) == 2
    assert told({}).detect_comfortably(image) == []


@given(st.lists(st.floats(5, 900), max_size=9), st.integers(64, 8000))
def test_the_width_asked_for_is_one_that_a_game_can_pay(lengths: list[float], available: int) -> None:
    least, greatest = VIDEO_WIDTHS
    assert least <= comfortable_width(lengths, available) <= greatest


@given(st.integers(1, 900), st.integers(1, 900), st.sampled_from([320, 640]))
def test_any_picture_fits_the_input(height: int, width: int, longest: int) -> None:
    blob, scale = fit(np.full((height, width, 3), 200, dtype=np.uint8), longest)
    assert blob.dtype == np.float32
    assert blob.shape[:2] == (1, 3)
    assert blob.shape[2] % 32 == blob.shape[3] % 32 == 0
    assert max(blob.shape[2:]) == longest
    assert scale == pytest.approx(longest / max(height, width))
    assert blob[0, 0, 0, 0] == pytest.approx(200 / 255)


@pytest.mark.parametrize("content", [b"", b"no model at all"])
def test_a_damaged_model_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.onnx").write_bytes(content)
    with pytest.raises(BadModel, match=r"broken\.onnx"):
        Detector(tmp_path / "broken.onnx")


def test_a_missing_model_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match=r"nowhere\.onnx"):
        Detector(tmp_path / "nowhere.onnx")


def test_what_lies_on_one_another_is_one_card_and_the_corners_are_averaged() -> None:
    left, right = CARD - [2, 0], np.roll(CARD + [2, 0], 1, axis=0)
    far = CARD + [200, 0]
    found = decode(output([(left, 1, 0.8), (right, 1, 0.8), (far, 0, 0.7)]), 1.0, 0.5)
    one, other = eyes.settle(found, SAME_CARD_IOU)
    assert min(np.abs(np.roll(one.quad, shift, axis=0) - CARD).max() for shift in range(4)) < 0.01
    assert polygon_iou(other.quad, far) > 0.99
    assert (one.kind, other.kind) == (1, 0)
    assert eyes.settle([], SAME_CARD_IOU) == []


def test_parts_of_a_picture_are_moved_to_their_place() -> None:
    (one,) = decode(output([(CARD, 0, 0.9)]), 1.0, 0.5)
    (there,) = eyes.moved([one], (30, -10))
    assert np.allclose(there.quad - one.quad, [30, -10])
    assert eyes.within([there], (140, 80, 170, 120)) == [there]
    assert eyes.within([there], (0, 0, 100, 100)) == []
    assert math.isclose(eyes.boxes_of([there])[0, 0], there.quad[:, 0].min())
    assert eyes.boxes_of([]).shape == (0, 4)


def test_what_is_proposed_where_a_card_lies_still_is_dropped_and_what_lies_half_on_it_is_not() -> None:
    card = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float64)
    proposed = [eyes.Detection(card + at, 0, 0.5, 0.5) for at in ((2, 3), (20, 30), (200, 0))]
    assert eyes.elsewhere(proposed, [card]) == proposed[1:]
    assert eyes.elsewhere(proposed, ()) == proposed


def test_the_shipped_scores_of_single_pictures_have_a_calibration_of_their_own() -> None:
    shipped = Detector(asset("models/detector.onnx"), refiner=asset("models/refiner.onnx"))
    assert shipped.still != shipped.calibration
    for calibration in (shipped.still, shipped.calibration):
        assert 0.2 <= calibration.threshold <= 0.8
        doubtful, sure = calibration(np.array([0.1, 0.9]), np.array([0.1, 0.9]), np.array([1.4, 1.4]))
        assert doubtful < calibration.threshold < sure
        assert calibration.shape < 0, "no quad scores more than one that is exactly a card's shape"
