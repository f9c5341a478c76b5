"""How likely the table plays something and the camera sees it so: every number that the referee weighs histories with.

The times between acts are measured: ``companion.workshop.streams`` plays games of the simulator's three tempers in the
choreography's times (700 hands, 2 to 12 players, tempo 0.7 to 1.6). Tails are wider than what was measured: people are slower,
and stranger, than bots. The other numbers are guesses, kept because hands were ruled right with them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Costs:
    """Logarithms of probabilities, unless said otherwise.

    ``sto``, ``passo``: what players decide. ``ceded``: an asked Taverna is given away rather than shown to refuse (about
    one in three in the simulator's games). ``early``: a card is shown though nobody asked and others still have to decide
    (rule 2's good manners). ``missed``: something happened that the camera did not see; ``hidden``: so did an exchange
    between two of whose cards it had not seen both; ``unpaid``: so did the exchange that a Taverna was shown for.
    ``unexplained``: a face that fits nothing, the camera was wrong altogether. ``faceless``: a player's face was never
    reported. ``gathered``: after all have shown, a face in another place is one that is being gathered. ``undealt``: a
    card is shown of which nobody saw that it was dealt. ``not_an_exchange``: at most so sure can eyes be of an exchange
    that never was. ``overlapped``: an exchange seems to have begun before the one before it was over. ``covered``: a
    card of which the back had not been seen for a while was shown before its face was, to refuse, and uncovered just
    then (a probability times the densities of both times).
    """

    sto: float = math.log(0.55)
    passo: float = math.log(0.45)
    ceded: float = math.log(0.3)
    early: float = math.log(0.01)
    missed: float = math.log(0.06)
    hidden: float = math.log(0.5)
    unpaid: float = math.log(0.05)
    unexplained: float = math.log(1e-4)
    faceless: float = math.log(0.01)
    gathered: float = math.log(0.3)
    undealt: float = math.log(0.05)
    not_an_exchange: float = math.log(3e-3)
    overlapped: float = math.log(0.2)
    covered: float = math.log(0.1 / 4 / 4)


COSTS = Costs()


def thinking(seconds: float, deciders: int) -> float:
    """Log-density of the time from one act to the next face shown, so many having decided in between (sto, or the passo that
    the face refuses): measured medians are 2.0 s and 1.7 s more for each of them.

    A log-normal with a steeper side towards haste: within a second of what went before nobody has understood, decided and turned
    a card. One in thirty does anything at any time.
    """
    waited = max(seconds, 0.0)
    median = 2.0 + 1.7 * deciders
    return math.log(0.97 * math.exp(_two_sided(seconds, median, 0.5, 0.8)) + 0.03 * math.exp(-waited / 10) / 10)


def turning(seconds: float) -> float:
    """Log-density of the time between two cards turned at the showdown: measured median 0.26 s, 95 % within 1.0 s, 99 % within
    1.6 s; a tenth of the people dawdle."""
    waited = max(seconds, 0.0)
    return math.log(0.9 * math.exp(-waited / 0.5) / 0.5 + 0.1 * math.exp(-waited / 2.5) / 2.5)


def _two_sided(seconds: float, median: float, below: float, above: float) -> float:
    """Log-density of a log-normal whose spread is ``below`` on the short side of the median and ``above`` on the long side."""
    waited = max(seconds, 0.05)
    lag = math.log(waited / median)
    spread = below if lag < 0 else above
    return -0.5 * (lag / spread) ** 2 - math.log((below + above) / 2 * waited * math.sqrt(2 * math.pi))
