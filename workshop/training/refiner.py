"""Trains the refiner (see `companion.eyes.refiner`) on the detector's proposals."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
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
from workshop.training.cached_crops import CachedCrops
from workshop.training.checkpoint import CHECKPOINT, read_checkpoint, write_checkpoint
from workshop.training.export import export
from workshop.training.process_group import ALONE, PictureOrder, learn_together
from workshop.training.proposals import Crops, Item, batch_up
from workshop.training.refinement import Refinement, shape_of
from workshop.training.training_loop import keep_on, moving_average, set_rate, training_loop_of
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
class RefinerPlan:
    """How to train the refiner. ``minutes``: in all, over resumptions. ``batch``: in pictures, for each of ``threads`` processes
    (see `ProcessGroup`), or in crops where they are held. ``width``: of the network, as of `Refinement`."""

    minutes: float = 20.0
    batch: int = 8
    rate: float = 2e-3
    width: float = widths.REFINER
    seed: int = 0
    threads: int = 1
    workers: int = 1
    save_every: float = 60.0
    """Seconds between checkpoints."""
    held: float = 0.0
    """Gigabytes in which crops are held on the device (`CachedCrops`), cut out by ``workers`` processes. 0: each is cut out again
    every time."""
    detector: Path | None = None
    """Whose proposals those are."""


class RefinerRun:
    """One training run of the refiner in a folder of its own."""

    def __init__(self, folder: Path, plan: RefinerPlan, device: str = "cpu") -> None:
        torch.manual_seed(plan.seed)
        self.folder, self.plan, self.device = folder, plan, torch.device(device)
        self.team, self.asked = ALONE, False
        self.network = Refinement(plan.width)
        self.network.to(self.device, memory_format=torch.channels_last)
        self.half = self.device.type != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=plan.rate, weight_decay=0.02)
        self.average = moving_average(self.network)
        self.steps, self.seen, self.epoch, self.at, self.seconds = 0, 0, 0, 0, 0.0

    def save(self) -> None:
        """Writes the checkpoint; the one before stays until the new one is whole."""
        state = {
            "shape": self.network.shape, "names": list(CLASSES),
            "network": self.network.state_dict(), "average": self.average.ema.state_dict(), "updates": self.average.updates,
            "optimiser": self.optimiser.state_dict(),
            "seen": self.seen, "epoch": self.epoch, "at": self.at, "seconds": self.seconds,
        }  # fmt: skip
        write_checkpoint(self.folder / CHECKPOINT, state)

    def resume(self) -> None:
        """Continues from the folder's checkpoint. Raises `CannotTrain`."""
        state = read_checkpoint(self.folder / CHECKPOINT)
        if shape_of(state) != self.network.shape:
            raise CannotTrain(f"{self.folder / CHECKPOINT}: a network of {shape_of(state)}, this run trains {self.network.shape}")
        self.network.load_state_dict(state["network"])
        self.average.ema.load_state_dict(state["average"])
        self.average.updates = state["updates"]
        self.optimiser.load_state_dict(state["optimiser"])
        for name in ("seen", "epoch", "at", "seconds"):
            setattr(self, name, state[name])

    def start_from(self, checkpoint: Path) -> None:
        """Starts with another run's averaged weights; its network may be narrower, its classes others (`widening`). Raises
        `CannotTrain`."""
        weights = refiner_weights(read_checkpoint(checkpoint), self.network, (*CLASSES, "nothing"), checkpoint)
        self.network.load_state_dict(weights)
        self.average.ema.load_state_dict(weights)

    def step(self, crops: Tensor, labels: Tensor, corners: Tensor, frame: Tensor, boxes: Tensor) -> dict[str, float]:
        """One batch: ``loss`` of the class, mean error of the ``corners`` as a share of the card's size, share named ``right``.

        A batch of fewer than two crops has no gradients of its own: the step uses those of the rest of the team.
        """
        crops, labels, corners, frame, boxes = (part.to(self.device) for part in (crops, labels, corners, frame, boxes))
        self.network.train()
        self.optimiser.zero_grad(set_to_none=True)
        said = {} if len(labels) < 2 else self._gradients(crops, labels, corners, frame, boxes)
        self.team.average_gradients(self.network.parameters())
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimiser.step()
        self.average.update(self.network)
        self.steps += 1
        return {name: float(value) for name, value in said.items()} if self.device.type == "cpu" or not self.steps % 10 else {}

    def _gradients(
        self, crops: Tensor, labels: Tensor, corners: Tensor, frame: Tensor, boxes: Tensor
    ) -> dict[str, Tensor]:
        """See `step`. Where only the upright box around a card is known, it is the box around the corners that has to match."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.half):
            answers = self.network((crops.float() / 255).contiguous(memory_format=torch.channels_last))
        answers = answers.float()
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

    def train(self, pictures: list[LabelledPicture], proposals: dict[str, NDArray[np.float32]]) -> Iterator[str]:
        """Trains until the minutes are spent and yields progress messages. Where crops are held, ``proposals`` are not needed."""
        yield from learn_together(self, self.plan.threads, pictures, proposals)

    def learn(self, pictures: list[LabelledPicture], proposals: dict[str, NDArray[np.float32]]) -> Iterator[str]:
        """This process' share of `train`."""
        torch.set_num_threads(1)
        plan, budget = self.plan, self.plan.minutes * 60
        lessons = self._held(pictures) if plan.held else self._loaded(pictures, proposals)
        with training_loop_of(self, plan.save_every) as course, closing(lessons):
            while self.seconds < budget and not course.stopped:
                batch = next(lessons)
                progress = min(self.seconds / budget, 1.0)
                set_rate(self.optimiser, plan.rate, course.steps, progress)
                if course.note(self.step(*batch), len(batch[1])):
                    yield course.news(progress, "crops")
        yield f"{course.done('crops')}: {self.folder / CHECKPOINT}"

    def _loaded(self, pictures: list[LabelledPicture], proposals: dict[str, NDArray[np.float32]]) -> Generator[Item]:
        """Batches of the crops of pictures that other processes read, epoch after epoch."""
        plan, crops = self.plan, Crops(pictures, proposals, self.plan.seed)
        while True:
            order = PictureOrder(len(pictures), plan.seed, self.epoch, self.at, self.team)
            loader: DataLoader[Any] = DataLoader(
                crops, batch_size=plan.batch, sampler=order, num_workers=plan.workers, collate_fn=batch_up,
                worker_init_fn=keep_on,
            )  # fmt: skip
            for batch in loader:
                self.at += plan.batch * self.team.size
                yield batch
            if self.at > len(pictures) - self.team.size:
                self.epoch, self.at = self.epoch + 1, 0

    def _held(self, pictures: list[LabelledPicture]) -> Generator[Item]:
        """Batches of crops that the device holds."""
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
