"""The simulator: random legal games of Stoper, played by bots, as complete table logs."""

from companion.games.stoper.bots.evening import simulate
from companion.games.stoper.bots.settings import NAMES, PLAIN, EventProbabilities, Settings, seated

__all__ = ["NAMES", "PLAIN", "EventProbabilities", "Settings", "seated", "simulate"]
