"""What the eyes ask of a game: to make sightings of the cards that lie on its table."""

from __future__ import annotations

from typing import Protocol

from companion.eyes.change import Mask
from companion.eyes.sighting import CardSeen, Sighting
from companion.eyes.table import TableMap
from companion.eyes.trouble import Outlook


class Watcher(Protocol):
    """Follows one table of a game, picture after picture."""

    def step(
        self, t: float, cards: tuple[CardSeen, ...], outlook: Outlook, top: TableMap, moving: Mask | None = None, /
    ) -> tuple[Sighting, ...]:
        """The sightings that became sure with the picture at ``t`` seconds, in which the table lies as ``top`` says.

        ``moving``: the cells (rows, columns) of the picture in which something moves; None: not known.
        """
