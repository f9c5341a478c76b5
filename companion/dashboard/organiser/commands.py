"""What an organiser can do to an evening, as frozen values; `obey` does it, or says why it cannot be. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, to_builtins
from msgspec.structs import replace

from companion.dashboard.organiser.outcome import with_outcome, with_shown
from companion.games import Game, house_game
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, Stale, belated, confirm, correct, end_of, insert_hand
from companion.referee.evening import Evening
from companion.referee.following import Followed, followed
from companion.referee.questions import answer
from companion.referee.reasons import TEXT_TOO_LONG, TWO_HANDS, WOULD_NOT_BE_OVER
from companion.referee.undo import NO_PAST, redo, undo
from companion.table.errors import Illegal
from companion.table.log import Event, tag

MOST_EVENTS = 200
"""Lines that are told at once: a whole hand of Stoppa, in which six have bet at every punto, has not so many."""
MOST_SHOWN = 500
"""Lines of a hand: thirty-nine players do not come near it."""
LONGEST_TEXT = 200
MOST_SAID = 10**15
"""The largest number that is read of a player's outcome, minor units of money among them; `with_outcome` has the game's own."""


class _Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """What all commands share: frozen, tagged by ``what``."""


Events = Annotated[tuple[Any, ...], Meta(max_length=MOST_EVENTS)]
"""As they come from a phone: plain dicts, until `read` has made events of them."""
SomeEvents = Annotated[tuple[Any, ...], Meta(min_length=1, max_length=MOST_EVENTS)]
Shown = Annotated[tuple[Any, ...], Meta(max_length=MOST_SHOWN)]
"""All lines of a hand as a phone showed them, by their events."""
Index = Annotated[int, Meta(ge=0)]


class Say(_Command, tag="say", frozen=True):
    """This happened next, in the hand in progress or between hands."""

    events: SomeEvents


class Change(_Command, tag="change", frozen=True):
    """Lines ``start`` to ``stop`` (excluded) of the hand with this id give way to ``events``: changed, inserted or deleted.

    ``shown``: all lines of the hand as the phone showed them; None to trust the indices. ``beside``: index of the line that the
    events were put before, or after; None where they stand in place of some. ``mend``: later lines that could then not have
    happened go with it, of this hand and of later ones, and an answer that must come first is put in.
    """

    hand: Index
    start: Index
    stop: Index
    events: Events = ()
    shown: Shown | None = None
    beside: Index | None = None
    mend: bool = False


class Insert(_Command, tag="insert", frozen=True):
    """Before the hand with this id, one was played that the camera has missed: ``events``, from its `hand` to its end."""

    hand: Index
    events: SomeEvents


class Answer(_Command, tag="answer", frozen=True):
    """The answer to a question; ``choice`` None: "don't know"."""

    question: Annotated[str, Meta(max_length=LONGEST_TEXT)]
    choice: Annotated[str, Meta(max_length=LONGEST_TEXT)] | None = None


class Confirm(_Command, tag="confirm", frozen=True):
    """The hand with this id was just so. ``shown``: as in `Change`."""

    hand: Index
    shown: Shown | None = None


class Outcome(_Command, tag="outcome", frozen=True):
    """The hand with this id came to just this, and nobody can tell the rest. ``paid``: player → what they paid, or had left: see
    `companion.table.pages.Outcomes`."""

    hand: Index
    paid: Annotated[dict[str, Annotated[int, Meta(ge=0, le=MOST_SAID)]], Meta(max_length=MOST_EVENTS)]


class Undo(_Command, tag="undo", frozen=True):
    """What was said last is taken back. ``entry``: just that entry of the record, or nothing; None: whatever it is."""

    entry: Index | None = None


class Redo(_Command, tag="redo", frozen=True):
    """What was taken back last is said again. ``entry``: as in `Undo`, the withdrawal."""

    entry: Index | None = None


Command = Say | Change | Insert | Answer | Confirm | Outcome | Undo | Redo


class NoEvent(ValueError):
    """What was sent is no event of the game."""


def read(command: Command, game: Game) -> Command:
    """The command with the game's own events in it. Raises NoEvent where it has no such event."""
    if isinstance(command, Say | Change | Insert):
        command = replace(command, events=read_events(command.events, game))
    if isinstance(command, Change | Confirm) and command.shown is not None:
        command = replace(command, shown=read_events(command.shown, game))
    return command


def read_events(plain: tuple[Any, ...], game: Game) -> tuple[Event, ...]:
    """The game's events that plain dicts say. Raises NoEvent where one says none."""
    try:
        return tuple(game.rules.LOG.event(one) for one in plain)
    except ValidationError as error:
        raise NoEvent(str(error)) from error


