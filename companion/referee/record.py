"""Everything that was ever reported about an evening, in the order in which it was reported.

From the same record always comes the same evening (`companion.referee.evening.replay`): so a restart loses nothing, and the
past can be thought through again. A record is kept as JSON Lines: the table log's `game` line, then an entry a line, an object
with one key: the entry's tag. Tags never change, whatever the classes are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.eyes.sighting import Sighting
from companion.referee.meaning import Refereed
from companion.table.log import Event, Line, encode_line, tag


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
    when it was over. ``opening``: with this many of the lines the hand begins, whatever was seen of it; None: nothing is said of
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
    """A game (its log's first line) and all that was reported about it."""

    game: Event
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


TAGS: dict[str, type[Answered | Fixed | Inserted | Withdrawn]] = {
    "Answered": Answered,
    "Fixed": Fixed,
    "Inserted": Inserted,
    "Withdrawn": Withdrawn,
}
"""What entries are called on disk; a sighting goes under its own tag, as its game has it."""
_TAG_OF = {kind: name for name, kind in TAGS.items()}
_plain = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(decimal_format="number").encode


def encode_entry(entry: Entry, game: Refereed) -> bytes:
    """One entry as a JSON object without a line break: ``{"<its tag>": {…}}``."""
    if isinstance(entry, Saw):
        return _encode(encode_sighting(entry.sighting, game))
    return _encode({_TAG_OF[type(entry)]: entry})


def decode_entry(raw: bytes | str, game: Refereed) -> Entry:
    """The entry that `encode_entry` wrote.

    Raises:
        UnreadableRecord: it is none; a newer program may have written it.
    """
    try:
        plain = _plain(raw)
        ((name, fields),) = plain.items()
        if name not in TAGS:
            return Saw(decode_sighting(plain, game))
        return _whole(msgspec.convert(fields, TAGS[name]), game)
    except (msgspec.MsgspecError, AttributeError, ValueError, KeyError) as error:
        raise error if isinstance(error, UnreadableRecord) else UnreadableRecord(f"no entry of a record: {error}") from None


def encode_sighting(sighting: Sighting, game: Refereed) -> dict[str, Any]:
    """``{"<its tag>": {…}}``, plain values."""
    return {_sightings(game)[1][type(sighting)]: msgspec.to_builtins(sighting)}


def decode_sighting(plain: dict[str, Any], game: Refereed) -> Sighting:
    """What `encode_sighting` was given.

    Raises:
        UnreadableRecord: this game knows no such sighting.
    """
    ((name, fields),) = plain.items()
    kinds, _ = _sightings(game)
    if name not in kinds:
        raise UnreadableRecord(f"an entry of type {name!r}: expected one of {', '.join((*kinds, *TAGS))}")
    return msgspec.convert(fields, kinds[name])


def _sightings(game: Refereed) -> tuple[dict[str, type[Any]], dict[type[Any], str]]:
    kinds = dict(game.meaning.TAGS) if game.meaning is not None else {}
    return kinds, {kind: name for name, kind in kinds.items()}


def _whole(entry: Answered | Fixed | Inserted | Withdrawn, game: Refereed) -> Entry:
    """The entry with its events as the game's own, in place of plain values."""
    if isinstance(entry, Fixed | Inserted):
        as_event = game.rules.LOG.event
        entry = replace(entry, lines=tuple(replace(said, event=as_event(said.event)) for said in entry.lines))
        if isinstance(entry, Fixed):
            entry = replace(entry, removed=tuple(replace(line, event=as_event(line.event)) for line in entry.removed))
    return entry


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
    return game, Record(line, tuple(_numbered(rest, game)))


def _numbered(lines: Iterable[bytes], game: Refereed) -> Iterable[Entry]:
    for number, raw in enumerate(lines, start=2):
        if raw.strip():
            try:
                yield decode_entry(raw, game)
            except UnreadableRecord as error:
                raise UnreadableRecord(f"line {number}: {error}") from None
