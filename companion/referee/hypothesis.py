"""One possible history of the hand: the engine's state that it leads to, what happened on the way, and how likely it is."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from companion.table.errors import Illegal
from companion.table.game import Rules, State
from companion.table.log import Event, Line


class Hypothesis(Struct, frozen=True):
    """A history of one hand. ``weight``: natural logarithm of its likelihood, up to a constant that all share.

    ``acted``: when somebody last did something (seconds). A game's eyes may derive a history that remembers more. Histories are
    copied by the thousand, so this is a msgspec struct.
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
        """Whether it passes over what was clearly seen. Something has happened that nobody thought of: it is never sure."""
        return False

    def guesses(self, line: Line) -> bool:
        """Whether one of its lines says what nobody has seen, and might as well say something else: it is never sure."""
        return False

    def after(self, events: Iterable[Event], cost: float, t: float, acted: float | None = None) -> Self | None:
        """This history with ``events`` at ``t`` seconds, its weight changed by ``cost`` (<= 0); None if they are illegal."""
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
