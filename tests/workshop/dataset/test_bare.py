"""Bare surfaces of photos: no card in a crop, none of a held-out surface, and table tops of them in drawn pictures."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from photographed import GREEN, TABLE, WOOD, take

from companion.cli import main
from companion.table.errors import CompanionError
from workshop.dataset import make as maker
from workshop.dataset.photos import MARGIN, bare_square
from workshop.dataset.recipe import Recipe, read_recipe
from workshop.stage import surfaces

SMALL = Recipe(count=2, seed=3, size=(320, 192), surface_kinds=("felt",), surfaces=(0, 1), styles=(0, 2), game=0.0, cards=2)
PLACE = st.tuples(st.integers(0, 700), st.integers(0, 500), st.integers(20, 300), st.integers(20, 300))


@settings(max_examples=40)
@given(st.lists(PLACE, max_size=5))
def test_a_bare_square_lies_in_the_picture_and_holds_no_card(places: list[tuple[int, int, int, int]]) -> None:
    boxes = np.array([[x, y, min(x + w, 800), min(y + h, 600)] for x, y, w, h in places], dtype=float).reshape(-1, 4)
    x, y, side = bare_square(boxes, 800, 600)
    assert 0 <= x <= x + side <= 800
    assert 0 <= y <= y + side <= 600
    for x1, y1, x2, y2 in boxes:
        apart = x + side <= x1 - MARGIN or x >= x2 + MARGIN or y + side <= y1 - MARGIN or y >= y2 + MARGIN
        assert side == 0 or apart
    if not places:
        assert side >= 590, "the whole height"


def test_a_picture_full_of_cards_has_no_bare_square() -> None:
    assert bare_square(np.array([[0.0, 0.0, 800.0, 600.0]]), 800, 600)[2] == 0


@pytest.fixture
def tops(tmp_path: Path) -> Path:
    for stamp in (WOOD, GREEN):
        take(tmp_path / "photos", stamp)
    (tmp_path / "table.yaml").write_text(TABLE)
    arguments = ["--photos", str(tmp_path / "photos"), "--table", str(tmp_path / "table.yaml"), "--out", str(tmp_path / "tops")]
    result = CliRunner().invoke(main, ["dataset", "surfaces", *arguments])
    assert result.exit_code == 0, result.output
    assert "1 crops: wood 1" in result.output
    return tmp_path / "tops"


def test_crops_are_of_training_surfaces_and_show_nothing_but_them(tops: Path) -> None:
    (path,) = tops.iterdir()
    assert path.name == f"wood-{WOOD}.png"
    crop = cv2.imread(str(path))
    assert crop is not None
    assert crop.std(axis=(0, 1)).max() < 3, "no card, no edge of one"


def test_a_photographed_texture_repeats_without_a_seam(tmp_path: Path) -> None:
    slope = np.linspace(60, 190, 200)[:, None] * np.ones((200, 200))
    cv2.imwrite(str(tmp_path / "slope.png"), np.dstack([slope, slope.T, slope]).astype(np.uint8))
    top = surfaces.texture(str(tmp_path / "slope.png"), 7).levels[0].astype(float)
    assert top.shape == (surfaces.SIZE, surfaces.SIZE, 3)
    assert top.std() > 10
    step = max(np.abs(np.diff(top, axis=0)).max(), np.abs(np.diff(top, axis=1)).max())
    assert np.abs(top[0] - top[-1]).max() <= step
    assert np.abs(top[:, 0] - top[:, -1]).max() <= step


def test_a_surface_that_is_neither_kind_nor_picture(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no surface .*there are wood"):
        surfaces.texture(str(tmp_path / "nothing.png"), 1)


def test_the_recipes_share_of_table_tops_is_photographed(tops: Path) -> None:
    half = Recipe(count=1, seed=5, photo_surfaces=0.5)
    drawn = maker.table_tops(half, tops, 0)
    assert len(drawn) == maker.TOPS / 2
    assert {Path(kind).parent for kind, _ in drawn} == {tops}
    assert maker.table_tops(half, tops, 0) == drawn != maker.table_tops(half, tops, 1), "the same block has the same tops"
    assert maker.table_tops(half, None, 0) == []
    assert maker.table_tops(Recipe(count=1, seed=5), tops, 0) == [], "a recipe without a share, as every holdout's, has none"


@pytest.mark.parametrize("holdout", ["val", "easy", "hard", "far", "game"])
def test_no_holdout_is_drawn_on_photographed_table_tops(holdout: str) -> None:
    assert read_recipe(Path(__file__).parents[3] / "datasets" / f"{holdout}.yaml").photo_surfaces == 0


def test_pictures_on_photographed_table_tops_differ_and_the_truth_does_not(tops: Path, tmp_path: Path) -> None:
    everywhere = Recipe(**{name: getattr(SMALL, name) for name in SMALL.__struct_fields__} | {"photo_surfaces": 1.0})
    maker.make(everywhere, tmp_path / "drawn")
    maker.make(everywhere, tmp_path / "photographed", surfaces=tops)
    assert (tmp_path / "drawn" / "truth.jsonl").read_bytes() == (tmp_path / "photographed" / "truth.jsonl").read_bytes()
    one, other = (cv2.imread(str(tmp_path / name / "images" / "000000.jpg")) for name in ("drawn", "photographed"))
    assert np.abs(one.astype(float) - other).mean() > 5


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="--surfaces expects a folder of bare surfaces"):
        maker.make(SMALL, tmp_path / "out", surfaces=tmp_path)
