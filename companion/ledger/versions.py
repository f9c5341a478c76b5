"""The logs of a ledger's games, at their newest version and at earlier ones: read from the file once, and kept.

`KeptLog` is a log at one version; `difference` tells two versions apart: how many lines stay at head and tail, and what stands
between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.ledger.entries import FindFormat, UnknownGame
from companion.ledger.file import LedgerFile
from companion.ledger.schema import checksum
from companion.ledger.statements import stand_of
from companion.table.errors import GameError, LedgerError
from companion.table.log import Line, encode_line
from companion.table.log import game_id as game_said


@dataclass(slots=True)
class KeptLog:
    """A game's log at one version: its lines as text and as read. ``read`` may lag behind: its first ``good`` lines are those of
    ``text``, what follows is to be read again. ``recent``: the last versions that were recorded, for callers that still show one.
    ``sound``: all of it is as it was written, which its checksums say; those of an older ledger say nothing.
    """

    version: int
    text: list[str]
    read: tuple[Line, ...] = ()
    good: int = 0
    recent: dict[int, tuple[Line, ...]] = field(default_factory=dict)
    sound: bool = True

    def go_on(self, version: int, head: int, tail: int, middle: str) -> None:
        """To the next version. ``middle``: its new lines, each ended by a line feed."""
        # Split at line feeds only: names may hold other characters that str.splitlines takes for line ends.
        self.text[head : len(self.text) - tail] = middle.split("\n")[:-1]
        self.good = min(self.good, head)
        self.version = version

    def go_on_to(self, version: int, head: int, tail: int, middle: Sequence[str], lines: tuple[Line, ...]) -> None:
        """To the next version, whose ``lines`` are all known."""
        self.text[head : len(self.text) - tail] = middle
        self.version, self.read, self.good = version, lines, len(lines)


def difference(before: KeptLog, lines: Sequence[Line]) -> tuple[int, int, list[str]]:
    """How many lines of ``before`` stay at its head and at its tail, and as text those that come between them.

    A line that is known already is not written out again: a long evening's log has mostly those.
    """
    same = before.read if before.good == len(before.text) else ()
    first = common_start(same, lines)
    last = common_start(same[first:][::-1], lines[first:][::-1])
    text = [encode_line(line).decode() for line in lines[first : len(lines) - last]]
    stood = before.text[first : len(before.text) - last]
    head = common_start(stood, text)
    tail = common_start(stood[head:][::-1], text[head:][::-1])
    return first + head, last + tail, text[head : len(text) - tail]


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """How many lines two logs, both tuples or both lists, have in common from their start: quick where most are the same."""
    least = min(len(one), len(other))
    count, step = 0, least
    while step:
        if one[count : count + step] == other[count : count + step]:
            count += step
            step = min(step, least - count)
        else:
            step //= 2
    return count


class Versions:
    """Every game's log, version by version. Its methods are called with the file's lock held.

    ``find_format``: how a game's lines are read.
    """

    def __init__(self, file: LedgerFile, find_format: FindFormat) -> None:
        self._file, self._find_format = file, find_format
        self._logs: dict[int, KeptLog] = {}

    def drop(self, game_id: int) -> None:
        """Keep nothing of a game in memory: it was rewritten in the file."""
        self._logs.pop(game_id, None)

    def newest(self, game_id: int) -> KeptLog:
        """The newest version, from memory as far as it is known. Raises UnknownGame."""
        newest = self._number(game_id)
        kept = self._logs.setdefault(game_id, KeptLog(0, []))
        if kept.version < newest:
            self._splice(game_id, kept, newest)
        return kept

    def at(self, game_id: int, version: int | None) -> tuple[int, tuple[Line, ...]]:
        """This version, the newest if None, and its lines. Raises UnknownGame."""
        newest = self.newest(game_id)
        if version is None or version == newest.version:
            return newest.version, self._read(game_id, newest)
        if not 0 <= version <= newest.version:
            raise UnknownGame(f"{self._file.name}: game {game_id} has no version {version}: its newest is {newest.version}")
        if version in newest.recent:
            return version, newest.recent[version]
        return self._once(game_id, version)

    def glance(self, game_id: int) -> tuple[int, tuple[Line, ...]]:
        """The newest version and its lines; nothing of it stays in memory. Raises UnknownGame."""
        return self._once(game_id, self._number(game_id))

    def _once(self, game_id: int, version: int) -> tuple[int, tuple[Line, ...]]:
        log = KeptLog(0, [])
        self._splice(game_id, log, version)
        return log.version, self._read(game_id, log)

    def _number(self, game_id: int) -> int:
        with self._file.reading() as connection:
            return stand_of(connection, game_id, self._file.name).version

    def _splice(self, game_id: int, log: KeptLog, version: int) -> None:
        """Bring the log forward to ``version``."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT number, head, tail, lines, crc FROM version WHERE game = ? AND number > ? AND number <= ?"
                " ORDER BY number",
                (game_id, log.version, version),
            ).fetchall()
        for number, head, tail, middle, crc in rows:
            if number != log.version + 1 or crc not in (None, checksum(head, tail, middle)):
                raise damaged(self._file.name, game_id, f"version {number} of its log")
            log.go_on(number, head, tail, middle)
            log.sound = log.sound and crc is not None

    def _read(self, game_id: int, log: KeptLog) -> tuple[Line, ...]:
        """The log's lines. Those that have been read before are not read again."""
        if log.good < len(log.text) or len(log.read) != len(log.text):
            decode = self._find_format(game_said(log.text[0].encode()) if log.text else None).decode_line
            try:
                log.read = (*log.read[: log.good], *(decode(line.encode()) for line in log.text[log.good :]))
            except GameError as error:
                refused = newer if log.sound else damaged
                raise refused(self._file.name, game_id, f"its log ({error})") from error
            log.good = len(log.text)
        return log.read


def damaged(name: str, game_id: int, what: str) -> LedgerError:
    """The error that ``what`` is recorded of a game in the ledger of this name cannot be read."""
    return LedgerError(f"{name}: game {game_id}: {what} is damaged: companion salvage brings what can be read into a new ledger")


def newer(name: str, game_id: int, what: str) -> LedgerError:
    """The error that ``what`` is recorded of a game is as it was written, and says what this program does not know."""
    return LedgerError(
        f"{name}: game {game_id}: {what} was written by a newer companion: update companion, choose another file, or bring back a"
        " copy from before that update: companion restore with one from the folder backups beside it"
    )
