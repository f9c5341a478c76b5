"""One training run of a network in a folder of its own: how it begins, learns batch by batch, is kept, and goes on.

The three networks differ in their batches, their loss and their budget; everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import torch
from torch import Tensor, nn

from companion.table.errors import CannotTrain
from workshop.training.checkpoint import CHECKPOINT, read_checkpoint, shape_of, write_checkpoint
from workshop.training.process_group import ALONE, learn_together
from workshop.training.training_loop import moving_average, set_rate, training_loop_of

FIGURES_EVERY = 10
"""Steps between two readings of the figures on a GPU: each waits until the device has finished."""


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train a network. ``minutes``: of training, over all resumptions. ``batch``: examples a step and process.
    ``rate``: the highest learning rate. ``threads``: processor cores; on a CPU each is a process of its own (`ProcessGroup`).
    ``workers``: processes that load examples, for each process that trains. ``save_every``: seconds between checkpoints."""

    minutes: float = 20.0
    batch: int = 8
    rate: float = 2e-3
    seed: int = 0
    threads: int = 1
    workers: int = 1
    save_every: float = 60.0


P = TypeVar("P", bound=TrainingPlan)
L = TypeVar("L")
B = TypeVar("B")


class TrainingRun(ABC, Generic[P, L, B]):
    """``P``: its plan; ``L``: what it learns from, picklable; ``B``: a batch of that.

    ``steps``: optimiser steps; ``seen``: examples learnt from; ``epoch``, ``at``: passes over the pictures, and pictures of the
    present one; ``seconds``: of training, over all resumptions. ``asked``: whether it was asked to stop before it began.
    """

    EXAMPLES: ClassVar[str] = "crops"
    """What the messages call its examples."""
    WEIGHTS: ClassVar[str] = "network"
    """The name of the network's weights in a checkpoint."""
    COUNTS: ClassVar[tuple[str, ...]] = ("seen", "seconds")
    """The attributes that a checkpoint keeps."""
    WARM_UP: ClassVar[int] = 100
    """Steps until the learning rate is at its highest."""
    LEAST_RATE: ClassVar[float] = 0.01
    """Learning rate at the end of the budget, as a share of the highest."""
    LARGEST_GRADIENT: ClassVar[float | None] = None
    """Norm to which longer gradients are cut; None: they stay as they are."""

    def __init__(self, folder: Path, plan: P, device: str = "cpu") -> None:
        torch.manual_seed(plan.seed)
        self.folder, self.plan, self.device = folder, plan, torch.device(device)
        self.team, self.asked = ALONE, False
        self.half = self.device.type != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())
        """Whether convolutions run in bfloat16: 1.5 times as fast where the processor has it in hardware."""
        self.network: Any = self.build()
        self.network.to(self.device, memory_format=torch.channels_last)
        self.optimiser = torch.optim.AdamW(self.parameter_groups(), lr=plan.rate)
        self.steps, self.seen, self.epoch, self.at, self.seconds = 0, 0, 0, 0, 0.0

    @abstractmethod
    def build(self) -> nn.Module:
        """The network, with random weights."""

    def parameter_groups(self) -> list[dict[str, Any]]:
        """What the optimiser adjusts, by weight decay."""
        return [{"params": list(self.network.parameters()), "weight_decay": 0.02}]

    def parameters(self) -> list[nn.Parameter]:
        """All that has gradients."""
        return list(self.network.parameters())

    @abstractmethod
    def batches(self, lessons: L) -> Generator[B]:
        """Batches without end, from where the run stands."""

    @abstractmethod
    def size(self, batch: B) -> int:
        """The examples of a batch."""

    @abstractmethod
    def gradients(self, batch: B) -> Mapping[str, Tensor]:
        """Work out the loss of a batch and its gradients. Returns figures for the messages; NaN says nothing."""

    def forward(self, pictures: Tensor) -> Any:
        """The network's answer to pictures (n, 3, height, width), uint8, that lie on any device."""
        shares = (pictures.to(self.device).float() / 255).contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            return self.network(shares)

    def step(self, batch: B, progress: float) -> dict[str, float]:
        """Learn from one batch, with a share ``progress`` (0..1) of the budget spent. Returns the figures, where they were
        read."""
        set_rate(self.optimiser, self.plan.rate, self.steps, progress, self.WARM_UP, self.LEAST_RATE)
        self.network.train()
        self.optimiser.zero_grad(set_to_none=True)
        figures = self.gradients(batch)
        self.team.average_gradients(self.parameters())
        if self.LARGEST_GRADIENT is not None:
            nn.utils.clip_grad_norm_(self.parameters(), self.LARGEST_GRADIENT)
        self.optimiser.step()
        self.steps += 1
        if self.device.type != "cpu" and self.steps % FIGURES_EVERY:
            return {}
        return {name: float(value) for name, value in figures.items()}

    def progress(self) -> float:
        """Share 0..1 of the budget that is spent."""
        return min(self.seconds / max(self.plan.minutes * 60, 1e-9), 1.0)

    def train(self, lessons: L) -> Iterator[str]:
        """Trains until the budget is spent and yields progress messages."""
        yield from learn_together(self, self.plan.threads if self.device.type == "cpu" else 1, lessons)

    def learn(self, lessons: L) -> Iterator[str]:
        """This process' share of `train`."""
        torch.set_num_threads(self.plan.threads if self.team.size == 1 else 1)
        with training_loop_of(self, self.plan.save_every) as loop, closing(self.batches(lessons)) as batches:
            while (progress := self.progress()) < 1 and not loop.stopped:
                batch = next(batches)
                if loop.note(self.step(batch, progress), self.size(batch)):
                    yield loop.news(progress, self.EXAMPLES)
        yield f"{loop.done(self.EXAMPLES)}: {self.folder / CHECKPOINT}"

    def state(self) -> dict[str, Any]:
        """What a checkpoint holds."""
        counts = {name: getattr(self, name) for name in self.COUNTS}
        return {self.WEIGHTS: self.network.state_dict(), "optimiser": self.optimiser.state_dict(), **counts}

    def save(self) -> None:
        """Writes the checkpoint; the one before stays until the new one is whole."""
        write_checkpoint(self.folder / CHECKPOINT, self.state())

    def resume(self) -> None:
        """Continues from the folder's checkpoint. Raises `CannotTrain` where there is none or it does not fit."""
        state = read_checkpoint(self.folder / CHECKPOINT)
        self.load(state, self.folder / CHECKPOINT)
        for name in self.COUNTS:
            setattr(self, name, state[name])

    @abstractmethod
    def load(self, state: Mapping[str, Any], path: Path) -> None:
        """Takes over the weights and the optimiser of a checkpoint of this run. Raises `CannotTrain`."""

    @abstractmethod
    def start_from(self, checkpoint: Path) -> None:
        """Starts with the weights of another run. Raises `CannotTrain` where they do not fit, or there is no checkpoint."""


