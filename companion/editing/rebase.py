"""A command that was made on a version of the game that is past, as it must be done on the newest one: with the same meaning, or
not at all. Pure.

A phone shows the game as it was a moment ago, and the camera goes on seeing things. A line is known by what it says and by where
it stands among the others, not by its number; what happens next was said of one moment; an undo means one thing that was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from msgspec.structs import replace

from companion.editing.commands import Answer, Change, Command, Confirm, Insert, Outcome, Redo, Say, StaleVersion, Undo
from companion.editing.outcome import comes_to
from companion.editing.said_next import said_next
from companion.referee import Evening
from companion.referee.questions import NotAsked, questions
from companion.referee.record import Withdrawn
from companion.table.log import Event, tag


def rebased(command: Command, then: Sequence[Event] | None, now: Evening) -> Command | None:
    """The command as it is to be done on the evening as it stands ``now``; None where just that has happened already.

    ``then``: the log's events at the version that it was made on; None where they are the same now.

    Raises:
        StaleVersion: it would mean something else.
        KeyError: there is no such hand. NotAsked: the question is no longer open.
    """
    match command:
        case Undo(int(entry)):
            return _undo(command, entry, now)
        case Redo(int(entry)):
            return _redo(command, entry, now)
        case Change():
            return _change(command, then, now)
        case Confirm():
            return _confirm(command, then, now)
    if then is None:
        return command
    match command:
        case Say():
            return said_next(command, then, now)
        case Answer():
            return _answer(command, now)
        case Insert():
            return _insert(command, then, now)
        case Outcome(hand, paid):
            chapter = now.chapter(hand)  # whatever else was seen of it: nobody can tell
            stands = chapter.standing_in and comes_to(chapter) == {player: many for player, many in paid.items() if many}
            return None if stands else command
    raise StaleVersion("something has happened since")


def _undo(command: Undo, entry: int, now: Evening) -> Undo | None:
    record = now.record
    if record.undoable and record.undoable[-1] == entry:
        return command
    if entry not in record.undoable and any(_taken_back(now, index) == entry for index in record.redoable):
        return None  # tapped twice, or on two phones
    raise StaleVersion("something was said after what is to be taken back")


def _redo(command: Redo, entry: int, now: Evening) -> Redo | None:
    record = now.record
    if record.redoable and record.redoable[-1] == entry:
        return command
    if entry < len(record.entries) and entry not in record.redoable and _taken_back(now, entry) in record.undoable:
        return None
    raise StaleVersion("something was said after what is to be said again")


def _taken_back(evening: Evening, index: int) -> int | None:
    """The entry that the withdrawal with this index takes back."""
    entry = evening.record.entries[index]
    return entry.entry if isinstance(entry, Withdrawn) else None


def _confirm(command: Confirm, then: Sequence[Event] | None, now: Evening) -> Confirm | None:
    chapter = now.chapter(command.hand)
    shown = command.shown
    lines = tuple(line.event for line in chapter.lines)
    if (shown is None and then is not None) or (shown is not None and shown != lines):
        raise StaleVersion("the hand has changed")
    return None if then is not None and len(chapter.fixed) == len(lines) else command


def _answer(command: Answer, now: Evening) -> Answer | None:
    """An answer means the same as long as its question is open."""
    if any(one.id == command.question for one in questions(now)):
        return command
    for chapter in now.chapters:
        if (command.question, command.choice) in chapter.reports.answers:
            return None
    raise NotAsked(f"{command.question!r} is no longer open")


def _insert(command: Insert, then: Sequence[Event], now: Evening) -> Insert | None:
    """A hand that two phones have missed is put in once."""
    at = now.chapters.index(now.chapter(command.hand))
    before = tuple(line.event for line in now.chapters[at - 1].lines) if at else ()
    more = sum(chapter.played for chapter in now.chapters) > sum(tag(event) == "hand" for event in then)
    return None if more and before == command.events else command


# A change of lines.


def _change(command: Change, then: Sequence[Event] | None, now: Evening) -> Change | None:
    """The change with its lines where they stand now."""
    if command.shown is None:
        if then is None:
            return command
        raise StaleVersion("something has happened since, and nobody knows which lines were shown")
    lines = tuple(line.event for line in now.chapter(command.hand).lines)
    plain = replace(command, shown=None, beside=None)
    if lines == command.shown:
        return plain
    start, stop, shown = command.start, command.stop, command.shown
    if not 0 <= start <= stop <= len(shown):
        raise StaleVersion("there are no such lines")
    places = _places(shown, lines)
    if start < stop:
        found = [places[index] for index in range(start, stop) if index in places]
        if len(found) < stop - start:
            if _stands_already(shown, lines, start, stop, command.events, places):
                return None
            raise StaleVersion("the lines are gone")
        if found != list(range(found[0], found[0] + len(found))):
            raise StaleVersion("something has come between the lines")
        return replace(plain, start=found[0], stop=found[-1] + 1)
    at = _beside(command, places, shown, lines)
    if any(_told_since(command.events, lines, start, shown) for start in (at, at - len(command.events))):
        return None
    return replace(plain, start=at, stop=at)


def _places(shown: Sequence[Event], lines: Sequence[Event]) -> dict[int, int]:
    """Index of a line as it was shown → where it stands now; of those that can be told apart from all others.

    A line is known by what it says and by its neighbours. One that stands there more often, or less often, than before could be
    any of them.
    """
    was, are = Counter(shown), Counter(lines)
    return {
        block.a + offset: block.b + offset
        for block in SequenceMatcher(None, shown, lines, autojunk=False).get_matching_blocks()
        for offset in range(block.size)
        if was[shown[block.a + offset]] == are[shown[block.a + offset]]
    }


def _beside(command: Change, places: dict[int, int], shown: Sequence[Event], lines: Sequence[Event]) -> int:
    """Where the events are to be put that stood before or after a line, or between two."""
    start = command.start
    if command.beside in (start, start - 1):
        if command.beside not in places:
            raise StaleVersion("the line is gone")
        return places[command.beside] + (command.beside < start)
    before = places.get(start - 1) if start else -1
    after = places.get(start) if start < len(shown) else len(lines)
    if before is None or after != before + 1:
        raise StaleVersion("the lines around it have changed")
    return after


def _stands_already(
    shown: Sequence[Event], lines: Sequence[Event], start: int, stop: int, events: Sequence[Event], places: dict[int, int]
) -> bool:
    """Whether the same change has been made: between the same neighbours stand the events, and none of the lines before."""
    before = places.get(start - 1) if start else -1
    after = places.get(stop) if stop < len(shown) else len(lines)
    return before is not None and after is not None and tuple(lines[before + 1 : after]) == tuple(events)


def _told_since(events: Sequence[Event], lines: Sequence[Event], start: int, shown: Sequence[Event]) -> bool:
    """Whether the events stand in this place, and did not when it was shown."""
    there = start >= 0 and bool(events) and tuple(lines[start : start + len(events)]) == tuple(events)
    return there and all(Counter(lines)[event] > Counter(shown)[event] for event in events)
