"""Training on a handful of pictures: it learns, can be stopped, and goes on where it stopped. Needs the extra `train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.eyes.detector import Detector
from workshop.evaluation.labels import TRUTH, read_labels

if TYPE_CHECKING:
    from workshop.training.process_group import ProcessGroup

pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")
pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """16 pictures as `companion dataset make` writes them."""
    folder = tmp_path_factory.mktemp("data")
    recipe = folder / "recipe.yaml"
    recipe.write_bytes(msgspec.yaml.encode({"count": 16, "seed": 5, "hard": 0.0}))
    result = CliRunner().invoke(main, ["dataset", "make", "--recipe", str(recipe), "--out", str(folder / "made"), "--jobs", "1"])
    assert result.exit_code == 0, result.output
    return folder / "made"


def test_one_epoch_then_another_by_resuming_and_a_model_that_runs(data: Path, tmp_path: Path) -> None:
    from workshop.training.checkpoint import CHECKPOINT, read_checkpoint

    run, out = tmp_path / "run", tmp_path / "detector.onnx"
    arguments = [
        "train",
        "detector",
        "--data",
        str(data),
        "--run",
        str(run),
        "--out",
        str(out),
        "--width",
        "0.0625",
        "--batch",
        "4",
        "--threads",
        "1",
    ]
    first = CliRunner().invoke(main, [*arguments, "--epochs", "1"], catch_exceptions=False)
    assert first.exit_code == 0, first.output
    state = read_checkpoint(run / CHECKPOINT)
    assert (state["seen"], state["epoch"], state["steps"]) == (16, 1, 4)

    second = CliRunner().invoke(main, [*arguments, "--epochs", "2", "--resume", "--val", str(data)], catch_exceptions=False)
    assert second.exit_code == 0, second.output
    again = read_checkpoint(run / CHECKPOINT)
    assert (again["seen"], again["epoch"], again["steps"]) == (32, 2, 8)
    moved = [name for name, value in state["model"].items() if not np.array_equal(value, again["model"][name])]
    assert moved, "a resumed run must go on learning"

    picture = read_labels(data)[0].read()
    for image in (picture, picture[:100, :300]):
        assert isinstance(Detector(out).detect(image, 320, threshold=0.0001), list)


def test_a_new_run_starts_from_the_weights_that_are_kept_beside_a_model(data: Path, tmp_path: Path) -> None:
    from workshop.training.detector import DetectorPlan, DetectorRun
    from workshop.training.export import keep_weights

    first = DetectorRun(tmp_path / "first", DetectorPlan(epochs=1, batch=8, width=0.0625, threads=1, workers=0))
    list(first.train([data]))
    keep_weights(tmp_path / "first" / "last.pt", tmp_path / "kept.pt")
    second = DetectorRun(tmp_path / "second", DetectorPlan(epochs=1, width=0.0625, seed=3))
    second.start_from(tmp_path / "kept.pt")
    for name, value in first.average.ema.state_dict().items():
        assert np.allclose(value, second.network.state_dict()[name], rtol=2e-3, atol=1e-3), name


def test_a_run_cut_off_within_an_epoch_sees_each_picture_once(data: Path, tmp_path: Path) -> None:
    from workshop.training.detector import DetectorPlan, DetectorRun
    from workshop.training.process_group import PictureOrder

    order = list(PictureOrder(16, seed=1, epoch=0, start=0))
    assert order[6:] == list(PictureOrder(16, seed=1, epoch=0, start=6))
    assert sorted(index for _, index in order) == list(range(16))

    run = DetectorRun(tmp_path / "run", DetectorPlan(epochs=1, batch=4, width=0.0625, threads=1, workers=0))
    news = run.train([data])
    run.epoch, run.at, run.seen = 0, 12, 12
    run.save()
    list(news)
    other = DetectorRun(tmp_path / "run", DetectorPlan(epochs=1, batch=4, width=0.0625, threads=1, workers=0))
    other.resume()
    assert (other.seen, other.epoch, other.at, other.steps) == (16, 1, 0, 1)


def test_two_cores_share_the_pictures_and_end_with_one_network(data: Path, tmp_path: Path) -> None:
    from workshop.training.checkpoint import CHECKPOINT, read_checkpoint
    from workshop.training.detector import DetectorPlan, DetectorRun
    from workshop.training.process_group import PictureOrder, ProcessGroup

    whole = list(PictureOrder(17, seed=1, epoch=0, start=4))
    shares = [list(PictureOrder(17, seed=1, epoch=0, start=4, team=ProcessGroup(rank, 2))) for rank in (0, 1)]
    assert sorted(shares[0] + shares[1]) == sorted(whole[:-1]), "what is left over waits for the next epoch"

    news = list(DetectorRun(tmp_path / "run", DetectorPlan(epochs=2, batch=4, width=0.0625, threads=2)).train([data]))
    state = read_checkpoint(tmp_path / "run" / CHECKPOINT)
    assert (state["seen"], state["epoch"], state["steps"]) == (32, 2, 4)
    assert news[-1].startswith("done after 32 pictures")


def _give(team: ProcessGroup, found: Path) -> None:
    import torch

    network = torch.nn.ModuleDict({"seen": torch.nn.Linear(1, 1), "unseen": torch.nn.Linear(1, 1)})
    (
        network["seen"](torch.full((1, 1), 1.0 + 2 * team.rank)) + (0 if team.leads else network["unseen"](torch.ones(1, 1)))
    ).sum().backward()
    team.average_gradients(network.parameters())
    largest = team.largest(team.rank, 5 - team.rank)
    np.save(found / f"{team.rank}.npy", [float(network[name].weight.grad) for name in ("seen", "unseen")] + largest)


def test_gradients_are_averaged_and_a_part_that_saw_nothing_counts_as_zero(tmp_path: Path) -> None:
    from workshop.training.process_group import process_group_of

    with process_group_of(2, _give, tmp_path) as team:
        _give(team, tmp_path)
    for rank in (0, 1):
        assert np.load(tmp_path / f"{rank}.npy").tolist() == [2.0, 0.5, 1.0, 5.0]


def test_the_loss_falls_on_pictures_that_are_seen_again_and_again(data: Path, tmp_path: Path) -> None:
    from workshop.training.detector import DetectorPlan, DetectorRun

    run = DetectorRun(tmp_path / "run", DetectorPlan(epochs=20, batch=8, width=0.0625, threads=1, workers=0, rate=2e-2))
    losses: list[float] = []
    step = run.step

    def watched(batch: dict[str, object], progress: float) -> dict[str, float]:
        terms = step(batch, progress)  # type: ignore[arg-type]
        losses.append(terms["pose_loss"])
        return terms

    run.step = watched  # type: ignore[method-assign,assignment]
    list(run.train([data]))
    assert np.mean(losses[-6:]) < 0.93 * np.mean(losses[:6])


def test_a_folder_without_pictures_and_a_run_without_a_checkpoint_are_one_line(data: Path, tmp_path: Path) -> None:
    run = ["--run", str(tmp_path / "r"), "--out", str(tmp_path / "out.onnx"), "--epochs", "1"]
    empty = CliRunner().invoke(main, ["train", "detector", "--data", str(tmp_path), *run])
    assert empty.exit_code == 2
    assert TRUTH in empty.stderr
    resumed = CliRunner().invoke(main, ["train", "detector", "--data", str(data), *run, "--resume"])
    assert resumed.exit_code == 2
    assert "no such checkpoint" in resumed.stderr


def goes_on_where_it_stopped(arguments: list[str], run: Path, least: int = 0) -> None:
    """Trains two seconds at a time, twice and more until over ``least`` examples were seen, however long a step takes here."""
    from workshop.training.checkpoint import CHECKPOINT, read_checkpoint

    seen, seconds, rounds = 0, 0.0, 0
    while rounds < 2 or (seen <= least and rounds < 10):
        minutes = seconds / 60 + 0.03
        more = ["--resume"] if rounds else []
        result = CliRunner().invoke(main, [*arguments, "--minutes", f"{minutes}", *more], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        state = read_checkpoint(run / CHECKPOINT)
        assert state["seen"] > seen
        assert state["seconds"] >= minutes * 60
        seen, seconds, rounds = state["seen"], state["seconds"], rounds + 1
    assert seen > least


def test_the_refiner_learns_from_proposals_and_goes_on_where_it_stopped(data: Path, tmp_path: Path) -> None:
    from workshop.training.detector import DetectorPlan, DetectorRun
    from workshop.training.export import export_detector

    list(DetectorRun(tmp_path / "first", DetectorPlan(epochs=1, batch=8, width=0.0625, threads=1, workers=0)).train([data]))
    export_detector(tmp_path / "first" / "last.pt", tmp_path / "detector.onnx", {})
    run, out = tmp_path / "run", tmp_path / "refiner.onnx"
    arguments = ["train", "refiner", "--data", str(data), "--val", str(data), "--detector", str(tmp_path / "detector.onnx")]
    arguments += ["--run", str(run), "--out", str(out)]
    goes_on_where_it_stopped(arguments, run, least=16 * 6)
    whole = Detector(tmp_path / "detector.onnx", refiner=out)
    picture = read_labels(data)[0].read()
    found = whole.detect(picture, 640, threshold=0.0)
    assert all(one.refined is not None and 0 <= one.score <= 1 for one in found)


def test_a_displaced_card_is_taught_its_true_corners(data: Path) -> None:
    from workshop.training.proposals import NOTHING, displaced, lesson

    rng = np.random.default_rng(3)
    for picture in read_labels(data):
        taught = lesson(displaced(picture.quads, rng), picture)
        cards = (taught.labels != NOTHING) & ~np.isnan(taught.corners[:, 0, 0])
        assert cards.sum() >= 0.5 * (picture.visible >= 0.25).sum() - 1
        far = lesson(picture.quads + 5000.0, picture)
        assert (far.labels == NOTHING).all()
        assert np.isnan(far.corners).all()


def test_the_reader_learns_from_made_up_crops_and_from_pictures_and_goes_on_where_it_stopped(data: Path, tmp_path: Path) -> None:
    from companion.eyes.reader import Prototypes, Reader

    run, out = tmp_path / "run", tmp_path / "models"
    arguments = ["train", "reader", "--data", str(data), "--val", str(data), "--run", str(run), "--out", str(out)]
    goes_on_where_it_stopped([*arguments, "--styles", "1"], run)
    reader = Reader(out / "reader.onnx", Prototypes.load(out / "prototypes.npz"))
    assert reader.embed([np.zeros((112, 64, 3), np.uint8)]).shape == (1, 64)


def test_each_of_two_cores_makes_up_crops_of_its_own() -> None:
    from workshop.training.crops import classes
    from workshop.training.process_group import ProcessGroup
    from workshop.training.reader import Crops

    known = classes(1, seed=0, scans=None)
    handfuls = [Crops(known, [], [], seed=3, start=0, team=ProcessGroup(rank, 2))[5][0].numpy() for rank in (0, 0, 1)]
    assert (handfuls[0] == handfuls[1]).all(), "drawn from the seed alone"
    assert not (handfuls[0] == handfuls[2]).all()


def test_faces_of_pictures_are_taught_by_name_and_hidden_ones_as_nobody(data: Path) -> None:
    from companion.decks.stu import KINDS
    from workshop.deck.ramino import FACES
    from workshop.training.crops import NOTHING, crops_of, teachable

    decks = [("stu", [*KINDS, "back"]), ("ramino", [*FACES, "back"])]
    names = {name: number for number, name in enumerate(f"{deck}/{card}" for deck, cards in decks for card in cards)}
    pictures = teachable(read_labels(data), names)
    rng = np.random.default_rng(1)
    crops = [one for picture in pictures for _ in range(8) for one in crops_of(picture, names, rng, most=4)]
    assert crops
    assert {one.image.shape for one in crops} == {(112, 64, 3)}
    shown = {
        names[f"{deck}/{card or 'back'}"]
        for picture in pictures
        for card, deck in zip(picture.cards, picture.decks, strict=True)
        if deck in ("stu", "ramino")
    }
    taught = {one.label for one in crops}
    assert taught - {NOTHING} <= shown
    assert len(taught - {NOTHING}) > 3
    assert 0.02 < np.mean([one.label == NOTHING for one in crops]) < 0.5
