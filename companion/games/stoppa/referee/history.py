"""A history of a hand of Stoppa: the engine's state, and what else is needed to explain the next sighting."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa import rules
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import INDEX, OF_NUMBER, Card, Mask, cards_in
from companion.games.stoppa.rules.comparison import TRIO
from companion.games.stoppa.rules.log import Grosso, Lay, Piccolo, Show
from companion.games.stoppa.rules.state import Seat
from companion.games.stoppa.sightings import Odds
from companion.referee.sighting_model import Step
from companion.referee.values import Hypothesis
from companion.table.log import Line


class History(Hypothesis, frozen=True):
    """One way in which the hand may have been played. Sets of cards and of seats are bit masks, as in the rules.

    Attributes:
        before: the state before the hand; None where it is not known.
        round: of which iteration ``dealt`` (seats) were dealt a packet, the last one at ``dealt_at`` seconds.
        open: per seat, the faces seen open in ``phase`` of the hand. held: per seat, those seen in the whole hand.
        compared: phases in which faces of two players or more lay open.
        episodes: which card a face on the pile was taken for.
        read: which card a face was taken for, and what else it may be; nothing else where the card is a guess, as nobody saw it.
        hole: nothing could be seen since the last card on the pile.
        baffled: a card that was clearly seen to be laid is taken for nothing, or a whole round was not seen to be dealt.
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
        """Whether a card was laid by this line of which nobody has seen the face: another of its number stands just as well. Or
        fewer cards were seen than hardly anybody shows: others may lie there, and make another group."""
        if isinstance(line.event, Show):
            return len(line.event.cards) < self._to_show(line)
        cards = {INDEX[kind] for kind in line.event.cards} if isinstance(line.event, Lay) else set()
        return any(card in cards and KINDS[card] not in dict(odds) for card, odds in self.read)

    def _to_show(self, line: Line) -> int:
        """How many cards, or more, are shown with this line, as good as always: those dealt for the punto, or for the last one a
        whole group."""
        before = [one.event for one in self.lines[: self.lines.index(line)]]
        if any(isinstance(event, Grosso) for event in before):
            return TRIO
        iteration = sum(isinstance(event, Piccolo) for event in before)
        return self.state.table.deals[iteration - 1] if iteration else 0

    def name(self, seat: Seat) -> str:
        """The player's name."""
        return self.state.table.names[seat]

    def costing(self, cost: float) -> History:
        """The same, less likely by this much."""
        return replace(self, weight=self.weight + cost)

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
