"""What people do at a table, act by act, and how a table log is read into it.

A game's own script has acts and hands of its own, and says by a `Reading` how its log becomes these. Cards are named by id,
players are seats.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.table.errors import GameError, Illegal, ScriptError
from companion.table.game import Rules, State
from companion.table.log import Event, Line


@dataclass(frozen=True, slots=True)
class Act:
    """What is done. ``line``: index of the log line that says it; None where it only follows from one."""

    line: int | None


@dataclass(frozen=True, slots=True)
class Over(Act):
    """The hand is over, or void: the cards are cleared."""

    void: bool = False


@dataclass(frozen=True, slots=True)
class Note(Act):
    """A line that moves nothing on the table."""


@dataclass(frozen=True, slots=True)
class Bet(Act):
    """A player puts money in the middle."""

    seat: int


@dataclass(frozen=True, slots=True)
class Say(Act):
    """A player says a word: nothing moves."""

    seat: int


@dataclass(frozen=True, slots=True)
class Show(Act):
    """A player lays ``cards`` open before them."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deal(Act):
    """Cards are dealt to everybody who takes part, for the ``iteration``-th time (from 0) in this hand."""

    iteration: int = 0

@dataclass(frozen=True, slots=True)
class HandScript:
    """One hand and what follows it until the next.

    ``line``: index of its ``hand`` line. ``order``: seats in the order of play, the dealer last.
    """

    line: int
    dealer: int
    order: tuple[int, ...]
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class HeldHand(HandScript):
    """A hand of a game in which cards are held.

    ``dealt``: for each time that cards are dealt, seat → its cards. ``deals``: (which time, from 0, seat) → index of its
    ``deal`` line, where there is one.
    """

    dealt: tuple[dict[int, tuple[str, ...]], ...]
    deals: dict[tuple[int, int], int]


H = TypeVar("H", bound=HandScript)
Played = TypeVar("Played", bound=HandScript, covariant=True)


@dataclass(frozen=True, slots=True)
class Script(Generic[H]):
    """A whole log. ``first``: the game after the log's first line. ``before``: acts before the first hand."""

    lines: tuple[Line, ...]
    first: Any
    before: tuple[Act, ...]
    hands: tuple[H, ...]
    final_dealer: int

    @property
    def players(self) -> tuple[str, ...]:
        """As the game line names them."""
        names: tuple[str, ...] = self.lines[0].event.players
        return names

    @property
    def first_dealer(self) -> int:
        """The seat that deals the first hand."""
        return self.hands[0].dealer if self.hands else self.final_dealer


class OpenHand(Protocol[Played]):
    """A hand that is still being read."""

    acts: list[Act]

    def follow(self, index: int, event: Event, before: State, after: State) -> None:
        """Add the acts of the line with this index."""

    def close(self, rng: Random) -> Played:
        """The finished hand. ``rng`` picks what nobody ever sees."""


class Reading(ABC, Generic[H]):
    """How the logs of a game are read. ``NAME``: of the game; ``GAME``: its first line; ``HAND``: the line that begins a hand."""

    NAME: ClassVar[str]
    RULES: ClassVar[Rules]
    GAME: ClassVar[type[Event]]
    HAND: ClassVar[type[Event]]

    @abstractmethod
    def opened(self, index: int, before: State, after: State) -> OpenHand[H]:
        """The hand that the line with this index begins."""

    def between(self, index: int, before: State, after: State) -> Iterable[Act]:
        """The acts of a line before the first hand."""
        return (Note(index),)

    def next_dealer(self, state: State) -> int:
        """The seat that deals next, where no hand is in progress."""
        dealer: int = state.dealer
        return dealer

    def begun(self, lines: Sequence[Line]) -> State:
        """The game as it is after the log's first line.

        Raises:
            ScriptError: no such line first, or no such game can be.
        """
        if not lines or not isinstance(lines[0].event, self.GAME):
            written = f"companion simulate --game {self.NAME.lower()}"
            raise ScriptError(f"line 1: no game line of {self.NAME}: expected a log such as {written} writes")
        try:
            return self.RULES.begin(lines[0].event)
        except GameError as error:
            raise ScriptError(str(error.at(1))) from None

    def script(self, lines: Sequence[Line], rng: Random) -> Script[H]:
        """The script of a log. ``rng`` picks the faces of cards that nobody ever sees, and who was dealt when what nobody saw.

        Raises:
            ScriptError: no game line first, or a line that cannot have happened.
        """
        first = state = self.begun(lines)
        before: list[Act] = []
        hands: list[OpenHand[H]] = []
        for index, event, earlier, state in _followed(lines, self.RULES, first):
            if isinstance(event, self.HAND):
                if hands and earlier.hand is not None:
                    hands[-1].acts.append(Over(None))
                hands.append(self.opened(index, earlier, state))
            elif hands:
                hands[-1].follow(index, event, earlier, state)
            else:
                before += self.between(index, earlier, state)
        dealer = state.hand.dealer if state.hand else self.next_dealer(state)
        return Script(tuple(lines), first, tuple(before), tuple(hand.close(rng) for hand in hands), dealer)


def _followed(lines: Sequence[Line], rules: Rules, state: State) -> Iterator[tuple[int, Event, State, State]]:
    """For each line after the first its index, its event, and the game before and after it. ``state``: after the first line."""
    for index, line in enumerate(lines[1:], start=1):
        try:
            after = rules.apply(state, line.event)
        except Illegal as error:
            raise ScriptError(str(error.at(index + 1))) from None
        yield index, line.event, state, after
        state = after


def latest(state: State, n: int) -> State | None:
    """Hand ``n`` as the engine knows it: in progress, or the last one over."""
    return next((hand for hand in (state.hand, state.ended) if hand is not None and hand.n == n), None)
