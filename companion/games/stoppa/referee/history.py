"""A history of a hand of Stoppa: the engine's state, and what else is needed to explain the next sighting."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace

from companion.decks.italian import KINDS
from companion.games.stoppa import rules
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import OF_NUMBER, Card, Mask, cards_in, number_of
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.rules.state import Seat
from companion.referee.hypothesis import Hypothesis
from companion.referee.meaning import Step
from companion.table.errors import Illegal
from companion.table.log import Event, Line


@dataclass(frozen=True, slots=True)
class History(Hypothesis):
    """One way in which the hand may have been played. Sets of cards and of seats are bit masks, as in the rules.

    Attributes:
        before: the state before the hand; None where it is not known.
        round: of which iteration ``dealt`` (seats) were dealt a packet, the last one at ``dealt_at`` seconds.
        open: per seat, the faces seen open in ``phase`` of the hand. held: per seat, those seen in the whole hand.
        compared: phases in which faces of two players or more lay open.
        episodes: which card a face on the pile was taken for.
        guessed: cards in the lines that nobody saw: another card of the number would do as well.
        hole: nothing could be seen since the last card on the pile.
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
    guessed: Mask = 0
    hole: bool = False
    pending: tuple[Step, ...] = ()

    @property
    def key(self) -> Hashable:
        return self.state, self.round, self.dealt, self.phase, self.open, self.hole, self.pending

    @property
    def course(self) -> Hashable:
        hand = self.state.hand
        if hand is None:
            return rules.outcome(self.state)
        return hand.dealer, hand.iteration, tuple(cards.bit_count() for cards in hand.laid), hand.wants, hand.last

    def name(self, seat: Seat) -> str:
        """The player's name."""
        return self.state.table.names[seat]

    def costing(self, cost: float) -> History:
        """The same, less likely by this much."""
        return replace(self, weight=self.weight + cost)

    def plus(self, events: Iterable[Event], cost: float, t: float) -> History | None:
        """As `after`, with cards that nobody saw renamed where one of these ``events`` names them."""
        events = tuple(events)
        start: History | None = self
        for event in events:
            for card in cards_in(self.guessed) if isinstance(event, Lay) else ():
                if start is not None and KINDS[card] in event.cards:
                    start = _renamed(start, card)
        return start.after(events, cost, t) if start is not None else None

    def unseen_of(self, number: int, seat: Seat) -> Card | None:
        """A card of this number that nobody has seen, or else one seen in this player's hand; None where there is none."""
        hand = self.state.hand
        if hand is None:
            return None
        left = OF_NUMBER[number] & self.state.table.deck & ~hand.on_pile
        own = left & hand.known[seat]
        for other, (known, held) in enumerate(zip(hand.known, self.held or hand.known, strict=True)):
            left &= ~((known | held) if other != seat else known)
        found = own or left
        return cards_in(found)[0] if found else None


def history(state: State, lines: tuple[Line, ...], acted: float) -> History:
    """The history that consists of these lines and led to this state. ``acted``: when somebody last did something, seconds."""
    nothing = (0,) * len(state.table.names)
    return History(rules, state, 0.0, lines, acted, open=nothing, held=nothing)


def _renamed(one: History, card: Card) -> History | None:
    """The history with another card of its number in the place of one that nobody saw; None where there is no other."""
    before = one.before
    if before is None or one.state.hand is None:
        return None
    used = 1 << card
    for known, held in zip(one.state.hand.known, one.held, strict=True):
        used |= known | held
    free = cards_in(OF_NUMBER[number_of(card)] & one.state.table.deck & ~used)
    if not free:
        return None
    old, new = KINDS[card], KINDS[free[0]]
    state, lines = before, list[Line]()
    try:
        for line in one.lines:
            event = line.event
            if isinstance(event, Lay) and old in event.cards:
                event = Lay(by=event.by, cards=tuple(new if kind == old else kind for kind in event.cards), skipped=event.skipped)
            state = rules.apply(state, event)
            lines.append(Line(event, line.t))
    except Illegal:
        return None
    return replace(one, state=state, lines=tuple(lines), guessed=one.guessed & ~(1 << card) | 1 << free[0])
