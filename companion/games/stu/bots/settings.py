"""How a simulated evening is set up."""

from __future__ import annotations

from typing import Final, Literal, get_args

from msgspec import Struct

from companion.games.stu.rules.log import Game, HouseRules
from companion.table.bots import first_of

NAMES: Final = (
    "Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio", "Gina", "Ivo", "Lina", "Mario", "Nora", "Orso", "Piera",
    "Renzo", "Sara", "Tito", "Ugo", "Vera", "Aldo", "Bice", "Ciro", "Delia", "Ezio", "Flora", "Guido", "Irma",
    "Luca", "Marta", "Nino", "Olga", "Paolo", "Rita", "Sandro", "Teresa", "Valerio", "Wanda", "Zita", "Ettore", "Chiara",
)  # fmt: skip
"""39 first names, all different: as many players as one deck can seat (rule 2)."""

PlayingStyle = Literal["card", "odds", "reckless"]
"""How a bot decides: by its own card alone, by the odds from all it knows, or by whim."""
STYLES: Final[tuple[PlayingStyle, ...]] = get_args(PlayingStyle)

Dealing = Literal["at-once", "one-by-one"]
"""Rule 7: everybody's card first, or each card when it is needed."""

Edition = Literal["booklet", "piazza-2010"]


class EventProbabilities(Struct, frozen=True):
    """Probabilities (0 to 1) of events that are rare at a table.

    Attributes:
        penalty, void, exposed, wrong_dealer: chance per hand that it happens once.
        matto, split, close: chance per pause between hands.
        mistake: chance per decision of a reckless bot that it breaks a rule the table lets pass.
        bargain: whether Taverna terms and ricompera partners are spoken of.
    """

    penalty: float = 0.05
    void: float = 0.02
    exposed: float = 0.03
    wrong_dealer: float = 0.01
    matto: float = 0.05
    split: float = 0.1
    close: float = 0.003
    mistake: float = 0.03
    bargain: bool = True


PLAIN: Final = EventProbabilities(0, 0, 0, 0, 0, 0, 0, 0, bargain=False)
"""An evening in which everything that happens can be seen on the table."""


class Settings(Struct, frozen=True, kw_only=True):
    """A table and its habits. ``stake`` in minor units; ``styles`` are given to the players in turn, again from the start;
    ``pedine``: how many each begins with; None: the game's own number. ``first``: the first line, that of a variant or Lu
    Stù's."""

    players: tuple[str, ...]
    stake: int = 100
    edition: Edition = "booklet"
    house_rules: HouseRules = HouseRules()
    styles: tuple[PlayingStyle, ...] = STYLES
    dealing: Dealing = "at-once"
    pedine: int | None = None
    event_probabilities: EventProbabilities = EventProbabilities()
    first: type[Game] = Game


def seated(count: int) -> tuple[str, ...]:
    """The first ``count`` of the `NAMES`.

    Raises:
        SimulatorError: the deck cannot seat them.
    """
    return first_of(NAMES, count, fewest=2, game="Lu Stù")
