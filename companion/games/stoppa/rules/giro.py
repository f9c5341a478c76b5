"""The dealers' round: how hands are counted, and which one is the last (rule 18)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.state import State
from companion.table.seats import seat_of


class Standing(Struct, frozen=True):
    """Where the giro stands: its number, the hand of it in progress or ended last (0: none), how many it has; ``last`` None
    until it is called, then whether that hand is the last of all."""

    n: int
    hand: int
    of: int
    called: bool
    last: bool | None


def giro_of(index: int, players: int) -> int:
    """The giro that hand number ``index`` belongs to; before the first hand, the first.

    >>> [giro_of(index, 4) for index in (0, 1, 4, 5)]
    [1, 1, 1, 2]
    """
    return max(1, -(-index // players))


def standing(state: State) -> Standing:
    """Where the giro stands, by the hand in progress or the last that counts."""
    of, index = len(state.table.names), state.counted + (state.hand is not None)
    n = giro_of(index, of)
    called = state.last_hand > 0
    return Standing(n, index - (n - 1) * of, of, called, index == state.last_hand if called else None)


def call(state: State, event: log.Giro) -> State:
    """Somebody calls the giro: this one is finished, and one more is played. Called again it changes nothing.

    Raises:
        Illegal: nobody is called so.
    """
    seat_of(state.table.names, event.by)
    if state.last_hand:
        return state
    of, index = len(state.table.names), state.counted + (state.hand is not None)
    return replace(state, last_hand=(giro_of(index, of) + 1) * of)
