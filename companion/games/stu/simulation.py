"""Lu Stù as `companion simulate` plays it."""

from __future__ import annotations

from typing import Any

from companion.games.simulation import Evening, Option, Simulation
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.names import NAMES
from companion.games.stu.bots.settings import PLAIN, STYLES, EventProbabilities, PlayingStyle, Settings, seated
from companion.games.stu.rules.log import HouseRules
from companion.table.log import Line


def _styles(text: str) -> tuple[PlayingStyle, ...]:
    found: list[PlayingStyle] = []
    for name in (name.strip() for name in text.split(",")):
        known = next((style for style in STYLES if style == name), None)
        if known is None:
            raise ValueError(f"no temper {name!r}: expected {', '.join(STYLES)}")
        found.append(known)
    return tuple(found)


class StuSimulation(Simulation):
    """The bots of Lu Stù, and of its variants."""

    players, usual, house_rules = (2, len(NAMES)), 6, HouseRules
    options = (
        Option("edition", "booklet", "piazza-2010 has penalties (rule 24).", ("booklet", "piazza-2010")),
        Option("tempers", ",".join(STYLES), "how they play, in turn: card (by the own card alone), odds, reckless.", read=_styles,
               metavar="T,T,…"),
        Option("dealing", "at-once", "all cards first, or each when it is needed (rule 7).", ("at-once", "one-by-one")),
        Option("pedine", None, "how many each begins with; many make a long game.  [default: 3]", range=(1, 1000)),
    )

    def seated(self, count: int) -> tuple[str, ...]:
        return seated(count)

    def simulate(self, evening: Evening, *, tempers: tuple[PlayingStyle, ...] = STYLES, **own: Any) -> tuple[Line, ...]:
        settings = Settings(
            players=evening.people, stake=evening.stake, house_rules=evening.house_rules, styles=tempers,
            event_probabilities=PLAIN if evening.plain else EventProbabilities(), **own,
        )  # fmt: skip
        return simulate(settings, hands=evening.hands, seed=evening.seed)


SIMULATION: Simulation = StuSimulation()
