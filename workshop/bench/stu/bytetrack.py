"""A baseline for exchanges: ultralytics' ByteTrack over our own detector's cards, and the exchanges that its identities imply.

Zhang et al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box" (ECCV 2022), with ultralytics' settings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.eyes.seeing import view_of
from companion.eyes.sighting import CardSeen, TableView
from companion.eyes.table import Table, TableMap
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from workshop.bench.watching import Look, Stream

RESTING_LOOKS = 3
"""A track seen in a place in this many looks lies there."""
TOGETHER_SECONDS = 3.0
"""Two cards that changed places within this time changed them in one exchange."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Detections as ultralytics' trackers take them: ``xywh`` float32 (n, 4) pixels (middle, width, height), ``conf``, ``cls``
    float32 (n,)."""

    xywh: NDArray[np.float32]
    conf: NDArray[np.float32]
    cls: NDArray[np.float32]

    def __getitem__(self, index: Any) -> Boxes:
        return Boxes(self.xywh[index], self.conf[index], self.cls[index])

    def __len__(self) -> int:
        return len(self.conf)


def boxes_of(cards: Sequence[CardSeen]) -> Boxes:
    """The upright boxes around the cards."""
    quads = np.array([card.quad for card in cards], np.float32).reshape(-1, 4, 2)
    low, high = quads.min(axis=1), quads.max(axis=1)
    scores = np.array([card.score for card in cards], np.float32)
    return Boxes(np.concatenate([(low + high) / 2, high - low], axis=1), scores, np.zeros(len(cards), np.float32))


def identities(looks: Sequence[Look]) -> list[dict[int, int]]:
    """For every look: index of a card → the identity that ByteTrack gives it. Only Stù cards that lie alone are followed."""
    from ultralytics.trackers.byte_tracker import BYTETracker
    from ultralytics.utils import YAML, IterableSimpleNamespace
    from ultralytics.utils.checks import check_yaml

    tracker = BYTETracker(IterableSimpleNamespace(**YAML.load(check_yaml("bytetrack.yaml"))))
    found = []
    for look in looks:
        followed = [i for i, card in enumerate(look.cards) if card.deck == "stu" and card.side != "stack"]
        rows = tracker.update(boxes_of([look.cards[i] for i in followed]))
        found.append({followed[int(row[7])]: int(row[4]) for row in rows})
    return found


def tracked_sightings(stream: Stream, table: Table) -> tuple[Sighting, ...]:
    """The stream with its exchanges replaced by those that the identities imply."""
    top = TableMap(table, stream.size)
    others = [seen for look in stream.looks for seen in look.decoded() if isinstance(seen, Appeared | Shown | Cleared)]
    cleared = [seen.t for seen in others if isinstance(seen, Cleared)]
    watcher = Residents(top.places)
    moves: list[Sighting] = []
    for look, known in zip(stream.looks, identities(stream.looks), strict=True):
        if cleared and look.t >= cleared[0]:
            cleared.pop(0)
            watcher = Residents(top.places)
        moves += watcher.step(view_of(look.cards, look.t, top), known)
    return tuple(sorted([*others, *moves], key=lambda seen: seen.t))


@dataclass
class Residents:
    """Which identity lies in which place of one hand, and where each was before."""

    centres: NDArray[np.float64]
    resident: dict[int, int] = field(default_factory=dict)
    home: dict[int, int] = field(default_factory=dict)
    looks: dict[tuple[int, int], int] = field(default_factory=dict)
    born: dict[int, tuple[float, float]] = field(default_factory=dict)
    last: dict[tuple[int, int], float] = field(default_factory=dict)
    deck: tuple[float, float] | None = None

    def step(self, view: TableView, known: dict[int, int]) -> list[Sighting]:
        stacks = [i for i, card in enumerate(view.cards) if card.side == "stack"]
        if stacks:
            self.deck = view.centres[stacks[0]]
        found: list[Sighting] = []
        for index, identity in known.items():
            centre = view.centres[index]
            self.born.setdefault(identity, centre)
            distances = np.linalg.norm(self.centres - np.array(centre), axis=1)
            place = int(distances.argmin())
            if distances[place] > 0.6 * view.lengths[index]:
                continue
            self.looks[place, identity] = self.looks.get((place, identity), 0) + 1
            if self.looks[place, identity] >= RESTING_LOOKS and self.resident.get(place) != identity:
                found += self._came(place, identity, view.t, view.lengths[index])
        return found

    def _came(self, place: int, identity: int, t: float, length: float) -> list[Sighting]:
        """The identity has come to rest in the place: from another place, from the deck, or as a new one."""
        before, occupied = self.home.get(identity), place in self.resident
        self.home[identity], self.resident[place] = place, identity
        self.looks = {key: count for key, count in self.looks.items() if key[1] != identity}
        if before is not None and before != place:
            pair = (min(before, place), max(before, place))
            if t - self.last.get(pair, -math.inf) > TOGETHER_SECONDS:
                self.last[pair] = t
                return [Exchanged(t, t, pair, 1.0)]
        elif before is None and occupied and self.deck and math.dist(self.born[identity], self.deck) < 1.5 * length:
            return [DeckExchanged(t, t, place, 1.0)]
        return []