class AveragedRun(TrainingRun[P, L, B]):
    """The run of a network that comes in several widths; the moving average of its weights is kept, and exported."""

    COUNTS: ClassVar[tuple[str, ...]] = ("seen", "epoch", "at", "seconds")
    NAMES: ClassVar[tuple[str, ...]]
    """Of its classes."""

    def __init__(self, folder: Path, plan: P, device: str = "cpu") -> None:
        super().__init__(folder, plan, device)
        self.average = moving_average(self.network)

    def advance(self, pictures: int, of: int) -> None:
        """Count pictures that this process learns from, ``of`` the epoch's; what no process has a share of waits for the next."""
        self.at += pictures * self.team.size
        if self.at > of - self.team.size:
            self.epoch, self.at = self.epoch + 1, 0

    def step(self, batch: B, progress: float) -> dict[str, float]:
        """As of `TrainingRun`; then the average is updated."""
        figures = super().step(batch, progress)
        self.average.update(self.network)
        return figures

    def state(self) -> dict[str, Any]:
        """What a checkpoint holds."""
        average = {"average": self.average.ema.state_dict(), "updates": self.average.updates}
        return {"shape": self.network.shape, "names": list(self.NAMES), **super().state(), **average}

    def load(self, state: Mapping[str, Any], path: Path) -> None:
        """As of `TrainingRun`; the widths must be the same."""
        if shape_of(state) != self.network.shape:
            raise CannotTrain(f"{path}: holds a network of {shape_of(state)}, this run trains one of {self.network.shape}")
        self.network.load_state_dict(state[self.WEIGHTS])
        self.average.ema.load_state_dict(state["average"])
        self.average.updates = state["updates"]
        self.optimiser.load_state_dict(state["optimiser"])

    def start_from(self, checkpoint: Path) -> None:
        """Starts with the averaged weights of another run; its network may be narrower, its classes others (`widening`)."""
        weights = self.fitting(read_checkpoint(checkpoint), checkpoint)
        self.network.load_state_dict(weights)
        self.average.ema.load_state_dict(weights)

    @abstractmethod
    def fitting(self, state: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
        """The averaged weights of a checkpoint, for this network. Raises `CannotTrain` where none can be made of them."""
