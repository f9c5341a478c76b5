"""The pile in the middle, look after look: cards that come to lie on it, go back, or are gathered."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import Motion, Point
from companion.games.stoppa.sight.lying import Face, Faces, Look
from companion.games.stoppa.sight.origin import Origin, middle
from companion.games.stoppa.sightings import Cleared, Laid, Sighting, TakenBack

ZONE = 1.7
"""Card lengths from its middle within which cards are on the pile."""
TOGETHER_SECONDS = 0.6
"""Cards that come to lie on the pile within this time were put down in one motion."""
GONE_SECONDS = 1.0
"""The card on top has been taken back when it was not seen for so long, though those below were."""
CLEARED_SECONDS = 1.5
"""The pile has been gathered when nothing has lain there for so long."""
UNSURE_SECONDS = 0.8
"""A face that was not seen for so long before it was known was never there."""
STILL = 0.15
"""Where less than this share of what is around the pile moves, no hand is over it."""
TAKEN = 0.9
"""How probable it is that a card that is gone was taken back."""


class Pile:
    """Follows the pile between places with the ``centres`` (N, 2), table coordinates. ``episodes``, ``motions``: how many were
    reported before."""

    def __init__(self, centres: NDArray[np.float64], episodes: int = 0, motions: int = 0) -> None:
        self.at = middle(centres)
        self.origin = Origin(centres)
        self.faces = Faces(episodes)
        self._motions = motions
        self._laid: list[tuple[Face, Laid]] = []
        self._seen: float | None = None

    @property
    def lies(self) -> bool:
        """Whether cards have been laid in this hand, and have not been gathered."""
        return bool(self._laid)

    @property
    def top(self) -> Face | None:
        """The card that was laid last."""
        return self._laid[-1][0] if self._laid else None

    def holds(self, at: Point, length: float) -> bool:
        """Whether a card there is on the pile."""
        return math.dist(at, self.at) <= ZONE * length

    def step(
        self, t: float, looks: Iterable[Look], anything: bool, motion: Motion | None, length: float
    ) -> tuple[Sighting, ...]:  # fmt: skip
        """What became sure with a look. ``looks``: at the faces on the pile; ``anything``: any card was found there."""
        found: list[Sighting] = []
        still = self._still(motion, length)
        for face, odds in self.faces.step(looks, length):
            at = next((number for number, (known, _) in enumerate(self._laid) if known is face), None)
            if at is not None:
                laid = replace(self._laid[at][1], alternatives=odds)
                self._laid[at] = (face, laid)
            else:
                laid = self._new(face, odds)
                self._laid.append((face, laid))
            found.append(laid)
        self.faces.forget(t - UNSURE_SECONDS, known=False)
        if anything or not still:
            self._seen = t
        found += self._taken_back(t, still)
        if self._laid and self._seen is not None and t - self._seen >= CLEARED_SECONDS:
            found.append(Cleared(self._seen))
            self._laid = []
            self.faces.forget(math.inf, known=True)
        return tuple(found)

    def _new(self, face: Face, odds: tuple[tuple[str, float], ...]) -> Laid:
        since = face.episode.since
        last = self._laid[-1][1] if self._laid else None
        if last is not None and abs(since - last.t) <= TOGETHER_SECONDS:
            return Laid(since, face.episode.number, odds, last.places, last.motion)
        self._motions += 1
        return Laid(since, face.episode.number, odds, self.origin.odds(since, face.turn, self.at), self._motions)

    def _taken_back(self, t: float, still: bool) -> list[TakenBack]:
        """The cards on top that are no more to be seen, though some below are."""
        if not still or len(self._laid) < 2 or any(not face.known for face in self.faces.lying):
            return []
        below = next((at for at in range(len(self._laid) - 1, -1, -1) if t - self._last(at) <= GONE_SECONDS / 2), None)
        gone = self._laid[below + 1 :] if below is not None else []
        if below is None or not gone or any(t - face.episode.last < GONE_SECONDS for face, _ in gone):
            return []
        when = max(face.episode.last for face, _ in gone)
        self._laid = self._laid[: below + 1]
        self.faces.lying = [face for face in self.faces.lying if all(face is not other for other, _ in gone)]
        return [TakenBack(when, self._laid[-1][1].episode, gone[-1][1].places, TAKEN)]

    def _last(self, at: int) -> float:
        return self._laid[at][0].episode.last

    def _still(self, motion: Motion | None, length: float) -> bool:
        """Whether nothing moves around the pile, as far as that is known."""
        if motion is None:
            return True
        around = np.hypot(*(motion.ground - np.array(self.at)).T) <= ZONE * length
        return not around.any() or float(motion.moving[around].mean()) < STILL
