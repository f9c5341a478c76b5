"""What directing a game with cards in the hand takes: the pack, the stakes, dealing, taking up, and clearing the table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from workshop.choreography import gathering
from workshop.choreography.acts import Act
from workshop.choreography.barlife import Circle, Level
from workshop.choreography.director import STILL, Director
from workshop.choreography.ensemble import Card, Ensemble
from workshop.choreography.held import money, room
from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.held.script import HandScript, Script
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Track
from workshop.choreography.timeline import Timeline

LEAST_LEAN = 40.0
"""Degrees: cards that cannot be lifted as far without a camera seeing them are held below the table's edge."""
G = TypeVar("G", bound=HeldGestures)
H = TypeVar("H", bound=HandScript)


class HeldDirector(Director[G], Generic[G, H]):
    """``habit``: 0 to 1, by which this table does things its own way. ``fanned``: seats that hold their cards up in view.
    ``last_shown``: when (seconds) the last card was laid open. ``CHIPS``: the share of money that is chips.
    ``taken``: circles beside those of `held.room.taken` in which no thing stands."""

    CHIPS: ClassVar[float] = 0.3

    def __init__(
        self, script: Script[H], plan: Plan, gestures: Callable[[Ensemble], G], seed: int, pace: float, level: Level,
        taken: Sequence[Circle] = (),
    ) -> None:  # fmt: skip
        super().__init__(script.lines, plan, gestures, seed, pace, level, [*room.taken(plan), *taken])
        self.script = script
        self.habit = self.rng.random()
        self.seats = range(len(plan.seats))
        self.fanned = {
            seat for seat in self.seats if room.lean(plan, seat) >= LEAST_LEAN and self.chance(0.2 + self.level.take_up)
        }
        self.last_shown = 0.0

    def play(self) -> Timeline:
        """The whole evening."""
        self.pack(self.script.first_dealer, self.script.deck)
        for act in self.script.before:
            self.act(act)
        for index, hand in enumerate(self.script.hands):
            self.hand(hand)
            if index + 1 < len(self.script.hands):
                self.clear(self.script.hands[index + 1].dealer)
        return self.timeline()

    @abstractmethod
    def hand(self, hand: H) -> None:
        """A hand, from its stakes to its end."""

    @abstractmethod
    def act(self, act: Act) -> None:
        """One thing that somebody does."""

    def pack(self, dealer: int, cards: Iterable[str]) -> None:
        """The pack of these cards lies beside this dealer from the beginning."""
        self.ensemble.deck.first = room.pack(self.plan, dealer, self.rng)
        for card in cards:
            track = Track(self.ensemble.deck.first)
            track.put(float("-inf"), "deck")
            self.ensemble.cards[card] = Card((self.plan.cards, card), track)

    def bet(self, t: float, seat: int, count: int) -> float:
        """A player puts so many coins in the middle. Returns when they lie there."""
        return money.bet(self.gestures, t, seat, count, self.CHIPS)

    def stakes(self, seats: Iterable[int]) -> None:
        """These players put in what the hand costs, each when they like."""
        end = self.now
        for seat in seats:
            end = max(end, self.bet(self.now + self.rng.uniform(0, 1.5) * self.pace, seat, self.rng.randint(1, 3)))
        self.now = end + self.ensemble.lasts(0.3)

    def deal(
        self, dealer: int, order: Sequence[int], cards: Mapping[int, Sequence[str]], packet: int, lines: Mapping[int, int]
    ) -> None:  # fmt: skip
        """The dealer gives each in this ``order`` their ``cards``, so many at a time. ``lines``: seat → index of the line that
        says it."""
        gestures = self.gestures
        self.now = there = gestures.lower_fan(self.now, dealer)
        for begin in range(0, max(len(cards[seat]) for seat in order), packet):
            for seat in order:
                there, free = gestures.deal(self.now, dealer, seat, cards[seat][begin : begin + packet])
                self.now = max(self.now, free - self.ensemble.lasts(0.1))
                self.mark(lines.get(seat), there)
        self.now = max(self.now, there)

    def all_take_up(self, order: Iterable[int]) -> None:
        """These players take up what lies before them, each when they like; some hold it up as a fan."""
        longest = self.now
        for seat in order:
            longest = max(longest, self.takes_up(self.now + self.rng.uniform(0, 1.2) * self.pace, seat))
        self.now = max(self.now, longest - self.rng.uniform(0, 0.4) * self.pace)

    def takes_up(self, t: float, seat: int) -> float:
        """A player takes up what lies before them, and may hold it up as a fan. Returns when it is off the table."""
        t = self.gestures.take_up(self.gestures.lower_fan(t, seat), seat)
        if seat in self.fanned and self.chance(0.7):
            self.gestures.raise_fan(t + self.ensemble.lasts(0.3), seat)
        return t

    def clear(self, following: int) -> None:
        """Everybody throws in what is left, and the next dealer gathers all and shuffles."""
        e, gestures = self.ensemble, self.gestures
        self.now = max(self.now, self.last_shown + STILL) + e.lasts(1.0)
        self.now = max(
            gestures.throw_in(self.now + self.rng.uniform(0, 1.2) * self.pace, seat) for seat in self.seats
        )
        to = room.pack(self.plan, following, self.rng)
        if e.in_deck():
            self.now = gestures.gather(self.now, following, e.deck.pose)
            self.now = gathering.pass_deck(gestures, self.now, following, to)
        else:
            e.deck.put(self.now, "table", to)
            self.now = gestures.gather(self.now, following, to)
            self.now = gathering.shuffle(gestures, self.now, following)
        self.pause(0.8)
