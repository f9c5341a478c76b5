"""The tables of a hall: how they are paired by a code, identified by a token, and removed."""

from __future__ import annotations

import secrets
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

from msgspec import Struct

from companion.dashboard.held import InMemory, SharedValue
from companion.hall.database import Connection, Database
from companion.hall.messages import MAX_NAME_LENGTH, Pair, Paired
from companion.hall.table.membership import CODE_LETTERS, SECRET_LENGTH, key_letters
from companion.hall.tickets import Ticket, Tickets
from companion.ledger.phones import digest
from companion.table.people import name_key
from companion.table.text import plain_name

CODE_SECONDS = 600.0
"""Seconds for which a code lets tables join; the organisers' page has the next one."""
KEY_LENGTH = 12
"""Number of letters of a code that stand for the hall's key: 57 bits, for which nobody finds another key in that time."""
MAX_WRONG = 100
"""Number of wrong codes after which no table can join until the next code."""
PLAYS_SECONDS = 8.0
"""Seconds after it was heard from for which a table counts as playing, so that its name is not given to another machine."""
MAX_A_SECOND, MAX_AT_ONCE = 50.0, 100.0
"""Requests a second that one table may make in the long run, and the most that it may make at once after a pause."""
_SEATS = "SELECT id, name, ledger::text, sender, heard FROM seat_at WHERE NOT withdrawn"


