"""A table of a hall, for `tools/faults.py --hall` and `benchmarks/bench_hall.py`: its ledger takes in an evening line by
line, and a real sender takes it to the hall. The hall must have every row of it, byte for byte.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

from companion.games import log_format
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.hall.messages import Done, OpenQuestion, Rung, TableCommand
from companion.hall.table.call import Call
from companion.hall.table.link import joined
from companion.hall.table.membership import Membership, kept
from companion.hall.table.sender import Sender
from companion.ledger import Ledger, outbox
from companion.table.log import Line

MAX_ROWS = 10**7
"""Number of rows, at most, that are compared of one game: all of them."""


class QuietDesk:
    """A table's program that asks no question and does none of the commands that a hall sends (the protocol:
    `companion.hall.table.exchange.Desk`)."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self.call = ledger, Call()

    def mark(self) -> Hashable:
        game = self._ledger.newest()
        return game, self._ledger.version(game) if game is not None else 0

    def shows(self) -> int | None:
        return self._ledger.newest()

    def questions(self) -> tuple[OpenQuestion, ...]:
        return ()

    def hear(self, bell: Rung | None) -> None:
        """Nobody is there to read it."""

    def obey(self, told: TableCommand) -> Done:
        return Done(told.id, 400)


class HallTable:
    """One table, which plays the evening ``log`` to its end, takes it back line by line, and so on. ``game``: the one of the
    ledger ``file`` (None: in memory) that it goes on with, 0: a new one."""

    def __init__(self, file: Path | None, log: tuple[Line, ...], game: int = 0) -> None:
        self.log, self.played = log, 1
        self.ledger = Ledger.open(file, log_format) if file is not None else Ledger.in_memory(log_format)
        self.game = game or self.ledger.begin(log[:1])
        self.senders: list[Sender] = []
        self._member: Membership | None = None

    def join(self, url: str, code: str, name: str) -> None:
        """Join the hall at ``url`` under this name, and send to it."""
        self._member = joined(url, code, outbox.identity(self.ledger), name, 1)
        self.send()

    def go_on(self) -> None:
        """Send to the hall that the ledger has joined."""
        self._member = kept(self.ledger)
        self.send()

    def send(self) -> None:
        """Begin a sender, beside those that there are."""
        assert self._member is not None, "joined before"
        self.senders.append(Sender(self.ledger, QuietDesk(self.ledger), self._member))

    def record(self) -> int:
        """Record one more line, or one less; the version that the ledger has now."""
        self.played += 1
        last = len(self.log) - 1
        upto = last - abs(last - self.played % (2 * last))  # 0 … last … 0
        return self.ledger.record(self.game, self.log[: upto + 1])

    def fall_silent(self) -> None:
        """End the senders."""
        while self.senders:
            self.senders.pop().close()

    def close(self) -> None:
        """End the senders, and close the ledger."""
        self.fall_silent()
        self.ledger.close()

    def branches(self, database: Database) -> list[bool]:
        """As `branches`, of its own game."""
        return branches(self.ledger, self.game, database)


def branches(ledger: Ledger, game: int, database: Database) -> list[bool]:
    """For each game that the hall has of this ledger, and there must be one: whether every row of ``game`` is there, byte for
    byte."""
    newest = ledger.version(game)
    with database.taking() as connection:
        games = connection.execute("SELECT id, last FROM game WHERE ledger = %s", (outbox.identity(ledger),)).fetchall()
        return [last == newest and rows_of(connection, id) == outbox.rows(ledger, game, 0, MAX_ROWS) for id, last in games]
