"""SQL that rewrites the texts of a game, or removes it from the ledger, in every table that keeps something of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.ledger.entries import DELETED
from companion.ledger.schema import checksum
from companion.ledger.statements import keep_notes
from companion.ledger.writing import Writing

if TYPE_CHECKING:
    from companion.ledger.store import Ledger

_OF_A_GAME = ("version", "report", "hand", "note", "season_evening", "season_figures")


class Rewrite(NamedTuple):
    """What becomes of each text that is kept of a game: a ``line`` of its log, a ``report``, a ``hand`` (None: it is not kept any
    more, and thought through again), a ``note`` (its name, its text) and the ``source``."""

    line: Callable[[str], str]
    report: Callable[[str], str]
    hand: Callable[[str], str | None]
    note: Callable[[str, str], str]
    source: Callable[[str], str]


def rewrite(writing: Writing, game_id: int, how: Rewrite) -> None:
    """Write all that is kept of a game in other words. What was worked out of it goes."""
    rows = writing.execute("SELECT number, head, tail, lines FROM version WHERE game = ?", (game_id,)).fetchall()
    for number, head, tail, text in rows:
        said = "".join(how.line(line) + "\n" for line in text.split("\n")[:-1])
        writing.execute("UPDATE version SET lines = ?, crc = ? WHERE game = ? AND number = ?",
                        (said, checksum(head, tail, said), game_id, number))  # fmt: skip
    for number, text in writing.execute("SELECT number, text FROM report WHERE game = ?", (game_id,)).fetchall():
        said = how.report(text)
        writing.execute("UPDATE report SET text = ?, crc = ? WHERE game = ? AND number = ?",
                        (said, checksum(said), game_id, number))  # fmt: skip
    hands = [(number, place, how.hand(text)) for number, place, text
             in writing.execute("SELECT id, place, text FROM hand WHERE game = ?", (game_id,)).fetchall()]  # fmt: skip
    writing.execute("DELETE FROM hand WHERE game = ?", (game_id,))
    if all(said is not None for _, _, said in hands):
        kept = [(game_id, number, place, said, checksum(place, str(said))) for number, place, said in hands]
        writing.executemany("INSERT INTO hand (game, id, place, text, crc) VALUES (?, ?, ?, ?, ?)", kept)
    notes = writing.execute("SELECT name, text FROM note WHERE game = ?", (game_id,)).fetchall()
    keep_notes(writing, game_id, {name: how.note(name, text) for name, text in notes})
    (source, first), = writing.execute("SELECT source, first FROM game WHERE id = ?", (game_id,)).fetchall()
    writing.execute("UPDATE game SET source = ?, first = ? WHERE id = ?",
                    (how.source(source), None if first is None else how.line(first), game_id))  # fmt: skip
    writing.execute("DELETE FROM season_figures WHERE game = ?", (game_id,))


def texts(ledger: Ledger, game_id: int) -> tuple[frozenset[str], frozenset[str]]:
    """The lines of all versions of a game's log, and all that was reported of it, as they are kept."""
    with ledger.reading() as connection:
        versions = connection.execute("SELECT lines FROM version WHERE game = ?", (game_id,)).fetchall()
        reports = connection.execute("SELECT text FROM report WHERE game = ?", (game_id,)).fetchall()
    lines = frozenset(line for (text,) in versions for line in text.split("\n")[:-1])
    return lines, frozenset(text for (text,) in reports)


def every_game(ledger: Ledger) -> tuple[int, ...]:
    """The ids of all games, deleted ones among them."""
    with ledger.reading() as connection:
        return tuple(game for (game,) in connection.execute("SELECT id FROM game ORDER BY id").fetchall())


def noted(ledger: Ledger, note: str) -> dict[int, str]:
    """The games that have this note, and what it says."""
    with ledger.reading() as connection:
        return dict(connection.execute("SELECT game, text FROM note WHERE name = ?", (note,)).fetchall())


def erase(writing: Writing, game_id: int) -> None:
    """Leave of a game its id alone, so that no other gets it."""
    for table in _OF_A_GAME:
        writing.execute(f"DELETE FROM {table} WHERE game = ?", (game_id,))  # nosec B608 # our names
    writing.execute("UPDATE game SET started = 0, source = '', first = NULL WHERE id = ?", (game_id,))
    keep_notes(writing, game_id, {DELETED: ""})
