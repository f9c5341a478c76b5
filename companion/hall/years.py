"""The season of a whole hall: every table's evenings, kept in its database, and shown as a table shows its own.

Logs hold faces that nobody was shown, so the database role that takes games in works out what an evening came to, and the role
that serves spectators can read only the result. A name is the same person at every table, unless two players at one table had it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games import log_format
from companion.hall.database import Database
from companion.hall.intake import rows_of
from companion.ledger import GameEntry
from companion.ledger.versions import KeptLog
from companion.line.chains import ELSEWHERE
from companion.line.season import Keeper, Record
from companion.table.errors import GameError
from companion.table.language import Lang, catalogue
from companion.table.log import Line, game_id
from companion.table.sure import SURE_FROM

_OPEN = "open"


class HallBook:
    """A `companion.ledger.SeasonBook` in the hall's database, without what only a table decides: whose names to forget, and
    whether there is a season. Any thread may ask. Raises HallDown."""

    off = False

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def open(self) -> bool:
        """Whether somebody has opened past evenings to everybody."""
        with self._database.viewing() as connection:
            return connection.execute("SELECT 1 FROM choice WHERE name = %s", (_OPEN,)).fetchone() is not None

    def open_past(self, *, to_all: bool) -> None:
        """Open past evenings to everybody, or to paired phones alone."""
        with self._database.organiser() as connection:
            connection.execute("DELETE FROM choice WHERE name = %s", (_OPEN,))
            if to_all:
                connection.execute("INSERT INTO choice (name, value) VALUES (%s, '1')", (_OPEN,))

    def links(self) -> dict[str, str]:
        """A name's key → the key of the person whose other name it is."""
        with self._database.viewing() as connection:
            return dict(connection.execute("SELECT name, person FROM link").fetchall())

    def link(self, links: Mapping[str, str], /) -> None:
        """Replace all links by these."""
        with self._database.organiser() as connection:
            connection.execute("DELETE FROM link")
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO link (name, person) VALUES (%s, %s)", list(links.items()))

    def forgotten(self) -> frozenset[bytes]:
        """Empty: tables replace forgotten names before they send anything."""
        return frozenset()

    def digest(self, key: str, /) -> bytes:
        """Empty: no forgotten name is kept here."""
        return b""

    def counts(self) -> dict[int, bool]:
        """Evening (the hall's id of its game) → whether it counts, as the hall's organisers have decided or, where they have not,
        the table's."""
        with self._database.viewing() as connection:
            return dict(connection.execute("SELECT id, counts FROM evening").fetchall())

    def count(self, games: Iterable[int], /, *, counts: bool) -> None:
        """Let these evenings count, or not."""
        with self._database.organiser() as connection:
            connection.execute(
                "INSERT INTO evening_counts (ledger, number, counts) SELECT ledger, number, %s FROM game WHERE id = ANY(%s)"
                " ON CONFLICT (ledger, number) DO UPDATE SET counts = excluded.counts", (counts, list(games)),
            )  # fmt: skip

    def begin_again(self) -> None:
        """Begin a new season: no evening so far counts any more, and all links are removed."""
        with self._database.organiser() as connection:
            connection.execute("DELETE FROM link")
            connection.execute("INSERT INTO evening_counts (ledger, number, counts)"
                               " SELECT DISTINCT ledger, number, false FROM game"
                               " ON CONFLICT (ledger, number) DO UPDATE SET counts = false")  # fmt: skip

    def figures(self) -> dict[int, tuple[str, str]]:
        """Evening → what its figures were made from (version of the log and of the program), and the figures, both as text."""
        with self._database.viewing() as connection:
            rows = connection.execute("SELECT game, worked_out_of, figures FROM came_to").fetchall()
        return {game: (of, text) for game, of, text in rows}

    def keep(self, figures: Mapping[int, tuple[str, str]], /) -> None:
        """Store the figures of these evenings, as `figures` gives them; an evening that was deleted meanwhile is passed over."""
        with self._database.taking() as connection, connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO came_to (game, worked_out_of, figures) SELECT id, %s, %s FROM game WHERE id = %s FOR SHARE"
                " ON CONFLICT (game) DO UPDATE SET worked_out_of = excluded.worked_out_of, figures = excluded.figures",
                [(of, text, game) for game, (of, text) in figures.items()],
            )


class HallSeason(Keeper):
    """The season kept in a hall's database. Raises HallDown."""

    def __init__(self, database: Database, sure_from: float = SURE_FROM) -> None:
        self.past = HallBook(database)
        super().__init__(self.past, sure_from=sure_from)
        self._database = database

    def games(self) -> tuple[tuple[GameEntry, ...], frozenset[int]]:
        with self._database.viewing() as connection:
            rows = connection.execute("SELECT id, started, place, last, goes_on FROM evening ORDER BY id DESC").fetchall()
        return tuple(GameEntry(*row[:4]) for row in rows), frozenset(row[0] for row in rows if row[4])

    def goes_on_from(self) -> Mapping[int, int]:
        with self._database.viewing() as connection:
            rows = connection.execute(
                "SELECT later.id, before.id FROM evening AS later JOIN evening AS before"
                " ON before.ledger = later.ledger AND before.number = later.goes_on_from ORDER BY later.number"
            ).fetchall()
        return dict(rows)

    def before(self, evening: int) -> tuple[int | None, ...] | None:
        """The evenings that went on as one another up to this one, the latest first, a missing one as None, `ELSEWHERE` for one
        that has gone on as a newer one, too, and counts there; None where its table has not said whether there are any."""
        found, seen = list[int | None](), set[int]()
        with self._database.viewing() as connection:
            while evening not in seen:
                seen.add(evening)
                row = connection.execute(
                    "SELECT later.goes_on_from, (SELECT before.id FROM evening AS before WHERE before.ledger = later.ledger"
                    " AND before.number = later.goes_on_from),"
                    " EXISTS (SELECT FROM evening AS other WHERE other.ledger = later.ledger"
                    " AND other.goes_on_from = later.goes_on_from AND other.number > later.number)"
                    " FROM evening AS later WHERE later.id = %s", (evening,),
                ).fetchone()  # fmt: skip
                if row is None or row[0] is None:
                    return tuple(found) if found else None
                if not row[0]:
                    break
                if row[2]:
                    found.append(ELSEWHERE)
                    break
                found.append(row[1])
                if row[1] is None:
                    break
                evening = row[1]
        return tuple(found)

    def lines(self, game: int) -> tuple[Line, ...] | None:
        log = KeptLog(0, [])
        with self._database.taking() as connection:
            for row in rows_of(connection, game):
                log.go_on(row.number, row.head, row.tail, row.lines)
        try:
            decode = log_format(game_id(log.text[0].encode()) if log.text else None).decode_line
            return tuple(decode(line.encode()) for line in log.text)
        except GameError:  # a newer program's
            return None

    def place(self, record: Record, lang: Lang) -> str:
        return catalogue(lang).gettext("Table {name}").format(name=record.source)
