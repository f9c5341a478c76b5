"""Labelled pictures as inputs and targets for training the detector, zoomed, shifted, mirrored, toned, blurred, with noise: one
at a
time on a processor (`place`), or a whole batch on any device (`shown`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from torch.utils.data import Dataset

from companion.eyes.geometry import bounding_boxes, card_length, compass_order, signed_area
from workshop.evaluation.labels import LabelledPicture

Image = NDArray[np.uint8]

POINTS = 8
"""Number of named corners of a card: see `companion.eyes.geometry.compass_order`."""

INPUT = (384, 640)
"""Height and width of the network's input in training, pixels."""

SMALLEST_SHARE = 0.25
"""Smallest share of a card in view with which it is asked for and learnt (docs/camera.md: a quarter)."""

SMALLEST_LENGTH = 11.0
"""Pixels of the network's input. Shorter cards are not learnt."""

CLOSE = (60.0, 170.0)
"""Pixels of the network's input. A picture whose cards would be longer than the second is shrunk to a length between the two."""

STEADY = np.cos(np.radians(41.0))
"""A naming of the corners is learnt up to 41 degrees from its middle: 4 short of its jump."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the network should find in one input: ``quads`` float64 (n, 4, 2) in input pixels, ``classes`` int64 (n,), ``corners``
    bool (n,): False where the quad is only an upright box."""

    quads: NDArray[np.float64]
    classes: NDArray[np.int64]
    corners: NDArray[np.bool_]


