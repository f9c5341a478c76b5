"""Checkpoints → ONNX files with what the runtime needs to know in their metadata, and small files to carry a run elsewhere.

What is carried is in half precision and without what can be made again (pictures, proposals): at most 8 files, and at the widths
that run in time (up to 0.375) each under 16 MiB.
"""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import onnx
import onnxslim
import torch
from torch import nn

from companion.files import written_whole
from workshop.training.architecture import CardModel, Exported
from workshop.training.checkpoint import CHECKPOINT, read_checkpoint, weights_in, write_checkpoint


def export_detector(checkpoint: Path, out: Path, notes: Mapping[str, Any]) -> None:
    """Writes the checkpoint's averaged weights as ONNX with free height and width; ``notes`` go into its metadata."""
    state = read_checkpoint(checkpoint)
    model = CardModel(**state["shape"])
    model.load_state_dict(state["average"])
    model.eval().fuse(verbose=False)
    export(
        Exported(model), torch.zeros(1, 3, 384, 640), out,
        notes={"trained_on": state["seen"], **notes}, free={0: "batch", 2: "height", 3: "width"},
    )  # fmt: skip


def keep_weights(checkpoint: Path, out: Path) -> None:
    """Writes what a new run needs to start from this one: no optimiser, the averaged weights where there are any, and in half
    precision to be small.
    """
    state = read_checkpoint(checkpoint)
    kept: dict[str, Any] = {name: state[name] for name in ("shape", "names", "seen") if name in state}
    kept.update({name: _halved(state[name]) for name in weights_in(state)})
    with written_whole(out) as scratch, scratch.open("wb") as file:
        torch.save(kept, file)


def _halved(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.half() if value.is_floating_point() else value
    return {name: _halved(part) for name, part in value.items()}


def export(module: nn.Module, example: torch.Tensor, out: Path, notes: Mapping[str, Any], free: Mapping[int, str]) -> None:
    """Writes ``module`` as ONNX to ``out``, whole or not at all; the axes ``free`` (index → name) take any size."""
    module = deepcopy(module).eval()
    with written_whole(out) as scratch:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")  # the tracer warns of shapes that are constant here
            torch.onnx.export(
                module, (example,), str(scratch), opset_version=17, dynamo=False,
                input_names=["pictures"], output_names=["found"], dynamic_axes={"pictures": dict(free)},
            )  # fmt: skip
        slim = onnxslim.slim(str(scratch))
        write_notes(slim, notes)
        onnx.save(slim, str(scratch))


def write_notes(model: onnx.ModelProto, notes: Mapping[str, Any]) -> None:
    """Puts ``notes`` as JSON under ``companion`` into the model's metadata, in place of what was there."""
    kept = [entry for entry in model.metadata_props if entry.key != "companion"]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    model.metadata_props.append(onnx.StringStringEntryProto(key="companion", value=json.dumps(dict(notes))))


def rewrite_notes(path: Path, notes: Mapping[str, Any]) -> None:
    """Adds ``notes`` to those of the exported model ``path``."""
    model = onnx.load(str(path))
    old: dict[str, Any] = next((json.loads(entry.value) for entry in model.metadata_props if entry.key == "companion"), {})
    write_notes(model, {**old, **notes})
    with written_whole(path) as scratch:
        onnx.save(model, str(scratch))


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
