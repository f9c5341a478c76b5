"""What directing any game takes: hand after hand, the clock, pauses, and the timeline in the end.

A game's own director derives from it, and says how its people lay the table, play a hand, and what they do between two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Generic, TypeVar

from workshop.choreography import barlife
from workshop.choreography.barlife import Circle, Level
from workshop.choreography.ensemble import Ensemble
from workshop.choreography.gestures import Gestures
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Track
from workshop.choreography.script import Act, HandScript, Script
from workshop.choreography.timeline import Timeline

STILL = 1.6
"""Seconds for which the last face shown lies still before anybody clears the table, at any tempo."""
BEGIN = 1.0
"""Seconds into the clip at which anything happens first."""
G = TypeVar("G", bound=Gestures)
H = TypeVar("H", bound=HandScript)


class Director(ABC, Generic[G, H]):
    """``now``: the second at which the next thing happens. ``events``: for each line of the log when it has happened."""

    def __init__(
        self, script: Script[H], plan: Plan, gestures: Callable[[Ensemble], G], seed: int, pace: float, level: Level,
        taken: Sequence[Circle],
    ) -> None:  # fmt: skip
        self.rng = Random(f"people {seed}")
        self.script, self.plan, self.seed, self.pace, self.level = script, plan, seed, pace, barlife.LEVELS[level]
        self.ensemble = Ensemble(plan, self.rng, pace, self.level.resting_fingers)
        self.gestures = gestures(self.ensemble)
        self.events: list[float] = [0.0] * len(script.lines)
        self.now = BEGIN
        self.props = barlife.props(plan, Random(f"things {seed}"), self.level, taken)

    def play(self) -> Timeline:
        """The whole evening."""
        self.lay_the_table()
        for act in self.script.before:
            self.between(act)
        hands = self.script.hands
        for number, hand in enumerate(hands, start=1):
            last = number == len(hands)
            self.hand(hand, self.script.final_dealer if last else hands[number].dealer, last)
        return self.timeline()

    @abstractmethod
    def lay_the_table(self) -> None:
        """What lies there when the clip begins."""

    @abstractmethod
    def between(self, act: Act) -> None:
        """One thing that somebody does while no hand is in progress."""

    @abstractmethod
    def hand(self, hand: H, following: int, last: bool) -> None:
        """A hand, from its stakes to its end, and the clearing after it. ``following``: who deals next; ``last``: of the clip."""

    def pause(self, mean: float, spread: float = 0.3) -> None:
        """Nothing happens for about ``mean`` seconds, but that somebody fidgets."""
        if self.level.fidgets and self.chance(self.level.fidgets):
            self.gestures.fidget(self.now, self.rng.randrange(len(self.plan.seats)))
        self.now += self.ensemble.lasts(mean, spread)

    def chance(self, share: float) -> bool:
        """Whether something happens that does in this share of all cases."""
        return self.rng.random() < share

    def mark(self, line: int | None, t: float | None = None) -> None:
        """The line of the log with this index has happened, now or at ``t``."""
        if line is not None:
            self.events[line] = self.now if t is None else t

    def hands_home(self, seat: int) -> None:
        """Both hands of a player leave the middle of the table."""
        for left in (False, True):
            self.ensemble.leave(self.ensemble.fingers[seat, left])

    def timeline(self) -> Timeline:
        """All that was directed."""
        e = self.ensemble
        tracks: list[Track] = [card.track for card in e.cards.values()] + [one.track for one in e.fingers.values()]
        tracks += [e.deck, *(coin.track for coin in e.coins)]
        duration = max([self.now, *(track.free for track in tracks if track.moves)]) + 3.0
        return Timeline(
            plan=self.plan, lines=self.script.lines, events=tuple(self.events), duration=duration, cards=e.cards,
            fingers=tuple(e.fingers.values()), deck=e.deck, props=self.props,
            people=barlife.people(self.plan, Random(f"clothes {self.seed}")),
            hunting=barlife.hunting(Random(f"camera {self.seed}"), duration, self.level), coins=tuple(e.coins),
        )  # fmt: skip
