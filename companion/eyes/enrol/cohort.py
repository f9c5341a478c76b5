"""Embeddings of cards of many other decks: what an enrolled deck must not take for its own.

In speaker verification such a sample is a cohort; thresholds are set against it. It is made once, by `companion train decks`,
for the reader that ships.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.table.errors import BadModel


@dataclass(frozen=True, eq=False)
class Cohort:
    """``points`` (n, d) float32 of length 1; ``decks`` (n,): the deck of each; ``reader``: SHA-256 of the network."""

    points: NDArray[np.float32]
    decks: tuple[str, ...]
    reader: str

    @staticmethod
    def load(path: Path) -> Cohort:
        """Reads what `save` wrote. Raises `BadModel`."""
        try:
            with np.load(path, allow_pickle=False) as stored:
                points = np.asarray(stored["points"], np.float32)
                return Cohort(points, tuple(str(deck) for deck in stored["decks"]), str(stored["reader"]))
        except OSError as error:
            raise BadModel(f"{path}: {error.strerror or error}: the cohort comes with companion's models") from error
        except (ValueError, KeyError) as error:
            raise BadModel(f"{path}: not a cohort of companion: {error}") from error

    def save(self, path: Path) -> None:
        """Writes it as an .npz file, in half precision."""
        np.savez_compressed(path, points=self.points.astype(np.float16), decks=np.array(self.decks), reader=self.reader)

    def without(self, decks: Collection[str]) -> NDArray[np.float32]:
        """The points (m, d) of cards of all decks but these."""
        return self.points[[deck not in decks for deck in self.decks]]
