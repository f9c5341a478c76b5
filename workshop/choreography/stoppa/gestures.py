"""Where cards lie at Stoppa, and what hands do there alone: lay cards on the pile, take them back, lay them open in rows.

Times as of `held.gestures`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from workshop.choreography.held import room
from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Pose

ROW = 5
"""Most cards that are laid open beside one another; more lie in a second row."""


def on_pile(plan: Plan, seat: int, below: int, count: int, rng: Random) -> list[Pose]:
    """Where ``count`` cards that this seat puts on the pile together come to lie, as a small fan, on ``below`` others."""
    sloppy = plan.sloppiness
    angle = plan.seats[seat].facing + rng.gauss(0, 16) * sloppy
    x, y = (rng.gauss(0, 14) * sloppy for _ in range(2))
    step, turn = rng.uniform(16, 26), -rng.uniform(5, 11)
    return room.fan(x, y, angle, step, turn, below, count, rng)


def laid_open(plan: Plan, seat: int, count: int, rng: Random) -> list[Pose]:
    """Where ``count`` cards lie face up before this seat, so that each can be read: in rows of `ROW`."""
    place = plan.seats[seat]
    poses = []
    for begin in range(0, count, ROW):
        row = min(ROW, count - begin)
        step = min(rng.uniform(40, 56), 190 / max(row - 1, 1))
        aside, forward = rng.gauss(0, 5) * plan.sloppiness, begin / ROW * 62 + rng.gauss(0, 5) * plan.sloppiness
        for n in range(row):
            right = (n - (row - 1) / 2) * step + aside
            x, y = place.local(right + rng.gauss(0, 2), forward + rng.gauss(0, 3))
            poses.append(Pose(x, y, place.facing + rng.gauss(0, 4) * plan.sloppiness, z=(begin + n) * room.THICK, turn=180))
    return poses

class StoppaGestures(HeldGestures):
    """The gestures of an evening of Stoppa. ``pile``: the stoppata's."""

    def lay(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player puts cards of the hand face up on the pile, together."""
        return self.put_in(t, seat, cards, on_pile(self.ensemble.plan, seat, len(self.pile), len(cards), self.rng))

    def show_open(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """A player lays cards of the hand open before them."""
        return self.show(t, seat, cards, laid_open(self.ensemble.plan, seat, len(cards), self.rng))

    def take_back(self, t: float, seat: int, cards: Sequence[str]) -> float:
        """Cards on the pile go back to the hand that laid them."""
        for card in cards:
            self.pile.remove(card)
        lying, self.on_table[seat] = self.on_table[seat], list(cards)
        there = self.take_up(t, seat)
        self.on_table[seat] = lying
        return there
