"""Checkpoints → ONNX files, with what the runtime needs to know in their metadata."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import onnx
import onnxslim
import torch
from torch import nn

from companion.files import written_whole
from workshop.training.architecture import CardModel, Exported
from workshop.training.checkpoint import read_checkpoint, weights_in


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
