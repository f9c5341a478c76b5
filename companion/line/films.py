"""The footage of several cameras at one table, as of one: what is asked for is shown by the camera that saw it.

Each keeps its own: its pictures are covered by its own corners and by what was found in them (`companion.line.cover`), as a
camera behind somebody's back sees what they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.line.footage import Footage, Look, Still

NUMBERS_EACH: Final = 10**9
"""Numbers of stills that each camera has for itself."""
MIN_BETTER_SHARE: Final = 0.1
"""Share of the looks by which another camera must see the places more often than the first one, to be shown in its place."""
MIN_STILLS: Final = 3
"""Number of pictures that a camera must have of the time at all."""
FURTHER_BYTES: Final = 75_000_000
"""Greatest size of a further camera's pictures together, bytes."""
FURTHER_INTERVAL_SECONDS: Final = 0.2
"""Least seconds between two of them, so that they go back as far as the first camera's."""


def further_footage(number: int, seconds: float) -> Footage:
    """The footage of the further camera with this ``number``, from 2, kept in memory alone."""
    return Footage(seconds, most_bytes=FURTHER_BYTES, first=(number - 1) * NUMBERS_EACH)


class Films(Footage):
    """The first camera's ``footage`` and those of the ``further`` ones. What is kept without saying where is the first one's."""

    def __init__(self, footage: Footage, further: Sequence[Footage]) -> None:
        super().__init__(0)
        self._first, self._all = footage, (footage, *further)

    @property
    def keeps(self) -> bool:
        return self._first.keeps

    @property
    def held(self) -> int:
        return sum(one.held for one in self._all)

    def film_of(self, still: Still) -> Footage:
        return self._all[min(still.number // NUMBERS_EACH, len(self._all) - 1)]

    def seeing(self, game: int, since: float, until: float, places: Sequence[int]) -> Footage:
        """The first camera's, unless another one has seen cards in these ``places`` (from 0) more often from ``since`` to
        ``until`` seconds, or it has no video of that time."""
        best, most = self._first, -1.0
        for one in self._all:
            stills = one.between(game, since, until)
            if len(stills) < MIN_STILLS:
                continue
            share = float(np.mean([_seen(look, still, places) for still in stills for look in still.looks])) if places else 0.0
            if most < 0 or share > most + MIN_BETTER_SHARE:
                best, most = one, share
        return best

    def between(self, game: int, since: float, until: float) -> tuple[Still, ...]:
        return self._first.between(game, since, until)

    def find(self, game: int, number: int) -> Still | None:
        return next((found for one in self._all if (found := one.find(game, number)) is not None), None)

    def looked(self, game: int) -> float:
        return self._first.looked(game)

    def looks(self, game: int, t: float, within: float) -> tuple[Look, ...]:
        return self._first.looks(game, t, within)

    def crop(self, game: int, t: float, places: Sequence[int]) -> bytes | None:
        return self.seeing(game, t - 1, t + 1, places).crop(game, t, places)

    def erase(self, game: int) -> None:
        for one in self._all:
            one.erase(game)

    def close(self) -> None:
        for one in self._all:
            one.close()


def _seen(look: Look, still: Still, places: Sequence[int]) -> float:
    """The share of the places in which a card was found."""
    quads = np.asarray([*(quad for quad, _ in look.up), *look.down], np.float64).reshape(-1, 4, 2)
    if not len(quads):
        return 0.0
    middles, long = quads.mean(axis=1), np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2).max(axis=1)
    at = [np.asarray(still.places[place]) for place in places if place < len(still.places)]
    return float(np.mean([(np.linalg.norm(middles - one, axis=1) <= long).any() for one in at])) if at else 0.0
