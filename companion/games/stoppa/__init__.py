"""Stoppa, at a prompt. What stands here is run by the tests.

A hand in five lines, in which nobody bets and all agree to leave the stoppata out:

>>> from companion.games import stoppa
>>> from companion.games.stoppa import log
>>> state = stoppa.begin(stoppa.new_game(["Anna", "Bruno", "Carla", "Dino"], misera=600, small=100, dealer="Dino"))
>>> for event in (log.Hand(), *[log.Piccolo()] * 4, log.Grosso(), log.Annul()):
...     state = stoppa.apply(state, event)

Nobody bet, so the dealer has it all. Printed, a state says what `companion rule` says of the log, in Italian or, so, in English:

>>> print(f"{state:en}".split("\\n")[2])
  nobody bets on the punto grosso: the dealer, Dino, takes it: €20.00 (rule 8)
>>> [player.balance for player in stoppa.report(state).players]
[-600, -600, -600, 1800]

What the table waits for, what could happen next, and why something else could not:

>>> for event in (log.Hand(), log.Piccolo(), log.Punto(by="Bruno", to=50), log.Vedo(by="Dino")):
...     state = stoppa.apply(state, event)
>>> stoppa.waiting(state)
Turn(step='bet', who='Anna', whom=None)
>>> print(stoppa.check(state, log.Rilancio(by="Anna", to=50)))
a raise to 50, not above the highest (rule 5); expected more than 50

A whole evening, played by bots:

>>> from companion.games.stoppa.bots import Settings, simulate
>>> lines = simulate(Settings(players=("Anna", "Bruno", "Carla")), hands=6, seed=1)
>>> sum(player.balance for player in stoppa.report(stoppa.replay(lines)).players)
0
"""

from companion.games.stoppa import rules
from companion.games.stoppa.rules import *  # noqa: F403
from companion.games.stoppa.rules import log
from companion.table.game import Rules

_: Rules = rules  # mypy shows that the module keeps the protocol

__all__ = ["log"]
__all__ += rules.__all__
