"""Lu Stù, at a prompt. What stands here is run by the tests.

A hand in five lines:

>>> from companion.games import stu
>>> from companion.games.stu import log
>>> state = stu.begin(stu.new_game(["Anna", "Bruno", "Carla"], stake=200, dealer="Carla"))
>>> for event in (log.Hand(), log.Passo(by="Anna"), log.Swap(with_="Bruno"), log.Passo(by="Bruno")):
...     state = stu.apply(state, event)

What the table waits for, what could happen next, and why something else could not:

>>> stu.waiting(state)
Turn(step='answer', who='Carla', whom='Bruno')
>>> len(stu.decisions(state))
8
>>> print(stu.check(state, log.Sto(by="Carla")))
Carla acts too soon (rule 11); expected swap with Carla, or a trump revealed by Carla

A state is a frozen value: keep it, compare it, go on from it in several ways. Printed, it says what `companion rule` says of the
log, in Italian or, so, in English; in a notebook it is a picture of the table.

>>> gnao = stu.apply(state, log.Reveal(by="Carla", card="gnao"))
>>> for event in (log.Swap(with_="Anna"), log.Reveal(by="Anna", card="4"), log.Reveal(by="Bruno", card="7"), log.End()):
...     gnao = stu.apply(gnao, event)
>>> print(f"{gnao:en}")
Hand 1, dealt by Carla
  Bruno takes a gnaffata from Carla: one pedina (rule 14)
  Anna has the lowest card, the 4: one pedina (rule 8)
<BLANKLINE>
play goes on; Anna deals
Anna: ●●
Bruno: ●●
Carla: ●●●, virgin
pot €6.00; ricompera open at €4.00

A whole evening, played by bots:

>>> from companion.games.stu.bots import Settings, simulate
>>> lines = simulate(Settings(players=("Anna", "Bruno")), hands=20, seed=1)
>>> stu.report(stu.replay(lines)).winner
'Anna'
"""

from companion.games.stu import rules
from companion.games.stu.rules import *  # noqa: F403
from companion.games.stu.rules import log
from companion.table.game import Rules

_: Rules = rules  # mypy shows that the module keeps the protocol

__all__ = ["log"]
__all__ += rules.__all__
