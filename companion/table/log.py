"""The table log of any game: JSON Lines, one event a line, in the order things happened.

Every log begins with its ``game`` line, and tells hands: a ``hand`` event begins one, ``end`` or ``void`` ends it. All else is
each game's own: a union of frozen structs tagged by ``e``, handed to a `LogFormat`. Reading is strict about the keys that the
format knows and ignores the others; every error is a `Malformed` that names its line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, ClassVar, TypeAlias, get_args

import msgspec
from msgspec import Raw, Struct

from companion.table.errors import Malformed

MAX_LOG_BYTES = 64 << 20
"""Greatest size in bytes of a log that is read from a file: ten thousand hands with twelve players take a fifth of it."""

Event: TypeAlias = Any
"""One of a game's events, a frozen struct derived from `EventBase`. Which those are only its game knows."""


class EventBase(Struct, frozen=True, tag_field="e", omit_defaults=True, kw_only=True):
    """The base of all events: frozen, tagged by ``e``, without keys that have their default value.

    ``BESIDE``: the line belongs to no hand, wherever it is in the log, such as a ricompera. Sheets tell it beside the hands.
    ``DECIDES``: who pays can hang on the line; not on how many cards somebody has changed.
    """

    BESIDE: ClassVar[bool] = False
    DECIDES: ClassVar[bool] = True


class Line(Struct, frozen=True):
    """One line: what happened, when (``t``, seconds into the source), and how sure its writer was (0 to 1)."""

    event: Event
    t: float | None = None
    confidence: float | None = None


def least_sure(*confidences: float | None) -> float | None:
    """The least of these probabilities, None where none is said."""
    return min((said for said in confidences if said is not None), default=None)


def weight(event: Event, confidence: float | None) -> float | None:
    """How sure who pays can be by this line of a hand; None where the line says nothing of it, or nothing hangs on it."""
    return confidence if event.DECIDES and not event.BESIDE else None


def tag(event: Event) -> str:
    """The event's ``e``: ``game``, ``hand``, …"""
    found: str = event.__struct_config__.tag
    return found


class _Stamp(Struct):
    t: float | None = None
    confidence: float | None = None


class _Beginning(Struct):
    e: str = ""
    game: str | None = None


_decode_stamp = msgspec.json.Decoder(_Stamp).decode
_decode_beginning = msgspec.json.Decoder(_Beginning).decode
_decode_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_encode = msgspec.json.Encoder(decimal_format="number").encode

Refuse = Callable[[Mapping[str, Raw], Event], None]
"""Raises Malformed for faults that the decoder lets pass. It gets a line's keys, each with its value as raw JSON (so that values
under keys outside of the format are never read), and the event made from the line."""


