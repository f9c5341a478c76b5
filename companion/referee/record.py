"""Everything that was ever reported about an evening, in the order in which it was reported.

From the same record always comes the same evening (`companion.referee.evening.replay`): so a restart loses nothing, and the
past can be decoded again. A record is kept as JSON Lines: the table log's `game` line, then an entry a line, an object
with one key: the entry's tag. Tags never change, whatever the classes are called.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, cast

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from companion.eyes.sighting import Sighting
from companion.referee.sighting_model import Refereed
from companion.table.log import Event, Line, encode_line, tag


class StatedLine(Struct, frozen=True, omit_defaults=True):
    """A line of a hand as somebody has left it. ``by_hand``: they have said so themselves; else it stood there already.

    ``stand_in``: nobody has seen or said it; it stands for an outcome that somebody has stated. ``confidence``: of a line
    from a log that is not certain of it, how sure that log is; else None.
    """

    event: Event
    t: float | None = None
    by_hand: bool = False
    stand_in: bool = False
    confidence: float | None = None


class Saw(Struct, frozen=True):
    """The eyes have reported a sighting."""

    sighting: Sighting


class Answered(Struct, frozen=True, omit_defaults=True):
    """Somebody has answered a question: its id and the id of the choice, None for "don't know". ``by``, ``tap``: see `signed`."""

    question: str
    choice: str | None
    by: str = ""
    tap: str = ""


class Fixed(Struct, frozen=True, omit_defaults=True):
    """Somebody has corrected a hand: these are now its ``lines``, and of those that stood there these were ``removed``.

    ``hand``: the id of its chapter. ``after``: the time (seconds) of the last sighting that was known of the hand then; None
    when it was over. ``opening``: with this many of the lines the hand begins, whatever was seen of it; None: nothing is said of
    that. ``confirms``: nothing was changed, it was just so. ``by``, ``tap``: see `signed`.
    """

    hand: int
    lines: tuple[StatedLine, ...]
    removed: tuple[Line, ...] = ()
    after: float | None = None
    opening: int | None = None
    confirms: bool = False
    by: str = ""
    tap: str = ""


class JointCorrection(Struct, frozen=True, omit_defaults=True):
    """Somebody has corrected several hands at once, in order of play: none of it could have happened without the rest.

    The first of the ``fixes`` is a correction like any other. Each of the others replaces everything that was said of its hand.
    ``by``, ``tap``: see `signed`.
    """

    fixes: tuple[Fixed, ...]
    by: str = ""
    tap: str = ""


class Inserted(Struct, frozen=True, omit_defaults=True):
    """Somebody has told of a hand that the eyes never saw: it was played before that of the chapter ``before``.

    ``by``, ``tap``: see `signed`.
    """

    before: int
    lines: tuple[StatedLine, ...]
    by: str = ""
    tap: str = ""


class Withdrawn(Struct, frozen=True, omit_defaults=True):
    """Somebody has taken back what was said: the record's entry with this index (from 0) counts as never said.

    A withdrawal can be taken back like anything else; what it took back then counts again, in its old place.
    ``by``, ``tap``: see `signed`.
    """

    entry: int
    by: str = ""
    tap: str = ""


_MAX_ENTRIES_SEARCHED = 200
"""Number of the newest entries said by hand that are searched for a tap: a phone sends one again within seconds."""

Word = Answered | Fixed | JointCorrection | Inserted | Withdrawn
"""What somebody has said by hand."""
Entry = Saw | Word


class Record(Struct, frozen=True):
    """A game (its log's first line) and all that was reported about it.

    ``undoable``: indices of what was said by hand and can be taken back; ``redoable``: of the withdrawals that can be taken back;
    the next one last in each. ``said``: how many entries were said by hand in all.
    """

    game: Event
    entries: tuple[Entry, ...] = ()
    undoable: tuple[int, ...] = ()
    redoable: tuple[int, ...] = ()
    said: int = 0

    @classmethod
    def of(cls, game: Event, entries: Iterable[Entry]) -> Record:
        """The record with these entries."""
        entries = tuple(entries)
        undoable: list[int] = []
        redoable: list[int] = []
        for index, entry in enumerate(entries):
            if not isinstance(entry, Saw):
                _stack(undoable, redoable, entries, index, entry)
        return cls(game, entries, tuple(undoable), tuple(redoable), sum(not isinstance(entry, Saw) for entry in entries))

    def with_entry(self, entry: Entry) -> Record:
        """The record with one entry more."""
        entries = (*self.entries, entry)
        if isinstance(entry, Saw):
            return replace(self, entries=entries)
        undoable, redoable = list(self.undoable), list(self.redoable)
        _stack(undoable, redoable, entries, len(self.entries), entry)
        return Record(self.game, entries, tuple(undoable), tuple(redoable), self.said + 1)


def signed(record: Record, start: int, by: str, tap: str = "") -> Record:
    """The record with the name of the phone that said them (``by``) and the token of its ``tap`` on all entries from ``start`` on
    that were said by hand."""
    new = (entry if isinstance(entry, Saw) else replace(entry, by=by, tap=tap) for entry in record.entries[start:])
    return replace(record, entries=(*record.entries[:start], *new))


def said_with(record: Record, tap: str) -> bool:
    """Whether a tap with this token has been said lately."""
    said = (entry for entry in reversed(record.entries) if not isinstance(entry, Saw))
    return any(entry.tap == tap for entry in islice(said, _MAX_ENTRIES_SEARCHED))


def _stack(undoable: list[int], redoable: list[int], entries: Sequence[Entry], index: int, entry: Word) -> None:
    """Put one entry that was said by hand on the stacks."""
    if not isinstance(entry, Withdrawn):
        undoable.append(index)
        redoable.clear()
    elif entry.entry in redoable:
        redoable.remove(entry.entry)
        withdrawal = entries[entry.entry]
        assert isinstance(withdrawal, Withdrawn)
        undoable.append(withdrawal.entry)
    else:
        if entry.entry in undoable:
            undoable.remove(entry.entry)
        redoable.append(index)


def entries_that_count(entries: Sequence[Entry]) -> tuple[tuple[int, Entry], ...]:
    """The entries that count, each with its index: neither taken back nor a withdrawal."""
    gone: set[int] = set()
    for index in range(len(entries) - 1, -1, -1):
        entry = entries[index]
        if isinstance(entry, Withdrawn) and index not in gone:
            gone.add(entry.entry)
    return tuple(
        (index, entry) for index, entry in enumerate(entries) if index not in gone and not isinstance(entry, Withdrawn)
    )


class UnreadableRecord(ValueError):
    """A line that is no entry of a record; the message names the line and what is wrong with it."""


class _WrittenSaid(Struct):
    event: Raw
    t: float | None = None
    by_hand: bool = False
    stand_in: bool = False
    confidence: float | None = None


class _WrittenLine(Struct):
    event: Raw
    t: float | None = None
    confidence: float | None = None


class WrittenFix(Struct):
    """A `Fixed` as it stands on disk: its events are only the game's to read."""

    hand: int
    lines: tuple[_WrittenSaid, ...]
    removed: tuple[_WrittenLine, ...] = ()
    after: float | None = None
    opening: int | None = None
    confirms: bool = False
    by: str = ""
    tap: str = ""


class _WrittenTogether(Struct):
    fixes: tuple[WrittenFix, ...]
    by: str = ""
    tap: str = ""


class _WrittenInsertion(Struct):
    before: int
    lines: tuple[_WrittenSaid, ...]
    by: str = ""
    tap: str = ""


TAGS: dict[type, str] = {
    Answered: "Answered", Fixed: "Fixed", JointCorrection: "Together", Inserted: "Inserted", Withdrawn: "Withdrawn"
}  # fmt: skip
"""What entries are called on disk, which never changes; a sighting goes under its own tag, as its game has it."""
_encode = msgspec.json.Encoder(decimal_format="number").encode


@cache
def _decoder(of: Hashable) -> Callable[[bytes | str], Any]:
    return msgspec.json.Decoder(cast(Any, of)).decode


def encode_entry(entry: Entry, game: Refereed) -> bytes:
    """One entry as a JSON object without a line break: ``{"<its tag>": {…}}``."""
    if isinstance(entry, Saw):
        return _encode(encode_sighting(entry.sighting, game))
    return _encode({TAGS[type(entry)]: entry})


def decode_entry(raw: bytes | str, game: Refereed) -> Entry:
    """The entry that `encode_entry` wrote.

    Raises:
        UnreadableRecord: it is none; a newer program may have written it.
    """
    try:
        written = _decoder(dict[str, Raw])(raw)
        ((name, fields),) = written.items()
        if name == "Fixed":
            return read_fix(_decoder(WrittenFix)(fields), game)
        if name == "Inserted":
            insertion = _decoder(_WrittenInsertion)(fields)
            return Inserted(insertion.before, _stated_lines(insertion.lines, game), insertion.by, insertion.tap)
        if name in ("Together", "JointCorrection"):  # the second is what a few builds wrote
            together = _decoder(_WrittenTogether)(fields)
            return JointCorrection(tuple(read_fix(fix, game) for fix in together.fixes), together.by, together.tap)
        if name == "Answered" or name == "Withdrawn":
            entry: Entry = _decoder(Answered if name == "Answered" else Withdrawn)(fields)
            return entry
        return Saw(decode_sighting(written, game))
    except (msgspec.MsgspecError, ValueError) as error:
        raise error if isinstance(error, UnreadableRecord) else UnreadableRecord(f"no entry of a record: {error}") from None


def encode_sighting(sighting: Sighting, game: Refereed) -> dict[str, Any]:
    """``{"<its tag>": {…}}``, plain values."""
    kinds = game.sighting_model.TAGS if game.sighting_model is not None else {}
    return {next(name for name, kind in kinds.items() if kind is type(sighting)): msgspec.to_builtins(sighting)}


def decode_sighting(written: Mapping[str, Raw | bytes], game: Refereed) -> Sighting:
    """What `encode_sighting` was given. ``written``: its tag → its fields as JSON.

    Raises:
        UnreadableRecord: this game knows no such sighting. msgspec.MsgspecError: a key is missing, or of a wrong type.
    """
    ((name, fields),) = written.items()
    kinds = game.sighting_model.TAGS if game.sighting_model is not None else {}
    if name not in kinds:
        raise UnreadableRecord(f"an entry of type {name!r}: expected one of {', '.join((*kinds, *TAGS.values()))}")
    return _decoder(cast(Hashable, kinds[name]))(bytes(fields))


def read_fix(fix: WrittenFix, game: Refereed) -> Fixed:
    """A correction as it was written, with its events as the game reads them.

    Raises:
        msgspec.MsgspecError: one is no event of this game.
    """
    event = game.rules.LOG.decode_event
    removed = tuple(Line(event(bytes(line.event)), line.t, line.confidence) for line in fix.removed)
    return Fixed(fix.hand, _stated_lines(fix.lines, game), removed, fix.after, fix.opening, fix.confirms, fix.by, fix.tap)


def _stated_lines(lines: tuple[_WrittenSaid, ...], game: Refereed) -> tuple[StatedLine, ...]:
    event = game.rules.LOG.decode_event
    return tuple(StatedLine(event(bytes(line.event)), line.t, line.by_hand, line.stand_in, line.confidence) for line in lines)


def encode(record: Record, game: Refereed) -> bytes:
    """The whole record, each line ended by a line feed."""
    lines = encode_line(Line(record.game)), *(encode_entry(entry, game) for entry in record.entries)
    return b"".join(raw + b"\n" for raw in lines)


def decode(data: bytes, find: Callable[[bytes], Refereed]) -> tuple[Refereed, Record]:
    """The record that `encode` wrote, and its game. ``find``: the game that a first line (bytes) says.

    Raises:
        UnreadableRecord: naming the line that cannot be read.
    """
    first, *rest = data.split(b"\n")
    try:
        game = find(first)
        line = game.rules.LOG.decode_line(first).event
    except ValueError as error:
        raise UnreadableRecord(f"line 1: {error}") from None
    if tag(line) != "game":
        raise UnreadableRecord("line 1: no game line")
    return game, Record.of(line, _numbered(rest, game))


def _numbered(lines: Iterable[bytes], game: Refereed) -> Iterable[Entry]:
    for number, raw in enumerate(lines, start=2):
        if raw.strip():
            try:
                yield decode_entry(raw, game)
            except UnreadableRecord as error:
                raise UnreadableRecord(f"line {number}: {error}") from None
