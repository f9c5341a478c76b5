"""Trains the detector: ultralytics' model, loss and moving average in a loop of our own.

The loop is ours because ultralytics' trainer refuses corners outside the picture, cannot stop and resume within an epoch, and
on a CPU ignores channels-last, which is a third faster there. The budget of a two-core machine is time rather than epochs: the
learning rate follows the share of it that is spent, and a run can be stopped at any moment and resumed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader

from companion.eyes.detection import CLASSES
from companion.table.errors import CannotTrain
from workshop.evaluation.labels import LabelledPicture, read_labels
from workshop.training import widths
from workshop.training.architecture import CardModel
from workshop.training.checkpoint import CHECKPOINT, read_checkpoint, write_checkpoint
from workshop.training.device_cache import DeviceCache
from workshop.training.pictures import Pictures, batch_up
from workshop.training.process_group import ALONE, PictureOrder, learn_together
from workshop.training.training_loop import NEWS_EVERY, keep_on, moving_average, set_rate, training_loop_of
from workshop.training.widening import detector_weights


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train the detector. The budget is one of ``minutes`` (of training, over all resumptions) and ``epochs``."""

    minutes: float | None = None
    epochs: int | None = None
    batch: int = 8
    rate: float = 2e-3
    width: float = widths.DETECTOR
    seed: int = 0
    threads: int = 2
    """Processor cores. On a CPU each has a process of its own with ``batch`` pictures a step (see `ProcessGroup`)."""
    workers: int = 1
    """Processes, or threads for held pictures, that load pictures, for each process that trains."""
    save_every: float = 120.0
    """Seconds between checkpoints."""
    held: float = 0.0
    """Gigabytes, for each process that trains, in which pictures are held decoded, on the device, and views made of them there
    (`DeviceCache`). 0: each picture is read again every time."""
    ahead: int = 0
    """Processes that work out views of held pictures before they are needed (`DeviceCache.batches`): a GPU would wait for one
    alone."""
    often: tuple[tuple[str, float], ...] = ()
    """Folders of which held pictures come more often than others, and the share of views that they have."""


