"""How a simulated evening of Stoppa is set up."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.games.stoppa.rules.log import HouseRules
from companion.table.bots import first_of

NAMES: Final = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
"""People to sit at a simulated table: as many as can play (rule 2)."""


class EventProbabilities(Struct, frozen=True):
    """Probabilities (0 to 1) of events that are rare at a table.

    Attributes:
        void, annul, wrong_dealer: chance per hand that it happens.
        giro: chance per hand that somebody calls the giro.
        omission: chance that a player overlooks the wanted card in their hand; ``found``: that it is put right at once.
        shown: chance that somebody shows the cards left when the stoppata is over.
        unsaid: chance that a `passo` is not written down, where somebody later in turn acts.
    """

    void: float = 0.02
    annul: float = 0.02
    wrong_dealer: float = 0.01
    giro: float = 0.03
    omission: float = 0.02
    found: float = 0.3
    shown: float = 0.3
    unsaid: float = 0.2


PLAIN: Final = EventProbabilities(0, 0, 0, 0, 0, 0, 0, 0)
"""No irregularities, and every word written down."""


class Settings(Struct, frozen=True, kw_only=True):
    """A table and its habits; amounts in minor units. ``small`` None: a tenth of what all pay, shared by the punti piccoli.

    ``faces``: every card is in the log as it was dealt, as if a camera had seen too much; ``points``: no money is played for.
    """

    players: tuple[str, ...]
    misera: int = 600
    small: int | None = None
    house_rules: HouseRules = HouseRules()
    event_probabilities: EventProbabilities = EventProbabilities()
    faces: bool = False
    points: bool = False


def seated(count: int) -> tuple[str, ...]:
    """The first ``count`` of the `NAMES`.

    Raises:
        SimulatorError: too few or too many players.
    """
    return first_of(NAMES, count, fewest=3, game="Stoppa")
