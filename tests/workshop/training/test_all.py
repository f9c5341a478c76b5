"""`companion train all`: views made on the device, drawing beside training, and a run that is killed, carried off and goes on."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.eyes.detector import Detector
from companion.eyes.reader import Prototypes, Reader
from workshop.evaluation.labels import TRUTH, read_labels

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")
pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]


def recipe(folder: Path, name: str, count: int, seed: int) -> Path:
    path = folder / f"{name}.yaml"
    path.write_bytes(msgspec.yaml.encode({"count": count, "seed": seed, "hard": 0.0, "cards": 6}))
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """12 drawn pictures."""
    from workshop.dataset.make import make
    from workshop.dataset.recipe import read_recipe

    folder = tmp_path_factory.mktemp("data")
    make(read_recipe(recipe(folder, "few", 12, 3)), folder / "made")
    return folder / "made"


def test_a_view_made_on_the_device_is_the_view_that_the_loader_makes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from workshop.training import pictures as views
    from workshop.training.device_cache import read
    from workshop.training.pictures import labels, place

    for name in ("BLURRED", "NOISY"):
        monkeypatch.setattr(views, name, 0.0)
    for seed, picture in enumerate(read_labels(data)):
        canvas, target = place(picture, picture.read(), np.random.default_rng(seed))
        image, cards = read(picture)
        batch = views.shown(torch.from_numpy(image)[None], views.aimed([cards], np.random.default_rng(seed)))
        away = np.abs(batch["img"][0].permute(1, 2, 0).numpy().astype(int) - canvas)
        assert away.mean() < 2.0, picture.path
        rows = torch.cat([batch["cls"], batch["bboxes"], batch["keypoints"].flatten(1)], dim=1).numpy()
        expected = labels(target)
        assert len(rows) == len(expected), picture.path
        assert np.allclose(rows, expected, atol=1e-5), picture.path


def test_the_share_of_a_card_inside_is_the_polygons(data: Path) -> None:
    from workshop.training.pictures import share_inside, shares_inside

    rng = np.random.default_rng(4)
    quads = np.concatenate([one.quads + rng.uniform(-200, 200, 2) for one in read_labels(data)])
    exact = np.array([share_inside(quad, 384, 640) for quad in quads])
    assert np.abs(shares_inside(quads, 384, 640) - exact).max() < 0.1


def test_held_pictures_grow_with_their_folder_take_turns_and_come_as_often_as_they_should(data: Path, tmp_path: Path) -> None:
    import torch

    from workshop.training.device_cache import DeviceCache
    from workshop.training.pictures import INPUT

    lines = (data / TRUTH).read_bytes().splitlines(keepends=True)
    some, photos = tmp_path / "some", tmp_path / "photos"
    for folder in (some, photos):
        shutil.copytree(data / "images", folder / "images")
    (some / TRUTH).write_bytes(lines[0] + lines[1][:30])
    (photos / TRUTH).write_bytes(lines[5])

    def wait(held: DeviceCache, count: int) -> None:
        end = time.monotonic() + 30
        while len(held) < count and time.monotonic() < end:
            time.sleep(0.05)

    picture = 3 * INPUT[0] * INPUT[1]
    with DeviceCache([some, photos], torch.device("cpu"), 8 * picture / 1e9 + 1e-6, often={str(photos): 0.75}) as held:
        wait(held, 2)
        assert len(held) == 2, "a line that is not finished is no picture yet"
        with (some / TRUTH).open("ab") as file:
            file.write(lines[1][30:] + b"".join(lines[2:4]))
        wait(held, 5)
        assert len(held) == 5
        batch = next(held.batches(4, [np.random.default_rng(1)]))
        assert batch["img"].shape == (4, 3, *INPUT)
        assert batch["img"].dtype == torch.uint8
        slots = held._pick(4000, np.random.default_rng(2))
        of_photos = held._slots[str(photos)]
        assert np.isin(slots, of_photos).mean() == pytest.approx(0.75, abs=0.03)
        with (some / TRUTH).open("ab") as file:
            file.writelines(lines[6:])
        wait(held, 8)
        time.sleep(1.0)
        assert len(held) == 8, "no more than there is room for"
    with DeviceCache([data], torch.device("cpu"), 1.0) as held:
        wait(held, 12)
        rngs = [[np.random.default_rng(seed) for seed in range(4)] for _ in range(2)]
        for one, other in zip(held.batches(3, rngs[0]), held.batches(3, rngs[1], ahead=2), strict=True):
            assert all(torch.equal(one[name], other[name]) for name in one), "what is worked out ahead is the same"
        shutil.rmtree(some / "images")
    with DeviceCache([some], torch.device("cpu"), 1.0) as held, pytest.raises(Exception, match="images"):
        next(held.batches(1, [np.random.default_rng(0)]))


def test_a_crop_made_on_the_device_is_the_crop_that_its_frame_cuts_out(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from companion.assets import asset
    from companion.eyes.geometry import signed_area
    from companion.eyes.refiner import cut_out, to_pixels
    from workshop.training import cached_crops
    from workshop.training.proposals import open_proposer

    open_proposer(asset("models/detector.onnx"), 1)
    monkeypatch.setattr(cached_crops, "_spoilt", lambda pixels, generator: pixels)
    generator, afar = torch.Generator().manual_seed(1), list[float]()
    for number, picture in enumerate(read_labels(data)):
        cuts = cached_crops.cut_up([(picture, number)], 0)
        held = [torch.from_numpy(getattr(cuts, name)) for name in cached_crops.Cuts.__slots__]
        crops, _, corners, frame, _ = cached_crops.shown(*held, generator)
        image, own = picture.read(), frame.double().numpy()
        for view, one in zip(crops, own, strict=True):
            away = np.abs(view.permute(1, 2, 0).numpy() - cut_out(image, one))
            assert away.mean() < 12.0, picture.path
            afar.append(float(away.mean()))
        known = ~torch.isnan(corners[:, 0, 0]).numpy()
        inner = corners.double().numpy()[known]
        assert (signed_area(inner) > 0).all(), "clockwise in each view, whichever way it shows them"
        for quad in to_pixels(inner, own[known]):
            off = [
                np.abs(np.roll(way, turn, axis=0) - quad).max()
                for true in picture.quads
                for way in (true, true[::-1])
                for turn in range(4)
            ]
            assert min(off) < 0.02, "each corner where it is"
    assert len(afar) > 60
    assert np.mean(afar) < 1.5, "half of them are the very crop, the others are taken out of it"


def test_held_crops_come_from_all_pictures_and_no_more_than_there_is_room_for(data: Path, tmp_path: Path) -> None:
    import torch

    from companion.assets import asset
    from companion.table.errors import CannotTrain
    from workshop.training.cached_crops import BYTES, CachedCrops

    pictures, detector, device = read_labels(data), asset("models/detector.onnx"), torch.device("cpu")
    with CachedCrops(pictures, detector, device, 60 * BYTES / 1e9, 2, 0) as held:
        crops, labels, corners, frame, boxes = next(held.batches(32, 1))
        assert [part.shape[1:] for part in (crops, corners, frame, boxes)] == [(3, 96, 64), (4, 2), (3, 2), (4,)]
        assert crops.dtype == torch.uint8
        assert set(labels.tolist()) <= {0, 1, 2, 3}
        assert held.done == len(pictures)
        assert len(held) == held.capacity == 60
    with CachedCrops([], detector, device, 0.01, 1, 0) as held, pytest.raises(CannotTrain, match="no crops came"):
        next(held.batches(4, 1))
    shutil.copytree(data, tmp_path / "gone")
    gone = read_labels(tmp_path / "gone")
    shutil.rmtree(tmp_path / "gone" / "images")
    with CachedCrops(gone, detector, device, 0.01, 1, 0) as held, pytest.raises(Exception, match="images"):
        next(held.batches(4, 1))


def test_drawing_goes_on_where_it_was_stopped_and_draws_the_same_pictures(data: Path, tmp_path: Path) -> None:
    from workshop.dataset.recipe import read_recipe
    from workshop.training.drawing import Drawing, Sources, Work, drawn

    work = Work(read_recipe(recipe(tmp_path, "few", 12, 3)), tmp_path / "out")
    (tmp_path / "out").mkdir()
    lines = (data / TRUTH).read_bytes().splitlines(keepends=True)
    (tmp_path / "out" / TRUTH).write_bytes(b"".join(lines[:4]) + lines[4][:50])
    with Drawing([work], Sources(), 2) as drawing:
        while drawing.going_on():
            time.sleep(0.1)
    assert drawn(tmp_path / "out") == 12
    there = sorted((tmp_path / "out" / TRUTH).read_bytes().splitlines(keepends=True))
    assert there == sorted(lines)
    with Drawing([work], Sources(), 2) as drawing:
        assert not drawing.going_on(), "nothing is left to draw"


def started(arguments: list[str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as file:
        return subprocess.Popen([sys.executable, "-m", "companion", "train", "all", *arguments], stdout=file, stderr=file)


def said(arguments: list[str], log: Path, code: int = 0) -> str:
    process = started(arguments, log)
    assert process.wait(timeout=1500) == code, log.read_text()
    return log.read_text()


def test_a_minute_of_everything_killed_carried_to_another_machine_and_ended(tmp_path: Path) -> None:
    from workshop.training.checkpoint import CHECKPOINT, read_checkpoint
    from workshop.training.export import LARGEST

    few, more = recipe(tmp_path, "few", 10, 5), recipe(tmp_path, "more", 8, 6)
    first, second, log = tmp_path / "first", tmp_path / "second", tmp_path / "log"
    arguments = ["--minutes", "1", "--recipe", str(few), "--refining", str(more), "--val", str(more), "--styles", "1"]
    arguments += ["--strangers", "1", "--width", "0.0625", "--batch", "2", "--held", "0.05", "--jobs", "1"]

    def carried(run: Path) -> list[str]:
        files = list((run / "carry").iterdir())
        assert len(files) <= 8
        assert max(path.stat().st_size for path in files) < LARGEST
        return sorted(path.name for path in files)

    process = started(["--out", str(first), *arguments], log)
    while not (first / "progress.json").exists() or "pictures" not in json.loads((first / "progress.json").read_bytes())["done"]:
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    process.kill()
    process.wait()
    assert "go on with --resume" in said(["--out", str(first), *arguments], log, code=2)

    assert "stopped; --resume goes on" in said(["--out", str(first), *arguments, "--resume", "--piece", "0.02"], log)
    assert carried(first) == ["detector-optimiser.pt", "detector.pt", "progress.json"]
    seen = read_checkpoint(first / "detector" / CHECKPOINT)["seen"]
    assert seen > 0

    shutil.copytree(first / "carry", second / "carry")
    assert "done: " in said(["--out", str(second), *arguments, "--resume"], log)
    assert read_checkpoint(second / "detector" / CHECKPOINT)["seen"] > seen
    assert carried(second) == ["detector.onnx", "detector.pt", "progress.json", "prototypes.npz", "reader.onnx", "reader.pt",
                               "refiner.onnx", "refiner.pt"]  # fmt: skip

    models = second / "models"
    picture = read_labels(second / "pictures" / "learnt-0")[0]
    eyes = Detector(models / "detector.onnx", refiner=models / "refiner.onnx")
    assert isinstance(eyes.detect(picture.read(), 640, threshold=0.0), list)
    reader = Reader(models / "reader.onnx", Prototypes.load(models / "prototypes.npz"))
    assert len(reader.read(picture.read(), picture.quads)) == len(picture.quads)
    assert all((models / f"{name}.pt").exists() for name in ("detector", "refiner", "reader"))
