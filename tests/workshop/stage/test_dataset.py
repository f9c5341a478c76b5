"""Data sets: labels in the promised order, recipes that say what is wrong, the same pictures for the same seed."""

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.eyes.detection import CLASSES
from companion.eyes.geometry import polygon_iou
from companion.table.errors import BadRecipe, CompanionError
from workshop.dataset import make
from workshop.dataset import make as maker
from workshop.dataset.recipe import Recipe, read_recipe
from workshop.stage.scene import CardTruth

DATASETS = Path(__file__).parents[3] / "datasets"
SMALL = Recipe(
    count=3, seed=3, size=(320, 192), surface_kinds=("felt",), surfaces=(0, 1), styles=(0, 2), game=0.0, cards=6
)


def turned(angle: float, start: int) -> np.ndarray:
    a = np.radians(angle)
    quad = np.array([[-10, -18], [10, -18], [10, 18], [-10, 18]]) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.roll(quad + 50, start, 0)


@given(st.floats(0, 360), st.integers(0, 3))
def test_corner_order_does_not_depend_on_the_print(angle: float, start: int) -> None:
    quad = make.ordered(turned(angle, start))
    edges = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    assert edges[0] + edges[2] <= edges[1] + edges[3]
    assert (quad[0, 1], quad[0, 0]) <= (quad[2, 1], quad[2, 0])
    assert polygon_iou(quad, turned(angle, 0)) == pytest.approx(1, abs=1e-3)
    x, y = quad.T
    assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0


def test_a_level_edge_begins_on_the_left() -> None:
    assert make.ordered(turned(0, 2))[0] == pytest.approx([40, 32])


def test_a_pose_line_has_class_clipped_box_and_four_corners() -> None:
    quad = np.array([[-10.5, 9.5], [9.5, 9.5], [9.5, 49.5], [-10.5, 49.5]])
    line = make.pose_line(CardTruth("a", ("ramino", "7h"), "face", quad, 0.5), 100, 100)
    assert line is not None
    numbers = [float(word) for word in line.split()]
    assert numbers[:5] == pytest.approx([CLASSES.index("face"), 0.05, 0.3, 0.1, 0.4])
    assert numbers[5:] == pytest.approx([-0.1, 0.1, 0.1, 0.1, 0.1, 0.5, -0.1, 0.5])


@pytest.mark.parametrize(
    ("deck", "side", "visible", "labelled"),
    [("stu", "face", 0.3, True), ("stu", "back", 0.24, False), ("napoletane", "face", 1.0, True), ("stu", "stack", 1.0, True)],
)
def test_a_card_of_any_deck_is_labelled_where_a_quarter_shows(deck: str, side: str, visible: float, labelled: bool) -> None:
    truth = CardTruth("a", (deck, "1"), side, turned(20, 0), visible)  # type: ignore[arg-type]
    assert (make.pose_line(truth, 100, 100) is not None) == labelled


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made")
    maker.make(SMALL, out)
    return out


def test_a_data_set_holds_pictures_labels_and_truth_that_agree(made: Path) -> None:
    lines = [json.loads(line) for line in (made / "truth.jsonl").read_text().splitlines()]
    assert len(lines) == SMALL.count
    for line in lines:
        image = cv2.imread(str(made / line["image"]))
        assert image is not None
        assert image.shape == (192, 320, 3)
        rows = (made / "labels" / Path(line["image"]).with_suffix(".txt").name).read_text().splitlines()
        wanted = [card for card in line["cards"] if card["visible"] >= 0.25 and card["deck"] in ("stu", "ramino")]
        assert len(rows) == pytest.approx(len(wanted), abs=1)
        for row in rows:
            corners = (np.array(row.split()[5:], float).reshape(4, 2) * [320, 192]) - 0.5
            assert max(polygon_iou(corners, card["quad"]) for card in wanted) > 0.99
    assert "kpt_shape" in (made / "data.yaml").read_text()


def test_the_same_recipe_gives_the_same_pictures(made: Path, tmp_path: Path) -> None:
    maker.make(SMALL, tmp_path)
    for path in sorted((made / "images").iterdir()):
        assert (tmp_path / "images" / path.name).read_bytes() == path.read_bytes()
    assert (tmp_path / "truth.jsonl").read_bytes() == (made / "truth.jsonl").read_bytes()


def test_pictures_are_never_overwritten(made: Path) -> None:
    with pytest.raises(CompanionError, match="already holds pictures"):
        maker.make(SMALL, made)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("count: 5", "missing required field `seed`"),
        ("count: 0\nseed: 1", r"\$.count"),
        ("count: 5\nseed: 1\ncolour: red", "colour"),
        ("count: 5\nseed: 1\nlength: [90, 20]", "length is \\[90, 20\\]: expected the lesser number first"),
        ("count: 5\nseed: 1\nstyles: [7, 7]", "styles is \\[7, 7\\]: no seed lies between"),
        ("count: 5\nseed: 1\nsurface_kinds: [lava]", "'lava'.*expected some of wood"),
        ("count: [", "recipe.yaml"),
    ],
    ids=["missing", "too small", "unknown field", "turned range", "empty range", "unknown surface", "no YAML"],
)
def test_a_bad_recipe_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "recipe.yaml"
    path.write_text(text)
    with pytest.raises(BadRecipe, match=message):
        read_recipe(path)


def test_every_recipe_can_be_read_and_has_the_pictures_that_its_table_says() -> None:
    table = (DATASETS.parent / "docs" / "training.md").read_text()
    rows = re.findall(r"^\| \[([\w-]+)\.yaml\]\(../datasets/[\w-]+\.yaml\) \| ([\d,]+) \|", table, re.MULTILINE)
    assert len(rows) > 10
    for name, count in rows:
        assert read_recipe(DATASETS / f"{name}.yaml").count == int(count.replace(",", ""))


@pytest.mark.parametrize("holdout", ["val", "easy", "hard", "far", "strange"])
def test_holdouts_share_no_seed_style_or_surface_with_training(holdout: str) -> None:
    train, other = read_recipe(DATASETS / "train.yaml"), read_recipe(DATASETS / f"{holdout}.yaml")
    assert train.seed != other.seed
    assert other.styles[0] >= train.styles[1]
    assert other.surfaces[0] >= train.surfaces[1]
    assert other.rooms[0] >= train.rooms[1]


def test_the_command_refuses_in_one_line(tmp_path: Path) -> None:
    asked = ["dataset", "make", "--recipe", str(tmp_path / "none.yaml"), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(main, asked)
    assert result.exit_code == 2
    assert "none.yaml" in result.output
    assert "Traceback" not in result.output
