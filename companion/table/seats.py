"""Players as seats: 0 to n-1, as the log's first line names them; the turn goes from a seat to the next. Any game's.

And the reasons why a log of any game is refused: each with its code, and its sentence in English for gettext.
"""

from __future__ import annotations

from typing import TypeVar

from companion.table.errors import Illegal, Reason
from companion.table.language import N_

# Why a log of any game is refused: each reason's code, and its sentence in English for gettext.


NO_GAME_LINE = Reason("no_game_line", N_("no game line"))
GAME_LINE_TOO_LATE = Reason("game_line_too_late", N_("something happens before the game line"))
STRANGER = Reason("stranger", N_("nobody called {player} sits at this table"))
STRANGER_ALIKE = Reason(
    "stranger_alike",
    N_("nobody called “{player}” sits at this table, but “{name}” does: the two differ in blanks, accents or capitals alone"),
)

Seat = int
NOBODY: Seat = -1
Seats = int
"""A set of seats, as a bit mask."""
T = TypeVar("T")


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The tuple with ``value`` at index ``place``. (Through a list, which is faster than slices.)

    >>> put((0, 0, 0), 1, 5)
    (0, 5, 0)
    """
    changed = [*values]
    changed[at] = value
    return tuple(changed)


ROUNDS = {n: tuple([(*range(seat, n), *range(seat)) for seat in range(n)]) for n in range(1, 41)}
"""Number of players → seat → all seats in turn from it."""


def seat_of(names: tuple[str, ...], name: str) -> Seat:
    """The seat of this player.

    Raises:
        Illegal: nobody is called so.
    """
    try:
        return names.index(name)
    except ValueError:
        raise stranger(names, name, f"one of {', '.join(names)}") from None


def stranger(names: tuple[str, ...], name: str, expected: str) -> Illegal:
    """The error that no player has this name; it also names a player whose name looks the same, if there is one."""
    from companion.table.people import name_key  # only here: a log without strangers needs no keys of names

    alike = [one for one in names if name_key(one) == name_key(name)]
    if alike:
        return Illegal(STRANGER_ALIKE, expected=f"“{alike[0]}”", player=name, name=alike[0])
    return Illegal(STRANGER, expected=expected, player=name)
