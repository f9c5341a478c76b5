"""A history of a hand of Stoppa: the engine's state, and what else is needed to explain the next sighting."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from companion.decks.italian import KINDS
from companion.games.betting.referee import BettingHistory
from companion.games.stoppa import rules
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import INDEX, OF_NUMBER, Card, Mask, cards_in
from companion.games.stoppa.rules.declarations import TRIO
from companion.games.stoppa.rules.log import Grosso, Lay, Piccolo, Show
from companion.games.stoppa.rules.state import Seat
from companion.games.stoppa.sightings import Odds
from companion.referee.sighting_model import Step
from companion.referee.values import BeamLimits
from companion.table.log import Line


class History(BettingHistory, frozen=True):
    """One way in which the hand may have been played. Sets of cards and of seats are bit masks, as in the rules.

    Attributes:
        round: the iteration in which the seats ``dealt`` were dealt a packet, the last one at ``dealt_at`` seconds.
        open: per seat, the faces seen open in ``phase`` of the hand. held: per seat, those seen in the whole hand.
        compared: phases in which faces of two players or more lay open.
        episodes: which card a face on the pile was taken for.
        read: which card a face was taken for, and what else it may be; nothing else where the card is a guess, as nobody saw it.
        hole: nothing could be seen since the last card on the pile.
        baffled: a card that was clearly seen to be laid is taken to be none, or a whole round was not seen to be dealt.
        taken_for: pairs of neighbours: a card of the first one seemed to come from the second.
        pending: what was seen, but cannot have happened before the phone has told more.
    """

    state: State
    before: State | None = None
    round: int = 0
    dealt: Mask = 0
    dealt_at: float = 0.0
    phase: str = ""
    open: tuple[Mask, ...] = ()
    held: tuple[Mask, ...] = ()
    compared: frozenset[str] = frozenset()
    episodes: tuple[tuple[int, Card], ...] = ()
    read: tuple[tuple[Card, Odds], ...] = ()
    hole: bool = False
    baffled: bool = False
    taken_for: frozenset[tuple[Seat, Seat]] = frozenset()
    pending: tuple[Step, ...] = ()

    @property
    def key(self) -> Hashable:
        return self.state, self.round, self.dealt, self.phase, self.open, self.hole, self.pending

    @property
    def line_of_play(self) -> Hashable:
        hand = self.state.hand
        if hand is None:
            return rules.outcome(self.state)
        return hand.dealer, hand.iteration, tuple(cards.bit_count() for cards in hand.laid), hand.wants, hand.last

    @property
    def doubtful(self) -> bool:
        return self.baffled

    def guesses(self, line: Line) -> bool:
        """Whether this line lays a card whose face nobody has seen: any other of its number would do as well. Or whether it shows
        fewer cards than people usually do: others may lie there, and make another group."""
        if isinstance(line.event, Show):
            return len(line.event.cards) < self._to_show(line)
        cards = {INDEX[kind] for kind in line.event.cards} if isinstance(line.event, Lay) else set()
        return any(card in cards and KINDS[card] not in dict(odds) for card, odds in self.read)

    def _to_show(self, line: Line) -> int:
        """The number of cards, at least, that are shown with such a line nearly always: those dealt for the punto piccolo, or for
        the punto grosso a whole group."""
        before = [one.event for one in self.lines[: self.lines.index(line)]]
        if any(isinstance(event, Grosso) for event in before):
            return TRIO
        iteration = sum(isinstance(event, Piccolo) for event in before)
        return self.state.table.deals[iteration - 1] if iteration else 0

    def unseen_of(self, number: int, seat: Seat) -> Card | None:
        """A card of this number that nobody has seen, or else one seen in this player's hand; None where there is none."""
        hand = self.state.hand
        if hand is None:
            return None
        left = OF_NUMBER[number] & self.state.table.deck & ~hand.on_pile
        own = left & (hand.known[seat] | self.held[seat])
        for other, (known, held) in enumerate(zip(hand.known, self.held or hand.known, strict=True)):
            left &= ~(known | held) if other != seat else ~0
        found = own & left or left
        return cards_in(found)[0] if found else None


def history(state: State, lines: tuple[Line, ...], acted: float) -> History:
    """The history that consists of these lines and led to this state. ``acted``: when somebody last did something, seconds."""
    nothing = (0,) * len(state.table.names)
    return History(rules, state, 0.0, lines, acted, open=nothing, held=nothing)


