"""Table log → script, of games with cards in the hand: hand by hand what people do, act by act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, Protocol, TypeVar

from companion.table.game import Rules, State
from companion.table.log import Event, Line
from workshop.choreography.acts import Act, Note, Over
from workshop.choreography.following import begun, followed


@dataclass(frozen=True, slots=True)
class HandScript:
    """One hand and what follows it until the next.

    ``line``: index of its ``hand`` line. ``order``: seats in the order of play, the dealer last.
    """

    line: int
    dealer: int
    order: tuple[int, ...]
    acts: tuple[Act, ...]


H = TypeVar("H", bound=HandScript)
Played = TypeVar("Played", bound=HandScript, covariant=True)


@dataclass(frozen=True, slots=True)
class Script(Generic[H]):
    """A whole log. ``deck``: ids of the cards that are played with. ``before``: acts before the first hand."""

    lines: tuple[Line, ...]
    deck: tuple[str, ...]
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
        """Who deals the first hand."""
        return self.hands[0].dealer if self.hands else self.final_dealer


class OpenHand(Protocol[Played]):
    """A hand that is still being read."""

    acts: list[Act]

    def follow(self, index: int, event: Event, before: State, after: State) -> None:
        """Add the acts of the line with this index."""

    def close(self, rng: Random) -> Played:
        """The finished hand. ``rng`` picks what nobody ever sees."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[H]):
    """How the logs of a game are read. ``game``: its first line; ``hand``: the line that begins a hand; ``name``: of the game.

    ``opened``: the hand that the line with this index begins, of the game before the line and after it; ``deck``: the cards that
    are played with.
    """

    rules: Rules
    game: type[Event]
    hand: type[Event]
    name: str
    deck: Callable[[State], tuple[str, ...]]
    opened: Callable[[int, State, State], OpenHand[H]]

    def script(self, lines: Sequence[Line], rng: Random) -> Script[H]:
        """The script of a log. ``rng`` picks the faces of cards that nobody ever sees, and who was dealt when what nobody saw.

        Raises:
            ScriptError: no game line first, or a line that cannot have happened.
        """
        first = state = begun(lines, self.rules, self.game, self.name)
        before: list[Act] = []
        hands: list[OpenHand[H]] = []
        for index, event, earlier, state in followed(lines, self.rules, first):
            if isinstance(event, self.hand):
                if hands and earlier.hand is not None:
                    hands[-1].acts.append(Over(None))
                hands.append(self.opened(index, earlier, state))
            elif hands:
                hands[-1].follow(index, event, earlier, state)
            else:
                before.append(Note(index))
        dealer = state.hand.dealer if state.hand else state.dealer
        return Script(tuple(lines), self.deck(first), tuple(before), tuple(hand.close(rng) for hand in hands), dealer)


def latest(state: State, n: int) -> State | None:
    """Hand ``n`` as the engine knows it: in progress, or the last one over."""
    return next((hand for hand in (state.hand, state.ended) if hand is not None and hand.n == n), None)
