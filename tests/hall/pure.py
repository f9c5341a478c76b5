"""A hall without a database: the same decisions, on lists; and a database that holds nothing, to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ways import Way

from companion.dashboard.settings import DEFAULTS
from companion.hall.decision import continued, fate
from companion.hall.intake import Unwelcome
from companion.hall.messages import GameRows, Have, Hello, Pair, Paired, Send, Sent, Welcome
from companion.hall.seats import Seat
from companion.hall.shown import KeptState, made
from companion.ledger.outbox import Row


class Branch:
    """One branch of a game, as the table `game` has it."""

    def __init__(self, rewritten: int) -> None:
        self.rows: list[Row] = []
        self.has = Have(rewritten=rewritten)
        self.kept = KeptState()


class PureHall:
    """As `companion.hall.intake.Intake` and `companion.hall.seats.Seats`. ``games``: ledger and number → branches, the newest
    last; ``taken``: how many rows were taken in, however often they came."""

    def __init__(self) -> None:
        self.games: dict[tuple[str, int], list[Branch]] = {}
        self.ledgers: dict[str, str] = {}
        self.senders: dict[str, str] = {}
        self.taken = 0

    def pair(self, wish: Pair) -> Paired:
        token = f"token {len(self.ledgers) + 1}"
        self.ledgers[token] = wish.ledger
        return Paired(token, wish.name or str(len(self.ledgers)))

    def find(self, token: str) -> Seat | None:
        ledger = self.ledgers.get(token)
        return Seat(list(self.ledgers).index(token) + 1, "", ledger, "", None) if ledger is not None else None

    def welcome(self, seat: Seat, hello: Hello) -> Welcome:
        self.senders[seat.ledger] = hello.sender
        mine = {number: found[-1].has for (ledger, number), found in self.games.items() if ledger == seat.ledger}
        return Welcome("", mine, 0.0)

    def take(self, seat: Seat, send: Send) -> Any:
        if self.senders.get(seat.ledger) != send.sender:
            raise Unwelcome("replaced" if self.senders.get(seat.ledger) else "hello")
        return Answer(Sent({one.game: self._take(seat.ledger, one) for one in send.games}, (), 1.0))

    def restored(self, back: int) -> None:
        """What the newest rows of every game were is gone, and every table has to say hello."""
        self.senders.clear()
        for found in self.games.values():
            rows, rewritten = found[-1].rows[:-back], found[-1].has.rewritten
            found[-1] = Branch(rewritten)
            self._put(found[-1], GameRows(0, 0.0, rewritten, False, "", 0, "", tuple(rows)))  # type: ignore[arg-type]

    def view(self, ledger: str, game: int) -> bytes:
        """What spectators see of a game, in Italian."""
        newest = self.games[ledger, game][-1]
        values = made(newest.kept, newest.rows[newest.kept.log.version :], game, "", DEFAULTS)
        return str(values[4]).encode()

    def _take(self, ledger: str, sent: GameRows) -> Have:
        found = self.games.setdefault((ledger, sent.game), [])
        match fate(found[-1].has if found else None, sent):
            case "said":
                return found[-1].has
            case "other_words":
                found[:] = [Branch(sent.rewritten)]
            case "first" | "branch":
                found.append(Branch(sent.rewritten))
        self._put(found[-1], sent)
        return found[-1].has

    def _put(self, branch: Branch, sent: GameRows) -> None:
        if (further := continued(branch.has.number, branch.has.chain, sent)) is not None:
            branch.has = Have(*further, branch.has.rewritten)
            branch.rows += [Row(row.number, row.recorded, row.head, row.tail, row.lines) for row in sent.rows]
            self.taken += len(sent.rows)


class Answer:
    def __init__(self, sent: Sent) -> None:
        self.sent = sent


class PureWay(Way):
    """A way to such a hall, to be cut as any."""

    def __init__(self, hall: PureHall) -> None:
        self.seats = self.intake = hall  # type: ignore[assignment]
        self.cut = self.lost = self.twice = self.late = False
        self.sent: list[tuple[object, str]] = []

    def unheard(self) -> None:
        """It keeps no times."""


class Nothing:
    """A database in which nothing is found but what was kept last under a name; as `companion.hall.database.Database`."""

    def __init__(self) -> None:
        self.value: object = None

    @contextmanager
    def taking(self) -> Iterator[Nothing]:
        yield self

    viewing = organiser = taking

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> Nothing:
        self.said = statement
        if "INTO secret" in statement:
            self.value = values[-1]
        return self

    def fetchall(self) -> list[Any]:
        return []

    def fetchone(self) -> tuple[Any] | None:
        return (self.value,) if "FROM secret" in self.said else None

    def close(self) -> None:
        pass
