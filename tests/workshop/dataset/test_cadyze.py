"""Photos labelled by printed indices become pictures to learn from: unstretched, confirmed cards labelled, doubt painted over."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.eyes.detector import Detector
from workshop.dataset import cadyze
from workshop.dataset.cadyze import write_confirmed
from workshop.dataset.index_photos import SessionTable, card_name, read_index_photos, read_sessions
from workshop.dataset.indices import to_pixels
from workshop.dataset.photos import BadPhotos
from workshop.deck.ramino import FACES
from workshop.evaluation.labels import read_labels

SHIPPED = Path(__file__).parents[3] / "datasets" / "cadyze.yaml"
TABLE = """
decks: {dark: {index: [0.1, 0.15], ratio: 1.4, edges: true}}
sessions: {desk: {deck: dark, shape: [3, 4]}, wood: {deck: dark, shape: [3, 4]}}
left_out: [other.jpg]
"""
SIZE = (480, 640)
CARDS = {"10S": (150, 160, 0.0), "QH": (330, 430, 30.0)}


def quad(x: float, y: float, turn: float) -> np.ndarray:
    spokes = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) - 0.5) * [110, 154]
    a = np.radians(turn)
    return spokes @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + [x, y]


def take(folder: Path, name: str = "a.jpg", session: str = "desk", split: str = "train", **change: object) -> None:
    """A photo of two dark cards on a light table, a dark thing that is none, and a third card without labels at the rim."""
    image = np.full((SIZE[1], SIZE[0], 3), 205, np.uint8)
    for one in [*(quad(*at) for at in CARDS.values()), quad(470, 120, 0.0)]:
        cv2.fillPoly(image, [np.round(one * 16).astype(np.int32)], (25, 25, 25), cv2.LINE_AA, 4)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "images" / name), cv2.resize(image, (600, 600), interpolation=cv2.INTER_AREA))
    boxes = []
    for label, at in CARDS.items():
        for x, y in (to_pixels(quad(*at), [(0.1, 0.15), (0.9, 0.85)]) + 0.5) * [600 / SIZE[0], 600 / SIZE[1]]:
            boxes.append({"xyxy": [x - 8, y - 12, x + 8, y + 12], "label": label, "kind": "corner"})
    boxes[-1] |= change
    known = json.loads((folder / "labels.json").read_text()) if (folder / "labels.json").exists() else []
    known.append({"image": f"images/{name}", "width": 600, "height": 600, "session": session, "split": split, "boxes": boxes})
    (folder / "labels.json").write_text(json.dumps(known))


class NoEyes:
    """A detector that overlooks everything, as the eyes do with a deck that they were never taught."""

    refiner = None

    class proposer:  # noqa: N801
        """Proposes nothing."""

        @staticmethod
        def propose(image: np.ndarray, width: int, least: float) -> list[object]:
            return []


@pytest.fixture
def table(tmp_path: Path) -> SessionTable:
    (tmp_path / "table.yaml").write_text(TABLE)
    return read_sessions(tmp_path / "table.yaml")


def write(folder: Path, out: Path, table: SessionTable) -> list[cadyze.Written]:
    eyes: Detector = NoEyes()  # type: ignore[assignment]
    return list(write_confirmed(folder, out, table, eyes))


def test_confirmed_cards_are_labelled_in_the_shape_of_the_camera(tmp_path: Path, table: SessionTable) -> None:
    take(tmp_path / "photos")
    (row,) = write(tmp_path / "photos", tmp_path / "out", table)
    assert (row.labelled, row.confirmed, row.teaching, row.kept) == (2, 2, 2, True)
    (picture,) = read_labels(tmp_path / "out")
    width, height = picture.size
    assert width * 4 == pytest.approx(height * 3, abs=4)
    assert dict(zip(picture.cards, picture.decks, strict=True)) == {"10s": "ramino", "Qh": "ramino"}
    assert picture.visible == pytest.approx(np.ones(2), abs=0.03)
    for name, found in zip(picture.cards, picture.quads, strict=True):
        true = quad(*CARDS[name.upper()]) * width / SIZE[0]
        assert min(np.abs(np.roll(found, k, axis=0) - true).max() for k in range(4)) < 2.5


def test_a_card_that_no_label_confirms_is_painted_over(tmp_path: Path, table: SessionTable) -> None:
    take(tmp_path / "photos")
    write(tmp_path / "photos", tmp_path / "out", table)
    image = read_labels(tmp_path / "out")[0].read()
    scale = image.shape[1] / SIZE[0]
    assert image[round(160 * scale), round(150 * scale)].mean() < 60, "a confirmed card stays"
    assert image[round(120 * scale), round(460 * scale)].mean() > 150, "the unlabelled one at the rim is gone"


def test_a_card_with_an_index_that_contradicts_is_no_longer_there(tmp_path: Path, table: SessionTable) -> None:
    take(tmp_path / "photos", label="9C")
    (row,) = write(tmp_path / "photos", tmp_path / "out", table)
    assert row.confirmed == 1
    (picture,) = read_labels(tmp_path / "out")
    assert picture.cards == ("10s",)
    scale = picture.size[0] / SIZE[0]
    assert picture.read()[round(430 * scale), round(330 * scale)].mean() > 100


def test_the_test_part_and_what_is_left_out_are_not_written(tmp_path: Path, table: SessionTable) -> None:
    take(tmp_path, "a.jpg")
    take(tmp_path, "b.jpg", session="wood", split="test")
    take(tmp_path, "other.jpg")
    assert [one.path.name for one in read_index_photos(tmp_path, table, "train")] == ["a.jpg"]
    assert [one.path.name for one in read_index_photos(tmp_path, table, "test")] == ["b.jpg"]
    assert [row.session for row in write(tmp_path, tmp_path / "out", table)] == ["desk"]
    with pytest.raises(BadPhotos, match="already holds pictures"):
        write(tmp_path, tmp_path / "out", table)


BAD = [
    ({"xyxy": [50, 50, 40, 90]}, "has no area"),
    ({"kind": "corners"}, "expected a list"),
]


@pytest.mark.parametrize(("change", "says"), BAD, ids=["a box inside out", "a kind that does not exist"])
def test_bad_labels_are_named(tmp_path: Path, table: SessionTable, change: dict[str, object], says: str) -> None:
    take(tmp_path, **change)
    with pytest.raises(BadPhotos, match=says):
        read_index_photos(tmp_path, table, "train")


def test_a_session_that_the_table_does_not_know(tmp_path: Path, table: SessionTable) -> None:
    take(tmp_path, session="kitchen")
    with pytest.raises(BadPhotos, match="no session 'kitchen'"):
        read_index_photos(tmp_path, table, "train")
    with pytest.raises(BadPhotos, match=r"expects a folder with labels\.json"):
        read_index_photos(tmp_path / "none", table, "train")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("decks: {}\nsessions: {desk: {deck: dark, shape: [3, 4]}}", "no deck 'dark'"),
        (TABLE.replace("shape: [3, 4]", "shape: [0, 4]"), "width and height"),
        ("decks: 3", "Expected"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "table.yaml").write_text(text)
    with pytest.raises(BadPhotos, match=says):
        read_sessions(tmp_path / "table.yaml")


def test_the_command_names_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    folders = ["--photos", str(tmp_path), "--out", str(tmp_path / "out"), "--table", str(tmp_path / "no.yaml")]
    result = CliRunner().invoke(main, ["dataset", "cadyze", *folders])
    assert result.exit_code == 2
    assert "expected a table such as datasets/cadyze.yaml" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_names_are_those_of_the_drawn_deck() -> None:
    assert [card_name(label) for label in ("10S", "AH", "QC")] == ["10s", "Ah", "Qc"]
    assert {card_name("10S"), card_name("AH")} <= set(FACES)
    assert card_name("BLACK JOKER") is card_name("BACK") is None


def test_real_photos_have_the_sessions_of_the_shipped_table(shared: Path) -> None:
    folder = shared / "photos" / "cadyze-cards"
    if not folder.is_dir():
        pytest.skip(f"needs {folder}")
    table = read_sessions(SHIPPED)
    train, test = (read_index_photos(folder, table, part) for part in ("train", "test"))
    assert len(train) + len(test) + len(table.left_out) == 224
    assert not {photo.session for photo in train} & {photo.session for photo in test}
