"""Every probability with which the referee weighs histories: how often the table does something, and how often the camera sees
it.

How often the camera is wrong is a cautious guess. The streams of `workshop.streams.stoper` measure what hands come to with these
numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from companion.referee.values import BeamLimits


@dataclass(frozen=True, slots=True)
class Costs:
    """Natural logarithms of probabilities.

    ``wrong_dealer``: somebody deals out of turn (rule 2). ``served``: the cards are not dealt in turn. ``after_void``: the next
    one deals after a hand that could not be ruled on. ``unread``: a face is of a kind that the eyes did not even consider.
    ``twice``: a face is reported once more, as another one.
    """

    wrong_dealer: float = math.log(0.01)
    served: float = math.log(5e-4)
    after_void: float = math.log(0.3)
    unread: float = math.log(1e-3)
    twice: float = math.log(0.05)


COSTS: Final = Costs()
BEAM_LIMITS: Final = BeamLimits(width=60, lines_of_play=30, prune_below=16.0)
CHANGE_PROBABILITIES: Final = (0.2, 0.45, 0.35)
"""Probabilities that a player is served, changes one card, or two, before anything is seen of it."""


@dataclass(frozen=True, slots=True)
class CountErrors:
    """Probabilities, 0 to 1, for cards that a player throws or is dealt: that none of them is seen (``missed``), only one of two
    (``one_missed``), or one more is counted than there are (``more``)."""

    missed: float
    one_missed: float
    more: float


GOING, COMING, IN_HOLE = CountErrors(0.03, 0.01, 0.06), CountErrors(0.35, 0.15, 0.03), CountErrors(0.5, 0.2, 0.03)
"""For cards thrown, which go together; for cards dealt in their place, which come one by one and are often taken up at once; and
for both while nothing could be seen."""
UNUSUAL_THROW_FACTOR = 0.05
"""A factor, 0 to 1: how much less likely it is that a player who stays in throws all three cards, or that one who passes throws
fewer."""
SHOWN_UNSEEN, SHOWN_IN_HOLE = 0.01, 0.5
"""Probabilities that a player who seems to have conceded has shown three cards, and no face was seen: in view of the camera, and
while nothing could be seen."""
SHOWN_AFTER_THROWING = 0.002
"""Probability that a player has shown three cards, and no face was seen, where they were seen to throw their cards."""
SHOWN_IN_PART = 0.97
"""Probability that a player has shown three cards, where one or two of the faces were seen."""


def log_of(probability: float) -> float:
    """The natural logarithm, with a floor: nothing that the eyes rule out is quite impossible."""
    return math.log(max(probability, 1e-9))
