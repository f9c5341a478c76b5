"""The mean of several trainings of one network."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.table.errors import CannotTrain

pytest.importorskip("torch", reason="needs the extra `train`")
pytestmark = pytest.mark.train


def trained(folder: Path, seed: int, width: float = 0.25) -> Path:
    """A run's checkpoint, with fresh weights of that seed."""
    from workshop.training.checkpoint import CHECKPOINT
    from workshop.training.refiner import RefinerPlan, RefinerRun

    run = RefinerRun(folder, RefinerPlan(width=width, seed=seed))
    run.seen = 100 + seed
    run.save()
    return folder / CHECKPOINT


def test_each_weight_is_the_mean_and_the_examples_are_added_up(tmp_path: Path) -> None:
    from workshop.training.checkpoint import mean_of, read_checkpoint

    paths = [trained(tmp_path / str(seed), seed) for seed in (1, 2)]
    one, other = (read_checkpoint(path)["average"] for path in paths)
    mean = mean_of(paths)
    assert mean["seen"] == 203
    name = next(name for name, value in one.items() if value.is_floating_point() and value.ndim > 1)
    assert (mean["average"][name] - (one[name] + other[name]) / 2).abs().max() < 1e-6


def test_a_mean_is_exported_and_started_from_as_a_run_is(tmp_path: Path) -> None:
    from workshop.training.refiner import RefinerPlan, RefinerRun, export_refiner

    paths = [str(trained(tmp_path / str(seed), seed)) for seed in (1, 2)]
    out = tmp_path / "mean" / "last.pt"
    told = CliRunner().invoke(main, ["train", "mean", *paths, "--out", str(out)])
    assert told.exit_code == 0, told.output
    export_refiner(out, tmp_path / "refiner.onnx")
    RefinerRun(tmp_path / "on", RefinerPlan(width=0.25)).start_from(out)


def test_of_two_different_networks_there_is_none(tmp_path: Path) -> None:
    from workshop.training.checkpoint import mean_of

    paths = [trained(tmp_path / str(width), 1, width) for width in (0.25, 0.5)]
    with pytest.raises(CannotTrain, match="not the same network as"):
        mean_of(paths)
