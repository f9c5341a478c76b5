"""What the program asks of a game: protocols that a module can fulfil. The games themselves are in `companion.games`.

The general code does not look into a game's state and events: they are frozen, hashable values that it hands back to the game's
own functions. Players are identified by the names in the log's first line. Turns go round the table in the order of these names;
the game says whether that is clockwise.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, Protocol, TypeAlias

from companion.table.errors import Illegal
from companion.table.log import Event, LogFormat

State: TypeAlias = Any
"""The state of a game: frozen and hashable. Only the game's own rules look into it."""


class Between(NamedTuple):
    """The table waits for the next hand."""


class Turn(NamedTuple):
    """The table waits for somebody in a hand.

    ``step``: for what, in the game's own words (``decide``, ``answer``, ``show``); ``who``: the player, None for all who are
    still in; ``whom``: the other player who is concerned, None for none.
    """

    step: str
    who: str | None
    whom: str | None = None


class Over(NamedTuple):
    """The game is over."""


Waiting = Between | Turn | Over
"""What the table waits for."""


class Report(Protocol):
    """The result of a game so far."""

    def to_dict(self) -> dict[str, Any]:
        """The report as `companion rule --json` prints it: plain dicts, lists, and numbers of any size."""


class Rules(Protocol):
    """A game's rules, pure: no files, no clock, no chance."""

    LOG: LogFormat
    """How a log of this game is read."""

    def begin(self, game: Event, /) -> State:
        """The state before the first hand. ``game``: the log's first line.

        Raises:
            Illegal: no such game can be.
        """

    def apply(self, state: State, event: Event, /) -> State:
        """The state after this event; the given state does not change.

        Raises:
            Illegal: this cannot have happened now; the error says why, by which rule, and what was expected.
        """

    def check(self, state: State, event: Event, /) -> Illegal | None:
        """Why this cannot have happened now, or None when it can."""

    def legal_acts(self, state: State, /) -> tuple[Event, ...]:
        """All events that could happen now, each in its plainest form."""

    def waiting(self, state: State, /) -> Waiting:
        """What the table waits for."""

    def names(self, state: State, /) -> tuple[str, ...]:
        """The players, in the order of the log's first line."""

    def hands(self, state: State, /) -> int:
        """The number of hands that are over, void ones included."""

    def in_hand(self, state: State, /) -> bool:
        """Whether a hand is in progress."""

    def outcome(self, state: State, /) -> Hashable:
        """What the hand in progress has come to so far, or else the last one: histories with equal outcomes pay the same."""

    def ruling(self, state: State, n: int, /) -> Any:
        """What hand number ``n`` (from 1) has come to (so far): a frozen value that the game's own pages understand.

        None where no such hand has been begun.
        """

    def report(self, state: State, /) -> Report:
        """The result of the game so far."""
