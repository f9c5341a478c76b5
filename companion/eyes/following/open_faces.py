"""The faces that lie open before the places of a table, and when each came to lie there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from companion.eyes.following.lying import Faces, Look
from companion.eyes.sighting import Shown

SHOWN_GONE_SECONDS = 1.5
"""Seconds without being seen after which a face before a place counts as taken up: shown again, it is another episode."""


class OpenFaces:
    """Watches a number of ``places``. ``number``: gives each episode its number."""

    def __init__(self, places: int, number: Callable[[], int]) -> None:
        self._faces = [Faces() for _ in range(places)]
        self._number = number
        self._shown: dict[tuple[int, int], Shown] = {}

    @property
    def places(self) -> tuple[int, ...]:
        """The places before which faces lie."""
        return tuple(place for place, faces in enumerate(self._faces) if any(face.known for face in faces.lying))

    def step(self, place: int, looks: Iterable[Look], t: float, length: float, *, hidden: bool) -> list[Shown]:
        """The faces that came to lie before a place, or are known better, with this look at ``t`` seconds. ``hidden``: the place
        is out of sight in it."""
        faces = self._faces[place]
        found = []
        for face, odds in faces.step(looks, length):
            key = place, face.episode.number
            if key not in self._shown:
                self._shown[key] = Shown(face.episode.since, place, self._number(), odds)
            before = self._shown[key]
            found.append(Shown(before.t, place, before.episode, odds))
        if not hidden:
            faces.forget(t - SHOWN_GONE_SECONDS)
        return found

    def clear(self) -> None:
        """All have been gathered."""
        for faces in self._faces:
            faces.forget(math.inf)
