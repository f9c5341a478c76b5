"""How a table sends its games to a hall, step by step: ask what the hall has, send the next rows, repeat.

The ledger itself is the outbox. What the hall has already, it says at every connection; the table keeps no record of that.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Protocol, TypeVar

import msgspec

from companion.hall.messages import (
    MAX_ROWS,
    PROTOCOL,
    ROWS_BYTES,
    Done,
    GameKept,
    GameRows,
    Have,
    Hello,
    OpenQuestion,
    Rung,
    Send,
    Sent,
    SentReport,
    SentRow,
    TableCommand,
    Welcome,
)
from companion.hall.table.call import Call
from companion.hall.table.link import Away
from companion.hall.table.membership import Membership
from companion.ledger import Ledger, UnknownGame, outbox
from companion.ledger.outbox import Outgoing, Row
from companion.ledger.statements import noted
from companion.line.recorder import MISSED, PEOPLE

KEPT_BYTES = ROWS_BYTES // 3
"""Bytes of reports, and of notes, in one message."""
Asked = TypeVar("Asked")


class Desk(Protocol):
    """What is asked of the table's program: `companion.hall.table.desk.Desk`."""

    def mark(self) -> Hashable: ...

    def shows(self) -> int | None: ...

    def questions(self) -> tuple[OpenQuestion, ...]: ...

    def obey(self, told: TableCommand) -> Done: ...

    @property
    def call(self) -> Call: ...

    def hear(self, bell: Rung | None) -> None: ...


class Asks(Protocol):
    """The way to the hall: `companion.hall.table.link.Link`. Raises Away; Refused."""

    def ask(self, path: str, body: object, kind: type[Asked], token: str = "") -> Asked: ...  # nosec B107 # none


