"""People who are named in what a phone says are called as the evening calls them already, and as anybody's name is written. Pure.

A partner from outside is typed: "Gino" beside one ricompera and "gino " beside the next would be two people in the accounts and
one in the season.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import structs
from msgspec.structs import replace

from companion.editing.commands import Change, Command, Insert, Outcome, Say
from companion.referee.evening import Evening
from companion.referee.reasons import NAME_MISSING, NAME_TOO_LONG, NAMED_TWICE
from companion.table.errors import Illegal
from companion.table.log import Event
from companion.table.people import MAX_NAME_LENGTH, name_key
from companion.table.renaming import Renaming, names_of
from companion.table.seats import stranger
from companion.table.text import plain_name


def as_called(command: Command, evening: Evening) -> Command:
    """The command with each name in it as the evening spells it, where that has one person whose name differs in case, accents
    or spaces alone. A name that nobody has so far is written as in setting up: without blanks around it or invisible
    characters; the first of two spellings of it where it has two. What the lines say that a change takes away does not count: a
    misspelt name can be mended in its own line.

    Raises:
        Illegal: a new name is empty or too long, two spellings of one person stand where each may be named once, or a number
            is that of somebody who does not play.
    """
    players = evening.game.rules.names(evening.current.after)
    if isinstance(command, Outcome):
        return replace(command, paid=_of_players(command, players))
    if not isinstance(command, Say | Change | Insert):
        return command
    named = {name for event in command.events for name in names_of(event)}
    if named <= set(players):
        return command  # as nearly always: the rest of a long evening need not be read
    known = _known(evening, command)
    return replace(command, events=tuple(_called(event, known) for event in command.events))


def _of_players(command: Outcome, players: Collection[str]) -> dict[str, int]:
    """The numbers of an outcome by the players' own names. Raises Illegal."""
    found: dict[str, int] = {}
    for typed, number in command.paid.items():
        name = typed if typed in players else _only([one for one in players if name_key(one) == name_key(typed)])
        if name is None and not plain_name(typed):
            raise Illegal(NAME_MISSING, expected="a name")
        if name is None:
            raise stranger(tuple(players), typed, f"one of {', '.join(players)}")
        if name in found:
            raise Illegal(NAMED_TWICE, expected="one number for each player", player=name)
        found[name] = number
    return found


def _only(names: Iterable[str]) -> str | None:
    """The name, if there is just one."""
    found = [*names]
    return found[0] if len(found) == 1 else None


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
    """The event with these spellings; what it names first is known from then on. Raises Illegal."""
    new: dict[str, str] = {}
    for name in sorted(names_of(event)):
        if name_key(name) not in known:
            known[name_key(name)] = _written(name)
        called = known[name_key(name)]
        if called is not None and called != name:
            new[name] = called
    if not new:
        return event
    renamed = Renaming(new).event(event)
    if _keys(renamed) < _keys(event):
        twice = next(name for name in new.values() if [*new.values()].count(name) > 1 or name in names_of(event))
        raise Illegal(NAMED_TWICE, expected="one value for each person", player=twice)
    return renamed


def _written(name: str) -> str:
    """A name that is new to the evening as it is kept. Raises Illegal where it is none."""
    plain = plain_name(name)
    if not plain:
        raise Illegal(NAME_MISSING, expected="a name")
    if len(plain) > MAX_NAME_LENGTH:
        raise Illegal(NAME_TOO_LONG, expected=f"at most {MAX_NAME_LENGTH} letters", name=plain[:MAX_NAME_LENGTH],
                      most=MAX_NAME_LENGTH)  # fmt: skip
    return plain


def _keys(event: Event) -> int:
    """How many values the event has by name."""
    return sum(len(value) for value in structs.astuple(event) if isinstance(value, dict))
