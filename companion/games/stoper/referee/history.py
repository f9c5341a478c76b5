"""A history of a hand of Stoper: the engine's state, and which of its lines nobody has seen."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable

from msgspec.structs import replace

from companion.games.betting.referee import BettingHistory
from companion.games.stoper import rules
from companion.games.stoper.referee.faces import Reading
from companion.games.stoper.referee.seen import NOTHING_SEEN, Seen
from companion.games.stoper.rules import State
from companion.table.errors import Illegal
from companion.table.log import Event, Line


class History(BettingHistory, frozen=True):
    """One way in which the hand may have been played.

    Attributes:
        seen: what was seen of the hand. told: whether anything of it was told by hand.
        guessed: lines that stand for what nobody has seen or said.
        reading: how the faces laid open are read; None before any can be.
        exchange_at: when the last word before the exchange was told, seconds; infinity before.
    """

    state: State
    before: State | None = None
    seen: Seen = NOTHING_SEEN
    told: bool = False
    guessed: frozenset[Event] = frozenset()
    reading: Reading | None = None
    exchange_at: float = math.inf

    @property
    def key(self) -> Hashable:
        return self.state, self.reading, self.guessed

    def guesses(self, line: Line) -> bool:
        """Whether this line stands for what nobody has seen or said."""
        return line.event in self.guessed

    def with_line(self, line: Line) -> History | None:
        """The history with this line added, at the line's own time; None where the rules forbid it."""
        try:
            state = rules.apply(self.state, line.event)
        except Illegal:
            return None
        acted, at = self.acted if line.t is None else line.t, self.exchange_at
        if at == math.inf and state.hand is not None and state.hand.phase in ("exchange", "final", "showdown"):
            at = acted
        return replace(self, state=state, lines=(*self.lines, line), acted=acted, exchange_at=at)

    def guessing(self, events: Iterable[Event], cost: float, t: float) -> History | None:
        """The history with events added that nobody has seen; None where the rules forbid them."""
        events = tuple(events)
        found = self.after(events, cost, t)
        return None if found is None else replace(found, guessed=found.guessed | set(events))


def history(state: State, lines: tuple[Line, ...], acted: float) -> History:
    """The history that consists of these lines and led to this state. ``acted``: when somebody last did something, seconds."""
    return History(rules, state, 0.0, lines, acted)
