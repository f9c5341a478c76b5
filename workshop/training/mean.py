"""The mean of several trainings of one network, which began with the same weights.

A training for one kind of pictures forgets some of the others. Half way back it has often kept more of what is new than it has
lost of what was known (model soups, Wortsman and others 2022).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from companion.table.errors import CannotTrain
from workshop.training.checkpoint import read_checkpoint, weights_in


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
    """Of tensors, or of dicts of them; whole numbers, such as counts of batches, are the first one's."""
    first = values[0]
    if isinstance(first, Mapping):
        return {name: _mean([value[name] for value in values]) for name in first}
    return torch.stack([value.float() for value in values]).mean(0) if first.is_floating_point() else first
