"""The refiner's crops, held in the memory of the device that trains: cut out once, and moved, turned and spoilt there for each
view.

Reading a picture and cutting its crops out for each lesson keeps a processor core busy for some 10 ms; a GPU learns from far more
crops than sixteen cores cut. Other processes propose and cut while it learns from what is there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from companion.eyes.geometry import MIRRORED, straighten
from companion.eyes.refiner import CROP, MARGIN, frames, to_frame, to_pixels
from companion.table.errors import CannotTrain
from workshop.evaluation.labels import LabelledPicture
from workshop.training.device_cache import BackgroundFeeder
from workshop.training.proposals import Asked, Item, lessons_of, open_proposer, proposed

ROOM = 1.25
"""What is held of a crop, as a multiple of its sides: so that it can be moved."""
HELD = (int(CROP[1] * ROOM), int(CROP[0] * ROOM))
"""Height and width of what is held, pixels."""
BYTES = 3 * HELD[0] * HELD[1]

TASK = 4
"""Pictures that a process proposes on and cuts up at a time."""
ENOUGH = 400
"""Pictures cut up before learning begins."""

MOVED = 0.5
"""Share of crops that are moved; the others are as they were cut out."""
SHIFT, STRETCH, SHEAR = 0.03, 0.05, 0.03
"""Of the moved ones, standard deviations, in shares of the card's sides. None is more than three times as much."""
BLURRED, NOISY, NOISIEST = 0.15, 0.25, 6.0
"""Shares of crops that are blurred, by a box of 3x3 pixels at most, and that get noise; the most noise, in grey levels."""


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """What is held of ``n`` crops: uint8 (n, 3, `HELD`), and the rest as of `workshop.training.proposals.Item`."""

    crops: NDArray[np.uint8]
    labels: NDArray[np.int64]
    corners: NDArray[np.float32]
    frame: NDArray[np.float32]
    boxes: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.labels)


_FIELDS = [
    ((3, *HELD), torch.uint8), ((), torch.int64), ((4, 2), torch.float32), ((3, 2), torch.float32), ((4,), torch.float32)
]  # fmt: skip
"""Shape and type of one crop's part in each of `Cuts`' fields."""


def cut_up(asked: Sequence[Asked], seed: int) -> Cuts:
    """The crops of some pictures, by what the process' detector (`open_proposer`) proposes there."""
    parts = [_cuts(one, seed) for one in asked]
    return Cuts(*(np.concatenate([getattr(part, name) for part in parts]) for name in Cuts.__slots__))


def _cuts(asked: Asked, seed: int) -> Cuts:
    picture, number = asked
    image = picture.read()
    _, quads = proposed(asked, image)
    taught = lessons_of(picture, quads, np.random.default_rng([seed, 5, number]))
    frame = frames(taught.quads) if len(taught.quads) else np.zeros((0, 3, 2))
    reach = (1 + 2 * MARGIN) * ROOM / 2
    wide = np.array([[[-1, -1], [1, -1], [1, 1], [-1, 1]]]) * reach + 0.5
    crops = [straighten(image, to_pixels(wide, one[None])[0], HELD[1], HELD[0]).transpose(2, 0, 1) for one in frame]
    corners = to_frame(taught.corners, frame) if len(frame) else taught.corners
    return Cuts(
        np.stack(crops) if crops else np.zeros((0, 3, *HELD), np.uint8), taught.labels,
        corners.astype(np.float32), frame.astype(np.float32), taught.boxes.astype(np.float32),
    )  # fmt: skip


class CachedCrops(BackgroundFeeder):
    """The crops of ``pictures``, proposed by ``detector`` with ``jobs`` processes, as many as fit into ``room`` gigabytes of
    ``device``: what does not fit takes the place of the oldest."""

    def __init__(
        self, pictures: Sequence[LabelledPicture], detector: Path, device: torch.device, room: float, jobs: int, seed: int
    ) -> None:
        super().__init__()
        self.pictures, self.detector, self.device, self.jobs, self.seed = pictures, detector, device, jobs, seed
        self.capacity = max(1, int(room * 1e9 / BYTES))
        self.done = 0
        """Pictures whose crops have come."""
        self._parts = [torch.zeros((self.capacity, *shape), dtype=dtype, device=device) for shape, dtype in _FIELDS]
        self._there, self._next = 0, 0

    def __len__(self) -> int:
        return self._there

    def batches(self, count: int, seed: int) -> Iterator[Item]:
        """Endless batches of ``count`` crops on the device. Raises `CannotTrain` where there are none, and what went wrong."""
        generator = torch.Generator(self.device).manual_seed(seed)
        while True:
            with self._lock:
                self._await(lambda: self.done >= ENOUGH)
            if not self._there:
                raise CannotTrain("no crops came: the pictures show no card, and the detector proposes none there")
            which = torch.randint(self._there, (count,), generator=generator, device=self.device)
            crops, labels, corners, frame, boxes = (part[which] for part in self._parts)
            yield shown(crops, labels, corners, frame, boxes, generator)

    def _feed(self) -> None:
        """Has all pictures cut up. A thread's work until `__exit__`."""
        numbered = [(picture, number) for number, picture in enumerate(self.pictures, start=1)]
        tasks = iter([numbered[start : start + TASK] for start in range(0, len(numbered), TASK)])
        pool = ProcessPoolExecutor(
            self.jobs, mp_context=get_context("spawn"), initializer=open_proposer, initargs=(self.detector, 1, True)
        )
        waiting: deque[Future[Cuts]] = deque()
        try:
            while not self._stop.is_set():
                while len(waiting) < 2 * self.jobs and (task := next(tasks, None)) is not None:
                    waiting.append(pool.submit(cut_up, task, self.seed))
                if not waiting:
                    return
                self._keep(waiting.popleft().result())
        finally:
            pool.shutdown(cancel_futures=True)

    def _keep(self, cuts: Cuts) -> None:
        for start in range(0, len(cuts), self.capacity):
            part = [getattr(cuts, name)[start : start + self.capacity] for name in Cuts.__slots__]
            slots = (torch.arange(len(part[0])) + self._next).remainder(self.capacity).to(self.device)
            for held, new in zip(self._parts, part, strict=True):
                held[slots] = torch.from_numpy(new).to(self.device)
            self._next = (self._next + len(part[0])) % self.capacity
            self._there = min(self._there + len(part[0]), self.capacity)
        with self._lock:
            self.done = min(self.done + TASK, len(self.pictures))
            self._lock.notify_all()


