"""What may be wrong with a text file that somebody hands in: a strategy of all kinds of damage, for the formats that are text."""

from __future__ import annotations

import re

from hypothesis import strategies as st

VALUE = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null')
NASTY = (
    b"NaN", b"Infinity", b"-Infinity", b".nan", b".inf", b"1e999", b"1e-999999", b"-1", b"0", b"0.5", b"-0.0", b"9" * 30,
    b"9" * 5000, b"true", b"null", b'""', b'"\\ud800"', b'"\\u0000\\u202e\\n"', b'"' + b"x" * 100_000 + b'"', b"[]", b"{}",
    b"[[]]", b'{"a":1}',
    b"[" * 100_000, b'{"a":' * 100_000, b"&a [*a, *a]", b"!!python/object/apply:os.system [ls]", b'"1970-01-01"',
)  # fmt: skip
"""What may stand in place of a value."""


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """The text, with one to three things wrong with it; rarely none."""
    found = whole
    for _ in range(draw(st.integers(1, 3))):
        found = draw(st.sampled_from(_WAYS))(draw, found)
    return found


def _value(draw: st.DrawFn, data: bytes) -> bytes:
    there = [*VALUE.finditer(data)]
    if not there:
        return data
    at = there[draw(st.integers(0, len(there) - 1))]
    return data[: at.start()] + draw(st.sampled_from(NASTY)) + data[at.end() :]


def _key_twice(draw: st.DrawFn, data: bytes) -> bytes:
    keys = [*re.finditer(rb'"\w+":', data)]
    if not keys:
        return data
    key = keys[draw(st.integers(0, len(keys) - 1))]
    return data[: key.start()] + key[0] + draw(st.sampled_from(NASTY)) + b"," + data[key.start() :]


def _cut(draw: st.DrawFn, data: bytes) -> bytes:
    return data[: draw(st.integers(0, len(data)))]


def _bytes(draw: st.DrawFn, data: bytes) -> bytes:
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.binary(min_size=1, max_size=4)) + data[at + draw(st.integers(0, 4)) :]


def _lines(draw: st.DrawFn, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    way = draw(st.sampled_from(["lose", "double", "swap"]))
    if way == "lose":
        del lines[one]
    elif way == "double":
        lines.insert(other, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _encoding(draw: st.DrawFn, data: bytes) -> bytes:
    ways = {
        "mark": b"\xef\xbb\xbf" + data,
        "CRLF": data.replace(b"\n", b"\r\n"),
        "UTF-16": data.decode(errors="replace").encode("utf-16"),
        "Latin-1": data.decode(errors="replace").encode("latin-1", "replace"),
        "NUL": data + b"\0",
    }
    return ways[draw(st.sampled_from(sorted(ways)))]


_WAYS = (_value, _value, _key_twice, _cut, _bytes, _lines, _encoding)
