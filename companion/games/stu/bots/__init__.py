"""The simulator: random legal games of Lu Stù, played by bots, as complete table logs."""

from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import PLAIN, TEMPERS, Rarities, Settings, seated
from companion.table.errors import SimulatorError

__all__ = ["PLAIN", "TEMPERS", "Rarities", "Settings", "SimulatorError", "seated", "simulate"]
