"""What the histories of a hand say about the things that somebody at the table can tell: the facts that questions ask for.

A fact is a key and, in each history, a value; where a history says nothing about it, it has none there and no answer strikes
that history out. Which facts there are, each game says; a key is ``kind:place:place…``, a detail that one may leave out after an
``@``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.referee.hypothesis import Beam


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that can be asked for. ``kind`` and ``places`` are what the key says; ``t``: when it was, in seconds."""

    key: str
    kind: str
    places: tuple[int, ...]
    t: float


Facts = dict[str, tuple[Fact, str]]
"""Key → the fact and its value, in one history."""

OTHER = "other"
"""The choice that none of those offered is right; written with them, ``other:7:8``."""


def value_in(found: Facts, fact: Fact, default: str | None) -> str | None:
    """The fact's value in the history that says all this, ``default`` where it does not mention it.

    A history that takes what the eyes saw for a mistake may tell of something else in that place.
    """
    if fact.key in found:
        return found[fact.key][1]
    instead = found.get(fact.key.partition("@")[0])
    return instead[1] if instead else default


def struck(beam: Beam, facts: Iterable[Facts], fact: Fact, default: str | None, choice: str) -> Beam:
    """The histories that this answer leaves, ``facts`` being what each says; none when all contradict it."""
    return tuple(history for history, found in zip(beam, facts, strict=True) if _agrees(found, fact, default, choice))


def _agrees(found: Facts, fact: Fact, default: str | None, choice: str) -> bool:
    value = value_in(found, fact, default)
    if value is None:
        return True
    if choice.startswith(f"{OTHER}:"):
        return value not in choice.split(":")[1:]
    return value == choice
