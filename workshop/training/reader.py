"""Trains the reader: an embedding network with a learnt prototype for each known card (a cosine softmax).

The softmax has one more answer, "nobody's", at a fixed cosine: crops that show no whole card must stay below it for every
prototype, true cards above it. At run time it is the threshold for cards that are not known.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from companion.eyes.reader import CROP, Prototypes
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.reading import STRANGER
from workshop.training.architecture import convolution
from workshop.training.checkpoint import read_checkpoint
from workshop.training.crops import NOTHING, STRANGE, Classes, Crop, Image, crop, crops_of, teachable
from workshop.training.export import export
from workshop.training.process_group import ALONE, ProcessGroup
from workshop.training.training_run import TrainingPlan, TrainingRun, keep_on

SHARPNESS = 16.0
MARGIN = 0.15
"""Margin by which the true card's cosine must win in training."""
HANDFUL = 4
"""Crops per item of the data."""
STRANGE_SHARE = 0.25
"""Share of the made-up handfuls that show strangers' cards, each twice."""


_conv = partial(convolution, activation=nn.ReLU)


class _Residual(nn.Module):
    """Two convolutions whose result is added to the input; in the beginning it is zero."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            _conv(channels, channels), nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )
        nn.init.zeros_(self.inner[-1].weight)

    def forward(self, features: Tensor) -> Tensor:
        return functional.relu(features + self.inner(features))


class Embedding(nn.Module):
    """3x3 convolutions and a linear layer over all positions: (n, 3, 112, 64) 0..1 → (n, 64) of length 1."""

    def __init__(self, size: int = 64) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _conv(3, 16, 2), _conv(16, 32), _conv(32, 32, 2), _conv(32, 48), _Residual(48), _conv(48, 48, 2), _conv(48, 64),
            _Residual(64), _Residual(64), _conv(64, 64, 2), nn.Conv2d(64, 24, 1),
        )  # fmt: skip
        self.out = nn.Linear(24 * (CROP[1] // 16) * (CROP[0] // 16), size)

    def forward(self, crops: Tensor) -> Tensor:
        """The embeddings of crops."""
        # Each crop's brightness and contrast are normalised: the light of the bar says nothing about the card.
        mean = crops.mean(dim=(1, 2, 3), keepdim=True)
        spread = (crops - mean).pow(2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
        features = self.features((crops - mean) / (spread + 0.05))
        return functional.normalize(self.out(features.flatten(1)), dim=1)


@dataclass(frozen=True, slots=True)
class ReaderPlan(TrainingPlan):
    """How to train the reader. ``names``: of the classes to tell apart. ``batch``: in handfuls."""

    names: tuple[str, ...] = ()
    minutes: float = 10.0
    batch: int = 16
    rate: float = 3e-3


class Crops(Dataset[tuple[Tensor, Tensor]]):
    """Endless random crops, a handful per item: uint8 (n, 3, 112, 64) and labels int64 (n,), determined by seed and index.

    Every other handful is cut out of one of the ``pictures``, if there are any; the rest is made up. Each process of a ``team``
    has handfuls of its own.
    """

    def __init__(
        self, known: Classes, scenes: list[Image], pictures: Sequence[LabelledPicture], seed: int, start: int,
        team: ProcessGroup = ALONE,
    ) -> None:
        self.known, self.scenes, self.seed, self.start, self.team = known, scenes, seed, start, team
        self.numbers = {name: i for i, name in enumerate(known.names)}
        self.pictures = teachable(pictures, self.numbers)
        self.stu = [i for i, name in enumerate(known.names) if name.startswith("stu/")]
        self.rest = [i for i, name in enumerate(known.names) if not name.startswith("stu/")]

    def __len__(self) -> int:
        return 1 << 30

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        cv2.setNumThreads(0)  # OpenCV's own threads would compete with the training's
        rng = np.random.default_rng([self.seed, self.team.rank, self.start + index])
        if self.pictures and index % 2:
            picture = self.pictures[int(rng.integers(len(self.pictures)))]
            made = crops_of(picture, self.numbers, rng, HANDFUL)
        else:
            made = self._strange(rng) if self.known.strangers and rng.random() < STRANGE_SHARE else self._made_up(rng)
        crops = np.stack([one.image for one in made]).transpose(0, 3, 1, 2)
        return torch.from_numpy(np.ascontiguousarray(crops)), torch.tensor([one.label for one in made])

    def _made_up(self, rng: np.random.Generator) -> list[Crop]:
        draws = rng.random(HANDFUL)
        return [
            self._crop(NOTHING if draw < 0.12 else int(rng.choice(self.rest if draw < 0.45 and self.rest else self.stu)), rng)
            for draw in draws
        ]

    def _strange(self, rng: np.random.Generator) -> list[Crop]:
        cards = rng.integers(len(self.known.strangers), size=HANDFUL // 2)
        return [self._crop(STRANGE - int(card), rng) for card in np.repeat(cards, 2)]

    def _crop(self, label: int, rng: np.random.Generator) -> Crop:
        scene = self.scenes[int(rng.integers(len(self.scenes)))] if self.scenes else None
        return crop(self.known, label, rng, backdrop=scene)


def batch_up(items: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    """Several handfuls in one batch."""
    crops, labels = zip(*items, strict=True)
    return torch.cat(crops), torch.cat(labels)


Batch = tuple[Tensor, Tensor]
"""Crops uint8 (n, 3, 112, 64) and labels int64 (n,)."""
Lessons = tuple[Classes, list[Image], Sequence[LabelledPicture]]
"""The cards, what lies around them, and labelled pictures; as of `Crops`."""


class ReaderRun(TrainingRun[ReaderPlan, Lessons, Batch]):
    """Learns from crops of known and strange cards. ``proxies``: the classes' prototypes, which are learnt, too."""

    def build(self) -> Embedding:
        """The network."""
        network = Embedding()
        self.proxies = nn.Parameter(functional.normalize(torch.randn(len(self.plan.names), 64), dim=1).to(self.device))
        return network

    def parameter_groups(self) -> list[dict[str, Any]]:
        """Prototypes do not decay."""
        return [*super().parameter_groups(), {"params": [self.proxies], "weight_decay": 0.0}]

    def parameters(self) -> list[nn.Parameter]:
        """All that has gradients."""
        return [*super().parameters(), self.proxies]

    def state(self) -> dict[str, Any]:
        """What a checkpoint holds."""
        return {"names": list(self.plan.names), "proxies": self.proxies.detach(), **super().state()}

    def load(self, state: Mapping[str, Any], path: Path) -> None:
        """As of `TrainingRun`. Classes may have been added or removed: the others keep their prototypes."""
        self._take_over(state)
        if state["names"] == list(self.plan.names):
            self.optimiser.load_state_dict(state["optimiser"])

    def start_from(self, checkpoint: Path) -> None:
        """Starts with another run's weights. Raises `CannotTrain`."""
        self._take_over(read_checkpoint(checkpoint))

    def _take_over(self, state: Mapping[str, Any]) -> None:
        self.network.load_state_dict(state["network"])
        row = {name: i for i, name in enumerate(state["names"])}
        with torch.no_grad():
            for i, name in enumerate(self.plan.names):
                if name in row:
                    self.proxies[i] = state["proxies"][row[name]]

    def size(self, batch: Batch) -> int:
        """The crops of a batch."""
        return len(batch[1])

    def gradients(self, batch: Batch) -> Mapping[str, Tensor]:
        """The ``loss``, and the share named ``right`` among true cards; NaN where there is none."""
        embeddings, labels = self.forward(batch[0]), batch[1].to(self.device)
        cosines = embeddings.float() @ functional.normalize(self.proxies, dim=1).T
        answers = torch.cat([cosines, torch.full((len(cosines), 1), STRANGER, device=self.device)], dim=1)
        cards = labels >= 0
        target = torch.where(cards, labels, answers.shape[1] - 1)
        true = functional.one_hot(target, answers.shape[1])
        logits = SHARPNESS * (answers - MARGIN * true * cards[:, None])
        loss = functional.cross_entropy(logits, target, label_smoothing=0.02) + _apart(embeddings.float(), labels)
        loss.backward()
        return {"loss": loss.detach(), "right": (cosines.argmax(1) == labels)[cards].float().mean()}

    def batches(self, lessons: Lessons) -> Generator[Batch]:
        """Batches of crops that other processes make."""
        plan, crops = self.plan, Crops(*lessons, self.plan.seed, self.seen, self.team)
        yield from DataLoader(
            crops, batch_size=plan.batch, num_workers=plan.workers, collate_fn=batch_up, worker_init_fn=keep_on
        )


