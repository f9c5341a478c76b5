"""What directing a game with cards in the hand takes: the pack, dealing, betting, showing, and clearing the table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, TypeVar

from companion.table.log import Line
from workshop.choreography import gestures as gathering
from workshop.choreography.barlife import Circle, Level
from workshop.choreography.director import STILL, Director
from workshop.choreography.ensemble import Card
from workshop.choreography.held import gestures, room
from workshop.choreography.held.gestures import HeldGestures
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Track
from workshop.choreography.script import Act, Bet, Deal, HeldHand, Over, Script, Show
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import Shape

LEAST_LEAN = 40.0
"""Degrees: cards that cannot be lifted as far without a camera seeing them are held below the table's edge."""
G = TypeVar("G", bound=HeldGestures)
H = TypeVar("H", bound=HeldHand)


class HeldDirector(Director[G, H]):
    """``habit``: 0 to 1, by which this table does things its own way. ``fanned``: seats that hold their cards up in view.
    ``last_shown``: when (seconds) the last card was laid open. ``CHIPS``: the share of money that is chips.
    ``taken``: circles beside those of `held.room.taken` in which no thing stands."""

    CHIPS: ClassVar[float] = 0.3
    GESTURES: ClassVar[type[Any]]

    def __init__(
        self, script: Script[H], plan: Plan, seed: int, pace: float, level: Level, taken: Sequence[Circle] = ()
    ) -> None:
        super().__init__(script, plan, self.GESTURES, seed, pace, level, [*room.taken(plan), *taken])
        self.habit = self.rng.random()
        self.seats = range(len(plan.seats))
        self.fanned = {
            seat for seat in self.seats if room.lean(plan, seat) >= LEAST_LEAN and self.chance(0.2 + self.level.take_up)
        }
        self.last_shown = 0.0

    @classmethod
    def direct(
        cls, lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None
    ) -> Timeline:  # fmt: skip
        """The timeline of a whole log. The same arguments give the same timeline.

        ``tempo``: 1 plays a hand of four or five in one to two minutes; 2 twice as fast.
        ``level``: how much bar life there is. ``shape``: the table's; None draws one.

        Raises:
            ScriptError: the log cannot be played out; the message names the line.
        """
        script = cls.read(lines, Random(f"faces {seed}"))
        plan = cls.plan_table(script.players, Random(f"table {seed}"), shape)
        return cls(script, plan, seed, 1 / tempo, level).play()

    @staticmethod
    @abstractmethod
    def read(lines: Sequence[Line], rng: Random) -> Script[H]:
        """The script of a log."""

    @staticmethod
    def plan_table(names: tuple[str, ...], rng: Random, shape: Shape | None) -> Plan:
        """A table for these players."""
        return room.plan(names, rng, shape)

    @abstractmethod
    def deck(self) -> Iterable[str]:
        """Ids of all cards that are played with."""

    @abstractmethod
    def begin(self, hand: H) -> None:
        """What is done before the first card is dealt: its stakes."""

    @abstractmethod
    def own(self, act: Act) -> bool:
        """Do what only this game has; False: it was no such thing."""

    @abstractmethod
    def money_back(self) -> None:
        """Have everybody take back what they put in, as the hand is void."""

    def packet(self, cards: Sequence[str]) -> int:
        """Cards of these that are dealt together."""
        return 1

    def ready(self, seat: int) -> None:
        """What has to be done before a player lays the hand open."""

    def lay_the_table(self) -> None:
        """The pack lies beside the first dealer."""
        self.pack(self.script.first_dealer, self.deck())

    def hand(self, hand: H, following: int, last: bool) -> None:
        """A hand, from its stakes to its end, and the clearing after it."""
        self.mark(hand.line)
        self.begin(hand)
        for act in hand.acts:
            if isinstance(act, Deal):
                self._deal(hand, act)
            else:
                self.between(act)
        if not last:
            self.clear(following)

    def _deal(self, hand: H, act: Deal) -> None:
        """Cards to everybody; then all take them up."""
        dealt = hand.dealt[act.iteration]
        lines = {seat: line for (iteration, seat), line in hand.deals.items() if iteration == act.iteration}
        self.deal(hand.dealer, hand.order, dealt, self.packet(next(iter(dealt.values()))), lines)
        self.mark(act.line)
        self.hands_home(hand.dealer)
        self.all_take_up(hand.order)

    def between(self, act: Act) -> None:
        """One thing that somebody does."""
        if not self.own(act):
            match act:
                case Bet(seat=seat):
                    self.pause(0.9, 0.45)
                    self.now = self.bet(self.now, seat, self.rng.randint(1, 3))
                case Show(seat=seat):
                    self._show(seat, act.cards)
                case Over():
                    self.pause(0.4)
                    self.last_shown = self.now
                    if act.void:
                        self.money_back()
                case _:
                    self.pause(0.6)
        self.mark(act.line)

    def _show(self, seat: int, cards: Sequence[str]) -> None:
        self.pause(0.7)
        self.ready(seat)
        lying = self.gestures.on_table[seat]
        if hidden := [card for card in cards if card not in lying]:
            self.now = self.gestures.show_open(self.now, seat, hidden)
        self.last_shown = self.now

    def pack(self, dealer: int, cards: Iterable[str]) -> None:
        """The pack of these cards lies beside this dealer from the beginning."""
        self.ensemble.deck.first = room.pack(self.plan, dealer, self.rng)
        for card in cards:
            track = Track(self.ensemble.deck.first)
            track.put(float("-inf"), "deck")
            self.ensemble.cards[card] = Card((self.plan.cards, card), track)

    def bet(self, t: float, seat: int, count: int) -> float:
        """A player puts ``count`` coins in the middle. Returns when they lie there."""
        return gestures.bet(self.gestures, t, seat, count, self.CHIPS)

    def deal(
        self, dealer: int, order: Sequence[int], cards: Mapping[int, Sequence[str]], packet: int, lines: Mapping[int, int]
    ) -> None:  # fmt: skip
        """The dealer gives each in this ``order`` their ``cards``, ``packet`` at a time. ``lines``: seat → index of the line that
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
        """Have these players take up the cards before them, each at a time of their own; some hold them up as a fan."""
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
