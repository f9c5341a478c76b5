"""How a simulated evening of Stoper is set up."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.games.stoper.rules.log import HouseRules, Mode
from companion.table.bots import first_of

NAMES: Final = ("Ada", "Bice", "Ciro", "Dora", "Elsa", "Fabio")
"""People to sit at a simulated table: as many as can play (rule 1)."""
FEWEST: Final = 4


class EventProbabilities(Struct, frozen=True):
    """Probabilities (0 to 1) of events that are rare at a table.

    Attributes:
        void, wrong_dealer: chance per hand that it happens.
        absent: chance per hand and player to sit it out (cash). chips: that a player without chips buys some (cash).
        bluff: chance that a player opens without what it takes.
        dealt, discards: chance per player that their cards dealt, or thrown away, are named.
        late: chance that somebody shows after the hand.
    """

    void: float = 0.02
    wrong_dealer: float = 0.01
    absent: float = 0.04
    chips: float = 0.8
    bluff: float = 0.02
    dealt: float = 0.1
    discards: float = 0.3
    late: float = 0.1


PLAIN: Final = EventProbabilities(0, 0, 0, 1, 0, 0, 0, 0)
"""No irregularities; players who have lost all chips buy new ones."""


class Settings(Struct, frozen=True, kw_only=True):
    """A table and its habits; amounts in minor units. ``stacks``: chips of each at the start; None: a hundred times the cip."""

    players: tuple[str, ...]
    mode: Mode = "cash"
    cip: int = 50
    invito: int | None = None
    stacks: int | None = None
    house_rules: HouseRules = HouseRules()
    event_probabilities: EventProbabilities = EventProbabilities()


def seated(count: int) -> tuple[str, ...]:
    """The first ``count`` of the `NAMES`.

    Raises:
        SimulatorError: too few or too many players.
    """
    return first_of(NAMES, count, fewest=FEWEST, game="Stoper")
