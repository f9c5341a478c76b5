"""Deck files may come from strangers: what was written is read again, and anything else is refused in one line, soon."""

import os
import struct
from collections.abc import Callable
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decks import deckfile
from companion.decks.deckfile import MAGIC, Alike, DeckFile, TaughtCard, decode_deck, encode_deck, read_deck, write_deck
from companion.decks.lists import BACK, LISTS, ListId
from companion.table.errors import BadDeck

JPEG = cv2.imencode(".jpg", np.full((84, 48, 3), 200, np.uint8))[1].tobytes()


def points(count: int, size: int, seed: int = 0) -> bytes:
    made = np.random.default_rng(seed).normal(size=(count, size))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype("<f4").tobytes()


def deck(**changes: object) -> DeckFile:
    cards = (TaughtCard("gnao", (JPEG,), points(2, 16)), TaughtCard(BACK, (JPEG, JPEG), points(4, 16, 1)))
    made = DeckFile(1, "stu", 0.55, "0" * 64, 16, 20.0, 0.6, cards)
    return msgspec.structs.replace(made, **changes)


@st.composite
def decks(draw: st.DrawFn) -> DeckFile:
    of: ListId = draw(st.sampled_from(sorted(LISTS)))
    size = draw(st.integers(8, 40))
    ids = draw(st.lists(st.sampled_from([*LISTS[of].KINDS, BACK]), min_size=1, max_size=6, unique=True))
    pictures, counts = st.integers(1, 8), st.integers(1, 16)
    cards = tuple(TaughtCard(card, (JPEG,) * draw(pictures), points(draw(counts), size, n)) for n, card in enumerate(ids))
    alike = (Alike(ids[0], ids[-1], draw(st.floats(-1, 1))),) if draw(st.booleans()) else ()
    adapter = np.eye(size, dtype="<f4").tobytes() if draw(st.booleans()) else b""
    return DeckFile(
        1, of, draw(st.floats(0.3, 1)), "ab" * 32, size, draw(st.floats(1, 200)), draw(st.floats(-1, 1)), cards, alike, adapter
    )


@given(decks())
def test_what_was_written_is_read_again(made: DeckFile) -> None:
    assert decode_deck(encode_deck(made), "a deck") == made


def refused(data: bytes) -> str:
    with pytest.raises(BadDeck) as caught:
        decode_deck(data, "mine.deck")
    text = str(caught.value)
    assert text.startswith("mine.deck: ")
    assert text.isprintable(), "one line, and nothing that a terminal obeys"
    assert len(text) < 300
    return text


def test_every_truncation_is_refused() -> None:
    whole = encode_deck(deck())
    for length in range(len(whole)):
        refused(whole[:length])


