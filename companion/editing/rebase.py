"""A command that was made on a version of the game that is past, as it must be done on the newest one: with the same meaning, or
not at all. Pure.

A phone shows the game as it was a moment ago, and the camera goes on seeing things. A line is known by what it says and by where
it stands among the others, not by its number; what happens next was said of one moment; an undo means one thing that was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec.structs import replace

from companion.editing.commands import Answer, Change, Command, Confirm, Insert, Outcome, Redo, Say, StaleVersion, Undo
from companion.editing.outcome import comes_to
from companion.editing.sense import as_meant, means_the_same, meant_by, stands_as_meant
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import begins_with, belated, check_lines
from companion.referee.following import Edit
from companion.referee.questions import NotAsked, questions
from companion.referee.record import Withdrawn
from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.log import Event, tag

# What was said to come next at one moment.


def said_next(command: Say, then: Sequence[Event], now: Evening) -> Command | None:
    """What was said to come next at one moment.

    The first of these cases that applies:

    - All of it was seen meanwhile: it is not done twice, and the answer is None.
    - A part was seen: only the rest is done, before the act's end where that was seen.
    - The table still waits for the same: it is said now.
    - Something came since: it is inserted where it was said, before that.
    - It adds nothing to what came since: it is appended.

    In any place what it says, and what others have said since, must mean what it meant (`Pages.sense`): a card that refused a
    passo is none that somebody just shows. Where it cannot, StaleVersion is raised.
    """
    log = [line.event for line in now.log]
    events = command.events
    same = _common_start(then, log)
    since = log[same:]
    since = since[: _hand_end(since, open_before=_in_hand(log[:same]))]
    gone = then[same:]
    new = _without(since, gone)
    meant = meant_by(now, same, gone, events)
    if _in_order(events, new):
        if stands_as_meant(now, same, meant):
            return None
        raise StaleVersion("the same was said, and meant something else")
    if since and any(tag(event) == "set" for event in events):
        raise StaleVersion("it was said of how it stood before")
    seen = _common_start(events, since) if not gone else 0
    rest = events[seen:]
    if any(event in new[seen:] for event in rest):  # said again, that would be done twice
        at = _end_seen(rest, since[seen:]) if not gone else None
        for candidate in _candidates(now, same + seen + at[1], rest[: at[0]]) if at else ():
            if means_the_same(now, candidate, meant):
                return candidate
        raise StaleVersion("a part of it was seen, and not in this order")
    waits = _waits(then, now) if not seen else None
    if waits is not None and waits == _waits(log, now) and means_the_same(now, command, meant):
        return command
    if gone:
        raise StaleVersion("what came before has changed")
    if (late := belated(now, rest)) is not None and as_meant(now, late, meant):
        return Say(rest)
    for candidate in _candidates(now, same + seen, rest):
        if means_the_same(now, candidate, meant):
            return candidate
    if _adds_nothing(now, then, log, events) and means_the_same(now, Say(rest), meant):
        return Say(rest)
    raise StaleVersion("something else has happened")


def _end_seen(events: Sequence[Event], since: Sequence[Event]) -> tuple[int, int] | None:
    """Where the end of what was said has been seen: how many events come before that end, and before which of those that came
    since they belong. None where no end of it was seen in this order."""
    for begun in range(1, len(events)):
        if events[begun] in since and _in_order(events[begun:], since):
            return begun, list(since).index(events[begun])
    return None


def _candidates(now: Evening, at: int, events: tuple[Event, ...]) -> Iterator[Command]:
    """The events put in at this place of the log (an index), or said as the next thing where it ends here."""
    first = 1  # the log's own first line
    for chapter in now.chapters:
        last = first + len(chapter.lines)
        if at == last and chapter is now.current:
            yield Say(events)
            return
        if first <= at < last or (at == last and now.game.rules.in_hand(chapter.after)):
            yield Change(chapter.id, at - first, at - first, events)
            return
        first = last


def _waits(log: Sequence[Event], now: Evening) -> object:
    """Which hand it is, and what the table waits for after these events of the log; None where that is not to be known.

    The hands before are those of the evening as it stands now.
    """
    state = _state(log, now)
    rules = now.game.rules
    return (rules.hands(state), rules.in_hand(state), rules.waiting(state)) if state is not None else None


def _state(log: Sequence[Event], now: Evening) -> State | None:
    """The state after these events. Their last hand is also the evening's last, or the one before it."""
    begun = [index for index, event in enumerate(log) if tag(event) == "hand"]
    played = [chapter for chapter in now.chapters if chapter.played]
    if not begun:
        before, tail = now.chapters[0].before, log[1:]
    elif len(begun) > len(played):
        return None
    else:
        chapter = played[len(begun) - 1]
        events = [line.event for line in chapter.lines]
        head = next(index for index, event in enumerate(events) if tag(event) == "hand")
        before = check_lines(now.game.rules, chapter.before, events[:head])
        tail = log[begun[-1] :]
    try:
        return check_lines(now.game.rules, before, tail)
    except Illegal:
        return None


def _adds_nothing(now: Evening, then: Sequence[Event], log: Sequence[Event], events: Sequence[Event]) -> bool:
    """Whether what came since is part of what was said: with it or without it, the game then stands the same."""
    with_it, without = _state((*log, *events), now), _state((*then, *events), now)
    return with_it is not None and with_it == without


def _hand_end(events: Sequence[Event], *, open_before: bool) -> int:
    """How many of the events belong to the hand in progress or, between hands, to what comes before the next and to that."""
    hands = 0 if not open_before else 1
    for index, event in enumerate(events):
        hands += tag(event) == "hand"
        if hands > 1:
            return index
        if hands and tag(event) in ("end", "void"):
            return index + 1
    return len(events)


def _in_hand(log: Sequence[Event]) -> bool:
    last = next((tag(event) for event in reversed(log) if tag(event) in ("hand", "end", "void")), "")
    return last == "hand"


def _in_order(events: Sequence[Event], among: Sequence[Event]) -> bool:
    """Whether all the events stand among these, in their order."""
    rest = iter(among)
    return all(any(event == other for other in rest) for event in events)


def _without(events: Sequence[Event], others: Sequence[Event]) -> list[Event]:
    """The multiset difference, in the order of ``events``: ``events`` minus ``others``."""
    left = Counter(others)
    new = []
    for event in events:
        if left[event]:
            left[event] -= 1
        else:
            new.append(event)
    return new


def _common_start(one: Sequence[Event], other: Sequence[Event]) -> int:
    return next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


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
            if chapter.standing_in and comes_to(chapter) == {player: many for player, many in paid.items() if many}:
                return None
            if chapter.standing_in and not _stood(chapter, then):
                raise StaleVersion("another outcome has been told since")
            return command
    raise StaleVersion("something has happened since")


def _stood(chapter: Chapter, then: Sequence[Event]) -> bool:
    """Whether the hand stood among these events as it stands now, up to the last line that stands for its outcome."""
    events = [line.event for line in chapter.lines]
    hand = events[begins_with(events) - 1 : max(chapter.standing_in) + 1]
    return any(then[at : at + len(hand)] == tuple(hand) for at in range(len(then) - len(hand) + 1))


def leaves_out_news(edit: Edit, then: Sequence[Event]) -> bool:
    """Whether an edit leaves out a line that has come since the log had these events: nobody who made it had seen that line."""
    now, was = Counter(line.event for line in edit.before.log), Counter(then)
    gone = (edit.before.chapter(hand).lines[at].event for hand, at in edit.gone)
    return any(now[event] > was[event] for event in gone)


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
