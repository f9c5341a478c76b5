"""Undo and redo of what was said by hand: answers, corrections, hands told. What the eyes saw is never taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from companion.referee.evening import Evening, reported
from companion.referee.record import Withdrawn, standing

NO_PAST: Mapping[int, Evening] = MappingProxyType({})


class NothingThere(LookupError):
    """Nothing was said that could be taken back, or nothing was taken back."""


def undo(evening: Evening, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening without what was said last, everything seen since included.

    ``past``: evenings by the number of entries that their records had, as far as somebody has kept them. From one of them it
    is a short way; without, the whole record is thought through again, to the same end.

    Raises:
        NothingThere: nothing was said, or all of it was taken back.
        KeyError, Unfitting: what was seen or said since does not fit without it.
    """
    if not evening.record.undoable:
        raise NothingThere("there is nothing to undo")
    return _without(evening, evening.record.undoable[-1], past)


def redo(evening: Evening, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening with what was taken back last, in its old place. Nothing can be redone once something new was said.

    Raises:
        As `undo`.
    """
    if not evening.record.redoable:
        raise NothingThere("there is nothing to redo")
    return _without(evening, evening.record.redoable[-1], past)


def can(evening: Evening) -> tuple[bool, bool]:
    """Whether there is something to undo, and something to redo."""
    return bool(evening.record.undoable), bool(evening.record.redoable)


def _without(evening: Evening, index: int, past: Mapping[int, Evening]) -> Evening:
    withdrawal = Withdrawn(index)
    record = evening.record.with_entry(withdrawal)
    entries = record.entries
    first = index  # the first entry that from now on counts differently
    while isinstance(entry := entries[first], Withdrawn):
        first = entry.entry
    if first not in past:
        return reported(evening, withdrawal)
    found = past[first]
    for number, entry in standing(entries):
        if number >= first:
            found = reported(found, entry)
    return replace(found, record=record)
