"""What the house asks of a game: plain protocols, which a module may be. The games themselves are in `companion.games`.

A game's state and its events are opaque to the house: frozen, hashable values that it hands back to the game's own functions.
Players are known by the names of the log's first line; what goes round the table goes in the order of those names, and which way
that is, is the game's.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple, Protocol, TypeAlias

from companion.table.errors import Illegal
from companion.table.log import Event, LogFormat

State: TypeAlias = Any
"""A game as it stands: frozen and hashable. Only its rules look into it."""


class Between(NamedTuple):
    """The table waits for the next hand."""


class Turn(NamedTuple):
    """The table waits for somebody in a hand.

    ``step``: for what, in the game's own words (``decide``, ``answer``, ``show``); ``who``: the player, None for all who are
    still in; ``whom``: whom it goes to or comes from, where there is somebody.
    """

    step: str
    who: str | None
    whom: str | None = None


class Over(NamedTuple):
    """The game is over."""


Waiting = Between | Turn | Over
"""What the table waits for."""


class Report(Protocol):
    """What a game has come to."""

    def to_dict(self) -> dict[str, Any]:
        """As `companion rule --json` prints it: plain dicts, lists, and numbers of any size."""


class Rules(Protocol):
    """A game's rules, pure: no files, no clock, no chance."""

    LOG: LogFormat
    """How a log of this game is read."""

    def begin(self, game: Event, /) -> State:
        """The game before its first hand, as the log's first line has it.

        Raises:
            Illegal: no such game can be.
        """

    def apply(self, state: State, event: Event, /) -> State:
        """The game after this event; the given state stays as it is.

        Raises:
            Illegal: this cannot have happened now; the error says why, by which rule, and what was expected.
        """

    def check(self, state: State, event: Event, /) -> Illegal | None:
        """Why this cannot have happened now, or None when it can."""

    def legal_acts(self, state: State, /) -> tuple[Event, ...]:
        """Every event that could have happened now, each in its plainest form."""

    def waiting(self, state: State, /) -> Waiting:
        """What the table waits for."""

    def names(self, state: State, /) -> tuple[str, ...]:
        """The players, in the order of the log's first line."""

    def hands(self, state: State, /) -> int:
        """How many hands are over, void ones among them."""

    def in_hand(self, state: State, /) -> bool:
        """Whether a hand is in progress."""

    def outcome(self, state: State, /) -> Hashable:
        """What the hand in progress comes to so far, or the last one came to: two histories with equal outcomes pay the same."""

    def ruling(self, state: State, n: int, /) -> Any:
        """What hand number ``n`` (from 1) came to, or comes to so far: a frozen value that pages of the game understand.

        None where no such hand has been begun.
        """

    def report(self, state: State, /) -> Report:
        """What the game has come to."""