@given(st.integers(0, 8 * len(encode_deck(deck())) - 1))
def test_a_flipped_bit_is_refused(bit: int) -> None:
    data = bytearray(encode_deck(deck()))
    data[bit // 8] ^= 1 << bit % 8
    refused(bytes(data))


@given(st.binary(min_size=1, max_size=40))
def test_anything_appended_is_refused(more: bytes) -> None:
    refused(encode_deck(deck()) + more)


@given(st.binary(max_size=200))
def test_other_bytes_are_refused_with_and_without_a_right_checksum(data: bytes) -> None:
    refused(data)
    refused(forged(data))


def forged(body: bytes) -> bytes:
    return MAGIC + deckfile.hashlib.sha256(body).digest() + body


def one_card(**changes: object) -> DeckFile:
    return deck(cards=(msgspec.structs.replace(deck().cards[0], **changes),))


def jpeg_of(width: int, height: int) -> bytes:
    """A JPEG that says it has this size."""
    at = JPEG.index(b"\xff\xc0") + 5
    return JPEG[:at] + struct.pack(">HH", height, width) + JPEG[at + 4 :]


def numbers(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


NAN, INF = float("nan"), float("inf")
HOSTILE = {
    "a version to come": deck(v=2),
    "points that are no numbers": one_card(points=numbers(*[NAN] * 16)),
    "points without end": one_card(points=numbers(INF, *[0.0] * 15)),
    "points of another length": one_card(points=numbers(2.0, *[0.0] * 15)),
    "a point and a half": one_card(points=points(3, 8)),
    "a point that is cut": one_card(points=points(1, 16)[:-2]),
    "no points": one_card(points=b""),
    "too many points": one_card(points=points(65, 16)),
    "a picture of 60000 pixels": one_card(pictures=(jpeg_of(60_000, 60_000),)),
    "a picture without a size": one_card(pictures=(jpeg_of(0, 0),)),
    "no JPEG": one_card(pictures=(b"\x89PNG\r\n\x1a\n" + bytes(100),)),
    "an empty picture": one_card(pictures=(b"",)),
    "a picture of 65 kB": one_card(pictures=(JPEG + bytes(65 * 1024),)),
    "no pictures": one_card(pictures=()),
    "nine pictures": one_card(pictures=(JPEG,) * 9),
    "no cards": deck(cards=()),
    "a card twice": deck(cards=deck().cards[:1] * 2),
    "too many cards": deck(cards=deck().cards[:1] * 54),
    "a card of another list": one_card(card="denari-7"),
    "a card with a long name": one_card(card="x" * 17),
    "a card with a path for a name": one_card(card="../../x"),
    "an unknown list": deck(list="tarocchi"),
    "points of no size": deck(size=0),
    "points of a huge size": deck(size=2**40),
    "a ratio that is no number": deck(ratio=NAN),
    "a ratio without end": deck(ratio=INF),
    "a sharpness that is no number": deck(sharpness=NAN),
    "a stranger's cosine of 7": deck(stranger=7.0),
    "a digest that is none": deck(reader="0" * 63),
    "a digest and a new line": deck(reader="0" * 64 + "\n"),
    "an adapter of another size": deck(adapter=bytes(4 * 15 * 16)),
    "an adapter of no numbers": deck(adapter=numbers(*[NAN] * 256)),
    "pairs of cards that there are not": deck(alike=(Alike("gnao", "denari-7", 0.9),)),
    "a pair with no cosine": deck(alike=(Alike("gnao", "gnao", NAN),)),
    "too many pairs": deck(alike=(Alike("gnao", "gnao", 0.9),) * 201),
}


@pytest.mark.parametrize("made", HOSTILE.values(), ids=HOSTILE)
def test_a_forged_file_with_a_right_checksum_is_refused(made: DeckFile) -> None:
    refused(encode_deck(made))


def short(text: bytes) -> bytes:
    return bytes([0xA0 + len(text)]) + text


PACKED = {
    "4 billion cards": b"\x82" + short(b"v") + b"\x01" + short(b"cards") + b"\xdd\xff\xff\xff\xff",
    "4 GB of an adapter": b"\x82" + short(b"v") + b"\x01" + short(b"adapter") + b"\xc6\xff\xff\xff\xff",
    "4 billion fields": b"\xdf\xff\xff\xff\xff",
    "an unknown field": msgspec.msgpack.encode({**msgspec.to_builtins(deck(), builtin_types=(bytes,)), "hook": "os.system"}),
    "nesting without end": b"\x91" * 5_000_000,
    "nesting in an unknown field": b"\x81" + short(b"zzz") + b"\x91" * 5_000_000,
    "a field that a terminal would obey": b"\x81" + short(b"\x1b[2J\nroot:") + b"\x01",
    "a list of 5 MB": b"\x81" + short(b"list") + b"\xdb" + struct.pack(">I", 5_000_000) + b"\n" * 5_000_000,
    "text that is no UTF-8": b"\x81" + short(b"list") + short(b"\xff\xfe"),
    "a pickle": b"\x80\x04cos\nsystem\n(S'true'\ntR.",
}


@pytest.mark.parametrize("body", PACKED.values(), ids=PACKED)
def test_forged_messages_are_refused(body: bytes) -> None:
    refused(forged(body))


def test_a_newer_version_says_so() -> None:
    assert "update companion" in refused(forged(msgspec.msgpack.encode({"v": 9, "shape": "other"})))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.write(MAGIC)
        file.truncate(2**30)


OTHERS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "an empty file": lambda path: path.write_bytes(b""),
    "a photo": lambda path: path.write_bytes(JPEG),
    "a folder": lambda path: path.mkdir(),
    "a pipe": lambda path: os.mkfifo(path),
    "a device without end": lambda path: path.symlink_to("/dev/zero"),
    "a gigabyte": _sparse,
    "a link to itself": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("make", OTHERS.values(), ids=OTHERS)
def test_what_is_no_deck_file_is_refused(make: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "mine.deck"
    make(path)
    with pytest.raises(BadDeck, match=r"mine\.deck: ") as caught:
        read_deck(path)
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_goes_through_the_disk(tmp_path: Path) -> None:
    write_deck(tmp_path / "mine.deck", deck())
    assert read_deck(tmp_path / "mine.deck") == deck()


def test_what_a_deck_lacks_is_in_the_order_of_its_list() -> None:
    missing = deck(cards=deck().cards[:1]).missing
    assert missing[:2] == ("matto", "leone")
    assert missing[-1] == BACK
    assert len(missing) == 20
