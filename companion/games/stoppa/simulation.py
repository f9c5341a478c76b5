"""Stoppa as `companion simulate` plays it."""

from __future__ import annotations

from typing import Any

from companion.games.simulation import Evening, Simulation
from companion.games.stoppa.bots.evening import simulate
from companion.games.stoppa.bots.settings import NAMES, PLAIN, EventProbabilities, Settings, seated
from companion.games.stoppa.rules.log import HouseRules
from companion.table.log import Line


class _Simulation(Simulation):
    players, usual, stake, house_rules = (3, len(NAMES)), 4, "the misera", HouseRules

    def seated(self, count: int) -> tuple[str, ...]:
        return seated(count)

    def simulate(self, evening: Evening, **own: Any) -> tuple[Line, ...]:
        settings = Settings(
            players=evening.people, misera=evening.stake, house_rules=evening.house_rules,
            event_probabilities=PLAIN if evening.plain else EventProbabilities(), **own,
        )  # fmt: skip
        return simulate(settings, hands=evening.hands, seed=evening.seed)


SIMULATION: Simulation = _Simulation()
