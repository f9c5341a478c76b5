"""Real photos as labelled pictures: parted by surface, boxes without corners, cards nobody labelled left out."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from photographed import GREEN, TABLE, WOOD, take

from companion.cli import main
from workshop.dataset import photos
from workshop.dataset.photos import BadPhotos, PhotoTable, SurfaceTimes, read_photos, read_table, surface_at
from workshop.evaluation.labels import read_labels

SHIPPED_TABLE = read_table(Path(__file__).parents[3] / "datasets" / "french-photos.yaml")
REAL = Path(__file__).parents[4] / "shared" / "photos" / "french"
needs_photos = pytest.mark.skipif(not REAL.is_dir(), reason="needs the real photos in ../shared/photos/french")


@pytest.fixture
def table(tmp_path: Path) -> PhotoTable:
    (tmp_path / "table.yaml").write_text(TABLE)
    return read_table(tmp_path / "table.yaml")


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    for stamp in (WOOD, GREEN):
        take(tmp_path / "photos", stamp)
    return tmp_path / "photos"


def command(taken: Path, out: Path, table: Path, part: str) -> Result:
    arguments = ["dataset", "photos", "--photos", str(taken), "--out", str(out), "--part", part, "--table", str(table)]
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(("part", "stamp", "surface"), [("train", WOOD, "wood"), ("test", GREEN, "green cloth")])
def test_each_part_gets_its_own_surfaces_and_the_labels_are_boxes(
    taken: Path, tmp_path: Path, table: PhotoTable, part: str, stamp: str, surface: str
) -> None:
    result = command(taken, tmp_path / "out", tmp_path / "table.yaml", part)
    assert result.exit_code == 0, result.output
    assert f"1 photos: {surface} 1" in result.output
    (picture,) = read_labels(tmp_path / "out")
    assert picture.path.name == f"IMG_{stamp}.jpg"
    assert picture.path.read_bytes() == (taken / "images" / picture.path.name).read_bytes()
    assert picture.cards == ("As", "10h", "Kc")
    assert picture.decks == ("ramino",) * 3
    assert not picture.corners.any()
    assert picture.size == (560, 480)
    boxes = np.array([row["xyxy"] for row in json.loads((taken / "labels.json").read_text())[0]["boxes"]])
    assert picture.quads[:, [0, 2]].reshape(-1, 4) == pytest.approx(boxes - 0.5, abs=0.01), "pixel centres have whole coordinates"


def test_a_large_photo_is_scaled_down_with_its_boxes(tmp_path: Path, table: PhotoTable) -> None:
    take(tmp_path / "small", WOOD)
    take(tmp_path / "large", WOOD, scale=3)
    for name in ("small", "large"):
        assert list(photos.convert(tmp_path / name, tmp_path / f"{name}-out", table, "train")) == ["wood"]
    small, large = (read_labels(tmp_path / f"{name}-out")[0] for name in ("small", "large"))
    assert large.size == (1280, 1097)
    assert large.read().shape == (1097, 1280, 3)
    assert (large.quads + 0.5) / 1280 == pytest.approx((small.quads + 0.5) / 560, abs=1e-3)


def test_photos_with_cards_that_nobody_labelled_are_left_out(taken: Path, table: PhotoTable) -> None:
    other = PhotoTable(table.surfaces, left_out=(WOOD,))
    assert len(read_photos(taken, table, "train")) == 1
    assert read_photos(taken, other, "train") == []
    assert len(read_photos(taken, other, "test")) == 1


SEVERAL = [
    ("no folder", lambda folder: None, "expects a folder with labels.json"),
    ("labels that are none", lambda folder: (folder / "labels.json").write_text('{"a": 1}'), "expected a list"),
    ("a box inside out", lambda folder: relabel(folder, xyxy=[50, 50, 40, 90]), "has no area"),
    ("a card that does not exist", lambda folder: relabel(folder, label="11 Spades"), "is no card"),
]


def relabel(folder: Path, **changes: object) -> None:
    take(folder, WOOD)
    known = json.loads((folder / "labels.json").read_text())
    known[0]["boxes"][1] |= changes
    (folder / "labels.json").write_text(json.dumps(known))


@pytest.mark.parametrize(("change", "says"), [case[1:] for case in SEVERAL], ids=[case[0] for case in SEVERAL])
def test_bad_photos_are_named_in_one_line(tmp_path: Path, table: PhotoTable, change: object, says: str) -> None:
    (tmp_path / "photos").mkdir()
    change(tmp_path / "photos")  # type: ignore[operator]
    result = command(tmp_path / "photos", tmp_path / "out", tmp_path / "table.yaml", "train")
    assert result.exit_code == 2
    assert says in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_photo_of_another_size_than_its_labels_say(taken: Path, tmp_path: Path, table: PhotoTable) -> None:
    cv2.imwrite(str(taken / "images" / f"IMG_{WOOD}.jpg"), np.zeros((100, 100, 3), np.uint8))
    with pytest.raises(BadPhotos, match="100 x 100 pixels, but labelled as 560 x 480"):
        list(photos.convert(taken, tmp_path / "out", table, "train"))


def test_pictures_that_are_there_are_not_overwritten(taken: Path, tmp_path: Path, table: PhotoTable) -> None:
    list(photos.convert(taken, tmp_path / "out", table, "train"))
    with pytest.raises(BadPhotos, match="already holds pictures"):
        list(photos.convert(taken, tmp_path / "out", table, "train"))


@pytest.mark.parametrize(
    ("spans", "says"),
    [
        ([["20220316_120000", "20220316_115959"]], "the earlier time first"),
        ([["20220316_120000", "20220316_121000"]], "belongs to"),
        ([["12:00", "13:00"]], "is no time"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(tmp_path: Path, spans: list[list[str]], says: str) -> None:
    other = json.dumps({"name": "b", "part": "test", "times": [["20220316_121000", "20220316_122000"]]})
    text = json.dumps({"name": "a", "part": "train", "times": spans})
    (tmp_path / "table.yaml").write_text(f"surfaces: [{text}, {other}]")
    with pytest.raises(BadPhotos, match=says):
        read_table(tmp_path / "table.yaml")


@given(st.lists(st.integers(0, 235959), min_size=2, max_size=12, unique=True).map(sorted), st.integers(0, 235959))
def test_a_moment_has_the_one_surface_whose_time_holds_it(ends: list[int], moment: int) -> None:
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    spans = tuple((f"20220316_{first:06d}", f"20220316_{last:06d}") for first, last in pairs)
    table = PhotoTable(tuple(SurfaceTimes(f"s{n}", "train", (span,)) for n, span in enumerate(spans)))
    holding = [n for n, (first, last) in enumerate(pairs) if first <= moment <= last]
    image = f"images/IMG_20220316_{moment:06d}.jpg"
    if holding:
        assert [f"s{n}" for n in holding] == [surface_at(table, image).name]
    else:
        with pytest.raises(BadPhotos, match="no surface"):
            surface_at(table, image)


@given(st.integers(0, 235959))
def test_the_shipped_table_gives_no_moment_to_two_surfaces(moment: int) -> None:
    stamp = f"20220316_{moment:06d}"
    holding = {s.name for s in SHIPPED_TABLE.surfaces for first, last in s.times if first <= stamp <= last}
    assert len(holding) <= 1


def test_the_shipped_table_holds_surfaces_out() -> None:
    table = SHIPPED_TABLE
    assert len({surface.name for surface in table.surfaces}) == len(table.surfaces)
    assert sum(surface.part == "test" for surface in table.surfaces) >= 2
    assert sum(surface.part == "train" for surface in table.surfaces) >= 2


@needs_photos
def test_the_shipped_table_knows_every_real_photo_once() -> None:
    table = SHIPPED_TABLE
    train, test = (read_photos(REAL, table, part) for part in ("train", "test"))
    assert len(train) + len(test) + len(table.left_out) == 1285
    assert not {photo.surface for photo in train} & {photo.surface for photo in test}
    assert {len(photo.labels.cards) for photo in train + test} == {4, 5}
