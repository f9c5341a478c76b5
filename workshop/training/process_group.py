"""Processes that train one network together, each on its own share of the pictures; gradients are averaged at every step.

Two processes with one thread each see 1.5 times as many pictures a second as one process with two threads.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.utils.data import Sampler

PATIENCE = timedelta(minutes=5)
"""How long a process waits for another one before it gives up."""


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """One process' place in a team: the ``rank``-th (from 0) of ``size``. A team of one shares nothing."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes checkpoints and reports progress."""
        return self.rank == 0

    def average_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """Gives every process the mean of all gradients; a missing one, where a batch had nothing to teach, counts as zero."""
        if self.size == 1:
            return
        learning = [p for p in parameters if p.requires_grad]
        for p in learning:
            p.grad = torch.zeros_like(p) if p.grad is None else p.grad
        gradients = [p.grad for p in learning if p.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        dist.all_reduce(flat)
        flat /= self.size
        for gradient, mean in zip(gradients, flat.split([gradient.numel() for gradient in gradients]), strict=True):
            gradient.copy_(mean.view(gradient.shape))

    def largest(self, *values: float) -> list[float]:
        """For each of the ``values`` the largest of all processes, on which they all agree."""
        if self.size == 1:
            return list(values)
        agreed = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(agreed, dist.ReduceOp.MAX)
        return [float(value) for value in agreed]


ALONE = ProcessGroup()


class PictureOrder(Sampler[tuple[int, int]]):
    """(epoch, index) of every picture, in a random order that differs by epoch, from the ``start``-th picture on.

    Each process of a ``team`` gets an equal share; what is left over waits for the next epoch.
    """

    def __init__(self, count: int, seed: int, epoch: int, start: int, team: ProcessGroup = ALONE) -> None:
        self.count, self.seed, self.epoch, self.start, self.team = count, seed, epoch, start, team

    def __iter__(self) -> Iterator[tuple[int, int]]:
        order = np.random.default_rng([self.seed, self.epoch]).permutation(self.count)[self.start :]
        own = order[self.team.rank :: self.team.size][: len(self)]
        return iter([(self.epoch, int(i)) for i in own])

    def __len__(self) -> int:
        return max(self.count - self.start, 0) // self.team.size


class Learner(Protocol):
    """A training run that a team can share: made from its folder and plan, and started from the checkpoint there."""

    folder: Path
    plan: Any
    team: ProcessGroup

    def save(self) -> None:
        """Writes the checkpoint."""

    def resume(self) -> None:
        """Continues from the checkpoint."""

    def learn(self, lessons: Any) -> Iterator[str]:
        """Trains on this process' share, exchanging gradients as often as the rest of the team; yields progress messages."""


def learn_together(run: Learner, size: int, lessons: Any) -> Iterator[str]:
    """Runs ``run.learn(lessons)`` as the first of ``size`` processes, writes its checkpoint, and yields its progress messages.

    The run's class and ``lessons`` must be picklable. The others start from a checkpoint that is written first.
    """
    if size > 1:
        run.save()
    with process_group_of(size, _learn_along, type(run), run.folder, run.plan, lessons) as run.team:
        yield from run.learn(lessons)
    run.save()


def _learn_along(team: ProcessGroup, kind: Callable[..., Learner], folder: Path, plan: Any, lessons: Any) -> None:
    run = kind(folder, plan)
    run.resume()
    run.team = team
    for _ in run.learn(lessons):
        pass


@contextmanager
def process_group_of(size: int, work: Callable[..., None], *arguments: Any) -> Iterator[ProcessGroup]:
    """Starts ``size`` - 1 other processes that run ``work(team, *arguments)``, and gives this process' place among them.

    ``work`` must be a function of a module, with picklable arguments, and exchange gradients as often as this process does.
    """
    if size == 1:
        yield ALONE
        return
    with tempfile.TemporaryDirectory(prefix="companion-team-") as folder:
        meeting = Path(folder) / "meeting"
        others = [
            mp.get_context("spawn").Process(target=_join, args=(ProcessGroup(rank, size), meeting, work, arguments))
            for rank in range(1, size)
        ]
        for other in others:
            other.start()
        _meet(ProcessGroup(0, size), meeting)
        try:
            yield ProcessGroup(0, size)
        finally:
            dist.destroy_process_group()
            for other in others:
                other.join(PATIENCE.total_seconds())


def _meet(team: ProcessGroup, meeting: Path) -> None:
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=team.rank, world_size=team.size, timeout=PATIENCE)


def _join(team: ProcessGroup, meeting: Path, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    _meet(team, meeting)
    try:
        work(team, *arguments)
    finally:
        dist.destroy_process_group()
