"""Views of pictures that are in the memory of the device that trains: zoomed, shifted, mirrored, toned, blurred, with noise.

What `workshop.training.pictures.place` does on a processor for one picture is done here for a whole batch, on any
device.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from companion.eyes.geometry import card_length
from workshop.training.pictures import (
    INPUT,
    POINTS,
    SMALLEST_LENGTH,
    SMALLEST_SHARE,
    Target,
    aim,
    labels,
)

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