def share_inside(quad: NDArray[np.float64], height: int, width: int) -> float:
    """Share 0..1 of a clockwise quad that lies in a picture of ``height`` x ``width``."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    shared, _ = cv2.intersectConvexConvex(quad.astype(np.float32), frame)
    return float(shared) / max(float(signed_area(quad)), 1e-6)


def toned(image: Image, rng: np.random.Generator) -> Image:
    """``image`` (..., 3) in another exposure and white balance: a quarter brighter or darker at most, by a table per channel."""
    gain = rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3)
    table = np.clip(np.arange(256)[:, None] * gain + rng.uniform(-12, 12), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image.reshape(-1, 1, 3), table[None]), dtype=np.uint8).reshape(image.shape)


def aim(quads: NDArray[np.float64], size: tuple[int, int], rng: np.random.Generator | None) -> tuple[NDArray[np.float64], bool]:
    """Where an input is taken from a picture of ``size`` (height, width) with these cards: a matrix (2, 3) that takes the
    picture's pixels to the input's without turning them, and whether it mirrors them. Fitted whole, or by chance with ``rng``.
    """
    height, width = INPUT
    fit = min(height / size[0], width / size[1])
    zoom, mirrored = 1.0, False
    shift = np.zeros(2)
    if rng is not None:
        zoom = float(np.exp(rng.uniform(np.log(0.8), np.log(1.9))))
        usual = float(np.median(card_length(quads))) * fit if len(quads) else 0.0
        if usual * zoom > CLOSE[1]:
            zoom = float(np.exp(rng.uniform(*np.log(CLOSE)))) / usual
        mirrored = bool(rng.random() < 0.5)
    scale = fit * zoom
    slack = np.array([width - size[1] * scale, height - size[0] * scale])
    shift = slack / 2 if rng is None else rng.uniform(np.minimum(slack, 0), np.maximum(slack, 0))
    matrix = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    if mirrored:
        matrix[0] = [-scale, 0, width - 1 - shift[0]]
    return matrix, mirrored


def place(
    picture: LabelledPicture, image: Image, rng: np.random.Generator | None, every: bool = False
) -> tuple[Image, Target]:
    """The input made from one picture, and its target: fitted whole, or with ``rng`` zoomed, shifted, mirrored and toned.

    ``every``: the target has all cards, not only those that are to be learnt.
    """
    height, width = INPUT
    matrix, mirrored = aim(picture.quads, (image.shape[0], image.shape[1]), rng)
    scale = float(matrix[1, 1])
    if scale < 0.7:  # shrink by area first: bilinear sampling alone would alias
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        ratio = np.array([image.shape[1] / small.shape[1], image.shape[0] / small.shape[0]])
        from_small = np.diag([*ratio, 1.0])
        from_small[:2, 2] = (ratio - 1) / 2  # pixel centres have whole coordinates in both pictures
        canvas = cv2.warpAffine(np.asarray(small), matrix @ from_small, (width, height), borderValue=(114, 114, 114))
    else:
        canvas = cv2.warpAffine(image, matrix, (width, height), borderValue=(114, 114, 114))
    if rng is not None:
        canvas = toned(np.asarray(canvas, dtype=np.uint8), rng)
    quads = picture.quads @ matrix[:, :2].T + matrix[:, 2]
    if mirrored:
        quads = quads[:, ::-1]
    shows = (
        np.array(
            [
                visible * share_inside(quad, height, width) / max(share_inside(old, *image.shape[:2]), 1e-6)
                for quad, old, visible in zip(quads, picture.quads, picture.visible, strict=True)
            ]
        )
        if len(quads)
        else np.zeros(0)
    )
    keep = np.full(len(quads), True) if every else (shows >= SMALLEST_SHARE) & (card_length(quads) >= SMALLEST_LENGTH)
    return np.asarray(canvas, dtype=np.uint8), Target(
        np.ascontiguousarray(quads[keep]), picture.classes[keep], picture.corners[keep]
    )


class Pictures(Dataset[tuple[Tensor, Tensor]]):
    """Pictures for a data loader: item ``(epoch, index)`` is an input (3, 384, 640) uint8 and its labels (n, 29) float32.

    A label is the class, the upright box (x, y of its middle, width, height, as shares of the input) and the eight named corners
    (x, y as shares, and a mask: 0 where the corner is not learnt, as where a card's corners are not known).
    """

    def __init__(self, pictures: list[LabelledPicture], seed: int, augment: bool = True) -> None:
        self.pictures, self.seed, self.augment = pictures, seed, augment

    def __len__(self) -> int:
        return len(self.pictures)

    def __getitem__(self, key: tuple[int, int]) -> tuple[Tensor, Tensor]:
        epoch, index = key
        cv2.setNumThreads(0)
        picture = self.pictures[index]
        rng = np.random.default_rng([self.seed, epoch, index]) if self.augment else None
        canvas, target = place(picture, picture.read(), rng)
        return torch.from_numpy(np.ascontiguousarray(canvas.transpose(2, 0, 1))), torch.from_numpy(labels(target))


def labels(target: Target) -> NDArray[np.float32]:
    """The labels of one target, as of `Pictures`: float32 (n, 29)."""
    height, width = INPUT
    size = np.array([width, height], dtype=np.float64)
    named, steady = compass_order(target.quads)
    mask = np.repeat((steady > STEADY) & target.corners[:, None], 4, axis=-1)
    boxes = bounding_boxes(target.quads) if len(target.quads) else np.zeros((0, 4))
    middle, extent = (boxes[:, :2] + boxes[:, 2:]) / 2 / size, (boxes[:, 2:] - boxes[:, :2]) / size
    points = np.concatenate([named / size, mask[..., None]], axis=-1).reshape(len(boxes), 3 * POINTS)
    return np.concatenate([target.classes[:, None], middle, extent, points], axis=1).astype(np.float32)


def batch_up(items: list[tuple[Tensor, Tensor]]) -> dict[str, Tensor]:
    """A batch, under the names that ultralytics' loss expects."""
    rows = torch.cat([row for _, row in items])
    belongs = torch.cat([torch.full((len(row),), i, dtype=torch.float32) for i, (_, row) in enumerate(items)])
    return {
        "img": torch.stack([picture for picture, _ in items]),
        "batch_idx": belongs,
        "cls": rows[:, :1],
        "bboxes": rows[:, 1:5],
        "keypoints": rows[:, 5:].reshape(len(rows), POINTS, 3),
    }


Floats = NDArray[np.float64]

EMPTY = 114.0
"""Grey level of what lies beyond the picture."""
ALIASES = 0.7
"""A picture that is shrunk to less than this is smoothed first."""
BLURRED = 0.3
"""Share of views that are blurred, by a box of 3x3 pixels at most."""
NOISY = 0.5
"""Share of views with noise, of up to `NOISIEST` grey levels."""
NOISIEST = 7.0

_ACROSS = (np.arange(8) + 0.5) / 8


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """The cards of one picture: ``quads`` (n, 4, 2) pixels, ``classes`` (n,), ``corners`` (n,) known or not, and ``clear`` (n,):
    the share of what lies in the picture that nothing hides."""

    quads: Floats
    classes: NDArray[np.int64]
    corners: NDArray[np.bool_]
    clear: Floats


def shares_inside(quads: Floats, height: int, width: int) -> Floats:
    """The share 0..1 of each convex quad (n, 4, 2) that lies in a picture, to about 2 %: of 64 points in it, how many do."""
    u, v = (part.ravel()[:, None] for part in np.meshgrid(_ACROSS, _ACROSS))
    a, b, c, d = (quads[:, None, i] for i in range(4))
    points = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    inside = (points > 0).all(-1) & (points[..., 0] < width) & (points[..., 1] < height)
    return np.asarray(inside.mean(1), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Tones:
    """``gain`` (n, 3) and ``added`` (n,), grey levels: exposure and white balance as of `pictures.toned`; ``blur`` (n,) 0..1 of
    the ``blurred`` views and ``noise`` (n,) grey levels of the ``noisy`` ones, both bool (n,); ``seed``: of the noise."""

    gain: Floats
    added: Floats
    blur: Floats
    noise: Floats
    blurred: NDArray[np.bool_]
    noisy: NDArray[np.bool_]
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Aimed:
    """All of a batch of views but the pixels. ``matrices`` (n, 2, 3): where each is taken (`pictures.aim`); ``rows`` (m, 29): the
    labels of all, as of `pictures.labels`, and ``belongs`` (m,) the view that each is of; ``tones``: how they are spoilt."""

    matrices: Floats
    rows: NDArray[np.float32]
    belongs: NDArray[np.float32]
    tones: Tones


def aimed(cards: Sequence[Cards], rng: np.random.Generator) -> Aimed:
    """A random view of each of the pictures with these ``cards``, determined by ``rng``."""
    aims = [aim(one.quads, INPUT, rng) for one in cards]
    matrices, mirrored = np.stack([matrix for matrix, _ in aims]), np.array([flag for _, flag in aims])
    belongs = np.repeat(np.arange(len(cards)), [len(one.quads) for one in cards])
    quads = np.concatenate([one.quads for one in cards])
    quads = np.einsum("nij,nkj->nki", matrices[belongs, :, :2], quads) + matrices[belongs, None, :, 2]
    quads[mirrored[belongs]] = quads[mirrored[belongs], ::-1]
    shows = np.concatenate([one.clear for one in cards]) * shares_inside(quads, *INPUT)
    keep = (shows >= SMALLEST_SHARE) & (card_length(quads) >= SMALLEST_LENGTH)
    target = Target(
        quads[keep], np.concatenate([one.classes for one in cards])[keep], np.concatenate([one.corners for one in cards])[keep]
    )
    return Aimed(matrices, labels(target), belongs[keep].astype(np.float32), _tones(len(cards), rng))


def _tones(count: int, rng: np.random.Generator) -> Tones:
    gain = rng.uniform(0.75, 1.25, (count, 1)) * rng.uniform(0.93, 1.07, (count, 3))
    added, blur, noise = rng.uniform(-12, 12, count), rng.uniform(0, 1, count), rng.uniform(0, NOISIEST, count)
    blurred, noisy = (rng.random(count) < share for share in (BLURRED, NOISY))
    return Tones(gain, added, blur, noise, blurred, noisy, int(rng.integers(1 << 62)))


def shown(images: Tensor, aimed: Aimed) -> dict[str, Tensor]:
    """The views of ``images`` (n, 3, 384, 640) uint8, and what is to be found there.

    Returns a batch as of `workshop.training.pictures.batch_up`, on the images' device.
    """
    rows, belongs = (torch.from_numpy(part).to(images.device) for part in (aimed.rows, aimed.belongs))
    return {
        "img": _spoilt(_warped(images, aimed.matrices), aimed.tones),
        "batch_idx": belongs,
        "cls": rows[:, :1],
        "bboxes": rows[:, 1:5],
        "keypoints": rows[:, 5:].reshape(len(rows), POINTS, 3),
    }


def _warped(images: Tensor, matrices: Floats) -> Tensor:
    """The images as the matrices (n, 2, 3), which do not turn them, show them: float32, beyond their edges `EMPTY`."""
    height, width = images.shape[2:]
    pixels = images.float() - EMPTY
    shrunk = _those(np.abs(matrices[:, 0, 0]) < ALIASES, images.device)
    if len(shrunk):
        half = functional.avg_pool2d(pixels[shrunk], 2)
        pixels[shrunk] = functional.interpolate(half, scale_factor=2.0, mode="bilinear")
    x = (np.arange(width) - matrices[:, :1, 2]) / matrices[:, :1, 0] * 2 / (width - 1) - 1
    y = (np.arange(height) - matrices[:, 1:, 2]) / matrices[:, 1:, 1] * 2 / (height - 1) - 1
    where = [torch.from_numpy(part.astype(np.float32)).to(images.device) for part in (x, y)]
    grid = torch.stack([where[0][:, None, :].expand(-1, height, -1), where[1][:, :, None].expand(-1, -1, width)], dim=-1)
    return functional.grid_sample(pixels, grid, mode="bilinear", padding_mode="zeros", align_corners=True) + EMPTY


def _those(chosen: NDArray[np.bool_], device: torch.device) -> Tensor:
    return torch.from_numpy(np.flatnonzero(chosen)).to(device)


def _spoilt(pixels: Tensor, tones: Tones) -> Tensor:
    """The ``pixels`` as ``tones`` say: (n, 3, height, width) uint8."""
    count, device = len(pixels), pixels.device

    def each(values: Floats) -> Tensor:
        return torch.from_numpy(np.asarray(values, dtype=np.float32).reshape(count, -1, 1, 1)).to(device)

    gain, added, blur, noise = (each(part) for part in (tones.gain, tones.added, tones.blur, tones.noise))
    blurred, noisy = (_those(part, device) for part in (tones.blurred, tones.noisy))
    if len(blurred):
        sharp = pixels[blurred]
        soft = functional.avg_pool2d(functional.pad(sharp, (1, 1, 1, 1), mode="replicate"), 3, 1)
        pixels[blurred] = torch.lerp(sharp, soft, blur[blurred])
    pixels = pixels * gain + added
    if len(noisy):
        generator = torch.Generator(device).manual_seed(tones.seed)
        grain = torch.randn((len(noisy), *pixels.shape[1:]), generator=generator, device=device)
        pixels[noisy] += grain * noise[noisy]
    return pixels.clamp(0, 255).to(torch.uint8)
