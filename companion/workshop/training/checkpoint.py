"""Checkpoints: what a training run has learnt so far, in one file of its folder."""

from __future__ import annotations

from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from companion.files import written_whole
from companion.table.errors import CannotTrain

CHECKPOINT = "last.pt"
"""Name of the file."""


def write_checkpoint(path: Path, state: dict[str, Any]) -> None:
    """Writes ``state``; what stood at ``path`` stands until the new one is whole. The folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as scratch, scratch.open("wb") as file:  # torch writes a path's name into it, a file's not
        torch.save(state, file)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """What `Run.save` wrote. Raises `CannotTrain`."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError as error:
        raise CannotTrain(f"{path}: no such checkpoint: train without --resume first, or name its folder with --run") from error
    except (OSError, RuntimeError, EOFError, ValueError, UnpicklingError) as error:
        raise CannotTrain(f"{path}: this is no checkpoint of companion train, or it is damaged") from error
    assert isinstance(state, dict)
    return state
