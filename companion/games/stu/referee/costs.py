"""Every probability with which the referee weighs histories: how often the table plays something, and how often the camera sees
it.

The times between acts are measured: `workshop.streams` plays games of the simulator's three styles with the times of
the choreography (700 hands, 2 to 12 players, tempo 0.7 to 1.6). The tails are wider than measured: people are slower, and less
predictable, than bots. The other numbers are guesses, kept because hands are ruled right with them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Costs:
    """Natural logarithms of probabilities, except where noted.

    ``sto``, ``passo``: what players decide. ``ceded``: an asked Taverna is given away rather than shown to refuse (about one in
    three in the simulator's games). ``early``: a card is shown although nobody asked for it and others still have to decide
    (against rule 2's good manners). ``missed``: something happened that the camera did not see; ``hidden``: the same for an
    exchange between two players whose cards it had not both seen; ``unpaid``: the same for the exchange for which a Taverna was
    shown. ``unexplained``: a face that fits nothing: the camera was simply wrong. ``faceless``: a player's face was never
    reported. ``gathered``: after all have shown, a face in another place is one that is being gathered. ``undealt``: a card is
    shown that was not seen to be dealt. ``not_an_exchange``: least probability of being wrong, however sure the eyes are of an
    exchange. ``overlapped``: an exchange seems to have begun before the previous one was over. ``covered``: a card whose back had
    not been seen for a while was shown to refuse before its face was seen, and uncovered just then (a probability times the
    densities of both times).
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
AT_ANY_TIME = math.log(0.1)
"""Logarithm of the density, per second, of a time that nobody knows: it may lie anywhere in 10 seconds."""


@lru_cache(maxsize=4096)
def thinking(seconds: float | None, deciders: int) -> float:
    """Logarithm of the density, per second, of the time from one act to the next face shown, with ``deciders`` decisions in
    between (sto, or the passo that the face refuses). The measured median is 2.0 s, plus 1.7 s for each of these.

    None: when it was done is not known.

    The density is a log-normal with a steeper slope on the short side: nobody understands, decides and turns a card within a
    second. One player in thirty acts at any time.
    """
    if seconds is None:
        return AT_ANY_TIME
    waited = max(seconds, 0.0)
    median = 2.0 + 1.7 * deciders
    return math.log(0.97 * math.exp(_two_sided(seconds, median, 0.5, 0.8)) + 0.03 * math.exp(-waited / 10) / 10)


@lru_cache(maxsize=4096)
def hurrying(seconds: float, deciders: int) -> float:
    """Logarithm of the probability that an exchange begins as soon as this, ``seconds`` after the last act, with ``deciders``
    decisions before the one that leads to it. 0 from 0.8 s for each decision on, which is twice as fast as measured, and with
    fewer than two before; one player in thirty acts at any time."""
    if deciders < 2:
        return 0.0
    lag = math.log(max(seconds, 0.05) / (0.8 * (deciders + 1)))
    return math.log(0.97 * math.exp(-0.5 * (min(lag, 0.0) / 0.5) ** 2) + 0.03)


@lru_cache(maxsize=4096)
def turning(seconds: float | None) -> float:
    """Logarithm of the density, per second, of the time between two cards turned in the showdown. Measured: median 0.26 s, 95 %
    within 1.0 s, 99 % within 1.6 s; a tenth of the players are slow. None: when it was done is not known."""
    if seconds is None:
        return AT_ANY_TIME
    waited = max(seconds, 0.0)
    return math.log(0.9 * math.exp(-waited / 0.5) / 0.5 + 0.1 * math.exp(-waited / 2.5) / 2.5)


def _two_sided(seconds: float, median: float, below: float, above: float) -> float:
    """Logarithm of the density of a log-normal whose spread is ``below`` on the short side of the median and ``above`` on the
    long side."""
    waited = max(seconds, 0.05)
    lag = math.log(waited / median)
    spread = below if lag < 0 else above
    return -0.5 * (lag / spread) ** 2 - math.log((below + above) / 2 * waited * math.sqrt(2 * math.pi))
