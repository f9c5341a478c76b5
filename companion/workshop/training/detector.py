"""Trains the detector: ultralytics' model, loss and moving average in a loop of our own.

The loop is ours because ultralytics' trainer refuses corners outside the picture, cannot stop and resume within an epoch, and
on a CPU ignores channels-last, which is a third faster there. The budget of a two-core machine is time rather than epochs: the
learning rate follows the share of it that is spent, and a run can be stopped at any moment and resumed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils.data import DataLoader
from ultralytics.utils.torch_utils import ModelEMA

from companion.table.errors import CannotTrain
from companion.workshop.evaluation.labels import LabelledPicture, read_labels
from companion.workshop.training.architecture import CardModel
from companion.workshop.training.checkpoint import CHECKPOINT, read_checkpoint, write_checkpoint
from companion.workshop.training.course import course_of, set_rate
from companion.workshop.training.pictures import Pictures, batch_up
from companion.workshop.training.team import ALONE, PictureOrder, learn_together


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train the detector. The budget is one of ``minutes`` (of training, over all resumptions) and ``epochs``."""

    minutes: float | None = None
    epochs: int | None = None
    batch: int = 8
    rate: float = 2e-3
    width: float = 0.1875
    seed: int = 0
    threads: int = 2
    """Processor cores. On a CPU each has a process of its own with ``batch`` pictures a step (see `Team`)."""
    workers: int = 1
    """Processes that load pictures, for each one that trains."""
    save_every: float = 120.0
    """Seconds between checkpoints."""


class Run:
    """One training run of the detector in a folder of its own: the model, the optimiser, and how far it has got."""

    def __init__(self, folder: Path, plan: Plan, device: str = "cpu") -> None:
        torch.manual_seed(plan.seed)
        self.folder, self.plan, self.device = folder, plan, torch.device(device)
        self.team = ALONE
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
        self.average = ModelEMA(self.model, decay=0.995, tau=100)
        self.steps, self.seen, self.epoch, self.at, self.seconds = 0, 0, 0, 0, 0.0

    def save(self) -> None:
        """Writes the checkpoint; the one before stays until the new one is whole."""
        state = {
            "shape": self.model.shape,
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
        """Starts with another run's averaged weights, for the layers that both networks have.

        Raises:
            CannotTrain: they have no layer in common, or there is no checkpoint.
        """
        weights = read_checkpoint(checkpoint)["average"]
        own = self.model.state_dict()
        shared = {name: value for name, value in weights.items() if name in own and own[name].shape == value.shape}
        if not shared:
            raise CannotTrain(f"{checkpoint}: no layer of its network fits this one")
        self.model.load_state_dict(shared, strict=False)
        self.average.ema.load_state_dict(shared, strict=False)

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
        return {name: float(value) for name, value in terms.items()}

    def train(self, folders: list[Path]) -> Iterator[str]:
        """Trains until the budget is spent and yields progress messages. Folders may grow: each epoch reads them again."""
        _pictures(folders)  # whatever is wrong with them is reported before anything is written or started
        yield from learn_together(self, self.plan.threads if self.device.type == "cpu" else 1, folders)

    def learn(self, folders: list[Path]) -> Iterator[str]:
        """This process' share of `train`."""
        torch.set_num_threads(self.plan.threads if self.team.size == 1 else 1)
        pictures = _pictures(folders)
        with course_of(self, self.plan.save_every) as course:
            while self.progress(len(pictures)) < 1 and not course.stopped:
                order = PictureOrder(len(pictures), self.plan.seed, self.epoch, self.at, self.team)
                loader = DataLoader(
                    Pictures(pictures, self.plan.seed),
                    batch_size=self.plan.batch, collate_fn=batch_up, num_workers=self.plan.workers, sampler=order,
                )  # fmt: skip
                for batch in loader:
                    progress = self.progress(len(pictures))
                    terms = self.step(batch, progress)
                    self.at += len(batch["img"]) * self.team.size
                    if course.note(terms, len(batch["img"])):
                        yield course.news(progress, "pictures")
                    if course.stopped or self.progress(len(pictures)) >= 1:
                        break
                if self.at > len(pictures) - self.team.size:
                    self.epoch, self.at = self.epoch + 1, 0
                    pictures = _pictures(folders)
        yield f"{course.done('pictures')}: {self.folder / CHECKPOINT}"


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
