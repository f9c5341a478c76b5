"""The simulator: random legal games of Stoppa, played by bots, as complete table logs."""

from companion.games.stoppa.bots.evening import simulate
from companion.games.stoppa.bots.settings import NAMES, PLAIN, EventProbabilities, Settings, seated

__all__ = ["NAMES", "PLAIN", "EventProbabilities", "Settings", "seated", "simulate"]
