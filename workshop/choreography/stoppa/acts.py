"""What people do at Stoppa, one act at a time. Cards are named by id, players are seats."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.choreography.acts import Act


@dataclass(frozen=True, slots=True)
class Won(Act):
    """A punto is decided: ``seat`` takes its money (None: it stays where it is), with ``whole`` all of it; those who have shown
    take their cards up again."""

    seat: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Lay(Act):
    """A player puts ``cards`` on the pile, together."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(Act):
    """Cards that were laid go back to the hands they came from: (seat, cards) of each lay, the last one first."""

    lays: tuple[tuple[int, tuple[str, ...]], ...]