class Exchange:
    """The exchange of one run of a table's program. For one thread. Raises Away, Refused; LedgerError as the ledger does.

    Attributes:
        mark: what `Desk.mark` gave at the last step. left: number of rows that the hall has not got yet. skew_s: seconds by which
            the table's clock is ahead of the hall's.
    """

    def __init__(
        self, ledger: Ledger, desk: Desk, membership: Membership, link: Asks, sender: str = "",
        closed: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self._ledger, self._desk, self._member, self._link = ledger, desk, membership, link
        self._sender, self._closed = sender or secrets.token_hex(8), closed
        self._has: dict[int, Have] | None = None
        self._told: dict[int, tuple[bool, bool, int]] = {}
        self._chains: dict[int, tuple[int, int, str]] = {}
        self._questions: tuple[OpenQuestion, ...] | None = None
        self._asked_at: Hashable = None
        self._done: tuple[Done, ...] = ()
        self._keeps_all, self._reports = False, dict[int, int]()
        self._noted: tuple[int, dict[str, str]] = (0, {})
        self._was_replaced = False
        self.mark: Hashable = None
        self.left, self.skew_s = 0, 0.0

    def forget(self) -> None:
        """Let the next step ask again what the hall has, before it sends anything."""
        self._has = None

    def greets_again(self, error: str) -> bool:
        """Whether to say hello again after this refusal: always where the hall was restarted, once where another run of this
        table's program took over. That other run may have been killed, with its hello arriving late; where it still lives it also
        says hello once more, and the one that does so last stays."""
        again = error == "hello" or (error == "replaced" and not self._was_replaced)
        self._was_replaced |= error == "replaced"
        if again:
            self.forget()
        return again

    def meet(self) -> None:
        """Ask what the hall has."""
        hello = Hello(PROTOCOL, outbox.identity(self._ledger), self._sender, time.time())
        welcome = self._link.ask("/api/hall/table/hello", hello, Welcome, self._member.token)
        self._has, self._told, self._questions, self._asked_at = welcome.games, {}, None, None
        self.skew_s = welcome.skew_s
        self._keeps_all, self._reports, self._noted = welcome.keeps_all, welcome.reports, (0, {})

    def step(self) -> float:
        """Send the next rows, and do the commands that come back. Returns the seconds after which to take the next step, 0 where
        there is more to send."""
        if self._has is None:
            self.meet()
        assert self._has is not None
        self.mark = self._desk.mark()
        games, left = self._next()
        questions = self._asked()
        for one in games:
            if one.instead is not None:  # what the hall has of it besides is of the rows of before
                self._reports.pop(one.game, None)
                self._noted = (0, {})
        call, shows = self._desk.call.token, self._desk.shows()
        kept = self._kept(shows) if shows is not None and self._keeps_all else None
        send = Send(self._sender, shows, games, questions, self._done, call, kept)
        sent = self._link.ask("/api/hall/table/send", send, Sent, self._member.token)
        self._desk.call.acknowledge(call, sent.called)
        self._desk.hear(sent.bell)
        self._has.update(sent.games)
        self._told.update({one.game: (one.gone, one.counts, one.goes_on_from or 0) for one in games})
        if questions is not None:
            self._questions = questions
        if kept is not None and sent.reports is not None:
            self._reports[kept.game] = sent.reports
            if kept.notes is not None and sent.reports == kept.after + len(kept.reports):
                self._noted = kept.game, kept.notes
        self._done = tuple(self._desk.obey(one) for one in sent.commands)
        self.left = max(left - sum(len(one.rows) for one in games), 0)
        goes_on = kept is not None and bool(kept.reports) and sent.reports is not None
        return 0.0 if self.left or self._done or goes_on else sent.again_s

    def _asked(self) -> tuple[OpenQuestion, ...] | None:
        """The open questions; None where the hall has just these."""
        if self._questions is not None and self._asked_at == self.mark:
            return None
        found = self._desk.questions()
        self._asked_at = self.mark
        return found if found != self._questions else None

    def _next(self) -> tuple[tuple[GameRows, ...], int]:
        """The next rows to send, the newest game first, as many as fit into one message; and how many rows were still to be sent,
        these included."""
        found: list[GameRows] = []
        rows, size, left, earlier = MAX_ROWS, ROWS_BYTES, 0, noted(self._ledger, PEOPLE)
        for told in reversed(outbox.outgoing(self._ledger)):
            if told.game < self._member.first:
                break
            has = self._has_of(told.game)
            after, before, instead = self._continues(told, has)
            left += told.version - after
            goes_on_from = int(earlier.get(told.game, 0))
            known = self._told.get(told.game, (False, True, 0))
            if instead is None and told.version == after and known == (told.gone, told.counts, goes_on_from):
                continue
            more = outbox.rows(self._ledger, told.game, after, rows)
            taken = _within(more, size)
            if len(taken) < len(more) and not taken and not found:
                raise Away(f"version {after + 1} of game {told.game} is too large to be sent")
            rows, size = rows - len(taken), size - sum(len(row.lines) for row in taken)
            found.append(GameRows(
                told.game, told.started, told.rewritten, told.gone, self._missed(told.game), after, before,
                tuple(SentRow(*row) for row in taken), instead, told.counts, goes_on_from,
            ))  # fmt: skip
            if rows <= 0 or len(taken) < len(more):
                break
        return tuple(found), left

    def _has_of(self, game: int) -> Have:
        assert self._has is not None
        return self._has.get(game, Have())

    def _continues(self, told: Outgoing, has: Have) -> tuple[int, str, Have | None]:
        """The number and the chain of the row after which to send rows; and what the hall has of the game where they are to take
        its place, or else None."""
        if has.rewritten == told.rewritten and has.number <= told.version and self._chain(told, has.number) == has.chain:
            return has.number, has.chain, None
        return 0, outbox.EMPTY_CHAIN, has

    def _chain(self, told: Outgoing, number: int) -> str:
        """The chain of hashes of a game up to this row, computed on from the last one that was needed."""
        rewritten, known, found = self._chains.get(told.game, (told.rewritten, 0, outbox.EMPTY_CHAIN))
        if rewritten != told.rewritten or known > number:
            known, found = 0, outbox.EMPTY_CHAIN
        while known < number and not self._closed():
            more = outbox.rows(self._ledger, told.game, known, min(MAX_ROWS, number - known))
            if not more:
                break
            found, known = outbox.chained(found, more), known + len(more)
        self._chains[told.game] = told.rewritten, known, found
        return found

    def _kept(self, game: int) -> GameKept | None:
        """The reports and notes of ``game`` that a hall that keeps all has not got yet; None where it has everything, or what
        comes next is too large for a message."""
        told = next((one for one in outbox.outgoing(self._ledger) if one.game == game and game >= self._member.first), None)
        if told is None:
            return None
        notes, after = self._ledger.notes(game), self._reports.get(game, 0)
        more, size = list[SentReport](), KEPT_BYTES
        for text, recorded in outbox.reports(self._ledger, game, after, MAX_ROWS):
            size -= len(msgspec.json.encode(text)) + 40
            if size < 0:
                break
            more.append(SentReport(text, recorded))
        known = self._noted == (game, notes) or len(msgspec.json.encode(notes)) > KEPT_BYTES
        return GameKept(game, told.rewritten, after, tuple(more), None if known else notes) if more or not known else None

    def _missed(self, game: int) -> str:
        with suppress(UnknownGame):
            return self._ledger.notes(game).get(MISSED, "")[:4000]
        return ""


def _within(rows: tuple[Row, ...], size: int) -> tuple[Row, ...]:
    """As many of the first rows as fit into ``size`` bytes of JSON."""
    found = []
    for row in rows:
        size -= len(msgspec.json.encode(row.lines)) + 80
        if size < 0:
            break
        found.append(row)
    return tuple(found)
