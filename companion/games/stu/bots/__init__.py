"""The simulator: random legal games of Lu Stù, played by bots, as complete table logs."""

from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import NAMES, PLAIN, STYLES, EventProbabilities, Settings, seated
from companion.table.errors import SimulatorError

__all__ = ["NAMES", "PLAIN", "STYLES", "EventProbabilities", "Settings", "SimulatorError", "seated", "simulate"]
