"""How people decide, as chances: the model behind the odds.

Sto or passo depends on three things that any player weighs: the own card, how many play, and the card given away in an exchange.

- By the card: around the `indifference` card, with which sto and passo come to the same, people stay with a chance that rises as
  a logistic curve, `WIDTH` steps wide.
- A player who gave a lower card away stays ("passo e sto", rule 11): somebody else has it. A Matto given away saves nobody
  (rule 12).
- A Matto is passed on. A trump is kept (rule 2), except by mistake (`SLIP_PROBABILITY`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.stu.steps import FIRST_TRUMP, STEPS, indifference

NO_CARD: Final = STEPS
"""Stands for the card given away where there is none."""

WIDTH: Final = 1.5
NEARLY_ALWAYS: Final = 0.97
SLIP_PROBABILITY: Final = 0.01
"""Probability that a trump is passed on, or let go though it refuses."""


@lru_cache
def chance_of_sto(players: int) -> NDArray[np.float32]:
    """Chance that a player stays in a hand that began with ``players``.

    Returns:
        float32, shape (20, 21): by the step of the own card and of the card given away (`NO_CARD` for none). Read-only.
    """
    own = np.arange(STEPS)[:, None]
    given = np.arange(STEPS + 1)[None, :]
    by_card = 1 / (1 + np.exp(-(own - indifference(players)) / WIDTH))
    chance = np.where((given >= 1) & (given < own), NEARLY_ALWAYS, by_card)
    chance = np.where(own == 0, 1 - NEARLY_ALWAYS, chance)
    chance = np.where(own >= FIRST_TRUMP, 1 - SLIP_PROBABILITY, chance)
    table = np.clip(chance, SLIP_PROBABILITY, 1 - SLIP_PROBABILITY).astype(np.float32)
    table.flags.writeable = False
    return table
