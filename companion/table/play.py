"""Functions for the rules of any game: replay a log, and try events. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from companion.table.errors import GameError, Illegal, Malformed
from companion.table.log import Event, Line, LogFormat, tag
from companion.table.seats import GAME_LINE_TOO_LATE, NO_GAME_LINE

S = TypeVar("S")
Apply = Callable[[S, Event], S]


class PlainRules(Generic[S]):
    """A base for `companion.table.game.Rules`. The game itself says how it begins, how an event changes it, what can happen, and
    what it has come to; the rest follows here. Its state has the ``table`` with its ``names``, the ``hand`` in progress (None
    between hands), and an entry in ``hands`` for each hand that is over.

    ``at_line``: returns a state that knows the number of the next event's line, for games whose rulings name lines; None for
    others.
    """

    LOG: LogFormat
    at_line: Callable[[S, int], S] | None = None

    def begin(self, game: Any, /) -> S:
        raise NotImplementedError

    def apply(self, state: S, event: Event, /) -> S:
        raise NotImplementedError

    def check(self, state: S, event: Event, /) -> Illegal | None:
        """Why this cannot have happened now, or None when it can."""
        try:
            self.apply(state, event)
        except Illegal as error:
            return error
        return None

    def replay(self, lines: Iterable[Line]) -> S:
        """The state after these lines; the first is the `game` line.

        Raises:
            GameError: at the first line that cannot have happened; ``line`` counts the given lines from 1.
        """
        return replay(self.begin, self.apply, enumerate(lines, start=1))

    def replay_log(self, data: bytes) -> S:
        """The lines of this log, and the state after them.

        Raises:
            GameError: at the first line that cannot be read or cannot have happened, naming its number in the file.
        """
        return replay(self.begin, self.apply, self.LOG.numbered_lines(data), self.at_line)

    def names(self, state: Any, /) -> tuple[str, ...]:
        """The players, in the order of the log's first line."""
        names: tuple[str, ...] = state.table.names
        return names

    def hands(self, state: Any, /) -> int:
        """The number of hands that are over, void ones included."""
        return len(state.hands)

    def in_hand(self, state: Any, /) -> bool:
        """Whether a hand is in progress."""
        return state.hand is not None


def replay(
    begin: Callable[[Event], S], apply: Callable[[S, Event], S], numbered: Iterable[tuple[int, Line]],
    at_line: Callable[[S, int], S] | None = None,
) -> S:  # fmt: skip
    """The state after these lines, each with its number; the first is the `game` line. ``begin``, ``apply``: of the game's rules;
    ``at_line``: returns a state that knows the number of the next event's line, for games whose rulings name lines; None for
    others.

    Raises:
        GameError: at the first line that cannot be read or cannot have happened, naming its number.
    """
    numbered = iter(numbered)
    number, line = next(numbered, (1, None))
    if line is None or tag(line.event) != "game":
        raise _no_game_line(number, numbered)
    try:
        state = begin(line.event)
        for number, line in numbered:
            state = apply(state if at_line is None else at_line(state, number), line.event)
    except GameError as error:
        raise error if error.line is not None else error.at(number) from None
    return state


def _no_game_line(first: int, others: Iterable[tuple[int, Line]]) -> Malformed:
    """The error of a log that does not begin with its game line. It names line 1 where the log has no game line at all."""
    try:
        later = any(tag(line.event) == "game" for _, line in others)
    except Malformed:
        later = False
    reason = GAME_LINE_TOO_LATE if later else NO_GAME_LINE
    return Malformed(reason, expected="a log that begins with its game line", line=first if later else 1)


def state_after(apply: Apply[S], state: S, events: Iterable[Event]) -> S | None:
    """The state after these events in order; None where the rules forbid one. ``apply``: of the game's rules."""
    try:
        for event in events:
            state = apply(state, event)
    except Illegal:
        return None
    return state


def possible(apply: Apply[S], state: S, events: Iterable[Event]) -> bool:
    """Whether the rules allow these events in this order, from this state on. ``apply``: of the game's rules."""
    return state_after(apply, state, events) is not None
