"""One function, `edited`, does what an organiser wants to an evening: it gives the evening after it, with the lines that go with
it, or raises why it cannot be. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from companion.editing.commands import MAX_TEXT_LENGTH, Answer, Change, Command, Confirm, Insert, Outcome, Redo, Say, Undo
from companion.editing.outcome import check_change, check_still_stated, with_outcome, with_shown
from companion.games import Game, house_game
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, Stale, belated, confirm, correct, end_of, gone_on, insert_hand
from companion.referee.evening import Evening
from companion.referee.following import NO_PAST, Edit, followed, redo, undo
from companion.referee.questions import answer
from companion.referee.reasons import TEXT_TOO_LONG, TWO_HANDS, WOULD_NOT_BE_OVER
from companion.table.errors import Illegal
from companion.table.log import Event, tag


def edited(evening: Evening, command: Command, past: Mapping[int, Evening] = NO_PAST) -> Edit:
    """What this command makes of the evening. ``past``: see `companion.referee.following.undo`.

    Raises:
        Illegal: the rules forbid it, or what was fixed later; the error says why.
        KeyError: there is no such hand. Stale: it has other lines. NotAsked, Contradicted: see `questions.answer`.
        NothingThere: nothing to undo or redo.
    """
    game = house_game(evening.game)
    match command:
        case Answer(question, choice):
            return Edit(evening, answer(evening, question, choice))
        case Confirm(hand):
            return Edit(evening, confirm(evening, hand))
        case Undo():
            return Edit(evening, undo(evening, past))
        case Redo():
            return Edit(evening, redo(evening, past))
        case Outcome(hand, paid):
            edit = with_outcome(evening, hand, paid)
        case Say(events):
            edit = Edit(evening, _say(evening, events, game))
        case Insert(hand, events):
            _check_typed(evening, events, game)
            edit = Edit(evening, insert_hand(evening, hand, events))
        case Change(hand, start, stop, events):
            _check_typed(evening, events, game)
            check_change(evening.chapter(hand), start, stop, events)
            correction = Correction(hand, start, stop, events)
            if command.mend:
                edit = followed(evening, correction, game.pages.bridge)
            else:
                edit = Edit(evening, correct(evening, correction))
            check_still_stated(evening.chapter(hand), start, stop, events, edit.after)
    as_before = {id(chapter) for chapter in evening.chapters[:-1]}
    for chapter in edit.after.chapters:
        if id(chapter) not in as_before:
            _check_whole(chapter, game, last=chapter is edit.after.current)
    return edit


def obey(evening: Evening, command: Command) -> Evening:
    """The evening after this command. Raises what `edited` raises."""
    return edited(evening, command).after


def mended(evening: Evening, change: Change) -> Edit | None:
    """What the change makes of the evening without those later lines that could not follow it; None where that does not help.

    Raises:
        KeyError: there is no such hand.
    """
    if change.mend:
        return None
    try:
        return edited(evening, replace(change, mend=True))
    except (Illegal, Stale):
        return None


def _say(evening: Evening, events: tuple[Event, ...], game: Game) -> Evening:
    """Go on with the hand in progress; one that is over is closed first."""
    _check_typed(evening, events, game)
    current = evening.current
    if current.over:
        if tag(events[0]) == "void":
            return _voided(evening, events)
        if [tag(event) for event in events] == ["end"]:
            return _closed(evening, events)
        evening = gone_on(evening) or _closed(evening, (end_of(game.rules),))
        current = evening.current
    elif tag(events[0]) in ("hand", "close") and game.rules.check(current.after, end_of(game.rules)) is None:
        evening = _say(evening, (end_of(game.rules),), game)  # it ends a hand in which nothing more need come
        current = evening.current
    end = len(current.lines)
    try:
        after = correct(evening, Correction(current.id, end, end, events))
    except Illegal:
        late = belated(evening, events) or with_shown(evening, events) or _told_now(evening, events, game)
        if late is None:
            raise
        return late
    said = events
    while (more := _by_itself(after.current, said[-1], game)) is not None:
        said = (*said, more)
        after = correct(evening, Correction(current.id, end, end, said))
    return after


def _closed(evening: Evening, by: tuple[Event, ...]) -> Evening:
    """The hand that the cards have already ended is over by hand too: what is seen from now on belongs to the next."""
    current = evening.current
    end = len(current.lines)
    said = tag(current.lines[-1].event) == "end"
    return correct(evening, Correction(current.id, end - said, end, by))


def _voided(evening: Evening, void: tuple[Event, ...]) -> Evening:
    """The hand that is just over was void: that stands in the place of the line that ended it, and of cards shown since."""
    current, rules = evening.current, evening.game.rules
    end = len(current.lines)
    open_before = [rules.in_hand(state) for state in current.states]
    start = next((at for at in range(end) if open_before[at] and not open_before[at + 1]), end)
    return correct(evening, Correction(current.id, start, end, void))


def _told_now(evening: Evening, events: tuple[Event, ...], game: Game) -> Evening | None:
    """The evening in which somebody tells an event that the program had added at the hand's end; None where it had added none,
    or another one. The event's line is then somebody's, and no longer the program's.
    """
    if len(events) > 1:
        return None
    current = evening.current
    lines, states = current.lines, current.states
    for at in range(len(lines) - 1, 0, -1):
        if lines[at].event != game.pages.by_itself(states[at], lines[at - 1].event):
            return None
        try:
            after = correct(evening, Correction(current.id, at, at + 1, events))
        except Illegal:
            continue
        if tag(events[0]) == tag(lines[at].event) and after.current.states[at + 1] == states[at + 1]:
            return after
    return None


def _by_itself(chapter: Chapter, event: Event, game: Game) -> Event | None:
    """What follows by itself after this event; only where the eyes see nothing that could follow."""
    if chapter.reports.sightings or not chapter.played or tag(event) == "end":
        return None
    more = game.pages.by_itself(chapter.after, event)
    if chapter.over and more is not None and tag(chapter.lines[-1].event) != "end":
        return more if game.rules.check(chapter.after, more) is None else None
    return more


def _check_whole(chapter: Chapter, game: Game, *, last: bool) -> None:
    """Each chapter is one hand, and all but the last are over.

    Raises:
        Illegal: they would not be.
    """
    if not last and game.rules.in_hand(chapter.after):
        raise Illegal(WOULD_NOT_BE_OVER, expected="its end")
    if sum(tag(line.event) == "hand" for line in chapter.lines) > 1:
        raise Illegal(TWO_HANDS, expected="a hand to begin after the end of the one before")


def _check_typed(evening: Evening, events: tuple[Event, ...], game: Game) -> None:
    """Free text is short, and nothing that was typed would be passed over.

    Raises:
        Illegal: it is not so.
    """
    for event in events:
        if (why := game.pages.mistold(event)) is not None:
            raise why
    names = game.rules.names(evening.current.before)
    for text in _texts([to_builtins(event) for event in events]):
        if len(text) > MAX_TEXT_LENGTH and text not in names:
            raise Illegal(TEXT_TOO_LONG, expected="a shorter one", letters=MAX_TEXT_LENGTH)


def _texts(plain: Any) -> Iterator[str]:
    """All that is text in plain values."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        for key, value in plain.items():
            yield from (key, *_texts(value))
    elif isinstance(plain, list | tuple):
        for value in plain:
            yield from _texts(value)
