"""Other names for the players, in what was reported of an evening and in its hands as they are kept. Pure.

What the eyes have seen says places and no names; what people have said is events, and the name of a phone.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.referee.record import Entry, Fixed, Inserted, Said, Saw, Together, decode_entry, encode_entry
from companion.referee.sighting_model import Refereed
from companion.table.log import Line
from companion.table.renaming import Renaming

L = TypeVar("L", Line, Said)


def lines(told: tuple[L, ...], renaming: Renaming) -> tuple[L, ...]:
    """Lines with the names as they are to be."""
    return tuple(replace(line, event=renaming.event(line.event)) for line in told)


def entry(text: str, game: Refereed, renaming: Renaming) -> str:
    """An entry of the record as it is written, with the names as they are to be. Raises UnreadableRecord."""
    return encode_entry(_entry(decode_entry(text, game), renaming), game).decode()


def _entry(told: Entry, renaming: Renaming) -> Entry:
    if isinstance(told, Saw):
        return told
    told = replace(told, by=renaming.text(told.by))
    if isinstance(told, Fixed):
        return fix(told, renaming)
    if isinstance(told, Together):
        return replace(told, fixes=tuple(fix(one, renaming) for one in told.fixes))
    if isinstance(told, Inserted):
        return replace(told, lines=lines(told.lines, renaming))
    return told


def fix(told: Fixed, renaming: Renaming) -> Fixed:
    """A correction with the names as they are to be."""
    return replace(told, lines=lines(told.lines, renaming), removed=lines(told.removed, renaming), by=renaming.text(told.by))


def events_of(told: Entry) -> tuple[object, ...]:
    """The events that an entry of the record tells."""
    if isinstance(told, Together):
        return tuple(event for one in told.fixes for event in events_of(one))
    if isinstance(told, Fixed):
        return (*(line.event for line in told.lines), *(line.event for line in told.removed))
    if isinstance(told, Inserted):
        return tuple(line.event for line in told.lines)
    return ()
