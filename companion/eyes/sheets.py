"""Compares all pictures of a taught deck at once with a card or with its visible part, by normalised correlation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from companion.eyes.templates import Floats, Mask, Templates

COARSE_PART: Final = 2
"""Divisor of the pictures' size at which the order and the places of cards in a heap are found: fifteen times as fast."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The pictures of a deck's cards, upright and upside down, at one part of their size. ``kinds``: of each, (n,); ``pictures``:
    (n, h * w * 3) float32; ``energy``: the sum of the squares in each of their pixels, (n, h * w); ``size``: height and width."""

    kinds: tuple[str, ...]
    pictures: Floats
    energy: Floats
    size: tuple[int, int]
    part: int

    @staticmethod
    def of(templates: Templates, part: int) -> Sheet | None:
        """The sheet of these templates' pictures; None where there are none."""
        both = [(kind, way) for kind, its in templates.cards.items() for one in its for way in (one, one[::-1, ::-1])]
        if not both:
            return None
        height, width = both[0][1].shape[0] // part, both[0][1].shape[1] // part
        ways = [cv2.resize(way, (width, height), interpolation=cv2.INTER_AREA) for _, way in both]
        small = np.asarray(np.stack(ways), np.float32)
        energy = (small * small).sum(axis=3).reshape(len(both), -1)
        return Sheet(tuple(kind for kind, _ in both), small.reshape(len(both), -1), energy, (height, width), part)

    def of_those(self, numbers: NDArray[np.intp]) -> Sheet:
        """The sheet of only these of its pictures (numbers)."""
        kinds = tuple(self.kinds[n] for n in numbers.tolist())
        return replace(self, kinds=kinds, pictures=self.pictures[numbers], energy=self.energy[numbers])

    def maps(self, view: Floats, shows: Mask) -> tuple[Floats, Floats]:
        """How well each picture fits at each place of the ``view`` (h, w, 3), which is a little larger than they are and visible
        where it ``shows`` (h, w): correlations -1..1, (rows, columns, n), and the visible share of a picture at each place,
        (rows, columns)."""
        size = view.shape[1] // self.part, view.shape[0] // self.part
        small = np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.float32)
        mask = np.asarray(cv2.resize(shows, size, interpolation=cv2.INTER_NEAREST), np.float32)
        bare = bool(mask.all())
        seen = small if bare else small * mask[..., None]
        light = _sums(np.asarray(cv2.transform(seen * seen, np.ones((1, 3), np.float32)), np.float32), self.size)
        share = _sums(mask, self.size) / np.float32(self.size[0] * self.size[1])
        energy = self.energy.sum(axis=1)[None] if bare else windows(mask[..., None], self.size) @ self.energy.T
        norms = np.sqrt(np.maximum(light, 0)).reshape(-1, 1) * np.sqrt(energy)
        found = (windows(seen, self.size) @ self.pictures.T) / np.maximum(norms, np.float32(1e-6))
        return found.reshape(*share.shape, -1), share

    def correlations(self, view: Floats, shows: Mask) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures at any place, as in `maps`."""
        best = self.maps(view, shows)[0].max(axis=(0, 1))
        found: dict[str, float] = {}
        for kind, one in zip(self.kinds, best.tolist(), strict=True):
            found[kind] = max(found.get(kind, -1.0), one)
        return found

    def resembled(self, view: Floats) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures with a ``view`` (h, w, 3) that nothing covers."""
        return self.correlations(view, np.ones(view.shape[:2], np.uint8))

    def picture(self, number: int) -> Floats:
        """One of the pictures, (h, w, 3)."""
        return np.asarray(self.pictures[number].reshape(*self.size, 3), np.float32)

    def placed(self, view: Floats, numbers: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
        """The greatest correlation coefficient -1..1 of each of these pictures (numbers) at any place of a ``view`` (h, w, 3) of
        the same scale that nothing covers, (n,), and these places, x, y (n, 2), pixels. Each colour has a mean of its own."""
        seen, own = windows(view, self.size), self.pictures[numbers]
        pixels = self.size[0] * self.size[1]
        colours = np.tile(np.eye(3, dtype=np.float32) / pixels, (pixels, 1))
        means, levels = seen @ colours, own @ colours
        spread = np.einsum("ij,ij->i", seen, seen) - pixels * (means * means).sum(axis=1)
        contrast = np.einsum("ij,ij->i", own, own) - pixels * (levels * levels).sum(axis=1)
        norms = np.sqrt(np.maximum(spread, 0))[:, None] * np.sqrt(np.maximum(contrast, 0))[None]
        found = (seen @ own.T - pixels * (means @ levels.T)) / np.maximum(norms, np.float32(1e-6))
        best = found.argmax(axis=0)
        columns = view.shape[1] - self.size[1] + 1
        return found[best, np.arange(len(own))], np.stack([best % columns, best // columns], axis=1)


def windows(picture: Floats, size: tuple[int, int]) -> Floats:
    """All parts of this ``size`` (height, width) of a ``picture`` (h, w, c), row after row of places: (n, height * width * c)."""
    height, (rows, columns), depth = picture.shape[0], size, picture.shape[2]
    flat = np.ascontiguousarray(picture, np.float32).reshape(height, -1)  # rows of a part lie together: copied at once
    return sliding_window_view(flat, (rows, columns * depth))[:, ::depth].reshape(-1, rows * columns * depth)


def _sums(picture: Floats, size: tuple[int, int]) -> Floats:
    """The sums of a ``picture`` (h, w) over all its parts of this ``size`` (height, width), for each place."""
    whole = cv2.boxFilter(picture, -1, size[::-1], anchor=(0, 0), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(whole[: picture.shape[0] - size[0] + 1, : picture.shape[1] - size[1] + 1], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Sheets:
    """A deck's pictures in two sizes, for cards that lie on one another: ``coarse`` to find how they lie, ``fine`` to tell which
    they are."""

    coarse: Sheet
    fine: Sheet

    @staticmethod
    def of(templates: Templates) -> Sheets | None:
        """The sheets of a taught deck's templates; None where it has no pictures."""
        coarse, fine = Sheet.of(templates, COARSE_PART), Sheet.of(templates, 1)
        return Sheets(coarse, fine) if coarse is not None and fine is not None else None
