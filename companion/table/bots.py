"""What bots of any game need: a game in play, and names for its players."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Generic, TypeVar

from companion.table.errors import SimulatorError
from companion.table.log import Event, Line

S = TypeVar("S")


class GameInPlay(Generic[S]):
    """A game in play: its ``state``, the ``events`` that led to it, and ``rng``, the random numbers that bots use. The rules
    check every event, so that none is written that could not happen."""

    def __init__(self, begin: Callable[..., S], apply: Callable[[S, Event], S], first: Event, rng: Random) -> None:
        self._apply, self.rng = apply, rng
        self.state = begin(first)
        self.events: list[Event] = [first]

    def do(self, event: Event) -> None:
        """Apply this event, and add it to the log.

        Raises:
            Illegal: it cannot happen now.
        """
        self.state = self._apply(self.state, event)
        self.events.append(event)

    def happens(self, chance: float) -> bool:
        """True with the probability ``chance``."""
        return self.rng.random() < chance

    @property
    def lines(self) -> tuple[Line, ...]:
        """The game's log so far."""
        return tuple([Line(event) for event in self.events])


def check_players(count: int, *, fewest: int, most: int, game: str) -> None:
    """Check the number of players of ``game``, by its title.

    Raises:
        SimulatorError: there are fewer than ``fewest``, or more than ``most``.
    """
    if not fewest <= count <= most:
        players = "1 player" if count == 1 else f"{count} players"
        raise SimulatorError(f"{players} cannot play {game}: expected {fewest} to {most}")


def first_of(names: tuple[str, ...], count: int, *, fewest: int, game: str) -> tuple[str, ...]:
    """The first ``count`` of these names, for the players of ``game``.

    Raises:
        SimulatorError: ``count`` is not a number of players for this game.
    """
    check_players(count, fewest=fewest, most=len(names), game=game)
    return names[:count]


def rounded(amount: int) -> int:
    """An amount rounded down to full tens, as people name amounts; below ten to a whole number, at least 1.

    >>> rounded(127), rounded(7), rounded(0)
    (120, 7, 1)
    """
    return max(1, amount - amount % 10 if amount >= 10 else amount)
