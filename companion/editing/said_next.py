"""What was said to come next at one moment, as it is to be said of the evening as it stands: once, and in its place. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.editing.commands import Change, Command, Say, StaleVersion
from companion.editing.sense import as_meant, means_the_same, meant_by, stands_as_meant
from companion.referee import Evening
from companion.referee.corrections import belated, check_lines
from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.log import Event, tag


def said_next(command: Say, then: Sequence[Event], now: Evening) -> Command | None:
    """What was said to come next at one moment.

    Just that, seen meanwhile, is not done twice; of acts of several events only the rest is, before their end where that was
    seen. Where the table still waits for the same, it is said now. Else it belongs where it was said, before what came since; or
    after it, where that adds nothing to it. In any place what it says, and what others have said since, must mean what it meant
    (`Pages.sense`): a card that refused a passo is none that somebody just shows.
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
    """The events less those that stood there before, each as often as it did."""
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
