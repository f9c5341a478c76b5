"""One picture's cards put on the table: where they lie, how long they are, how they are turned."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.eyes.sighting import CardSeen, Motion, TableView
from companion.eyes.table import TableMap


def view_of(cards: Iterable[CardSeen], t: float, table: TableMap, moving: NDArray[np.bool_] | None = None) -> TableView:
    """The cards of one picture in table coordinates: their centres, lengths and turns.

    ``moving``: the cells (rows, columns) over the picture in which something moves; None: not known.
    """
    cards = tuple(cards)
    corners = table.to_table([corner for card in cards for corner in card.quad]).reshape(-1, 4, 2)
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
    lengths, widths = (way(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2 for way in (np.maximum, np.minimum))
    centres = corners.mean(axis=1)
    ways = corners - np.roll(corners, -1, axis=1)
    first = sides[:, 0] + sides[:, 2] >= sides[:, 1] + sides[:, 3]
    long = np.where(first[:, None], ways[:, 0] - ways[:, 2], ways[:, 1] - ways[:, 3])
    turns = np.degrees(np.arctan2(long[:, 1], long[:, 0])) % 180
    middles = tuple((float(x), float(y)) for x, y in centres)
    motion = None
    if moving is not None:
        ground, near = table.ground((moving.shape[0], moving.shape[1]))
        motion = Motion(ground, moving[near])
    return TableView(t, cards, middles, tuple(map(float, lengths)), tuple(map(float, turns)), motion, tuple(map(float, widths)))
