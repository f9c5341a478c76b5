"""How likely the table plays something, and the camera sees it in that way: every number with which the referee weighs histories.

Mistakes are as frequent as the simulator's players make them; what the camera does wrong is guessed on the cautious side. The
streams of `workshop.streams.stoppa` tell what hands come to with these numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from companion.referee.values import BeamLimits


@dataclass(frozen=True, slots=True)
class Costs:
    """Logarithms of probabilities.

    Dealing. ``wrong_dealer``: somebody deals out of turn (rule 3). ``after_void``: the next one deals after a hand that could not
    be ruled on. ``served``: a packet is not dealt in order of play. ``undealt``: backs before a place were not seen in a round.
    ``pack``: the first backs, before the dealer's place, are the pack. ``late``: a packet of a round comes after its punto was
    compared or won. ``mid_betting``: the next round is dealt though the phone has told of a bet that others must still answer.
    ``twice``: backs, or a card on the pile, are reported once more. ``muck``: a player concedes without a word or a sign.

    Cards laid. ``omitted``: a player overlooks the wanted card in their hand (rule 16). ``missed``: a card laid was not seen
    at all; ``hidden``: likewise while nothing could be seen. ``skipped``: all went on though a wanted card was out.
    ``unread``: the face is of a kind that the eyes did not even consider; ``suit``: likewise, but for the number.
    ``unexplained``: what was seen was nothing. ``after``: a card is read there when the stoppata is over; ``gathered``: none is,
    but a hand is over the pile, as in two of three hands that were filmed. ``back``: cards were taken back unseen. ``aces``: an
    ace is laid on an ace (rule 12). ``apart``: what was put down in one motion are two lays. ``under``: of cards put down
    together some were not seen, as the others lie on them, though one was read; ``kept``: who has several aces, or all of a
    number, puts only some of them down. ``lower``: a sequence is opened with a card to which another one known to be in this
    player's hand would have led.

    Cards left. ``unshown``: whoever lays open what they have left shows a card less, or one was not seen; ``part``: at least so
    likely are any number less.

    ``waits``: an act has to wait for the phone. ``early_end``: the table is cleared in mid-hand.
    """

    wrong_dealer: float = math.log(0.01)
    after_void: float = math.log(0.3)
    served: float = math.log(0.1)
    undealt: float = math.log(0.03)
    pack: float = math.log(0.02)
    late: float = math.log(0.02)
    mid_betting: float = math.log(0.02)
    twice: float = math.log(0.05)
    omitted: float = math.log(0.02)
    missed: float = math.log(0.01)
    hidden: float = math.log(0.5)
    skipped: float = math.log(3e-4)
    unread: float = math.log(1e-3)
    suit: float = math.log(0.02)
    unexplained: float = math.log(1e-4)
    after: float = math.log(5e-3)
    gathered: float = math.log(0.5)
    back: float = math.log(5e-4)
    muck: float = math.log(0.05)
    aces: float = math.log(0.5)
    apart: float = math.log(0.1)
    under: float = math.log(0.1)
    kept: float = math.log(0.1)
    lower: float = math.log(0.01)
    unshown: float = math.log(0.1)
    part: float = math.log(0.01)
    waits: float = -4.0
    early_end: float = math.log(1e-6)


COSTS: Final = Costs()
BEAM_LIMITS: Final = BeamLimits(width=50, lines_of_play=30, prune_below=16.0)
"""A hand has some forty cards laid one after the other, each with its evidence: what is far behind does not come back."""
LEAST_PLACE = 1e-4
"""The eyes are never surer than this that a card did not come from a place."""
WITHIN, BETWEEN = 1.5, 40.0
"""Seconds from one packet dealt to the next in the same round, and from one round to the next: means of exponentials."""
AGAIN = 3.0
"""The same from the last packet of a round to one that is reported twice."""
BETTING, SOON = 5.0, math.log(0.02)
"""In less than so many seconds all have hardly had their word on a punto."""


def dealt_within(gap: float) -> float:
    """Log-density of a packet dealt ``gap`` seconds after the one before, in the same round; one in fifty at any time."""
    waited = max(gap, 0.0)
    return math.log(0.98 * math.exp(-waited / WITHIN) / WITHIN + 0.02 * math.exp(-waited / BETWEEN) / BETWEEN)


def dealt_between(gap: float) -> float:
    """The same of the first packet of the next round: there is betting in between."""
    waited = max(gap, 0.0)
    return math.log(math.exp(-waited / BETWEEN) / BETWEEN) + (SOON if waited < BETTING else 0.0)


def dealt_again(gap: float) -> float:
    """The same of backs that are reported once more: mostly they soon are."""
    waited = max(gap, 0.0)
    return math.log(0.8 * math.exp(-waited / AGAIN) / AGAIN + 0.2 * math.exp(-waited / BETWEEN) / BETWEEN)


def log_of(probability: float) -> float:
    """Its natural logarithm, with a floor: nothing that the eyes rule out is quite impossible."""
    return math.log(max(probability, 1e-9))
