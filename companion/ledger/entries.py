"""What the ledger tells of a game, and what it raises where there is none or it has gone on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from companion.table.log import LogFormat

ARCHIVED = "archived"
"""Name of the note that marks a game as kept only to be looked at."""
DELETED = "deleted"
"""Name of the note that marks a game as deleted: it does not count and is shown nowhere, until it is restored."""
TAKEN_UP = "taken_up"
"""Name of the note of a game that was continued after others had begun: its place in the order of games, see `Ledger.newest`."""


class UnknownGame(LookupError):
    """No such game, or no such version of it, in this ledger."""


class Overtaken(Exception):
    """Something else was recorded of a game since this change was worked out: it has to be worked out again."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the ledger: `started` in Unix seconds, `version` of its newest log (0: nothing recorded yet)."""

    id: int
    started: float
    source: str
    version: int


FindFormat = Callable[[str | None], LogFormat]
"""How a log is read, given the game that its first line says (None where it says none)."""


class Report(NamedTuple):
    """What was reported of a game: a ``text``, and when it was ``recorded`` (Unix seconds; None: by an older program)."""

    text: str
    recorded: float | None


class Stand(NamedTuple):
    """How far a game has come: the newest ``version`` of its log, and how many ``reports`` there are of it."""

    version: int
    reports: int
