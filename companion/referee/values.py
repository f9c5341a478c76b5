"""Values of one hand: what was reported about it (`HandReports`), one possible history (`Hypothesis`), and what a history says
about the things that somebody at the table can tell (`Fact`).

A fact is a key and, in each history, a value. A history without a value for it says nothing about it, and no answer strikes it
out. Which facts there are, each game says; a key is ``kind:place:place…``, with a detail that may be left out after an ``@``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from companion.eyes.sighting import Sighting
from companion.referee.record import Fixed
from companion.referee.sighting_model import ChipUncertainty
from companion.table.errors import Illegal
from companion.table.game import Rules, State
from companion.table.log import Event, Line


@dataclass(frozen=True, slots=True)
class HandReports:
    """What was reported about one hand. ``id``: unique in the evening, in the order in which the hands were begun.

    ``sightings`` by time; ``cleared``: when its cards were gathered; ``fixes``: as they were made; ``answers``: question id →
    choice id, None for "don't know", as pairs; ``closed``: nothing that is seen from now on belongs to it. ``surely``:
    probability that what was seen before is split into the right hands. ``unruled``: the hand before this one could not be
    ruled on, as a part of it could not be seen; ``earlier_unruled``: any before it. ``missed``: it was played while nothing
    could be seen. ``doubted``: whose chips are in doubt after earlier hands that were not sure; ``owned``: probability that they
    are where they are thought to be. ``later``: what is known of the hands after it, where that rules out the outcome that this
    one seemed to have.
    """

    id: int
    sightings: tuple[Sighting, ...] = ()
    cleared: float | None = None
    fixes: tuple[Fixed, ...] = ()
    answers: tuple[tuple[str, str | None], ...] = ()
    closed: bool = False
    surely: float = 1.0
    unruled: bool = False
    earlier_unruled: bool = False
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


class Hypothesis(Struct, frozen=True, gc=False):
    """A history of one hand. ``weight``: natural logarithm of its likelihood, up to a constant that all share.

    ``acted``: when somebody last did something (seconds). A game's eyes may derive a history that remembers more. Histories are
    copied by the thousand, so this is a msgspec struct, at which the collector of cycles does not look: it is in none.
    """

    rules: Rules
    state: State
    weight: float
    lines: tuple[Line, ...]
    acted: float

    @property
    def key(self) -> Hashable:
        """Histories with equal keys have the same future: only the likelier one is kept."""
        return (self.state,)

    @property
    def line_of_play(self) -> Hashable:
        """What was done in the hand, whatever the faces: the next face may prove even an unlikely line of play right."""
        return self.rules.outcome(self.state)

    @property
    def doubtful(self) -> bool:
        """Whether the history passes over something that was clearly seen. Then something else has happened than it assumes, and
        it is never taken for sure."""
        return False

    def guesses(self, line: Line) -> bool:
        """Whether one of its lines says what nobody has seen, and might as well say something else: it is never sure."""
        return False

    def after(
        self, events: Iterable[Event], cost: float, t: float, acted: float | None = None, least: float = -math.inf
    ) -> Self | None:
        """This history with ``events`` at ``t`` seconds, its weight changed by ``cost`` (<= 0); None if they are illegal, or if
        that makes it weigh less than the ``least`` that is worth looking for."""
        if self.weight + cost < least:
            return None
        state, lines, apply = self.state, self.lines, self.rules.apply
        try:
            for event in events:
                state = apply(state, event)
                lines = (*lines, Line(event, t=round(t, 2)))
        except Illegal:
            return None
        return replace(
            self, state=state, weight=self.weight + cost, lines=lines, acted=t if acted is None else acted
        )


Beam = tuple[Hypothesis, ...]
"""Histories of one hand, most likely first."""


MAX_MERGED_GAIN: Final = 1.0
"""Greatest difference (natural logarithm) between the weight of merged histories, which lead to the same state, and that of the
likeliest among them."""


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """How many histories are kept after each step: the ``width`` likeliest ones, and beyond those the likeliest of each further
    line of play, until there are ``lines_of_play`` of them. A history whose weight is ``prune_below`` (natural logarithm) below
    the best is dropped."""

    width: int = 120
    lines_of_play: int = 100
    prune_below: float = 30.0

    @property
    def given_up(self) -> float:
        """How far (natural logarithm) below another a history may be so that it is still worth looking for."""
        return self.prune_below + MAX_MERGED_GAIN


DEFAULT_LIMITS: Final = BeamLimits()


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that can be asked for. ``kind`` and ``places`` are what the key says; ``t``: when it was, in seconds."""

    key: str
    kind: str
    places: tuple[int, ...]
    t: float


Facts = dict[str, tuple[Fact, str]]
"""Key → the fact and its value, in one history."""

OTHER = "other"
"""The choice that none of those offered is right; written with them, ``other:7:8``."""


def value_in(found: Facts, fact: Fact, default: str | None) -> str | None:
    """The fact's value in the history that says all this, ``default`` where it does not mention it.

    A history that takes what the eyes saw for a mistake may tell of something else in that place.
    """
    if fact.key in found:
        return found[fact.key][1]
    instead = found.get(fact.key.partition("@")[0])
    return instead[1] if instead else default


def struck(beam: Beam, facts: Iterable[Facts], fact: Fact, default: str | None, choice: str) -> Beam:
    """The histories that this answer leaves, ``facts`` being what each says; none when all contradict it."""
    return tuple(history for history, found in zip(beam, facts, strict=True) if _agrees(found, fact, default, choice))


def _agrees(found: Facts, fact: Fact, default: str | None, choice: str) -> bool:
    value = value_in(found, fact, default)
    if value is None:
        return True
    if choice.startswith(f"{OTHER}:"):
        return value not in choice.split(":")[1:]
    return value == choice
