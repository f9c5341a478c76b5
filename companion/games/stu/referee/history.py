"""A history of a hand of Lu Stù: the engine's state, and what else is needed to explain the next sighting."""

from __future__ import annotations

import math
from collections.abc import Hashable

from companion.games.stu import rules
from companion.games.stu.rules import State
from companion.games.stu.rules.state import Position
from companion.referee.values import Hypothesis
from companion.table.log import Line


class History(Hypothesis, frozen=True):
    """One way in which the hand may have been played. ``showing``: the showdown has begun. ``exchange_expected``: the two players
    whose exchange is in the history already, but has not been seen yet. ``dealt``: places that were dealt a card.
    ``dealing``: when the last of them was, seconds, but for those that were seen only later.
    ``unseen_until``: when the table was last in view again (seconds): what lay there then may have lain there for a while."""

    state: State
    showing: bool = False
    exchange_expected: frozenset[str] = frozenset()
    dealt: frozenset[int] = frozenset()
    dealing: float = -math.inf
    unseen_until: float = -math.inf

    def player(self, position: Position) -> str:
        """The name of the player at this position of the hand in progress."""
        assert self.state.hand is not None, "positions are those of a hand in progress"
        return self.state.table.names[self.state.hand.order[position]]

    @property
    def key(self) -> Hashable:
        return self.state, self.showing, self.exchange_expected

    @property
    def line_of_play(self) -> Hashable:
        hand = self.state.hand
        if hand is None:
            return rules.outcome(self.state)
        return hand.holds, hand.payments, hand.turn, hand.asking, hand.back, hand.drawing, self.showing


def history(state: State, lines: tuple[Line, ...], acted: float) -> History:
    """The history that consists of these lines and led to this state. ``acted``: when somebody last did something, seconds."""
    return History(rules, state, 0.0, lines, acted, showing=state.hand is not None and bool(state.hand.early))
