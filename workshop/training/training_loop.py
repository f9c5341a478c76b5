"""What all training runs have in common: the learning rate, the clock, progress messages, checkpoints."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Protocol

import torch
from torch import nn
from torch.optim import Optimizer
from ultralytics.utils.torch_utils import ModelEMA

from workshop.training.process_group import ProcessGroup

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
