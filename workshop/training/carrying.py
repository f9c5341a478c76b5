"""A training run in few small files, to carry it from one machine to another and go on there.

Checkpoints are in half precision and without what can be made again (pictures, proposals): at most 8 files, and at the widths
that run in time (up to 0.375) each under 16 MiB.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from workshop.training.checkpoint import CHECKPOINT, read_checkpoint, write_checkpoint
from workshop.training.export import keep_weights

FOLDER = "carry"
"""Its name, in the run's folder."""
PROGRESS = "progress.json"
NETWORKS = ("detector", "refiner", "reader")
MODELS = ("detector.onnx", "refiner.onnx", "reader.onnx", "prototypes.npz")
LARGEST = 16 * 2**20
"""Bytes of a file that can be carried."""


def pack(run: Path, learning: str | None) -> Iterator[str]:
    """Writes ``run``'s state into its folder `FOLDER`; ``learning``: the network whose training is not over. Yields warnings."""
    out = run / FOLDER
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    for name in NETWORKS:
        if not (run / name / CHECKPOINT).exists():
            continue
        state = read_checkpoint(run / name / CHECKPOINT)
        optimiser = state.pop("optimiser", None)
        write_checkpoint(out / f"{name}.pt", _cast(state, torch.float16))
        if name == learning:
            write_checkpoint(out / f"{name}-optimiser.pt", _cast({"optimiser": optimiser}, torch.bfloat16))
    for name in MODELS:
        if (run / "models" / name).exists():
            shutil.copy(run / "models" / name, out / name)
    shutil.copy(run / PROGRESS, out / PROGRESS)
    for path in sorted(out.iterdir()):
        if path.stat().st_size > LARGEST:
            yield f"{path} has {path.stat().st_size / 2**20:.1f} MiB, more than {LARGEST >> 20}: make --width smaller"


def unpack(run: Path) -> None:
    """Makes ``run`` what it was when `pack` wrote its folder `FOLDER`, less pictures and proposals.

    Raises:
        CannotTrain: a checkpoint is damaged.
    """
    carried = run / FOLDER
    (run / "models").mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        if (carried / f"{name}.pt").exists():
            state = _cast(read_checkpoint(carried / f"{name}.pt"), torch.float32)
            if (carried / f"{name}-optimiser.pt").exists():
                state.update(_cast(read_checkpoint(carried / f"{name}-optimiser.pt"), torch.float32))
            write_checkpoint(run / name / CHECKPOINT, state)
            keep_weights(run / name / CHECKPOINT, run / "models" / f"{name}.pt")
    for name in MODELS:
        if (carried / name).exists():
            shutil.copy(carried / name, run / "models" / name)
    shutil.copy(carried / PROGRESS, run / PROGRESS)


def _cast(value: Any, kind: torch.dtype) -> Any:
    """``value`` with all tensors of floats in it of another ``kind``; single numbers, such as counts of steps, stay."""
    if isinstance(value, torch.Tensor):
        return value.to(kind) if value.is_floating_point() and value.ndim else value
    if isinstance(value, dict):
        return {name: _cast(part, kind) for name, part in value.items()}
    return [_cast(part, kind) for part in value] if isinstance(value, list) else value
