"""Stoper as `companion simulate` plays it."""

from __future__ import annotations

from typing import Any

from companion.games.simulation import Evening, Option, Simulation
from companion.games.stoper.bots.evening import simulate
from companion.games.stoper.bots.settings import FEWEST, NAMES, PLAIN, EventProbabilities, Settings, seated
from companion.games.stoper.rules.log import HouseRules
from companion.table.log import Line


class _Simulation(Simulation):
    players, usual, stake, house_rules = (FEWEST, len(NAMES)), 6, "the cip", HouseRules
    options = (Option("mode", "cash", "for cash, or a tournament.", ("cash", "torneo")),)

    def seated(self, count: int) -> tuple[str, ...]:
        return seated(count)

    def simulate(self, evening: Evening, **own: Any) -> tuple[Line, ...]:
        settings = Settings(
            players=evening.people, cip=evening.stake, house_rules=evening.house_rules,
            event_probabilities=PLAIN if evening.plain else EventProbabilities(), **own,
        )  # fmt: skip
        return simulate(settings, hands=evening.hands, seed=evening.seed)


SIMULATION: Simulation = _Simulation()
