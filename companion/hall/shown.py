"""What spectators may see of each game: a thread works it out from the game's rows, and writes it where their role may read it.

The rows hold faces that nobody was shown. What is made of them here is exactly what `companion serve` shows its own spectators.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from companion.dashboard.answers import encoded
from companion.dashboard.feed import Snapshot, gone_on
from companion.dashboard.settings import Settings
from companion.games import first_game, log_format
from companion.hall.bell import Bell
from companion.hall.database import Connection, Database, HallDown
from companion.hall.intake import rows_of
from companion.ledger.outbox import Row
from companion.ledger.versions import KeptLog
from companion.line.chains import before_of
from companion.line.recorder import decode_missed
from companion.pages.settling import Before
from companion.pages.view import View
from companion.table.errors import GameError
from companion.table.game import Over
from companion.table.language import LANGS
from companion.table.log import Line, game_id

PAUSE_SECONDS = 0.1
"""Seconds between two looks at new rows: a table that records faster than this is shown at this pace."""
RETRY_SECONDS = 1.0
MAX_KEPT_LINES = 60_000
"""Number of lines of all games whose last state is kept in memory, to go on from there: some 1.2 kB each. A game that is not kept
is worked out from its first line again, which takes five times as long where it has 200."""
UPDATE = "update"
"""The problem of a game that a newer program has recorded."""
_log = logging.getLogger(__name__)


@dataclass
class KeptState:
    """The last state of a game that was worked out, from which its next rows go on."""

    log: KeptLog = field(default_factory=lambda: KeptLog(0, []))
    lines: tuple[Line, ...] = ()
    snapshot: Snapshot | None = None


class Showing:
    """The thread that works out what is shown of games that have changed, from `start` until `close`."""

    def __init__(self, database: Database, bell: Bell, settings: Settings) -> None:
        self._database, self._bell, self._settings = database, bell, settings
        self._changed = set[int]()
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._closed = False
        self._kept: dict[int, KeptState] = {}
        self._thread = threading.Thread(target=self._run, name="showing", daemon=True)

    def start(self) -> None:
        """Start the thread, with every game whose rows are not shown yet. Raises HallDown."""
        with self._database.taking() as connection:
            rows = connection.execute("SELECT game.id FROM game LEFT JOIN shown ON shown.game = game.id"
                                      " WHERE game.last > 0 AND shown.version IS DISTINCT FROM game.last").fetchall()  # fmt: skip
        self.changed(row[0] for row in rows)
        self._thread.start()

    def changed(self, games: Iterable[int]) -> None:
        """Have these games (the hall's ids) worked out again: their rows have changed."""
        with self._lock:
            self._changed |= set(games)
        self._woken.set()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            self._woken.wait()
            if self._closed:
                return
            self._woken.clear()
            with self._lock:
                games, self._changed = self._changed, set()
            for game in sorted(games):
                try:
                    with self._database.taking() as connection:
                        self._show(connection, game)
                    self._bell.ring()
                except HallDown:
                    self.changed([game])
                    pause.wait(RETRY_SECONDS)
            pause.wait(PAUSE_SECONDS)

    def _make_room(self, game: int) -> None:
        """Keep no more lines than may be kept, always those of ``game``. The others are forgotten by lot: where all come in turn,
        the one that was forgotten longest ago would always be the next."""
        lines = sum(len(kept.lines) for kept in self._kept.values())
        while lines > MAX_KEPT_LINES and len(self._kept) > 1:
            chosen = random.choice([one for one in self._kept if one != game])
            lines -= len(self._kept.pop(chosen).lines)

    def _show(self, connection: Connection, game: int) -> None:
        # one process after the other, each with the newest rows: or one that was slower would show what was before
        connection.execute("SELECT pg_advisory_xact_lock(1400141107, %s::integer)", (game,))
        found = connection.execute(
            "SELECT last, missed, ledger, goes_on_from, number FROM game WHERE id = %s", (game,)
        ).fetchone()
        if found is None or not found[0]:
            self._kept.pop(game, None)
            return
        kept = self._kept.setdefault(game, KeptState())
        self._make_room(game)
        try:
            before = games_before(connection, found[2], found[4], found[3], self._settings.view.sure_from)
            values = made(kept, rows_of(connection, game, kept.log.version), game, found[1], self._settings, before)
        except Exception as error:  # noqa: BLE001 (one table's game must not keep all others from being shown)
            known = isinstance(error, GameError)
            _log.warning("game %d of the hall cannot be shown: %s: update the hall", game, error, exc_info=not known)
            self._kept.pop(game, None)
            values = (found[0], "", False, UPDATE, *("null" for _ in LANGS), "")
        connection.execute(
            "INSERT INTO shown (game, version, wing, over, problem, view_it, view_en, log)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"
            " ON CONFLICT (game) DO UPDATE SET version = excluded.version, wing = excluded.wing, over = excluded.over,"
            " problem = excluded.problem, view_it = excluded.view_it, view_en = excluded.view_en, log = excluded.log",
            (game, *values),
        )


def games_before(
    connection: Connection, ledger: str, game: int, goes_on_from: int | None, sure_from: float
) -> tuple[Before, ...] | None:  # fmt: skip
    """What was won in the games of a ledger that went on as one another up to a ``game`` (its number) that ``goes_on_from`` the
    last of them, the latest first; None where its table has not said whether it goes on from one."""
    if goes_on_from is None:
        return None
    found, seen, number = list[Before](), set[int](), goes_on_from
    while number and number not in seen:
        seen.add(number)
        newer = connection.execute("SELECT FROM game WHERE ledger = %s AND goes_on_from = %s AND game.number > %s AND NOT gone",
                                   (ledger, number, game)).fetchone()  # fmt: skip
        if newer is not None:  # it counts there
            found.append(Before((), None, elsewhere=True))
            break
        game = number
        row = connection.execute("SELECT id, gone, goes_on_from FROM game WHERE ledger = %s AND number = %s"
                                 " ORDER BY chosen DESC, branch DESC LIMIT 1", (ledger, number)).fetchone()  # fmt: skip
        if row is None or row[1]:  # it was not sent, or is deleted
            found.append(Before((), None))
        else:
            log = KeptLog(0, [])
            for one in rows_of(connection, row[0]):
                log.go_on(one.number, one.head, one.tail, one.lines)
            found.append(_before(log, sure_from))
            if found[-1].elsewhere:
                break
        number = row[2] or 0 if row is not None else 0
    return tuple(found)


def _before(log: KeptLog, sure_from: float) -> Before:
    try:
        decode = log_format(game_id(log.text[0].encode()) if log.text else None).decode_line
        return before_of(tuple(decode(line.encode()) for line in log.text), sure_from)
    except GameError:  # a newer program's
        return Before((), None)


def made(
    kept: KeptState, rows: Sequence[Row], game: int, missed: str, settings: Settings, earlier: tuple[Before, ...] | None = None
) -> tuple[object, ...]:
    """Append these rows to ``kept``, and return the values of the game's row in `shown`, without its id. ``missed``: the ledger's
    note of what was not seen; ``earlier``: as of `Snapshot.before`. Raises GameError where this program cannot read the game."""
    log = kept.log
    for row in rows:
        log.go_on(row.number, row.head, row.tail, row.lines)
    decode = log_format(game_id(log.text[0].encode()) if log.text else None).decode_line
    lines = (*kept.lines[: log.good], *(decode(line.encode()) for line in log.text[log.good :]))
    before = kept.snapshot or Snapshot(None, 0, first_game(), (), settings)
    now = gone_on(before, kept.lines, (game, log.version), lines, decode_missed(missed or "{}"))
    kept.snapshot = now = replace(now, before=earlier)
    kept.lines, log.good = lines, len(log.text)
    over = bool(now.moments) and isinstance(now.game.rules.waiting(now.moments[-1].seen), Over)
    views: list[View] = [now.view(lang) for lang in LANGS]
    return log.version, now.game.id, over, "", *(encoded(view).decode() for view in views), now.log().decode()