def obey(evening: Evening, command: Command, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening after this command. ``past``: see `companion.referee.undo.undo`.

    Raises:
        Illegal: the rules forbid it, or what was fixed later; the error says why.
        KeyError: there is no such hand. Stale: it has other lines. NotAsked, Contradicted: see `questions.answer`.
        NothingThere: nothing to undo or redo.
    """
    game = house_game(evening.game)
    match command:
        case Say(events):
            after = _say(evening, events, game)
        case Change(mend=True) | Outcome():
            after = with_consequences(evening, command).evening
        case Change(hand, start, stop, events):
            _check_texts(evening, events, game)
            after = correct(evening, Correction(hand, start, stop, events))
        case Insert(hand, events):
            _check_texts(evening, events, game)
            after = insert_hand(evening, hand, events)
        case Answer(question, choice):
            return answer(evening, question, choice)
        case Confirm(hand):
            return confirm(evening, hand)
        case Undo():
            return undo(evening, past)
        case Redo():
            return redo(evening, past)
    _check_all_whole(evening, after, game)
    return after


def _check_all_whole(evening: Evening, after: Evening, game: Game) -> None:
    """Raises Illegal where a chapter that has changed is no whole hand."""
    as_before = {id(chapter) for chapter in evening.chapters[:-1]}
    for chapter in after.chapters:
        if id(chapter) not in as_before:
            _check_whole(chapter, game, last=chapter is after.current)


def with_consequences(evening: Evening, change: Change | Outcome) -> Followed:
    """The evening after this change, or this outcome, without the later lines that could then not have happened; and which these
    are.

    Raises:
        What `obey` raises.
    """
    game = house_game(evening.game)
    if isinstance(change, Outcome):
        found = with_outcome(evening, change.hand, change.paid)
    else:
        _check_texts(evening, change.events, game)
        found = followed(evening, Correction(change.hand, change.start, change.stop, change.events), game.pages.bridge)
    _check_all_whole(evening, found.evening, game)
    return found


def mended(evening: Evening, change: Change) -> Change | None:
    """The same change, with those later lines left out that could not follow it; None where that does not help.

    Raises:
        KeyError: there is no such hand.
    """
    if change.mend:
        return None
    found = replace(change, mend=True)
    try:
        obey(evening, found)
    except (Illegal, Stale):
        return None
    return found


def _say(evening: Evening, events: tuple[Event, ...], game: Game) -> Evening:
    """Go on with the hand in progress; one that is over is closed first."""
    _check_texts(evening, events, game)
    current = evening.current
    if current.over:
        if tag(events[0]) == "void":
            return _voided(evening, events)
        if [tag(event) for event in events] == ["end"]:
            return _closed(evening, events)
        evening = _closed(evening, (end_of(game.rules),))
        current = evening.current
    end = len(current.lines)
    try:
        after = correct(evening, Correction(current.id, end, end, events))
    except Illegal:
        late = belated(evening, events) or with_shown(evening, events)
        if late is None:
            raise
        return late
    if (ending := _ending(after.current, events[-1], game)) is not None:
        after = correct(evening, Correction(current.id, end, end, (*events, ending)))
    return after


def _closed(evening: Evening, by: tuple[Event, ...]) -> Evening:
    """The hand that the cards have already ended is over by hand too: what is seen from now on belongs to the next."""
    current = evening.current
    end = len(current.lines)
    said = tag(current.lines[-1].event) == "end"
    return correct(evening, Correction(current.id, end - said, end, by))


def _voided(evening: Evening, void: tuple[Event, ...]) -> Evening:
    """The hand that is just over was void: that stands in the place of the line that ended it, and of cards shown since."""
    current, rules, state = evening.current, evening.game.rules, evening.current.before
    start = end = len(current.lines)
    for index, line in enumerate(current.lines):
        was, state = state, rules.apply(state, line.event)
        if rules.in_hand(was) and not rules.in_hand(state):
            start = index
            break
    return correct(evening, Correction(current.id, start, end, void))


def _ending(chapter: Chapter, event: Event, game: Game) -> Event | None:
    """What ends the hand by itself after this event; only where the eyes see nothing that could follow."""
    if chapter.reports.sightings or not chapter.played:
        return None
    ending = game.pages.ending(chapter.after, event)
    if chapter.over and ending is not None and tag(chapter.lines[-1].event) != "end":
        return ending if game.rules.check(chapter.after, ending) is None else None
    return ending


def _check_whole(chapter: Chapter, game: Game, *, last: bool) -> None:
    """Each chapter is one hand, and all but the last are over.

    Raises:
        Illegal: they would not be.
    """
    if not last and game.rules.in_hand(chapter.after):
        raise Illegal(WOULD_NOT_BE_OVER, expected="its end")
    if sum(tag(line.event) == "hand" for line in chapter.lines) > 1:
        raise Illegal(TWO_HANDS, expected="a hand to begin after the end of the one before")


def _check_texts(evening: Evening, events: tuple[Event, ...], game: Game) -> None:
    """Free text is short.

    Raises:
        Illegal: it is not.
    """
    names = game.rules.names(evening.current.before)
    for text in _texts([to_builtins(event) for event in events]):
        if len(text) > LONGEST_TEXT and text not in names:
            raise Illegal(TEXT_TOO_LONG, expected="a shorter one", letters=LONGEST_TEXT)


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
