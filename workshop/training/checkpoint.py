"""Checkpoints: the state of a training run, in one file of its folder, and the mean of several of them.

A training for one kind of pictures forgets some of the others. Half way back it has often kept more of what is new than it has
lost of what was known (model soups, Wortsman and others 2022).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def mean_of(paths: Sequence[Path]) -> dict[str, Any]:
    """A checkpoint with the mean of the averaged weights of those at ``paths``, and as many examples as all have seen together.

    Raises:
        CannotTrain: one is no checkpoint, or they are of different networks.
    """
    states = [read_checkpoint(path) for path in paths]
    kinds = weights_in(states[0])
    told: dict[str, Any] = {name: states[0][name] for name in ("shape", "names") if name in states[0]}
    for path, state in zip(paths, states, strict=True):
        unlike = [name for name, value in told.items() if state.get(name) != value]
        unlike += [name for name in kinds if name not in state or _sizes(state[name]) != _sizes(states[0][name])]
        if unlike or not kinds:
            raise CannotTrain(f"{path}: not the same network as {paths[0]}: only trainings of one network have a mean")
    means = {name: _mean([state[name] for state in states]) for name in kinds}
    return {**told, "seen": sum(int(state.get("seen", 0)) for state in states), **means}


def _sizes(value: Any) -> Any:
    return {name: part.shape for name, part in value.items()} if isinstance(value, Mapping) else value.shape


def _mean(values: Sequence[Any]) -> Any:
    """The mean of tensors, or of dicts of them; whole numbers, such as counts of batches, are taken from the first."""
    first = values[0]
    if isinstance(first, Mapping):
        return {name: _mean([value[name] for value in values]) for name in first}
    return torch.stack([value.float() for value in values]).mean(0) if first.is_floating_point() else first
