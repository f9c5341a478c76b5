"""Everything that was ever reported about an evening, in the order in which it was reported.

From the same record always comes the same evening (`companion.referee.evening.replay`): so a restart loses nothing, and the
past can be thought through again. A record is kept as JSON Lines: the table log's `game` line, then an entry a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec
from msgspec import Struct

from companion.eyes.sighting import Sighting
from companion.games.stu.rules.log import Event, Game, decode_line
from companion.table.log import Line, encode_line


class Said(Struct, frozen=True, omit_defaults=True):
    """A line of a hand as somebody has left it. ``by_hand``: they have said so themselves; else it stood there already."""

    event: Event
    t: float | None = None
    by_hand: bool = False


class Saw(Struct, frozen=True):
    """The eyes have reported a sighting."""

    sighting: Sighting


class Answered(Struct, frozen=True):
    """Somebody has answered a question: its id and the id of the choice, None for "don't know"."""

    question: str
    choice: str | None


class Fixed(Struct, frozen=True, omit_defaults=True):
    """Somebody has corrected a hand: these are now its ``lines``, and of those that stood there these were ``removed``.

    ``hand``: the id of its chapter. ``after``: the time (seconds) of the last sighting that was known of the hand then; None
    when it was over. ``opening``: with so many of the lines the hand begins, whatever was seen of it; None: nothing is said of
    that.
    """

    hand: int
    lines: tuple[Said, ...]
    removed: tuple[Line, ...] = ()
    after: float | None = None
    opening: int | None = None


class Inserted(Struct, frozen=True, omit_defaults=True):
    """Somebody has told of a hand that the eyes never saw: it was played before that of the chapter ``before``."""

    before: int
    lines: tuple[Said, ...]


class Withdrawn(Struct, frozen=True):
    """Somebody has taken back what was said: the record's entry with this index (from 0) counts as never said.

    A withdrawal can be taken back like anything else; what it took back then counts again, in its old place.
    """

    entry: int


Entry = Saw | Answered | Fixed | Inserted | Withdrawn


class Record(Struct, frozen=True):
    """A game and all that was reported about it."""

    game: Game
    entries: tuple[Entry, ...] = ()


def standing(entries: Sequence[Entry]) -> tuple[tuple[int, Entry], ...]:
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


_SIGHTINGS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Sighting)}
_ENTRIES: dict[str, type[Any]] = {kind.__name__: kind for kind in (Answered, Fixed, Inserted, Withdrawn)}
_plain = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(decimal_format="number").encode


def encode_entry(entry: Entry) -> bytes:
    """One entry as a JSON object without a line break: ``{"<its type>": {…}}``, a sighting under its own type's name."""
    told = entry.sighting if isinstance(entry, Saw) else entry
    return _encode({type(told).__name__: told})


def decode_entry(raw: bytes) -> Entry:
    """The entry that `encode_entry` wrote.

    Raises:
        UnreadableRecord: it is none; a newer program may have written it.
    """
    try:
        ((name, fields),) = _plain(raw).items()
        if name in _SIGHTINGS:
            return Saw(msgspec.convert(fields, _SIGHTINGS[name]))
        if name not in _ENTRIES:
            raise UnreadableRecord(f"an entry of type {name!r}: expected one of {', '.join((*_SIGHTINGS, *_ENTRIES))}")
        entry: Entry = msgspec.convert(fields, _ENTRIES[name])
    except (msgspec.MsgspecError, AttributeError, ValueError) as error:
        raise error if isinstance(error, UnreadableRecord) else UnreadableRecord(f"no entry of a record: {error}") from None
    return entry


def encode(record: Record) -> bytes:
    """The whole record, each line ended by a line feed."""
    return b"".join(raw + b"\n" for raw in (encode_line(Line(record.game)), *map(encode_entry, record.entries)))


def decode(data: bytes) -> Record:
    """The record that `encode` wrote.

    Raises:
        UnreadableRecord: naming the line that cannot be read.
    """
    first, *rest = data.split(b"\n")
    try:
        game = decode_line(first).event
    except ValueError as error:
        raise UnreadableRecord(f"line 1: {error}") from None
    if not isinstance(game, Game):
        raise UnreadableRecord("line 1: no game line")
    return Record(game, tuple(_numbered(rest)))


def _numbered(lines: Iterable[bytes]) -> Iterable[Entry]:
    for number, raw in enumerate(lines, start=2):
        if raw.strip():
            try:
                yield decode_entry(raw)
            except UnreadableRecord as error:
                raise UnreadableRecord(f"line {number}: {error}") from None
