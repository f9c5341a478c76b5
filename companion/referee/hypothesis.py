"""One possible history of the hand: the engine's state that it leads to, what happened on the way, and how likely it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.games.stu.rules import Illegal, State, apply
from companion.games.stu.rules.log import Event
from companion.table.log import Line


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A history of one hand. ``weight``: natural logarithm of its likelihood, up to a constant that all share.

    ``acted``: when somebody last did something (seconds). ``dealt``: places that were dealt a card. ``showing``: the showdown has
    begun. ``owed``: the two players whose exchange is already in the history but has not been seen yet.
    """

    state: State
    weight: float
    lines: tuple[Line, ...]
    acted: float
    showing: bool = False
    owed: frozenset[str] = frozenset()
    dealt: frozenset[int] = frozenset()

    def after(self, events: Iterable[Event], cost: float, t: float, acted: float | None = None) -> Hypothesis | None:
        """This history with ``events`` at ``t`` seconds, its weight changed by ``cost`` (<= 0); None if they are illegal."""
        state = self.state
        lines = self.lines
        try:
            for event in events:
                state = apply(state, event)
                lines = (*lines, Line(event, t=round(t, 2)))
        except Illegal:
            return None
        return replace(
            self, state=state, weight=self.weight + cost, lines=lines, acted=t if acted is None else acted
        )
