"""What the eyes need of a game: something that makes sightings of the cards on its table."""

from __future__ import annotations

from typing import Protocol

from companion.eyes.change import Mask
from companion.eyes.sighting import CardSeen, Sighting, Unseen
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality


class Watcher(Protocol):
    """Follows one table at which a game is played, picture after picture."""

    def lost(self, unseen: Unseen, /) -> tuple[Sighting, ...]:
        """What is to be reported of a time in which nothing could be seen, before the first picture after it."""

    def step(
        self, t: float, cards: tuple[CardSeen, ...], frame_quality: FrameQuality, top: TableMap, moving: Mask | None = None, /
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table is where ``top`` says.

        ``moving``: the cells (rows, columns) of the picture in which something moves; None: not known.
        """
