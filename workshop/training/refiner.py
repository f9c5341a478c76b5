"""Trains the refiner (see `companion.eyes.refiner`) on the detector's proposals."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader

from companion.eyes.detection import CLASSES
from companion.eyes.refiner import CROP, KINDS
from companion.table.errors import CannotTrain
from workshop.evaluation.labels import LabelledPicture
from workshop.training import widths
from workshop.training.architecture import Refinement
from workshop.training.cached_crops import CachedCrops
from workshop.training.checkpoint import read_checkpoint, shape_of
from workshop.training.export import export
from workshop.training.process_group import PictureOrder
from workshop.training.proposals import Crops, Item, batch_up
from workshop.training.training_run import AveragedRun, TrainingPlan, keep_on
from workshop.training.widening import refiner_weights

SOFTNESS = 0.02
"""Distance of a corner, as a share of the card's size, below which its gradient stops growing (see `CornerLoss`)."""


def _beside(points: Tensor, frame: Tensor, boxes: Tensor) -> Tensor:
    """How far the edges of the box around ``points`` (n, 4, 2) of ``frame`` (n, 3, 2) lie from those of ``boxes`` (n, 4).

    One entry for each known edge, as a share of the card's size.
    """
    some = ~torch.isnan(boxes).all(1)
    pixels = frame[some, None, 0] + points[some, :, :1] * frame[some, None, 1] + points[some, :, 1:] * frame[some, None, 2]
    found = torch.cat([pixels.amin(1), pixels.amax(1)], dim=1)
    size = torch.sqrt(torch.linalg.norm(frame[some, 1], dim=1) * torch.linalg.norm(frame[some, 2], dim=1))
    away = (found - torch.nan_to_num(boxes[some])).abs() / size[:, None]
    return away[~torch.isnan(boxes[some])]


@dataclass(frozen=True, slots=True)
class RefinerPlan(TrainingPlan):
    """How to train the refiner. ``batch``: in pictures, or in crops where they are held. ``width``: of the network, as of
    `Refinement`.

    ``held``: gigabytes in which crops are held on the device (`CachedCrops`), cut out by ``workers`` processes; 0: each is cut
    out again every time. ``detector``: whose proposals those are.
    """

    width: float = widths.REFINER
    held: float = 0.0
    detector: Path | None = None


Lessons = tuple[list[LabelledPicture], dict[str, NDArray[np.float32]]]
"""Pictures, and the detector's proposals on them; these are not needed where crops are held."""


class RefinerRun(AveragedRun[RefinerPlan, Lessons, Item]):
    """Learns from crops around what the detector proposes."""

    NAMES = CLASSES
    LARGEST_GRADIENT = 5.0

    def build(self) -> Refinement:
        """The network."""
        return Refinement(self.plan.width)

    def fitting(self, state: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
        """The averaged weights of a checkpoint, for this network."""
        return refiner_weights(state, self.network, (*CLASSES, "nothing"), path)

    def size(self, batch: Item) -> int:
        """The crops of a batch."""
        return len(batch[1])

    def gradients(self, batch: Item) -> Mapping[str, Tensor]:
        """``loss`` of the class, mean error of the ``corners`` as a share of the card's size, share named ``right``.

        Where only the upright box around a card is known, it is the box around the corners that has to match. A batch of fewer
        than two crops has no gradients of its own: the step uses those of the rest of the team.
        """
        if self.size(batch) < 2:
            return {}
        labels, corners, frame, boxes = (part.to(self.device) for part in batch[1:])
        answers = self.forward(batch[0]).float()
        named = functional.cross_entropy(answers[:, :KINDS], labels, label_smoothing=0.01)
        cards = ~torch.isnan(corners[:, 0, 0])
        base = torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], device=self.device)
        # The frame's units are the card's width and length: weights make both axes shares of one size.
        points, sides = answers[:, KINDS:].reshape(-1, 4, 2) + base, torch.tensor([0.75, 1.33], device=self.device)
        distance = torch.sqrt(((points[cards] - corners[cards]) * sides).pow(2).sum(-1) + 1e-6)
        away = torch.cat([distance.flatten(), _beside(points, frame, boxes)])
        pull = torch.log1p(away / SOFTNESS).mean() if len(away) else answers.sum() * 0
        (named + 0.5 * pull).backward()
        right = (answers[:, :KINDS].argmax(1) == labels).float().mean()
        return {"loss": named.detach(), "corners": distance.detach().mean(), "right": right}  # the mean of nothing is NaN

    def batches(self, lessons: Lessons) -> Generator[Item]:
        """Batches of crops that other processes cut out, epoch after epoch, or of those that the device holds."""
        pictures, proposals = lessons
        return self._held(pictures) if self.plan.held else self._loaded(pictures, proposals)

    def _loaded(self, pictures: list[LabelledPicture], proposals: dict[str, NDArray[np.float32]]) -> Generator[Item]:
        plan, crops = self.plan, Crops(pictures, proposals, self.plan.seed)
        while True:
            self.advance(0, len(pictures))
            order = PictureOrder(len(pictures), plan.seed, self.epoch, self.at, self.team)
            loader: DataLoader[Any] = DataLoader(
                crops, batch_size=plan.batch, sampler=order, num_workers=plan.workers, collate_fn=batch_up,
                worker_init_fn=keep_on,
            )  # fmt: skip
            for batch in loader:
                self.advance(plan.batch, len(pictures))
                yield batch

    def _held(self, pictures: list[LabelledPicture]) -> Generator[Item]:
        plan = self.plan
        if plan.detector is None:
            raise CannotTrain("crops that are held need a detector that proposes them")
        with CachedCrops(pictures, plan.detector, self.device, plan.held, plan.workers, plan.seed) as held:
            yield from held.batches(plan.batch, plan.seed + self.seen)


def export_refiner(checkpoint: Path, out: Path) -> None:
    """Writes the checkpoint's averaged weights as ONNX, for any number of crops at once."""
    state = read_checkpoint(checkpoint)
    network = Refinement(**shape_of(state))
    network.load_state_dict(state["average"])
    export(network, torch.zeros(2, 3, CROP[1], CROP[0]), out, notes={"trained_on": state["seen"]}, free={0: "crops"})
