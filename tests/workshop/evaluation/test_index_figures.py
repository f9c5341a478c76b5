"""Labelled corner indices against found cards, counted by hand on made-up photos."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.eyes.sighting import CardSeen
from workshop.dataset.confirm import Back, Index
from workshop.dataset.index_photos import DeckLook, IndexPhoto, SessionTable, read_index_photos, read_sessions
from workshop.dataset.indices import to_pixels
from workshop.dataset.photos import BadPhotos
from workshop.evaluation.indices import Checked, Count, corrected, count, measure, read_checked

SIZE = (640, 480)
PLACE = (0.1, 0.15)
DATASETS = Path(__file__).parents[3] / "datasets"


def quad(x: float, y: float) -> np.ndarray:
    return np.array([[x, y], [x + 100, y], [x + 100, y + 140], [x, y + 140]], dtype=np.float64)


def seen(corners: np.ndarray, score: float = 0.9, side: str = "face") -> CardSeen:
    return CardSeen(tuple((float(x), float(y)) for x, y in corners), "ramino", side, score)  # type: ignore[arg-type]


def index(corners: np.ndarray, label: str, spot: tuple[float, float] = PLACE, trusted: bool = True) -> Index:
    return Index(to_pixels(corners, [spot])[0], label, trusted)


A, B = quad(100, 100), quad(140, 130)  # B lies on A
BOTH = [index(A, "7H"), index(B, "2S"), index(B, "2S", (0.9, 0.85))]  # A's second index is covered


def told(cards: list[CardSeen], indices: list[Index], backs: tuple[Back, ...] = ()) -> tuple[int, int, int, int, int]:
    got = count(cards, indices, backs, SIZE, PLACE)
    return got.indices, got.found, got.right, got.wrong, got.not_asked


RULINGS = [
    ("both found", [seen(A), seen(B)], BOTH, (3, 3, 2, 0, 0)),
    ("one missed", [seen(B)], BOTH, (3, 2, 1, 0, 0)),
    ("nothing found", [], BOTH, (3, 0, 0, 0, 0)),
    ("a card on bare table", [seen(A), seen(B), seen(quad(400, 300))], BOTH, (3, 3, 2, 1, 0)),
    ("a second face for one card", [seen(A), seen(B), seen(B + 3, 0.5)], BOTH, (3, 3, 2, 1, 0)),
    ("called a back", [seen(A), seen(B, side="back")], BOTH, (3, 1, 1, 0, 0)),
    ("an index in the middle of a face says nothing for it", [seen(A)], [index(A, "7H", (0.5, 0.5))], (1, 0, 0, 1, 0)),
    ("only one of two indices in a corner of the outline", [seen(quad(100, 100) * [1, 0.8] + [0, 20])],
     [index(A, "7H"), index(A, "7H", (0.9, 0.99))], (2, 1, 1, 0, 0)),
    ("both its places lie under other cards", [seen(A), seen(B), seen(quad(120, 115))],
     [index(A, "7H"), index(B, "2S", (0.9, 0.85))], (2, 2, 2, 0, 1)),
    ("both its places lie out of the photo", [seen(quad(-92, 100))], [], (0, 0, 0, 0, 1)),
    ("a suspect label is not asked for, but an index lies there", [seen(A)], [index(A, "BACK", trusted=False)], (0, 0, 1, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("cards", "indices", "wanted"), [case[1:] for case in RULINGS], ids=[case[0] for case in RULINGS])
def test_counted_by_hand(cards: list[CardSeen], indices: list[Index], wanted: tuple[int, ...]) -> None:
    assert told(cards, indices) == wanted


def test_a_face_stands_for_the_card_that_fits_best_whichever_is_surer() -> None:
    # The upper card's index lies in a corner of the lower one, too: a fan of a small step.
    upper = A + [12, 8]
    labels = [index(A, "7H"), index(upper, "2S"), index(upper, "2S", (0.9, 0.85))]
    assert told([seen(A, 0.95), seen(upper, 0.6)], labels) == (3, 3, 2, 0, 0)
    assert told([seen(upper, 0.95), seen(A, 0.6)], labels) == (3, 3, 2, 0, 0)


def test_backs_are_counted_by_their_boxes() -> None:
    labels = (Back(np.array([100.0, 100.0, 200.0, 240.0])), Back(np.array([400.0, 100.0, 500.0, 240.0])))
    got = count([seen(A, side="back"), seen(quad(400, 100))], [], labels, SIZE, PLACE)
    assert (got.backs, got.backs_found) == (2, 1)


def test_figures_have_their_intervals() -> None:
    found = Count(3, indices=10, found=8, right=9, wrong=1, not_asked=2).figures()
    assert (found["recall"], found["precision"]) == (0.8, 0.9)
    assert found["least_recall"] == pytest.approx(0.4902, abs=1e-3), "Wilson's interval for 8 of 10"
    assert found["precision_at_least"] == pytest.approx(9 / 12)
    assert "recall_back" not in found


def photo(labels: list[Index], session: str = "desk", path: str = "a.jpg") -> IndexPhoto:
    return IndexPhoto(Path(path), session, DeckLook(PLACE, 1.4), SIZE, (640, 640), tuple(labels), tuple(range(len(labels))), ())


def test_labels_judged_wrong_are_not_asked_for_and_missing_ones_do_no_harm() -> None:
    checked = Checked(1, {"a.jpg": (2,)}, {"a.jpg": ((400.5, 400.5),)})
    fixed = corrected(photo(BOTH), checked)
    assert [one.trusted for one in fixed.indices] == [True, True, False, False]
    assert fixed.indices[3].middle.tolist() == pytest.approx([400.0, 299.875])
    there = quad(400 - 10, 299.875 - 21)
    assert told([seen(there)], list(fixed.indices))[2:] == (1, 0, 0)


class Told:
    """Eyes that report what they are told."""

    def look_closely(self, image: np.ndarray) -> tuple[CardSeen, ...]:
        assert image.shape == (480, 640, 3)
        return seen(A), seen(B)


def test_each_session_has_its_figures(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.jpg"), np.zeros((640, 640, 3), np.uint8))
    photos = [photo(BOTH, path=str(tmp_path / "a.jpg")), photo([], "wood", str(tmp_path / "a.jpg"))]
    out = measure(Told(), photos)  # type: ignore[arg-type]
    assert list(out) == ["desk", "wood", "all"]
    assert (out["desk"]["recall"], out["desk"]["precision"]) == (1.0, 1.0)
    assert out["wood"]["precision"] == 0.0
    assert out["all"]["precision"] == 0.5


def test_the_shipped_judgement_names_labels_that_there_are(shared: Path) -> None:
    folder = shared / "photos" / "cadyze-cards"
    if not folder.is_dir():
        pytest.skip(f"needs {folder}")
    table: SessionTable = read_sessions(DATASETS / "cadyze.yaml")
    judged = read_checked(DATASETS / "cadyze-checked.yaml")
    test = {one.path.name: one for one in read_index_photos(folder, table, "test")}
    assert judged.judged == len(test)
    assert set(judged.wrong) | set(judged.missing) <= set(test)
    assert all(set(numbers) <= set(test[name].numbers) for name, numbers in judged.wrong.items())


def test_a_judgement_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checked.yaml").write_text("wrong: [3]")
    with pytest.raises(BadPhotos, match=r"checked\.yaml"):
        read_checked(tmp_path / "checked.yaml")
    with pytest.raises(BadPhotos, match="expected judged labels"):
        read_checked(tmp_path / "none.yaml")


@pytest.mark.parametrize("part", ["train", "test"])
def test_the_command_names_a_session_that_it_does_not_know(tmp_path: Path, part: str) -> None:
    row = {"image": "a.jpg", "width": 640, "height": 640, "session": "kitchen", "split": part, "boxes": []}
    (tmp_path / "labels.json").write_text(json.dumps([row]))
    table = read_sessions(DATASETS / "cadyze.yaml")
    with pytest.raises(BadPhotos, match="kitchen"):
        read_index_photos(tmp_path, table, "test")
    options = ["--photos", str(tmp_path), "--models", str(tmp_path), "--part", part]
    result = CliRunner().invoke(main, ["evaluate", "cadyze", *options])
    assert result.exit_code == 2
    assert len(result.output.strip().splitlines()) == 1
