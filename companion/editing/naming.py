"""People who are named in what a phone says are called as the evening calls them already. Pure.

A partner from outside is typed: "Gino" beside one ricompera and "gino" beside the next would be two people in the accounts and
one in the season.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.editing.commands import Change, Command, Insert, Say
from companion.referee.evening import Evening
from companion.table.log import Event
from companion.table.people import name_key
from companion.table.renaming import Renaming, names_of


def as_called(command: Command, evening: Evening) -> Command:
    """The command with each name in it as the evening spells it, where that has one person whose name differs in case, accents
    or spaces alone; a name that nobody has so far stays as it was typed, the first of two spellings of it where it has two.
    What the lines say that a change takes away does not count: a misspelt name can be mended in its own line."""
    if not isinstance(command, Say | Change | Insert):
        return command
    named = {name for event in command.events for name in names_of(event)}
    if named <= set(evening.game.rules.names(evening.current.after)):
        return command  # as nearly always: the rest of a long evening need not be read
    known = _known(evening, command)
    return replace(command, events=tuple(_called(event, known) for event in command.events))


def _known(evening: Evening, command: Say | Change | Insert) -> dict[str, str | None]:
    """`name_key` → how the evening spells the name; None where two of its people have it."""
    players, found = evening.game.rules.names(evening.current.after), dict[str, str | None]()
    for name in players:
        _add(found, name)
    for chapter in evening.chapters:
        gone = range(command.start, command.stop) if isinstance(command, Change) and chapter.id == command.hand else ()
        for at, line in enumerate(chapter.lines):
            for name in names_of(line.event) if at not in gone else ():
                _add(found, name)
    return found


def _add(found: dict[str, str | None], name: str) -> None:
    key = name_key(name)
    found[key] = name if found.get(key, name) == name else None


def _called(event: Event, known: dict[str, str | None]) -> Event:
    """The event with these spellings; what it names first is known from then on."""
    new: dict[str, str] = {}
    for name in sorted(names_of(event)):
        called = known.setdefault(name_key(name), name)
        if called is not None and called != name:
            new[name] = called
    return Renaming(new).event(event) if new else event