class LogFormat:
    """How one game's log is read. ``events``: the union of its events; ``title``: of its JSON Schema.

    ``decode_event`` reads one event (JSON, as a line of a log) without asking ``refuse``; it raises `msgspec.MsgspecError`.
    ``refuse`` is asked about events of the types ``looked_at``. A ``null`` for a key that may be left out is always refused.
    """

    def __init__(
        self, events: Any, *, title: str, refuse: Refuse | None = None, looked_at: tuple[type, ...] = ()
    ) -> None:
        self.events, self.title = events, title
        self._refuse, self._looked_at = refuse, looked_at
        self.decode_event: Callable[[bytes], Event] = msgspec.json.Decoder(events).decode

    def event(self, plain: Any) -> Event:
        """The event that these plain values (dicts, lists, numbers) describe.

        Raises:
            msgspec.ValidationError: they describe none.
        """
        return msgspec.convert(plain, self.events)

    def decode_line(self, raw: bytes) -> Line:
        """One line of a log, without its line break.

        ``t`` and ``confidence`` are no keys of the log format: where they make no sense they are passed over.

        Raises:
            Malformed: no JSON object, an unknown ``e``, a missing key, a wrong type.
        """
        try:
            if not raw.isascii() or b"\\u" in raw:
                raw = composed(raw.decode("utf-8")).encode()
            event = self.decode_event(raw)
            if b"null" in raw:
                _refuse_nulls(_decode_keys(raw), event)
            if self._refuse is not None and isinstance(event, self._looked_at):
                self._refuse(_decode_keys(raw), event)
        except UnicodeDecodeError as error:
            raise Malformed(f"not UTF-8: {error.reason} at byte {error.start + 1}", expected="a JSON object") from None
        except RecursionError:
            raise Malformed("nested too deeply", expected="a flat JSON object") from None
        except msgspec.ValidationError as error:
            raise self._malformed(str(error)) from None
        except msgspec.DecodeError as error:
            raise Malformed(f"not JSON: {error}", expected="one JSON object on a line") from None
        if b'"t"' not in raw and b'"confidence"' not in raw:
            return Line(event)
        try:
            stamp = _decode_stamp(raw)
        except msgspec.DecodeError:
            return Line(event)
        return Line(event, stamp.t, stamp.confidence)

    def _malformed(self, message: str) -> Malformed:
        """The error for a validation message of msgspec, in plain words."""
        unknown = _UNKNOWN_KEY.fullmatch(message)
        if unknown is None:
            return Malformed(_plain_words(message))
        key, name = unknown["key"], unknown["name"]
        known = [one.encode_name for one in self._fields_of(key)]
        return Malformed(f"`{key}` has the unknown key `{name}`", expected=f"any of {', '.join(known)}" if known else None)

    def _fields_of(self, key: str) -> tuple[msgspec.structs.FieldInfo, ...]:
        """The fields of the struct under this key of an event; none where there is no struct."""
        fields = (field for event in get_args(self.events) for field in msgspec.structs.fields(event))
        types = (field.type for field in fields if field.encode_name == key)
        struct = next((one for one in types if isinstance(one, type) and issubclass(one, Struct)), None)
        return msgspec.structs.fields(struct) if struct is not None else ()

    def numbered_lines(self, data: bytes) -> Iterator[tuple[int, Line]]:
        """The lines of a log with their numbers, from 1, one at a time. Empty lines are passed over, but counted.

        Raises:
            Malformed: at the first line that cannot be read, naming it.
        """
        for number, raw in numbered(data):
            try:
                yield number, self.decode_line(raw)
            except Malformed as error:
                raise error.at(number) from None

    def read_lines(self, data: bytes) -> tuple[Line, ...]:
        """All lines of a log.

        Raises:
            Malformed: a line that cannot be read, naming it.
        """
        return tuple(line for _, line in self.numbered_lines(data))

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of one line: any one of the events, with unknown keys allowed."""
        found = _as_written(msgspec.json.schema(self.events))
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": self.title, **found}


_UNKNOWN_KEY = re.compile(r"Object\ contains\ unknown\ field `(?P<name>.*)` - at `\$\.(?P<key>\w+)`", re.DOTALL)
"""What msgspec says of a key that a struct under a key of the line does not have."""
_MARK = re.compile(r"(?<!\\)((?:\\\\)*)\\u(03[0-6][0-9a-fA-F])")
"""A combining accent that is written as an escape."""


def composed(text: str) -> str:
    """JSON in NFC, in which an accent is part of its letter: the same name is the same text, on whatever keyboard it was typed.

    >>> composed('{"by":"Niccolo\\\\u0300"}'), composed("Niccolo" + chr(0x300)) == "Niccolò"
    ('{"by":"Niccolò"}', True)
    """
    return unicodedata.normalize("NFC", _MARK.sub(lambda one: one[1] + chr(int(one[2], 16)), text))


def _refuse_nulls(keys: Mapping[str, Raw], event: Event) -> None:
    for known in msgspec.structs.fields(event):
        if bytes(keys.get(known.encode_name, b"")) == b"null":
            raise Malformed(f"`{known.encode_name}` is null", expected="the key left out, or a value")


def numbered(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, each with its number, from 1.

    Raises:
        Malformed: the file begins with a byte order mark.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise Malformed("begins with a byte order mark", expected="plain UTF-8", line=1)
    for number, raw in enumerate(BytesIO(data), start=1):
        if stripped := raw.strip(b" \t\r\n"):
            yield number, stripped


def game_id(data: bytes) -> str | None:
    """The id of the game that the first line of a log names; None where it names none. ``data`` may be that line alone."""
    try:
        _, first = next(numbered(data), (1, b""))
        beginning = _decode_beginning(first)
    except (Malformed, msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return beginning.game if beginning.e == "game" else None


def encode_line(line: Line) -> bytes:
    """The line as JSON, without a line break. `LogFormat.decode_line` gives it back."""
    raw = _encode(line.event)
    for key, value in (("t", line.t), ("confidence", line.confidence)):
        if value is not None:
            raw = raw[:-1] + b',"' + key.encode() + b'":' + _encode(value) + b"}"
    return raw


def write_lines(lines: Iterable[Line]) -> bytes:
    """A log, each line ended by a line feed."""
    return b"".join(encode_line(line) + b"\n" for line in lines)


def _as_written(node: Any) -> Any:
    """The library's schema, changed to what a log really holds: shares are numbers, and a key is left out instead of null."""
    if isinstance(node, list):
        return [_as_written(item) for item in node if item != {"type": "null"}]
    if not isinstance(node, dict):
        return node
    if node.get("format") == "decimal":
        return {"type": "number", "minimum": 0, "maximum": 1}
    plain = {key: _as_written(value) for key, value in node.items() if not (key == "default" and value is None)}
    return plain.pop("anyOf")[0] | plain if len(plain.get("anyOf", ())) == 1 else plain


def _plain_words(message: str) -> str:
    """A validation message of msgspec, with its path in front: "`players`: Expected `array`, got `str`"."""
    said, _, path = message.partition(" - at `$")
    key = path.rstrip("`").lstrip(".")
    return f"`{key}`: {said}" if key else said
