"""The file of an enrolled deck: its cards' pictures and prototypes, bound together by a checksum.

A deck file may come from a stranger. It is data alone: a magic line, the SHA-256 of the rest, and MessagePack of `DeckFile`. Its
size and every count and number in it are bounded before they are used; whatever is wrong raises `BadDeck` with one line.

The file has the straightened pictures beside the prototypes, so that later networks can make prototypes of their own.
"""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import msgspec

from companion.decks.lists import BACK, LISTS, ListId, cards_of
from companion.files import write_whole
from companion.table.errors import BadDeck

MAGIC: Final = b"companion deck\n"
VERSION: Final = 1
MAX_FILE_BYTES: Final = 16 * 2**20
"""Bytes of the largest deck file that is read."""
MAX_PICTURES: Final = 8
"""Greatest number of pictures of one card."""
MAX_POINTS: Final = 64
"""Greatest number of prototypes of one card."""
MAX_PICTURE_BYTES: Final = 64 * 1024
"""Bytes of the largest picture of a card."""
MAX_SIDE_PIXELS: Final = 512
"""Greatest length in pixels of a side of a card's picture."""
POINT_LENGTHS: Final = (8, 1024)
"""The least and the greatest length of a prototype, in numbers."""

Hex = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]


class TaughtCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One card, or the back. ``pictures``: JPEG, straightened, either way up; ``points``: its prototypes one after the other,
    float32 little endian, each of length 1."""

    card: Annotated[str, msgspec.Meta(max_length=16)]
    pictures: Annotated[tuple[bytes, ...], msgspec.Meta(min_length=1, max_length=MAX_PICTURES)]
    points: bytes


class Alike(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two cards so similar that one may be taken for the other. ``cosine``: that of their closest prototypes."""

    one: str
    other: str
    cosine: float


class DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An enrolled deck.

    ``list``: which cards it may have. ``ratio``: width / height of its cards. ``reader``: SHA-256 of the network that made the
    points; ``size``: numbers in each point. ``sharpness``, ``stranger``: as of `companion.eyes.reader.Prototypes`. ``alike``:
    what its owner was told. ``adapter``: a matrix (size, size), float32 little endian row by row, that points and embeddings
    went through when the deck was tuned; empty when it was not.
    """

    v: int
    list: ListId
    ratio: float
    reader: Hex
    size: int
    sharpness: float
    stranger: float
    cards: Annotated[tuple[TaughtCard, ...], msgspec.Meta(min_length=1, max_length=53)]
    alike: Annotated[tuple[Alike, ...], msgspec.Meta(max_length=200)] = ()
    adapter: bytes = b""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its cards, with the back's, in the order of the list."""
        return tuple(one.card for one in self.cards)

    @property
    def missing(self) -> tuple[str, ...]:
        """The ids of the cards of its list that it lacks, in the list's order; last the back, if it lacks that."""
        return tuple(card for card in cards_of(self.list) if card not in self.ids)


def encode_deck(deck: DeckFile) -> bytes:
    """The bytes of the deck's file."""
    body = msgspec.msgpack.encode(deck)
    return MAGIC + hashlib.sha256(body).digest() + body


