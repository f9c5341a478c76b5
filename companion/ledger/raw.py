"""The rows of a damaged ledger, page by page: SQLite gives up at the first page that is wrong, this reads all the others.

The file is read as https://www.sqlite.org/fileformat2.html tells it. Nothing is asked of the tree that holds the pages together,
so that a page is lost alone; pages of the write-ahead log take the place of those of the ledger. Which table a row is of shows in
what it holds.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.ledger.opening import wal_of
from companion.ledger.schema import checksum

Value = None | int | float | str | bytes
Row = tuple[Value, ...]

_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER = 0x0D, 0x0A, 0x02
_PAGE = 4096
"""Bytes of a page where the file does not say it any more: SQLite's own choice."""


@dataclass(slots=True)
class Remains:
    """What is left of a ledger, all of it unharmed as far as its checksums tell.

    Attributes:
        games: id → when it was begun (Unix seconds), its source, and the first line of its log where that is known.
        versions: game → number → head, tail and new lines. reports: game → number → text and when it was recorded.
        last_version, last_report: game → the highest number that a row has, even a spoilt one.
        notes: game → name → text. phones: id → digest, name, paired, seen. secrets: name → value.
        half: the write-ahead log is missing.
    """

    games: dict[int, tuple[float, str, str | None]] = field(default_factory=dict)
    versions: dict[int, dict[int, tuple[int, int, str]]] = field(default_factory=dict)
    reports: dict[int, dict[int, tuple[str, float | None]]] = field(default_factory=dict)
    notes: dict[int, dict[str, str]] = field(default_factory=dict)
    phones: dict[int, tuple[bytes, str, float, float]] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    last_version: dict[int, int] = field(default_factory=dict)
    last_report: dict[int, int] = field(default_factory=dict)
    half: bool = False


def remains(path: Path) -> Remains:
    """What is left of the ledger at ``path``. Raises OSError."""
    wal = wal_of(path)
    found = Remains()
    for rowid, row in _rows(_pages(path.read_bytes(), wal.read_bytes() if wal.exists() else b"")):
        _put(found, rowid, row)
        found.half |= row == ("written", "apart") and not wal.exists()
    return found


def _put(found: Remains, rowid: int | None, row: Row) -> None:
    """Put a row where it belongs; what is nothing of ours is passed over."""
    match (rowid, *row):
        case (int(id), None, int() | float() as started, str(source), *first):
            found.games[id] = float(started), source, str(first[0]) if first and first[0] is not None else None
        case (int(id), None, bytes(digest), str(name), int() | float() as paired, int() | float() as seen):
            found.phones[id] = digest, name, float(paired), float(seen)
        case (None, int(game), int(number), int() | float(), int(head), int(tail), str(lines), *crc):
            found.last_version[game] = max(number, found.last_version.get(game, 0))
            if _sound(crc, head, tail, lines):
                found.versions.setdefault(game, {})[number] = head, tail, lines
        case (None, int(game), int(number), str(text), *more):
            found.last_report[game] = max(number, found.last_report.get(game, 0))
            if _sound(more[:1], text):
                recorded = more[1] if len(more) > 1 else None
                at = float(recorded) if isinstance(recorded, int | float) else None
                found.reports.setdefault(game, {})[number] = text, at
        case (None, int(game), str(name), str(text)) if name.replace("_", "").isalpha():
            found.notes.setdefault(game, {})[name] = text
        case (None, str(name), bytes(value)):
            found.secrets[name] = value


def _sound(crc: list[Value], *values: int | str) -> bool:
    return not crc or crc[0] is None or crc[0] == checksum(*values)


def _pages(data: bytes, wal: bytes) -> dict[int, bytes]:
    """The pages that hold something, by number from 1."""
    said = struct.unpack_from(">H", data, 16)[0] if len(data) >= 100 else _PAGE
    size = 65536 if said == 1 else said
    if size < 512 or size & (size - 1) or len(data) % size:
        size = _PAGE
    pages = {at // size + 1: data[at : at + size] for at in range(0, len(data) - size + 1, size)}
    waiting: dict[int, bytes] = {}
    for at in range(32, len(wal) - size - 23, size + 24):
        number, committed, *salt = struct.unpack_from(">IIII", wal, at)
        if tuple(salt) != struct.unpack_from(">II", wal, 16):
            break  # from before the log was restarted
        waiting[number] = wal[at + 24 : at + 24 + size]
        if committed:
            pages.update(waiting)
            waiting.clear()
    for number in _free(pages):
        pages.pop(number, None)
    return pages


def _free(pages: dict[int, bytes]) -> set[int]:
    """The pages that hold nothing any more."""
    found: set[int] = set()
    trunk = struct.unpack_from(">I", pages[1], 32)[0] if 1 in pages else 0
    while trunk in pages and trunk not in found:
        following, many = struct.unpack_from(">II", pages[trunk])
        many = min(many, len(pages[trunk]) // 4 - 2)
        found |= {trunk, *struct.unpack_from(f">{many}I", pages[trunk], 8)}
        trunk = following
    return found


def _rows(pages: dict[int, bytes]) -> Iterator[tuple[int | None, Row]]:
    """Every row with its number; None in tables WITHOUT ROWID, which SQLite keeps as it keeps an index."""
    for number, page in sorted(pages.items()):
        start = 100 if number == 1 else 0
        kind = page[start]
        if kind not in (_TABLE_LEAF, _INDEX_LEAF, _INDEX_INNER):
            continue
        cells = start + (12 if kind == _INDEX_INNER else 8)
        many = min(struct.unpack_from(">H", page, start + 3)[0], (len(page) - cells) // 2)
        for at in struct.unpack_from(f">{many}H", page, cells):
            try:
                yield _cell(pages, page, kind, at)
            except (IndexError, ValueError, struct.error, UnicodeDecodeError):
                continue  # this row alone


def _cell(pages: dict[int, bytes], page: bytes, kind: int, at: int) -> tuple[int | None, Row]:
    size, at = _varint(page, at + (4 if kind == _INDEX_INNER else 0))
    rowid = None
    if kind == _TABLE_LEAF:
        rowid, at = _varint(page, at)
    usable = len(page)
    most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    if size <= most:
        return rowid, _record(_part(page, at, size))
    least = (usable - 12) * 32 // 255 - 23
    here = least + (size - least) % (usable - 4)
    here = here if here <= most else least
    payload, following = _part(page, at, here), struct.unpack_from(">I", page, at + here)[0]
    seen: set[int] = set()
    while len(payload) < size:
        if following not in pages or following in seen:
            raise ValueError("the rest of the row is elsewhere")
        seen.add(following)
        payload += pages[following][4 : 4 + size - len(payload)]
        following = struct.unpack_from(">I", pages[following])[0]
    return rowid, _record(payload)


def _record(payload: bytes) -> Row:
    header, at = _varint(payload, 0)
    kinds = []
    while at < header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        size = (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
        part, at = _part(payload, at, size), at + size
        if kind >= 12:
            values.append(part.decode("utf-8") if kind % 2 else part)
        elif kind == 7:
            values.append(struct.unpack(">d", part)[0])
        else:
            values.append(None if kind == 0 else kind - 8 if kind >= 8 else int.from_bytes(part, "big", signed=True))
    return tuple(values)


def _part(data: bytes, at: int, size: int) -> bytes:
    if at + size > len(data):
        raise ValueError("the row is longer than its page")
    return data[at : at + size]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for index in range(8):
        byte = data[at + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    return value << 8 | data[at + 8], at + 9
