"""One training run of a network in a folder of its own: how it begins, learns batch by batch, is kept, stopped, and goes on.

The three networks differ in their batches, their loss and their budget; everything else is here.
"""

from __future__ import annotations

import math
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from ultralytics.utils.torch_utils import ModelEMA

from companion.table.errors import CannotTrain
from workshop.training.checkpoint import CHECKPOINT, read_checkpoint, shape_of, write_checkpoint
from workshop.training.process_group import ALONE, ProcessGroup, learn_together

NEWS_EVERY = 50
"""Steps between two progress messages."""
SMOOTH = 0.98
"""Weight of the previous value in exponentially smoothed figures."""


AVERAGED = 30
"""The moving average spans about one in this many of the steps so far."""


class Trained(Protocol):
    """What a course needs of its run. ``seen``: examples learnt from; ``seconds``: of training so far, over all resumptions;
    ``asked``: whether it was asked to stop before its course began."""

    team: ProcessGroup
    asked: bool
    seen: int
    seconds: float

    def save(self) -> None:
        """Writes the checkpoint."""


class TrainingLoop:
    """The course of ``run`` in this process. ``save_every``: seconds between checkpoints."""

    def __init__(self, run: Trained, save_every: float) -> None:
        self.run, self.save_every = run, save_every
        self.steps = 0
        self.stopped = False
        """Whether any process of the team was asked to stop: the current step is then the last."""
        self._asked = False
        self._figures: dict[str, float] = {}
        self._clock = self._saved = self._told = time.monotonic()
        self._seen_then = run.seen

    def ask(self, number: int, frame: FrameType | None) -> None:
        """Asks the whole team to stop; a signal handler."""
        self._asked = True

    def note(self, figures: Mapping[str, float], examples: int) -> bool:
        """Record a step in which this process saw this many ``examples``; whether a progress message is due. Saves now and then.

        ``figures`` are smoothed for the messages; NaN: the step says nothing about that one.
        """
        run = self.run
        run.seen += examples * run.team.size
        now = time.monotonic()
        run.seconds, stopped = run.team.largest(run.seconds + now - self._clock, self._asked or run.asked)
        self._clock, self.stopped = now, bool(stopped)
        self.steps += 1
        for name, value in figures.items():
            if not math.isnan(value):
                self._figures[name] = SMOOTH * self._figures.get(name, value) + (1 - SMOOTH) * value
        if run.team.leads and now - self._saved > self.save_every:
            run.save()
            self._saved = now
        return self.steps % NEWS_EVERY == 0

    def news(self, progress: float, what: str) -> str:
        """A progress message. ``progress``: share 0..1 of the budget spent; ``what``: what the examples are."""
        pace = (self.run.seen - self._seen_then) / max(self._clock - self._told, 1e-9)
        self._seen_then, self._told = self.run.seen, self._clock
        figures = "  ".join(f"{name} {value:.3f}" for name, value in self._figures.items() if value)
        return f"{progress:6.1%}  {self.run.seen} {what}  {pace:.0f}/s  {figures}"

    def done(self, what: str) -> str:
        """The last message."""
        return f"{'stopped' if self.stopped else 'done'} after {self.run.seen} {what}, {self.run.seconds / 60:.1f} minutes"


@contextmanager
def training_loop_of(run: Trained, save_every: float) -> Iterator[TrainingLoop]:
    """The course of ``run``, during which SIGTERM and SIGINT end it after the current step instead of killing the process."""
    course = TrainingLoop(run, save_every)
    before = {number: signal.signal(number, course.ask) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield course
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def set_rate(optimiser: Optimizer, highest: float, step: int, progress: float, warm_up: int = 100, least: float = 0.01) -> None:
    """Sets the learning rate for ``step`` (from 0), with a share ``progress`` (0..1) of the budget spent.

    It grows to ``highest`` over the first ``warm_up`` steps, then falls along half a cosine (Loshchilov and Hutter 2017) to the
    share ``least`` of that at the end of the budget.
    """
    warm = min((step + 1) / warm_up, 1.0)
    rate = highest * warm * (least + (1 - least) * (1 + math.cos(math.pi * progress)) / 2)
    for group in optimiser.param_groups:
        group["lr"] = rate


class _Average(ModelEMA):
    """Ultralytics' moving average, updated in one go: tensor by tensor it takes a GPU a tenth of a step."""

    def update(self, model: nn.Module) -> None:
        """After a step of ``model``."""
        self.updates += 1
        new = model.state_dict()
        pairs = [(value, new[name]) for name, value in self.ema.state_dict().items() if value.dtype.is_floating_point]
        own, others, kept = [own for own, _ in pairs], [other for _, other in pairs], self.decay(self.updates)
        torch._foreach_mul_(own, kept)
        torch._foreach_add_(own, others, alpha=1 - kept)


def moving_average(network: nn.Module) -> ModelEMA:
    """The average of ``network`` over its last steps, which fits runs of any length: it spans a fixed share of the steps so far
    (`AVERAGED`; Karras et al. 2024, Analyzing and Improving the Training Dynamics of Diffusion Models)."""
    average = (_Average if next(network.parameters()).is_cuda else ModelEMA)(network)
    average.decay = lambda updates: (1 - 1 / updates) ** AVERAGED
    return average


def keep_on(worker: int = 0) -> None:
    """A loading process of a run, at its start: it ends with the run, whatever signal the whole group is sent."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)

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
