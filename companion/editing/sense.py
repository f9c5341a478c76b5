"""Whether what people have said still means what they meant, once something else is put before or after it. Pure.

The same line can say two things: a Cucco shown to a player who passes refuses, shown to nobody it only lies open. What a line
says in its place, the game knows (`companion.pages.protocol.Pages.sense`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from companion.editing.commands import Command
from companion.editing.edit import obey
from companion.games import Game, house_game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.log import Event, tag

Meant = tuple[Event, Hashable]
"""An event with its sense."""
_UNKNOWN = object()
"""The sense of an event that is no line in its place, such as a void said of a hand that is over."""


def meant_by(now: Evening, same: int, gone: Sequence[Event], events: Sequence[Event]) -> tuple[Meant, ...]:
    """What these events meant when they were said: after the first ``same`` lines of the log, and lines that are ``gone`` now."""
    game, rules = house_game(now.game), now.game.rules
    state, found, heard = _state_after(now, same), list[Meant](), 0
    try:
        for event in gone:
            state = rules.apply(state, event)
        for event in events:
            said = tuple(_senses_of(game, state, event))
            state, heard = rules.apply(state, event), heard + 1
            found += said
    except Illegal:
        pass
    return (*found, *((event, _UNKNOWN) for event in events[heard:]))


def stands_as_meant(now: Evening, same: int, meant: Sequence[Meant]) -> bool:
    """Whether all of it stands in the log, after its first ``same`` lines, in this order and with this meaning."""
    after = [(chapter, index) for chapter in now.chapters for index in range(len(chapter.lines))][max(same - 1, 0) :]
    rest = (one for chapter, index in after for one in _senses_at(chapter, index))
    return all(any(_alike(one, other) for other in rest) for one in meant)


def means_the_same(now: Evening, command: Command, meant: Sequence[Meant]) -> bool:
    """Whether this command can be done on the evening, and then says what was ``meant``, and changes nothing of what others have
    said."""
    try:
        after = obey(now, command)
    except (Illegal, ValueError):
        return False
    return as_meant(now, after, meant)


def as_meant(now: Evening, after: Evening, meant: Sequence[Meant]) -> bool:
    """Whether the evening ``after`` a change says what was ``meant``, and what else people have said, as it stands ``now``.
    What the eyes have seen may be another thing by what was said. A void undoes a hand whatever was said of it."""
    stated = {event for event, _ in meant}
    if any(tag(event) == "void" for event in stated):
        return True
    before, changed = _apart(now, after)
    found = [one for chapter in changed for one, _ in _senses(chapter)]
    left = Counter(found)
    left.subtract(one for chapter in before for one, by_hand in _senses(chapter) if by_hand and one[0] not in stated)
    if any(many < 0 for many in left.values()):
        return False
    for one in meant:
        other = next((other for other in found if _alike(one, other)), None)
        if other is None:
            return False
        found.remove(other)
    return True


def _alike(meant: Meant, found: Meant) -> bool:
    return meant[0] == found[0] and (meant[1] is _UNKNOWN or meant[1] == found[1])


def _apart(now: Evening, after: Evening) -> tuple[list[Chapter], list[Chapter]]:
    """The hands that are not the same in both."""
    here, there = ({id(chapter) for chapter in evening.chapters} for evening in (now, after))
    return [one for one in now.chapters if id(one) not in there], [one for one in after.chapters if id(one) not in here]


def _senses(chapter: Chapter) -> Iterator[tuple[Meant, bool]]:
    """The lines of a hand, and the acts that they stand for, with their senses; and whether somebody has said it."""
    for index in range(len(chapter.lines)):
        for meant in _senses_at(chapter, index):
            yield meant, index in chapter.fixed


def _senses_at(chapter: Chapter, index: int) -> Iterator[Meant]:
    return _senses_of(house_game(chapter.game), chapter.states[index], chapter.lines[index].event)


def _senses_of(game: Game, state: State, event: Event) -> Iterator[Meant]:
    """The event in this ``state``, and the acts that it stands for, with their senses. Raises Illegal."""
    for one in game.pages.spelt_out(state, event):
        before, state = state, game.rules.apply(state, one)
        yield (one, game.pages.sense(before, one, state))


def _state_after(evening: Evening, lines: int) -> State:
    """The game after this number of lines of its log."""
    left = max(lines - 1, 0)  # without the log's own first line
    for chapter in evening.chapters:
        if left <= len(chapter.lines):
            return chapter.states[left]
        left -= len(chapter.lines)
    return evening.current.after
