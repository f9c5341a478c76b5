"""Real photos measured by upright boxes: counted by hand on a drawn photo, and the ceiling of judged labels."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from photographed import GREEN, TABLE, take

from companion.cli import main
from companion.eyes.detection import CLASSES, Calibration, Detection
from workshop.dataset.photos import BadPhotos, Photo, read_photos, read_table, stamp_of
from workshop.evaluation.matching import match
from workshop.evaluation.photos import Sample, ceiling, measure, read_samples

DATASETS = Path(__file__).parents[3] / "datasets"
REAL = Path(__file__).parents[4] / "shared" / "photos" / "french"
FACE, BACK = CLASSES.index("face"), CLASSES.index("back")
LEANING = np.array([[10, 0], [60, 20], [50, 90], [0, 70]], dtype=np.float64)


def box(x1: float, y1: float, x2: float, y2: float) -> np.ndarray:
    return np.array([[[x1, y1], [x2, y1], [x2, y2], [x1, y2]]], dtype=np.float64)


def matched(found: np.ndarray, true: np.ndarray, corners: bool, size: tuple[int, int] = (800, 600)) -> bool:
    one = np.array([FACE])
    return match(found, one, np.ones(1), true, one, np.ones(1), corners=np.array([corners]), size=size).truth_of[0] == 0


def test_a_leaning_card_is_compared_by_the_box_around_it() -> None:
    around = box(0, 0, 60, 90)
    assert matched(LEANING[None], around, corners=False)
    assert matched(LEANING[None] * [1, 0.55], around, corners=False), "0.55 of the box"
    assert not matched(LEANING[None] * [1, 0.45], around, corners=False)
    assert matched(LEANING[None], LEANING[None], corners=True)
    assert not matched(box(0, 0, 60, 90) * [0.5, 1], LEANING[None] + [30, 0], corners=True)


def test_a_card_cut_off_by_the_picture_is_compared_by_what_lies_inside() -> None:
    inside = box(-0.5, 100, 40, 200)
    whole = box(-60, 100, 40, 200)
    assert matched(whole, inside, corners=False), "labelled boxes end where the photo ends"
    assert not matched(whole, inside, corners=True)


@dataclass
class Told:
    """A detector that reports what it was given."""

    found: list[Detection]
    still: Calibration

    def detect_still(self, image: np.ndarray, widths: object) -> list[Detection]:
        assert image.shape == (480, 560, 3)
        return self.found


@pytest.fixture
def photo(tmp_path: Path) -> Photo:
    (tmp_path / "table.yaml").write_text(TABLE)
    take(tmp_path, GREEN)
    (one,) = read_photos(tmp_path, read_table(tmp_path / "table.yaml"), "test")
    return one


def test_recall_and_precision_counted_by_hand(tmp_path: Path, photo: Photo) -> None:
    quads = [np.array(card.quad) for card in photo.labels.cards]
    told = [
        Detection(quads[0], FACE, 0.9, 0.9),
        Detection(quads[1], BACK, 0.8, 0.8),
        Detection(quads[2] + [300, 0], FACE, 0.7, 0.7),
    ]
    out = measure(Told(told, Calibration()), tmp_path, [photo])  # type: ignore[arg-type]
    assert list(out) == ["green cloth", "all"]
    assert out["all"] == out["green cloth"]
    assert out["all"]["cards"] == 3
    assert out["all"]["recall"] == pytest.approx(1 / 3)
    assert out["all"]["precision"] == pytest.approx(1 / 3), "a back and a card where none lies are false alarms"
    assert out["all"]["recall_any_class"] == out["all"]["precision_any_class"] == pytest.approx(2 / 3)


def test_the_ceiling_of_a_sample_counted_by_hand() -> None:
    limit = ceiling(Sample("test", 0, right=tuple("abcdefgh"), visible=("i",), wrong=("j",)))
    assert limit["recall"] == pytest.approx(0.8)
    assert limit["precision"] == pytest.approx(8 / 9), "a perfect detector reports nothing where no card lies"
    assert limit["least_recall"] == pytest.approx(0.4902, abs=1e-3), "Wilson's interval for 8 of 10"


def test_the_shipped_samples_are_of_a_hundred_boxes_each_judged_once() -> None:
    table = read_table(DATASETS / "french-photos.yaml")
    samples = {sample.part: sample for sample in read_samples(DATASETS / "french-photos-checked.yaml")}
    assert set(samples) == {"all", "test"}
    for sample in samples.values():
        assert len(sample.boxes) == len(set(sample.boxes)) == 100
        assert set(sample.unlabelled) <= set(table.left_out)


@pytest.mark.skipif(not REAL.is_dir(), reason="needs the real photos in ../shared/photos/french")
def test_the_shipped_samples_are_the_ones_that_their_seeds_draw() -> None:
    table = read_table(DATASETS / "french-photos.yaml")
    known = sorted(json.loads((REAL / "labels.json").read_text()), key=lambda one: one["image"])
    tested = {stamp_of(photo.labels.image) for photo in read_photos(REAL, table, "test")}
    for sample in read_samples(DATASETS / "french-photos-checked.yaml"):
        stamps = [(stamp_of(one["image"]), len(one["boxes"])) for one in known]
        boxes = [f"{stamp}#{n}" for stamp, count in stamps if sample.part == "all" or stamp in tested for n in range(count)]
        drawn = np.random.default_rng(sample.seed).choice(len(boxes), len(sample.boxes), replace=False)
        assert {boxes[n] for n in drawn} == set(sample.boxes)


def test_samples_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "checked.yaml").write_text("samples: [{part: all}]")
    with pytest.raises(BadPhotos, match=r"checked\.yaml"):
        read_samples(tmp_path / "checked.yaml")


@pytest.mark.slow
def test_the_command_measures_the_shipped_models_on_a_drawn_photo(tmp_path: Path, photo: Photo) -> None:
    arguments = ["--photos", str(tmp_path), "--table", str(tmp_path / "table.yaml"), "--width", "320", "--json"]
    result = CliRunner().invoke(main, ["evaluate", "photos", *arguments])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["Real photos: all"]["cards"] == 3
    assert figures["Real photos: all"]["recall"] > 0.5, "cards drawn flat on plain cloth"
    assert figures["Real photos: the ceiling"]["recall"] == 1
