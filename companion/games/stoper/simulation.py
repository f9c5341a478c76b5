"""Stoper as `companion simulate` plays it."""

from companion.games.simulation import BotSimulation, Option, Simulation
from companion.games.stoper import bots
from companion.games.stoper.rules.log import HouseRules


class _Simulation(BotSimulation):
    players, usual, stake, house_rules = (bots.MIN_PLAYERS, len(bots.NAMES)), 6, "the cip", HouseRules
    options = (Option("mode", "cash", "for cash, or a tournament.", ("cash", "torneo")),)
    settings, stakes, often, played_by = bots.Settings, "cip", (bots.EventProbabilities(), bots.PLAIN), bots


SIMULATION: Simulation = _Simulation()
