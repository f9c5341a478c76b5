"""A film is the same to the last move as when the benches were filmed: their clips are made again from seeds alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import directed
import played
import pytest

from workshop.choreography.timeline import Timeline

DIGITS = 6
"""Decimals that are compared: a processor's sine may differ in the last one of sixteen."""


def plain(value: Any) -> Any:
    """The value as text that is the same wherever it is made."""
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return [[plain(key), plain(one)] for key, one in value.items()]
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [plain(one) for one in value]
    return value


def digest(timeline: Timeline) -> str:
    """A hash of all that moves and lies on the table, and of when every line of the log happens."""
    told = {field.name: getattr(timeline, field.name) for field in fields(timeline) if field.name != "lines"}
    return hashlib.sha256(repr(plain(told)).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("made", "found"), [
    (directed.Evening(4, 2, 1, "easy", 1.0), "c64495c37ec2bcee"),
    (directed.Evening(7, 3, 2, "medium", 0.7), "0426a5d19b015c91"),
    (directed.Evening(2, 4, 3, "hard", 1.8), "55a22ac3ccbe2414"),
    (directed.Evening(12, 2, 4, "hard", 1.0), "5cca1b53c9950179"),
    (played.Stoppa(3, 2, 1, "easy", 1.0), "0397959f16c6b11c"),
    (played.Stoppa(4, 2, 2, "medium", 0.7), "124bf012c2271765"),
    (played.Stoppa(5, 1, 3, "hard", 1.8), "65bfcaad269c8c08"),
    (played.Stoppa(6, 2, 4, "hard", 1.0), "02a24e91bb921f9e"),
    (played.Stoper(4, 3, 1, "easy", 1.0), "2485868e04fc63f4"),
    (played.Stoper(5, 3, 2, "medium", 0.7), "01a01e1f8e572770"),
    (played.Stoper(6, 4, 3, "hard", 1.8), "8f024309143d1070"),
    (played.Stoper(4, 5, 4, "hard", 1.0), "78c86696656d6a6b"),
], ids=repr)
def test_an_evening_is_directed_as_ever(made: directed.Evening | played.Evening, found: str) -> None:
    assert digest(made.timeline) == found