class Run:
    """One training run of the detector in a folder of its own: the model, the optimiser, and how far it has got."""

    def __init__(self, folder: Path, plan: Plan, device: str = "cpu") -> None:
        torch.manual_seed(plan.seed)
        self.folder, self.plan, self.device = folder, plan, torch.device(device)
        self.team, self.asked = ALONE, False
        self.half = self.device.type != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())
        """Whether convolutions run in bfloat16: 1.5 times as fast where the processor has it in hardware."""
        self.model = CardModel(width=plan.width)
        self.model.to(self.device, memory_format=torch.channels_last)
        decayed = [p for n, p in self.model.named_parameters() if p.ndim > 1 and ".dfl" not in n]
        plain = [p for n, p in self.model.named_parameters() if p.ndim <= 1]
        for name, parameter in self.model.named_parameters():
            parameter.requires_grad_(".dfl" not in name)
        self.optimiser = torch.optim.AdamW(
            [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=plan.rate
        )
        self.average = moving_average(self.model)
        self.steps, self.seen, self.epoch, self.at, self.seconds = 0, 0, 0, 0, 0.0

    def save(self) -> None:
        """Writes the checkpoint; the one before stays until the new one is whole."""
        state = {
            "shape": self.model.shape,
            "names": list(CLASSES),
            "model": self.model.state_dict(),
            "average": self.average.ema.state_dict(),
            "updates": self.average.updates,
            "optimiser": self.optimiser.state_dict(),
            "steps": self.steps, "seen": self.seen, "epoch": self.epoch, "at": self.at, "seconds": self.seconds,
        }  # fmt: skip
        write_checkpoint(self.folder / CHECKPOINT, state)

    def resume(self) -> None:
        """Continues from the folder's checkpoint. Raises `CannotTrain` where there is none or it does not fit."""
        state = read_checkpoint(self.folder / CHECKPOINT)
        self._load_weights(state, self.folder / CHECKPOINT)
        self.optimiser.load_state_dict(state["optimiser"])
        self.average.updates = state["updates"]
        for name in ("steps", "seen", "epoch", "at", "seconds"):
            setattr(self, name, state[name])

    def start_from(self, checkpoint: Path) -> None:
        """Starts with the averaged weights of another run, whose network may be narrower or know other classes (`widening`).

        Raises:
            CannotTrain: no such network can be made of them, or there is no checkpoint.
        """
        weights = detector_weights(read_checkpoint(checkpoint), self.model, checkpoint)
        self.model.load_state_dict(weights)
        self.average.ema.load_state_dict(weights)

    def _load_weights(self, state: dict[str, Any], path: Path) -> None:
        if state["shape"] != self.model.shape:
            raise CannotTrain(f"{path}: holds a network of {state['shape']}, this run trains one of {self.model.shape}")
        self.model.load_state_dict(state["model"])
        self.average.ema.load_state_dict(state["average"])

    def progress(self, pictures: int) -> float:
        """Share 0..1 of the budget that is spent."""
        if self.plan.minutes is not None:
            return min(self.seconds / max(self.plan.minutes * 60, 1e-9), 1.0)
        return min((self.epoch + self.at / max(pictures, 1)) / max(self.plan.epochs or 1, 1), 1.0)

    def step(self, batch: dict[str, torch.Tensor], progress: float) -> dict[str, float]:
        """One batch: forward pass, backward pass, optimiser, moving average. Returns the loss terms."""
        set_rate(self.optimiser, self.plan.rate, self.steps, progress, warm_up=150, least=0.02)
        batch = {name: value.to(self.device) for name, value in batch.items()}
        batch["img"] = (batch["img"].float() / 255).contiguous(memory_format=torch.channels_last)
        self.model.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            found = self.model(batch["img"])
        loss, terms = self.model.loss(batch, _as_float(found))
        self.optimiser.zero_grad(set_to_none=True)
        (loss.sum() / len(batch["img"])).backward()
        self.team.average_gradients(self.model.parameters())
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 20.0)
        self.optimiser.step()
        self.average.update(self.model)
        self.steps += 1
        if self.device.type != "cpu" and self.steps % NEWS_EVERY % 10:
            return {}  # reading a figure would wait for the device
        return {name: float(value) for name, value in terms.items()}

    def train(self, folders: list[Path]) -> Iterator[str]:
        """Trains until the budget is spent and yields progress messages. Folders may grow: each epoch reads them again."""
        _pictures(folders)  # whatever is wrong with them is reported before anything is written or started
        yield from learn_together(self, self.plan.threads if self.device.type == "cpu" else 1, folders)

    def learn(self, folders: list[Path]) -> Iterator[str]:
        """This process' share of `train`."""
        torch.set_num_threads(self.plan.threads if self.team.size == 1 else 1)
        known = 0 if self.plan.held else len(_pictures(folders))
        lessons = self._held(folders) if self.plan.held else self._loaded(folders)
        with training_loop_of(self, self.plan.save_every) as course, closing(lessons):
            while self.progress(known) < 1 and not course.stopped:
                batch = next(lessons)
                progress = self.progress(known)
                terms = self.step(batch, progress)
                self.at += len(batch["img"]) * self.team.size
                if course.note(terms, len(batch["img"])):
                    yield course.news(progress, "pictures")
                if known and self.at > known - self.team.size:
                    self.epoch, self.at = self.epoch + 1, 0
                    known = len(_pictures(folders))
        yield f"{course.done('pictures')}: {self.folder / CHECKPOINT}"

    def _loaded(self, folders: list[Path]) -> Generator[dict[str, torch.Tensor]]:
        """Batches of pictures that other processes read, epoch after epoch."""
        while True:
            pictures = _pictures(folders)
            order = PictureOrder(len(pictures), self.plan.seed, self.epoch, self.at, self.team)
            yield from DataLoader(
                Pictures(pictures, self.plan.seed), batch_size=self.plan.batch, collate_fn=batch_up, sampler=order,
                num_workers=self.plan.workers, worker_init_fn=keep_on,
            )  # fmt: skip

    def _held(self, folders: list[Path]) -> Generator[dict[str, torch.Tensor]]:
        """Batches of views of pictures that the device holds."""
        plan = self.plan
        with DeviceCache(folders, self.device, plan.held, plan.workers, self.team, dict(plan.often)) as held:
            rngs = (np.random.default_rng([plan.seed, 9, self.team.rank, step]) for step in count(self.steps))
            yield from held.batches(plan.batch, rngs, plan.ahead)


def _as_float(found: Any) -> Any:
    """The network's outputs, however nested, as float32: the loss does not work in bfloat16."""
    if isinstance(found, torch.Tensor):
        return found.float()
    if isinstance(found, dict):
        return {name: _as_float(value) for name, value in found.items()}
    return [_as_float(value) for value in found]


def _pictures(folders: list[Path]) -> list[LabelledPicture]:
    found = [picture for folder in folders for picture in read_labels(folder)]
    if not found:
        raise CannotTrain(f"no pictures in {', '.join(map(str, folders))}: make some with companion dataset make")
    return found