def _apart(embeddings: Tensor, labels: Tensor) -> Tensor:
    """Two crops of one stranger's card must be nearer to each other than to any other stranger's in the batch, so that a deck
    that training never saw can be taught by a photo: the contrastive loss of SimCLR (Chen and others 2020)."""
    strange = labels <= STRANGE
    if not strange.any():
        return embeddings.sum() * 0
    points, which = embeddings[strange], labels[strange]
    itself = torch.eye(len(which), dtype=torch.bool, device=points.device)
    same = (which[:, None] == which[None]) & ~itself
    paired = same.any(1)
    cosines = (SHARPNESS * (points @ points.T)).masked_fill(itself, -torch.inf)[paired]
    surprise = torch.logsumexp(cosines, dim=1) - torch.logsumexp(cosines.masked_fill(~same[paired], -torch.inf), dim=1)
    return surprise.mean() * strange.float().mean()


def export_reader(checkpoint: Path, model: Path, prototypes: Path, notes: dict[str, Any], sharpness: float = SHARPNESS) -> None:
    """Writes the network as ONNX and the learnt prototypes beside it."""
    state = read_checkpoint(checkpoint)
    network = Embedding()
    network.load_state_dict(state["network"])
    export(network, torch.zeros(2, 3, CROP[1], CROP[0]), model, notes={"trained_on": state["seen"], **notes}, free={0: "crops"})
    points = functional.normalize(state["proxies"], dim=1).numpy().astype(np.float32)
    Prototypes(tuple(state["names"]), points, ("stu",), sharpness, STRANGER).save(prototypes)
