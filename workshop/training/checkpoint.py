"""Checkpoints: the state of a training run, in one file of its folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from pickle import UnpicklingError  # nosec B403 # the error alone: torch loads weights only
from typing import Any

import torch

from companion.files import written_whole
from companion.table.errors import CannotTrain

CHECKPOINT = "last.pt"
"""The file's name."""


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Writes ``state``; the file that was at ``path`` stays until the new one is whole. Makes the folder if it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as scratch, scratch.open("wb") as file:  # given a path, torch would write its name into the file
        torch.save(state, file)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The state that `write_checkpoint` wrote. Raises `CannotTrain`."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as error:
        raise CannotTrain(f"{path}: no such checkpoint: train without --resume first, or name its folder with --run") from error
    except (OSError, RuntimeError, EOFError, ValueError, UnpicklingError) as error:
        raise CannotTrain(f"{path}: not a checkpoint of companion train, or it is damaged") from error
    assert isinstance(state, dict)
    return state


def weights_in(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Under which names the weights of a checkpoint are: averaged ones where there are any, and the reader's prototypes."""
    return tuple(name for name in ("average" if "average" in state else "network", "proxies") if name in state)


def shape_of(state: Mapping[str, Any]) -> dict[str, float]:
    """The shape of a checkpoint's network; that of the refiner's first one where none is kept."""
    return dict(state.get("shape", {"width": 1.0}))
