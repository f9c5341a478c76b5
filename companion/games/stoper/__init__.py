"""Stoper, at a prompt. What stands here is run by the tests.

A hand in which Bice opens and nobody sees:

>>> from companion.games import stoper
>>> from companion.games.stoper import log
>>> state = stoper.begin(stoper.new_game(["Ada", "Bice", "Ciro", "Dora"], stacks=10000, dealer="Ada"))
>>> for event in (log.Hand(cip=50, invito=50), log.Apro(by="Bice", to=200),
...               log.Passo(by="Ciro"), log.Passo(by="Dora"), log.Passo(by="Ada")):
...     state = stoper.apply(state, event)

Printed, a state says what `companion rule` says of the log, in Italian or, so, in English:

>>> print(f"{state:en}".split("\\n")[2])
  Bice takes the pot, all others having passed: €4.00 (rule 12)
>>> [player.stack for player in stoper.report(state).players]
[9900, 10300, 9900, 9900]

What the table waits for, what could happen next, and why something else could not:

>>> for event in (log.Hand(), log.Apro(by="Ciro", to=300), log.Vedo(by="Dora")):
...     state = stoper.apply(state, event)
>>> stoper.waiting(state)
Turn(step='answer', who='Ada', whom=None)
>>> print(stoper.check(state, log.Rilancio(by="Ada", to=300)))
a raise to 300, not above the highest (rule 10); expected more than 300

A whole evening, played by bots:

>>> from companion.games.stoper.bots import Settings, simulate
>>> lines = simulate(Settings(players=("Ada", "Bice", "Ciro", "Dora"), mode="torneo"), hands=500, seed=1)
>>> stoper.report(stoper.replay(lines)).status
'won'
"""

from companion.games.stoper import rules
from companion.games.stoper.rules import *  # noqa: F403
from companion.games.stoper.rules import log
from companion.table.game import Rules

_: Rules = rules  # mypy shows that the module keeps the protocol

__all__ = ["log"]
__all__ += rules.__all__
