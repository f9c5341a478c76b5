"""The pictures of a taught deck, prepared for comparison with the visible part of a covered card: normalised correlation under a
mask."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from companion.eyes.templates import Templates

COARSE_PART: Final = 2
"""Divisor of the pictures' size at which the order and the places of cards in a heap are found: fifteen times as fast."""

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
"""(H, W): 1 where a card shows, 0 where others cover it."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The pictures of a deck's cards, upright and upside down, at one part of their size. ``kinds``: of each, (n,); ``pictures``:
    (n, h * w * 3) float32; ``energy``: the sum of the squares in each of their pixels, (n, h * w)."""

    kinds: tuple[str, ...]
    pictures: Floats
    energy: Floats
    size: tuple[int, int]
    part: int

    @staticmethod
    def of(templates: Templates, part: int) -> Sheet | None:
        """The sheet of these pictures; None where there are none."""
        both = [(kind, way) for kind, its in templates.cards.items() for one in its for way in (one, one[::-1, ::-1])]
        if not both:
            return None
        height, width = both[0][1].shape[0] // part, both[0][1].shape[1] // part
        ways = [cv2.resize(way, (width, height), interpolation=cv2.INTER_AREA) for _, way in both]
        small = np.asarray(np.stack(ways), np.float32)
        energy = (small * small).sum(axis=3).reshape(len(both), -1)
        return Sheet(tuple(kind for kind, _ in both), small.reshape(len(both), -1), energy, (height, width), part)

    def of_those(self, numbers: NDArray[np.intp]) -> Sheet:
        """The sheet of these of its pictures alone."""
        kinds = tuple(self.kinds[n] for n in numbers.tolist())
        return replace(self, kinds=kinds, pictures=self.pictures[numbers], energy=self.energy[numbers])

    def maps(self, view: Floats, shows: Mask) -> tuple[Floats, Floats]:
        """How well each picture fits at each place of the ``view`` (h, w, 3), a little larger than they are, where it ``shows``
        (h, w): correlations -1..1, (rows, columns, n), and the share of a picture that shows at each place, (rows, columns)."""
        size = view.shape[1] // self.part, view.shape[0] // self.part
        small = np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.float32)
        mask = np.asarray(cv2.resize(shows, size, interpolation=cv2.INTER_NEAREST), np.float32)
        cut = sliding_window_view(small * mask[..., None], self.size, axis=(0, 1)).transpose(0, 1, 3, 4, 2)
        windows = sliding_window_view(mask, self.size)
        rows, columns = windows.shape[:2]
        there, seen = windows.reshape(rows * columns, -1), cut.reshape(rows * columns, -1)
        norms = np.sqrt(np.einsum("ij,ij->i", seen, seen))[:, None] * np.sqrt(there @ self.energy.T)
        found = (seen @ self.pictures.T) / np.maximum(norms, 1e-6)
        return found.reshape(rows, columns, -1), there.mean(axis=1).reshape(rows, columns)

    def correlations(self, view: Floats, shows: Mask) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures, as of `maps`."""
        best = self.maps(view, shows)[0].max(axis=(0, 1))
        found: dict[str, float] = {}
        for kind, one in zip(self.kinds, best.tolist(), strict=True):
            found[kind] = max(found.get(kind, -1.0), one)
        return found

    def resembled(self, view: Floats) -> dict[str, float]:
        """The greatest correlation -1..1 of each kind's pictures with a ``view`` (h, w, 3) that nothing covers."""
        return self.correlations(view, np.ones(view.shape[:2], np.uint8))


@dataclass(frozen=True, slots=True, eq=False)
class Sheets:
    """A deck's pictures as its covered cards are compared with them: ``coarse`` to tell how they lie, ``fine`` for what they
    are."""

    coarse: Sheet
    fine: Sheet

    @staticmethod
    def of(templates: Templates) -> Sheets | None:
        """Those of a taught deck's pictures; None where there are none."""
        coarse, fine = Sheet.of(templates, COARSE_PART), Sheet.of(templates, 1)
        return Sheets(coarse, fine) if coarse is not None and fine is not None else None
