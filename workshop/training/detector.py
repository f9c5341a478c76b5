"""Trains the detector: ultralytics' model, loss and moving average in a loop of our own.

The loop is ours because ultralytics' trainer refuses corners outside the picture, cannot stop and resume within an epoch, and
on a CPU ignores channels-last, which is a third faster there. The budget of a two-core machine is time rather than epochs: the
learning rate follows the share of it that is spent, and a run can be stopped at any moment and resumed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader

from companion.eyes.detection import CLASSES
from companion.table.errors import CannotTrain
from workshop.evaluation.labels import LabelledPicture, read_labels
from workshop.training import widths
from workshop.training.architecture import CardModel
from workshop.training.device_cache import DeviceCache
from workshop.training.pictures import Pictures, batch_up
from workshop.training.process_group import PictureOrder
from workshop.training.training_run import AveragedRun, TrainingPlan, keep_on
from workshop.training.widening import detector_weights


@dataclass(frozen=True, slots=True)
class DetectorPlan(TrainingPlan):
    """How to train the detector. ``epochs``: a budget of passes over the pictures, in place of the minutes. ``width``: of the
    network, as of `widths.DETECTOR`. ``workers``: threads, where pictures are held.

    ``held``: gigabytes, for each process that trains, in which pictures are held decoded, on the device, and views made of them
    there (`DeviceCache`); 0: each picture is read again every time. ``ahead``: processes that work out views of held pictures
    before they are needed (`DeviceCache.batches`): a GPU would wait for one alone. ``often``: folders whose held pictures come
    more often than others, and the share of views that they have.
    """

    minutes: float = 60.0
    epochs: int | None = None
    width: float = widths.DETECTOR
    threads: int = 2
    save_every: float = 120.0
    held: float = 0.0
    ahead: int = 0
    often: tuple[tuple[str, float], ...] = ()


Batch = dict[str, Tensor]
"""Pictures and what is known of their cards, by ultralytics' names."""


class DetectorRun(AveragedRun[DetectorPlan, list[Path], Batch]):
    """Learns from folders of labelled pictures, which may grow: each epoch reads them again."""

    EXAMPLES = "pictures"
    WEIGHTS = "model"
    NAMES = CLASSES
    COUNTS = ("steps", "seen", "epoch", "at", "seconds")
    WARM_UP = 150
    LEAST_RATE = 0.02
    LARGEST_GRADIENT = 20.0
    pictures = 0
    """In an epoch; 0 where they are held, and come by chance."""

    def build(self) -> CardModel:
        """The network; the weights of its DFL layer are constants."""
        network = CardModel(width=self.plan.width)
        for name, parameter in network.named_parameters():
            parameter.requires_grad_(".dfl" not in name)
        return network

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Biases and normalisations do not decay."""
        named = list(self.network.named_parameters())
        decayed = [p for n, p in named if p.ndim > 1 and ".dfl" not in n]
        return [{"params": decayed, "weight_decay": 0.01},
                {"params": [p for n, p in named if p.ndim <= 1], "weight_decay": 0.0}]  # fmt: skip

    def fitting(self, state: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
        """The averaged weights of a checkpoint, for this network."""
        return detector_weights(state, self.network, path)

    def progress(self) -> float:
        """Share 0..1 of the budget that is spent."""
        if self.plan.epochs is None:
            return super().progress()
        return min((self.epoch + self.at / max(self.pictures, 1)) / max(self.plan.epochs, 1), 1.0)

    def size(self, batch: Batch) -> int:
        """The pictures of a batch."""
        return len(batch["img"])

    def gradients(self, batch: Batch) -> Mapping[str, Tensor]:
        """The loss terms."""
        batch = {name: value.to(self.device) for name, value in batch.items()}
        loss, terms = self.network.loss(batch, _as_float(self.forward(batch["img"])))
        (loss.sum() / len(batch["img"])).backward()
        return dict(terms)

    def train(self, lessons: list[Path]) -> Iterator[str]:
        """As of `TrainingRun`; what is wrong with the folders is reported before anything is written or started."""
        _pictures(lessons)
        yield from super().train(lessons)

    def batches(self, lessons: list[Path]) -> Generator[Batch]:
        """Batches of pictures that other processes read, epoch after epoch, or of views of pictures that the device holds."""
        if self.plan.held:
            return self._held(lessons)
        self.pictures = len(_pictures(lessons))
        return self._loaded(lessons)

    def _loaded(self, folders: list[Path]) -> Generator[Batch]:
        while True:
            pictures = _pictures(folders)
            self.pictures = len(pictures)
            self.advance(0, len(pictures))
            order = PictureOrder(len(pictures), self.plan.seed, self.epoch, self.at, self.team)
            loader: DataLoader[Any] = DataLoader(
                Pictures(pictures, self.plan.seed), batch_size=self.plan.batch, collate_fn=batch_up, sampler=order,
                num_workers=self.plan.workers, worker_init_fn=keep_on,
            )  # fmt: skip
            for batch in loader:
                self.advance(self.size(batch), len(pictures))
                yield batch

    def _held(self, folders: list[Path]) -> Generator[Batch]:
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
