"""A history of a hand of Lu Stù: what the eyes need to remember of it beside the engine's state."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from companion.games.stu import rules
from companion.games.stu.rules import State
from companion.referee.hypothesis import Hypothesis
from companion.table.log import Line


@dataclass(frozen=True, slots=True)
class History(Hypothesis):
    """``showing``: the showdown has begun. ``exchange_expected``: the two players whose exchange is already in the history, but
    has not been seen yet. ``dealt``: places that were dealt a card."""

    state: State
    showing: bool = False
    exchange_expected: frozenset[str] = frozenset()
    dealt: frozenset[int] = frozenset()

    @property
    def key(self) -> Hashable:
        return self.state, self.showing, self.exchange_expected

    @property
    def course(self) -> Hashable:
        hand = self.state.hand
        if hand is None:
            return rules.outcome(self.state)
        return hand.holds, hand.payments, hand.turn, hand.asking, hand.back, hand.drawing, self.showing


def history(state: State, lines: tuple[Line, ...], acted: float) -> History:
    """A history that has led to this state. ``acted``: when somebody last did something, seconds."""
    return History(rules, state, 0.0, lines, acted, showing=state.hand is not None and bool(state.hand.early))
