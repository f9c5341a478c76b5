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
        """What was done in the hand, whatever the faces: the next face may prove right even an unlikely line_of_play."""
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
"""By so much (natural logarithm) histories that lead to the same state may weigh more together than the likeliest."""


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """How many histories are kept after each step: the likeliest ``width`` ones; beyond those the likeliest of each other
    line_of_play
    of the hand, up to so many ``lines_of_play``. One that is ``prune_below`` times less likely (natural logarithm) than the best
    is given
    up."""

    width: int = 120
    lines_of_play: int = 100
    prune_below: float = 30.0

    @property
    def given_up(self) -> float:
        """A history that is so much less likely (natural logarithm) than another need not be looked for."""
        return self.prune_below + MAX_MERGED_GAIN


DEFAULT_LIMITS: Final = BeamLimits()