def decode_deck(data: bytes, named: str) -> DeckFile:
    """The deck in these bytes. ``named``: the file's name in messages.

    Raises:
        BadDeck: they are not the whole of a deck file, or it holds what no deck can.
    """
    if len(data) > MAX_FILE_BYTES:
        raise BadDeck(f"{named}: larger than the {MAX_FILE_BYTES // 2**20} MB that a deck file may have")
    if not data.startswith(MAGIC):
        raise BadDeck(f"{named}: not a deck file of companion: `companion enrol PHOTOS --out DECK` makes one")
    start = len(MAGIC) + 32
    if hashlib.sha256(data[start:]).digest() != data[len(MAGIC) : start]:
        raise BadDeck(f"{named}: this deck file is damaged or cut short: copy it again from where it came")
    try:
        deck = msgspec.msgpack.decode(data[start:], type=DeckFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        version = _version(data[start:])
        if version is not None and version > VERSION:
            raise BadDeck(f"{named}: a deck file of version {version}: update companion, which reads {VERSION}") from error
        raise BadDeck(f"{named}: not a deck that companion wrote: {_tame(str(error))}") from error
    for wrong in _faults(deck):
        raise BadDeck(f"{named}: not a deck that companion wrote: {wrong}")
    return deck


def read_deck(path: Path) -> DeckFile:
    """The deck in the file ``path``.

    Raises:
        BadDeck: it cannot be read, or as of `decode_deck`.
    """
    try:
        if not path.is_file():  # a pipe or a device might never end
            raise BadDeck(f"{path}: no such file: expected a deck file, as `companion enrol PHOTOS --out DECK` makes them")
        with path.open("rb") as file:
            return decode_deck(file.read(MAX_FILE_BYTES + 1), str(path))
    except OSError as error:
        raise BadDeck(f"{path}: {error.strerror or error}: expected a deck file that can be read") from error


def write_deck(path: Path, deck: DeckFile) -> None:
    """Write the deck's file, whole or not at all. Raises OSError."""
    write_whole(path, encode_deck(deck))


def _tame(text: str) -> str:
    """A text of a stranger's file, made fit for a message: one short line without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:120])


def _version(body: bytes) -> int | None:
    class Version(msgspec.Struct):
        v: int

    try:
        return msgspec.msgpack.decode(body, type=Version).v
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _faults(deck: DeckFile) -> Iterator[str]:
    """The faults of a deck in which all values have the right types."""
    if deck.v != VERSION:
        yield f"its version is {deck.v}, expected {VERSION}"
    if not POINT_LENGTHS[0] <= deck.size <= POINT_LENGTHS[1]:
        yield f"its prototypes have {deck.size} numbers, expected {POINT_LENGTHS[0]} to {POINT_LENGTHS[1]}"
    if not (math.isfinite(deck.ratio) and 0.3 <= deck.ratio <= 1.0):
        yield f"its cards are {deck.ratio} times as wide as high, expected 0.3 to 1"
    if not (math.isfinite(deck.sharpness) and 1.0 <= deck.sharpness <= 200.0 and -1.0 <= deck.stranger <= 1.0):
        yield "its sharpness or the least cosine of a known card is out of range"
    if deck.adapter and not _finite(deck.adapter, deck.size * deck.size):
        yield f"its adapter is not a matrix of {deck.size} by {deck.size} numbers"
    if len(set(deck.ids)) < len(deck.cards):
        yield "a card is there twice"
    for one in deck.cards:
        if one.card != BACK and one.card not in LISTS[deck.list].NAMES:
            yield f"{one.card!r} is no card of the list {deck.list}"
        if not (one.points and _unit(one.points, deck.size)):
            yield f"the prototypes of {one.card} are not 1 to {MAX_POINTS} points of length 1"
        for picture in one.pictures:
            width, height = jpeg_size(picture)
            if len(picture) > MAX_PICTURE_BYTES or not (0 < max(width, height) <= MAX_SIDE_PIXELS):
                yield f"a picture of {one.card} is no JPEG of at most {MAX_SIDE_PIXELS} pixels and {MAX_PICTURE_BYTES // 1024} kB"
    if any(name != BACK and name not in LISTS[deck.list].NAMES for pair in deck.alike for name in (pair.one, pair.other)):
        yield "its list of cards that look alike names others"
    if not all(-1.01 <= pair.cosine <= 1.01 for pair in deck.alike):
        yield "its cards that look alike have no cosines"


def _numbers(data: bytes) -> array[float] | None:
    if len(data) % 4:
        return None
    numbers = array("f")
    numbers.frombytes(data)
    return numbers


def _finite(data: bytes, count: int) -> bool:
    numbers = _numbers(data)
    return numbers is not None and len(numbers) == count and all(abs(number) < 1e3 for number in numbers)


def _unit(data: bytes, size: int) -> bool:
    if not 0 < len(data) <= 4 * size * MAX_POINTS or len(data) % (4 * size):
        return False
    numbers = _numbers(data)
    assert numbers is not None
    rows = (numbers[i : i + size] for i in range(0, len(numbers), size))
    return all(abs(math.fsum(number * number for number in row) - 1) < 0.01 for row in rows)


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels from the head of a JPEG, without decoding it; (0, 0) where this is no JPEG (ITU T.81, B.2)."""
    at = 2
    if data[:2] != b"\xff\xd8":
        return 0, 0
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        if length < 2:
            break
        at += 2 + length
    return 0, 0
