"""Stoppa as `companion simulate` plays it."""

from companion.games.simulation import BotSimulation, Simulation
from companion.games.stoppa import bots
from companion.games.stoppa.rules.log import HouseRules


class _Simulation(BotSimulation):
    players, usual, stake, house_rules = (3, len(bots.NAMES)), 4, "the misera", HouseRules
    settings, stakes, often, played_by = bots.Settings, "misera", (bots.EventProbabilities(), bots.PLAIN), bots


SIMULATION: Simulation = _Simulation()
