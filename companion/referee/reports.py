"""What was reported about one hand of the evening, and what one that is over was kept as."""

from __future__ import annotations

from dataclasses import dataclass

from companion.eyes.sighting import Sighting
from companion.referee.record import Fixed
from companion.referee.sighting_model import ChipUncertainty
from companion.table.log import Event, Line


@dataclass(frozen=True, slots=True)
class HandReports:
    """What was reported about one hand. ``id``: unique in the evening, in the order in which the hands were begun.

    ``sightings`` by time; ``cleared``: when its cards were gathered; ``fixes``: as they were made; ``answers``: question id →
    choice id, None for "don't know", as pairs; ``closed``: nothing that is seen from now on belongs to it. ``surely``:
    probability that what was seen before is split into the right hands. ``unruled``: the hand before this one could not be
    ruled on, as a part of it could not be seen; ``untold``: any before it. ``missed``: it was played while nothing could be
    seen. ``doubted``: whose chips are in doubt after earlier hands that were not sure; ``owned``: probability that they are
    where they are thought to be. ``later``: what is known of the hands after it, where that rules out the outcome that this one
    seemed to have.
    """

    id: int
    sightings: tuple[Sighting, ...] = ()
    cleared: float | None = None
    fixes: tuple[Fixed, ...] = ()
    answers: tuple[tuple[str, str | None], ...] = ()
    closed: bool = False
    surely: float = 1.0
    unruled: bool = False
    untold: bool = False
    missed: bool = False
    doubted: ChipUncertainty = ()
    owned: float = 1.0
    later: tuple[Event, ...] = ()


@dataclass(frozen=True)
class KeptHand:
    """What a hand that is over came to, as it was kept: its ``lines``, and how probable its outcome is.

    ``probability`` is None where nothing was reported.
    """

    lines: tuple[Line, ...]
    probability: float | None
