"""What hands do at Stoppa alone: lay cards on the pile and take them back, and lay them open in rows.

Times as of `held.gestures`.
"""

from __future__ import annotations

from collections.abc import Sequence

from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.stoppa import room


class StoppaGestures(HeldGestures):
    """The gestures of an evening of Stoppa. ``pile``: the stoppata's."""

    def lay(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player puts cards of the hand face up on the pile, together."""
        return self.put_in(t, seat, cards, room.on_pile(self.ensemble.plan, seat, len(self.pile), len(cards), self.rng))

    def show_open(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player lays cards of the hand open before them."""
        return self.show(t, seat, cards, room.laid_open(self.ensemble.plan, seat, len(cards), self.rng))

    def take_back(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """Cards on the pile go back to the hand that laid them."""
        for card in cards:
            self.pile.remove(card)
        lying, self.on_table[seat] = self.on_table[seat], list(cards)
        there = self.take_up(t, seat)
        self.on_table[seat] = lying
        return there