# Every probability with which the referee weighs histories: how often the table plays something, and how often the camera sees
# it.
# Mistakes are as frequent as the simulator's players make them; how often the camera is wrong is a cautious guess. The streams of
# `workshop.streams.stoppa` measure what hands come to with these numbers.


@dataclass(frozen=True, slots=True)
class Costs:
    """Natural logarithms of probabilities.

    Dealing. ``wrong_dealer``: somebody deals out of turn (rule 3). ``after_void``: the next one deals after a hand that could not
    be ruled on. ``served``: a packet is not dealt in order of play. ``undealt``: backs before a place were not seen in a round.
    ``pack``: the first backs, before the dealer's place, are the pack. ``late``: a packet of a round comes after its punto was
    compared or won. ``mid_betting``: the next round is dealt though the phone has told of a bet that others must still answer.
    ``twice``: backs, or a card on the pile, are reported once more. ``muck``: a player concedes without a word or a sign.

    Cards laid. ``omitted``: a player overlooks the wanted card in their hand (rule 16). ``missed``: a card laid was not seen
    at all; ``hidden``: the same while nothing could be seen. ``skipped``: all went on though a wanted card was out. ``unread``:
    the face is of a kind that the eyes did not even consider; ``suit``: the same, but they considered its number.
    ``unexplained``: what was seen was nothing. ``after``: a card is read there when the stoppata is over; ``gathered``: none is,
    but a hand is over the pile, as in two of three hands that were filmed. ``back``: cards were taken back unseen. ``aces``: an
    ace is laid on an ace (rule 12). ``apart``: what was put down in one motion are two lays. ``under``: of cards put down
    together some were not seen, as the others lie on them, though one was read; ``kept``: a player with several aces, or all of a
    number, puts only some of them down. ``lower``: a sequence is opened with a card to which another one known to be in this
    player's hand would have led.

    Cards left. ``unshown``: a player who lays open what they have left shows one card fewer, or one was not seen; ``part``: the
    least for any number fewer.

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
"""Limits of the search. A hand has some forty cards laid one after the other, each with its evidence: a history that is far
behind does not come back."""
MIN_PLACE_PROBABILITY = 1e-4
"""Probability, at least, of each place that a card may have come from, however sure the eyes are."""
WITHIN_ROUND_SECONDS, BETWEEN_ROUNDS_SECONDS = 1.5, 40.0
"""Mean seconds from one packet dealt to the next in the same round, and from one round to the next, exponentially distributed."""
REPORTED_TWICE_SECONDS = 3.0
"""Mean seconds from the last packet of a round to one that is reported twice."""
BETTING_SECONDS, ALL_BET_EARLY_LOG_PROBABILITY = 5.0, math.log(0.02)
"""Seconds in which all can hardly have had their word on a punto, and the logarithm of the probability that they have."""


def dealt_within(gap: float) -> float:
    """Logarithm of the density, per second, of a packet dealt ``gap`` seconds after the one before in the same round; one in
    fifty comes at any time."""
    return _log_density(gap, WITHIN_ROUND_SECONDS, 0.98, 0.02)


def dealt_between(gap: float) -> float:
    """The log-likelihood of the seconds before the first packet of the next round, with betting in between."""
    waited, mean = max(gap, 0.0), BETWEEN_ROUNDS_SECONDS
    return math.log(math.exp(-waited / mean) / mean) + (ALL_BET_EARLY_LOG_PROBABILITY if waited < BETTING_SECONDS else 0.0)


def dealt_again(gap: float) -> float:
    """The log-likelihood of the seconds before backs are reported once more, which mostly happens soon."""
    return _log_density(gap, REPORTED_TWICE_SECONDS, 0.8, 0.2)


def _log_density(gap: float, mean: float, share: float, others: float) -> float:
    """The log-likelihood of a wait of ``gap`` seconds that has a mean of ``mean`` seconds in this ``share`` of all cases, and in
    the ``others`` (a share, too) the mean from round to round."""
    waited, other = max(gap, 0.0), BETWEEN_ROUNDS_SECONDS
    return math.log(share * math.exp(-waited / mean) / mean + others * math.exp(-waited / other) / other)



def log_of(probability: float) -> float:
    """The natural logarithm, with a floor: nothing that the eyes rule out is quite impossible."""
    return math.log(max(probability, 1e-9))