class NotLetIn(Exception):
    """A table may not join. ``code`` says why: ``name_taken``, ``name_too_long``, ``ledger_taken``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Seat:
    """A table of the hall. ``heard``: Unix time of the hall, seconds; None: never."""

    id: int
    name: str
    ledger: str
    sender: str
    heard: float | None


class CodeState(Struct):
    """The ``secret`` letters of a code, ``until`` when they are valid (seconds of `PairingCode`'s clock), and how many ``wrong``
    codes were tried since."""

    secret: str = ""
    until: float = 0.0
    wrong: int = 0


class PairingCode:
    """The code with which any number of tables join. Any thread may ask. ``key``: SHA-256 of the hall's public key (hexadecimal),
    for the letters that end the code, "" for none; ``clock``: seconds from any zero; ``held``: where the code is kept, by default
    in this process alone. Raises HallDown."""

    def __init__(
        self, key: str = "", clock: Callable[[], float] = time.monotonic, held: SharedValue[CodeState] | None = None
    ) -> None:
        self.key, self._clock = key, clock
        self._held: SharedValue[CodeState] = held if held is not None else InMemory(CodeState())

    def text(self) -> str:
        """The code as people type it; a new one where the last has expired, or is about to."""
        with self._held.changing() as now:
            if self._clock() >= now.until - CODE_SECONDS / 10:  # one that is shown can still be typed
                now.secret = "".join(secrets.choice(CODE_LETTERS) for _ in range(SECRET_LENGTH))
                now.until, now.wrong = self._clock() + CODE_SECONDS, 0
            whole = now.secret + (key_letters(self.key, KEY_LENGTH) if self.key else "")
        return "-".join(whole[at : at + 4] for at in range(0, len(whole), 4))

    def opens(self, typed: str) -> bool:
        """Whether these letters are the code's secret, and are still valid. Counts wrong ones: after `MAX_WRONG` no code is right
        until the next one."""
        with self._held.changing() as now:
            if not now.secret or self._clock() >= now.until or now.wrong >= MAX_WRONG:
                return False
            right = secrets.compare_digest(typed.encode(), now.secret.encode())
            now.wrong += not right
            return right


class Seats:
    """The tables that belong to a hall. Any thread may ask; raises HallDown."""

    def __init__(self, database: Database) -> None:
        self._database, self._tickets = database, Tickets(database)
        self._lock = threading.Lock()
        self._known = frozenset[bytes]()
        self._purses: dict[int, tuple[float, float]] = {}
        self.learn()

    def claims(self, token: str) -> bool:
        """Whether this is the token of a table. Quick: asks no database."""
        return digest(token) in self._known

    def find(self, token: str) -> Seat | None:
        """The table with this token; None where there is none, or no longer. Where the hall's database was restored from a copy,
        tables that have joined since that copy are let in again by their tokens."""
        with self._database.taking() as connection:
            row = connection.execute(f"{_SEATS} AND digest = %s", (digest(token),)).fetchone()
        if row is None and (ticket := self._tickets.read(token)) is not None and self._is_news(ticket, digest(token)):
            return self.find(token)
        return Seat(*row) if row is not None else None

    def taken_over(self, token: str) -> bool:
        """Whether another machine has since joined as the table to which this token belonged."""
        if (ticket := self._tickets.read(token)) is None:
            return False
        with self._database.taking() as connection:
            found = connection.execute("SELECT 1 FROM seat_at WHERE (name = %s OR ledger = %s) AND joined > %s AND NOT withdrawn",
                                       (ticket.name, ticket.ledger, ticket.joined)).fetchone()  # fmt: skip
        return found is not None

    def _is_news(self, ticket: Ticket, digest: bytes) -> bool:
        """Let in a table that has joined later than the database knows, as it was restored from an older copy. Returns whether it
        has."""
        with self._database.taking() as connection:
            connection.execute("LOCK TABLE seat_at IN SHARE ROW EXCLUSIVE MODE")
            found = _same(connection, ticket.name, ticket.ledger)
            if any(joined >= ticket.joined for *_, joined in found):
                return False
            _seat(connection, found[0][0] if found else None, digest, ticket)
        self.learn()
        return True

    def asks_too_often(self, seat: Seat) -> bool:
        """Count one request of this table. Returns whether it is too many: more than `MAX_AT_ONCE` at once, or than
        `MAX_A_SECOND` a second in the long run."""
        now = time.monotonic()
        with self._lock:
            holds, since = self._purses.get(seat.id, (MAX_AT_ONCE, now))
            holds = min(MAX_AT_ONCE, holds + (now - since) * MAX_A_SECOND)
            self._purses[seat.id] = max(holds - 1, 0.0), now
            return holds < 1

    def pair(self, wish: Pair, *, goes_on: bool = False, own: str = "") -> Paired:  # nosec B107 # none
        """Let a table in, and give it a token. Where the hall knows the name already, however it is spelt, or else the ledger, it
        is the same table again, perhaps by another name, and its old token is void. ``goes_on``: where nothing was played with
        the new ledger, the table's game goes on in it. ``own``: the token that the machine has already. Raises ValueError where
        ``wish`` names no ledger; NotLetIn where another machine is playing as that table, or with a copy of that ledger, and
        where the name is too long."""
        ledger, name = uuid.UUID(wish.ledger), plain_name(wish.name)
        if len(name) > MAX_NAME_LENGTH:
            raise NotLetIn("name_too_long")
        with self._database.taking() as connection:
            connection.execute("LOCK TABLE seat_at IN SHARE ROW EXCLUSIVE MODE")
            name = _spelt(connection, name, ledger)
            _let_in(connection, ledger, name, own)
            found = _same(connection, name, str(ledger))
            seat, called, sends, has_shown, _ = found[0] if found else (None, "", "", False, 0)
            old = sends if goes_on and wish.again and has_shown and name in ("", called) else ""
            name = name or called or _numbered(connection)
            ticket = Ticket(old or str(ledger), name, _joins(connection))
            token = self._tickets.token(ticket)
            _seat(connection, seat, digest(token), ticket)
        self.learn()
        return Paired(token, name, old)

    def leave(self, seat: Seat) -> None:
        """Let this table go, at its own wish: from now on it counts as silent, and its name and ledger are free. What it has sent
        stays."""
        with self._database.taking() as connection:
            connection.execute("UPDATE seat_at SET sender = '', heard = %s, call = '', called = NULL WHERE id = %s",
                               (time.time() - PLAYS_SECONDS, seat.id))  # fmt: skip
            connection.execute("DELETE FROM question WHERE seat = %s", (seat.id,))

    def withdraw(self, seat: int) -> None:
        """Remove this table from the hall."""
        with self._database.taking() as connection:
            connection.execute("UPDATE seat_at SET withdrawn = true, sender = '' WHERE id = %s", (seat,))
        self.learn()

    def all(self) -> tuple[Seat, ...]:
        """Every table, in order of joining."""
        with self._database.taking() as connection:
            return tuple(Seat(*row) for row in connection.execute(f"{_SEATS} ORDER BY id"))

    def learn(self) -> None:
        """Read the valid tokens from the database again: another process may have let a table in."""
        with self._lock, self._database.taking() as connection:
            rows = connection.execute("SELECT digest FROM seat_at WHERE NOT withdrawn").fetchall()
            self._known = frozenset(bytes(row[0]) for row in rows)


def _numbered(connection: Connection) -> str:
    """The smallest number from 1 that is no table's name."""
    taken = {row[0] for row in connection.execute("SELECT name FROM seat_at")}
    return next(name for number in range(1, len(taken) + 2) if (name := str(number)) not in taken)


def _spelt(connection: Connection, name: str, ledger: uuid.UUID) -> str:
    """The name as the hall has it of another ledger's table, where it differs in case, accents and spaces alone: who types the
    name on another machine means that table. Else as it is: a table may mend how its own is spelt."""
    there = connection.execute("SELECT name, ledger FROM seat_at ORDER BY withdrawn, id").fetchall()
    alike = {called: sends for called, sends in there if name_key(called) == name_key(name)}
    return name if name in alike else next((called for called, sends in alike.items() if sends != ledger), name)


def _let_in(connection: Connection, ledger: uuid.UUID, name: str, own: str) -> None:
    """Raises NotLetIn where a table that was heard of within `PLAYS_SECONDS` would be taken from its machine, or its ledger would
    be sent by two."""
    playing = connection.execute("SELECT name, ledger FROM seat_at WHERE NOT withdrawn AND digest <> %s AND heard > %s",
                                 (digest(own), time.time() - PLAYS_SECONDS)).fetchall()  # fmt: skip
    for called, sends in playing:
        if called == name and sends != ledger:
            raise NotLetIn("name_taken")
        if name and called != name and sends == ledger:
            raise NotLetIn("ledger_taken")


def _same(connection: Connection, name: str, ledger: str) -> list[tuple[int, str, str, bool, int]]:
    """The tables of this name or with this ledger, those of the name first: id, name, ledger, whether it has shown a game, and
    the `Ticket.joined` of its machine. ``name``: "" for the ledger alone."""
    return connection.execute(
        "SELECT id, name, ledger::text, shows IS NOT NULL, joined FROM seat_at WHERE name = %(name)s OR ledger = %(ledger)s"
        " ORDER BY name = %(name)s DESC, withdrawn, id DESC", {"name": name, "ledger": ledger},
    ).fetchall()  # fmt: skip


def _joins(connection: Connection) -> int:
    """The `Ticket.joined` of a table that joins now."""
    (last,), = connection.execute("SELECT coalesce(max(joined), 0) FROM seat_at").fetchall()
    return max(int(time.time() * 1000), int(last) + 1)


def _seat(connection: Connection, seat: int | None, digest: bytes, ticket: Ticket) -> None:
    """Hand a table that the hall has already, or else a new one, to the machine with this token's digest. Another table with its
    ledger is what it was called before, and is removed."""
    values = (digest, ticket.ledger, ticket.joined, ticket.name)
    if seat is not None:
        connection.execute("UPDATE seat_at SET digest = %s, ledger = %s, joined = %s, name = %s, sender = '', withdrawn = false"
                           " WHERE id = %s", (*values, seat))  # fmt: skip
    else:
        connection.execute("INSERT INTO seat_at (digest, ledger, joined, name) VALUES (%s, %s, %s, %s)", values)
    connection.execute("UPDATE seat_at SET withdrawn = true, sender = '' WHERE ledger = %s AND digest <> %s AND NOT withdrawn",
                       (ticket.ledger, digest))  # fmt: skip