def shown(crops: Tensor, labels: Tensor, corners: Tensor, frame: Tensor, boxes: Tensor, generator: torch.Generator) -> Item:
    """New views of what is held of some crops (`Cuts`, as tensors of one device): moved, turned, mirrored, toned, blurred, with
    noise."""
    placed = _placed(len(crops), generator)
    inner, own = _through(placed, corners, frame)
    return _spoilt(_taken(crops, placed), generator), labels, inner, own, boxes


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """Where each view lies on what is held: it shows at p, from the card's middle in shares of its sides, what is held at
    ``matrix`` (n, 2, 2) p + ``shift`` (n, 2); ``turned`` by 180 degrees or not, ``mirrored`` or not (n,), all in ``matrix``."""

    matrix: Tensor
    shift: Tensor
    turned: Tensor
    mirrored: Tensor


def _placed(count: int, generator: torch.Generator) -> _Placed:
    device = generator.device
    chance = torch.rand((3, count), generator=generator, device=device)
    moved = (chance[0] < MOVED).float()[:, None]
    turned, mirrored = chance[1] < 0.5, chance[2] < 0.5
    off = torch.randn((count, 6), generator=generator, device=device).clamp(-3, 3) * moved
    along = torch.exp(off[:, :2] * STRETCH)
    matrix = torch.diag_embed(along) + (off[:, 2:4] * SHEAR)[:, :, None] * torch.eye(2, device=device).flip(0)
    across = torch.where(mirrored, -1.0, 1.0)
    sign = torch.where(turned, -1.0, 1.0)
    flips = torch.stack([sign * across, sign], dim=1)
    return _Placed(matrix * flips[:, None, :], off[:, 4:] * SHIFT, turned, mirrored)


def _through(placed: _Placed, corners: Tensor, frame: Tensor) -> tuple[Tensor, Tensor]:
    """The ``corners`` (n, 4, 2) in the views' frames, in their order there, and these frames (n, 3, 2) in pixels."""
    back = torch.linalg.inv(placed.matrix)
    inner = torch.einsum("nij,nkj->nki", back, corners - 0.5 - placed.shift[:, None]) + 0.5
    inner = torch.where(placed.turned[:, None, None], inner.roll(2, dims=1), inner)
    inner = torch.where(placed.mirrored[:, None, None], inner[:, MIRRORED], inner)
    sides = torch.einsum("nji,njk->nik", placed.matrix, frame[:, 1:])
    middle = frame[:, 0] + torch.einsum("nj,njk->nk", 0.5 + placed.shift, frame[:, 1:])
    return inner, torch.cat([(middle - sides.sum(1) / 2)[:, None], sides], dim=1)


def _taken(crops: Tensor, placed: _Placed) -> Tensor:
    """The views of ``crops`` (n, 3, `HELD`): float32 (n, 3, 96, 64), grey levels."""
    reach = 1 + 2 * MARGIN
    u, v = (((torch.arange(size, device=crops.device) + 0.5) / size - 0.5) * reach for size in CROP)
    points = torch.stack(torch.meshgrid(u, v, indexing="xy"), dim=-1)
    where = torch.einsum("nij,hwj->nhwi", placed.matrix, points) + placed.shift[:, None, None]
    return functional.grid_sample(
        crops.float(), where * 2 / (reach * ROOM), mode="bilinear", padding_mode="border", align_corners=False
    )


def _spoilt(pixels: Tensor, generator: torch.Generator) -> Tensor:
    """The ``pixels`` (n, 3, height, width) in another exposure and white balance, as of `pictures.toned`, some blurred and some
    with noise: uint8."""
    count, device = len(pixels), pixels.device

    def chance(*shape: int) -> Tensor:
        return torch.rand((count, *shape, 1, 1), generator=generator, device=device)

    soft = functional.avg_pool2d(functional.pad(pixels, (1, 1, 1, 1), mode="replicate"), 3, 1)
    pixels = torch.lerp(pixels, soft, torch.where(chance(1) < BLURRED, chance(1), 0.0))
    gain = (0.75 + 0.5 * chance(1)) * (0.93 + 0.14 * chance(3))
    pixels = pixels * gain + (24 * chance(1) - 12)
    loud = torch.where(chance(1) < NOISY, chance(1) * NOISIEST, 0.0)
    pixels = pixels + loud * torch.randn(pixels.shape, generator=generator, device=device)
    return pixels.clamp(0, 255).to(torch.uint8)
