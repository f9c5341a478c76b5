"""A way from a table to a hall that tests can cut, without a socket: the same requests, answered by the same code."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

import msgspec

from companion.hall.database import Database
from companion.hall.intake import Intake, Unwelcome
from companion.hall.messages import Done, Hello, OpenQuestion, Pair, Paired, Rung, Send, TableCommand
from companion.hall.seats import Seats
from companion.hall.table.call import Call
from companion.hall.table.exchange import Exchange
from companion.hall.table.link import Away, HallRefused
from companion.hall.table.membership import Membership
from companion.ledger import Ledger, outbox


class Way:
    """``cut``: nothing arrives; ``lost``: what is asked arrives, and its answer does not; ``twice``: it arrives twice; ``late``:
    what was asked before arrives once more, behind it."""

    def __init__(self, database: Database, clock: Callable[[], float] | None = None) -> None:
        self.database = database
        self.seats, self.intake = Seats(database), Intake(database, clock) if clock is not None else Intake(database)
        self.cut = self.lost = self.twice = self.late = False
        self.sent: list[tuple[object, str]] = []

    def ask(self, path: str, body: object, kind: type[Any], token: str = "") -> Any:
        if self.cut:
            raise Away("cut")
        found = self._answered(body, token)
        if self.twice:
            self._again(body, token)
        if self.late and self.sent:
            self._again(*self.sent[-1])
        self.sent.append((body, token))
        if self.lost:
            raise Away("lost")
        return msgspec.json.decode(msgspec.json.encode(found), type=kind)

    def unheard(self) -> None:
        """The machines that have joined were not heard for a while: another one may join as their table."""
        with self.database.owner() as connection:
            connection.execute("UPDATE seat_at SET heard = heard - 600")

    def _again(self, body: object, token: str) -> None:
        with suppress(HallRefused):
            self._answered(body, token)

    def _answered(self, body: object, token: str) -> object:
        body = msgspec.json.decode(msgspec.json.encode(body), type=type(body))
        seat = self.seats.find(token)
        if seat is None:
            raise HallRefused(401, "taken_over" if self.seats.taken_over(token) else "unknown_table", "unknown")
        try:
            return self.intake.welcome(seat, body) if isinstance(body, Hello) else self._taken(seat, body)
        except Unwelcome as unwelcome:
            raise HallRefused(409, unwelcome.code, unwelcome.code) from unwelcome

    def _taken(self, seat: Any, body: object) -> object:
        assert isinstance(body, Send)
        return self.intake.take(seat, body).sent


class Plain:
    """A table's program that asks nothing, and notes what it is told to do."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.call = ledger, Call()
        self.open: tuple[OpenQuestion, ...] = ()
        self.obeyed: list[TableCommand] = []

    def mark(self) -> Hashable:
        return self.shows(), self.open, self.ledger.version(self.shows() or 1) if self.shows() else 0

    def shows(self) -> int | None:
        return self.ledger.newest()

    def questions(self) -> tuple[OpenQuestion, ...]:
        return self.open

    def hear(self, bell: Rung | None) -> None:
        self.bell = bell

    def obey(self, told: TableCommand) -> Done:
        self.obeyed.append(told)
        return Done(told.id, 200)


def member(way: Way, ledger: Ledger, name: str = "") -> Membership:
    """The ledger's table joins; a machine that it had before is not heard any more."""
    way.unheard()
    paired: Paired = way.seats.pair(Pair("", outbox.identity(ledger), name))
    return Membership("http://127.0.0.1", paired.token, "", paired.name, 1)


def exchange(way: Way, ledger: Ledger, name: str = "", sender: str = "") -> Exchange:
    """The table joins, and begins to send."""
    return Exchange(ledger, Plain(ledger), member(way, ledger, name), way, sender)


def drained(one: Exchange) -> None:
    """Send until nothing is left, however often the way fails."""
    while True:
        try:
            if one.step():
                return
        except Away:
            one.forget()
