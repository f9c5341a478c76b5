"""Undo and redo of what was said by hand: answers, corrections, hands told. What the eyes saw is never taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from companion.referee.evening import Evening, reported
from companion.referee.record import Entry, Record, Saw, Withdrawn, standing

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
    said, _ = _stacks(evening.record.entries)
    if not said:
        raise NothingThere("there is nothing to undo")
    return _without(evening, said[-1], past)


def redo(evening: Evening, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening with what was taken back last, in its old place. Nothing can be redone once something new was said.

    Raises:
        As `undo`.
    """
    _, taken_back = _stacks(evening.record.entries)
    if not taken_back:
        raise NothingThere("there is nothing to redo")
    return _without(evening, taken_back[-1], past)


def can(evening: Evening) -> tuple[bool, bool]:
    """Whether there is something to undo, and something to redo."""
    said, taken_back = _stacks(evening.record.entries)
    return bool(said), bool(taken_back)


def _stacks(entries: Sequence[Entry]) -> tuple[list[int], list[int]]:
    """Indices of what can be undone, and of the withdrawals that can be redone; the next one last."""
    said: list[int] = []
    taken_back: list[int] = []
    for index, entry in enumerate(entries):
        if isinstance(entry, Saw):
            continue
        if not isinstance(entry, Withdrawn):
            said.append(index)
            taken_back.clear()
        elif entry.entry in taken_back:
            taken_back.remove(entry.entry)
            withdrawal = entries[entry.entry]
            assert isinstance(withdrawal, Withdrawn)
            said.append(withdrawal.entry)
        else:
            if entry.entry in said:
                said.remove(entry.entry)
            taken_back.append(index)
    return said, taken_back


def _without(evening: Evening, index: int, past: Mapping[int, Evening]) -> Evening:
    withdrawal = Withdrawn(index)
    entries = (*evening.record.entries, withdrawal)
    first = index  # the first entry that from now on counts otherwise
    while isinstance(entry := entries[first], Withdrawn):
        first = entry.entry
    if first not in past:
        return reported(evening, withdrawal)
    found = past[first]
    for number, entry in standing(entries):
        if number >= first:
            found = reported(found, entry)
    return replace(found, record=Record(evening.record.game, entries))
