"""Lu Stù as `companion simulate` plays it."""

from __future__ import annotations

from companion.games.simulation import BotSimulation, Option, Simulation
from companion.games.stu import bots
from companion.games.stu.bots import STYLES
from companion.games.stu.bots.settings import NAMES, PlayingStyle
from companion.games.stu.rules.log import HouseRules


def _styles(text: str) -> tuple[PlayingStyle, ...]:
    found: list[PlayingStyle] = []
    for name in (name.strip() for name in text.split(",")):
        known = next((style for style in STYLES if style == name), None)
        if known is None:
            raise ValueError(f"no style {name!r}: expected {', '.join(STYLES)}")
        found.append(known)
    return tuple(found)


class StuSimulation(BotSimulation):
    """The bots of Lu Stù, and of its variants."""

    players, usual, house_rules = (2, len(NAMES)), 6, HouseRules
    options = (
        Option("edition", "booklet", "piazza-2010 has penalties (rule 24).", ("booklet", "piazza-2010")),
        Option("styles", ",".join(STYLES), "how they play, in turn: card (by the own card alone), odds, reckless.", read=_styles,
               metavar="S,S,…", also=("tempers",)),
        Option("dealing", "at-once", "all cards first, or each when it is needed (rule 7).", ("at-once", "one-by-one")),
        Option("pedine", None, "how many each begins with; many make a long game.  [default: 3]", range=(1, 1000)),
    )
    settings, often, played_by = bots.Settings, (bots.EventProbabilities(), bots.PLAIN), bots


SIMULATION: Simulation = StuSimulation()
