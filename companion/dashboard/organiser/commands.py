"""What an organiser can do to an evening, as frozen values; `obey` does it, or says why it cannot be. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from companion.games.stu.rules import Illegal, apply, check
from companion.games.stu.rules.log import End, Event, Hand, Penalty, Rebuy, Reveal, Taverna, Void
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, Stale, confirm, correct, insert_hand
from companion.referee.evening import Evening
from companion.referee.questions import answer
from companion.referee.reasons import TEXT_TOO_LONG, TWO_HANDS, WOULD_NOT_BE_OVER
from companion.referee.undo import NO_PAST, redo, undo

MOST_EVENTS = 60
LONGEST_TEXT = 200


class _Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """What all commands share: frozen, tagged by ``what``."""


Events = Annotated[tuple[Event, ...], Meta(max_length=MOST_EVENTS)]
Index = Annotated[int, Meta(ge=0)]


class Say(_Command, tag="say", frozen=True):
    """This happened next, in the hand in progress or between hands."""

    events: Annotated[tuple[Event, ...], Meta(min_length=1, max_length=MOST_EVENTS)]


class Change(_Command, tag="change", frozen=True):
    """Lines ``start`` to ``stop`` (excluded) of the hand with this id give way to ``events``: changed, inserted or deleted."""

    hand: Index
    start: Index
    stop: Index
    events: Events = ()


class Insert(_Command, tag="insert", frozen=True):
    """Before the hand with this id, one was played that the camera has missed: ``events``, from its `hand` to its end."""

    hand: Index
    events: Annotated[tuple[Event, ...], Meta(min_length=1, max_length=MOST_EVENTS)]


class Answer(_Command, tag="answer", frozen=True):
    """The answer to a question; ``choice`` None: "don't know"."""

    question: Annotated[str, Meta(max_length=LONGEST_TEXT)]
    choice: Annotated[str, Meta(max_length=LONGEST_TEXT)] | None = None


class Confirm(_Command, tag="confirm", frozen=True):
    """The hand with this id was just so."""

    hand: Index


class Undo(_Command, tag="undo", frozen=True):
    """What was said last is taken back."""


class Redo(_Command, tag="redo", frozen=True):
    """What was taken back last is said again."""


Command = Say | Change | Insert | Answer | Confirm | Undo | Redo


def obey(evening: Evening, command: Command, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening after this command. ``past``: see `companion.referee.undo.undo`.

    Raises:
        Illegal: the rules forbid it, or what was fixed later; the error says why.
        KeyError: there is no such hand. Stale: it has other lines. NotAsked, Contradicted: see `questions.answer`.
        NothingThere: nothing to undo or redo.
    """
    match command:
        case Say(events):
            after = _say(evening, events)
        case Change(hand, start, stop, events):
            _check_texts(events)
            after = correct(evening, Correction(hand, start, stop, events))
        case Insert(hand, events):
            _check_texts(events)
            after = insert_hand(evening, hand, events)
        case Answer(question, choice):
            return answer(evening, question, choice)
        case Confirm(hand):
            return confirm(evening, hand)
        case Undo():
            return undo(evening, past)
        case Redo():
            return redo(evening, past)
    for chapter in after.chapters:
        _check_whole(chapter, last=chapter is after.current)
    return after


def mended(evening: Evening, change: Change) -> Change | None:
    """The same change, with those of the hand's later lines left out that could not follow it; None where that does not help.

    Raises:
        KeyError: there is no such hand.
    """
    chapter = evening.chapter(change.hand)
    lines = [line.event for line in chapter.lines]
    state, kept = chapter.before, []
    try:
        for event in (*lines[: change.start], *change.events):
            state = apply(state, event)
    except Illegal:
        return None
    for event in lines[change.stop :]:
        if check(state, event) is None:
            state = apply(state, event)
            kept.append(event)
    found = Change(change.hand, change.start, len(lines), (*change.events, *kept))
    try:
        obey(evening, found)
    except (Illegal, Stale):
        return None
    return found


def _say(evening: Evening, events: tuple[Event, ...]) -> Evening:
    """Go on with the hand in progress; one that is over is closed first."""
    _check_texts(events)
    current = evening.current
    if current.played and current.after.hand is None:
        if events in ((End(),), (Void(),)) or isinstance(events[0], Void):
            return _closed(evening, events)
        evening = _closed(evening, (End(),))
        current = evening.current
    end = len(current.lines)
    after = correct(evening, Correction(current.id, end, end, events))
    if isinstance(events[-1], Reveal) and _all_shown(after.current):
        after = correct(evening, Correction(current.id, end, end, (*events, End())))
    return after


def _closed(evening: Evening, by: tuple[Event, ...]) -> Evening:
    """The hand that the cards have already ended is over by hand too: what is seen from now on belongs to the next."""
    current = evening.current
    end = len(current.lines)
    said = isinstance(current.lines[-1].event, End)
    return correct(evening, Correction(current.id, end - said, end, by))


def _all_shown(chapter: Chapter) -> bool:
    """Whether everybody's card lies open, so that the hand can only end; only where the eyes see nothing that could follow."""
    if chapter.reports.sightings:
        return False
    state = chapter.lines and chapter.after
    if not state:
        return False
    if state.hand is None:
        return chapter.played
    hand = state.hand
    return all(hand.is_shown(hand.holds[position]) for position in hand.positions()) and check(state, End()) is None


def _check_whole(chapter: Chapter, *, last: bool) -> None:
    """Each chapter is one hand, and all but the last are over.

    Raises:
        Illegal: they would not be.
    """
    if not last and chapter.after.hand is not None:
        raise Illegal(WOULD_NOT_BE_OVER, expected="its end")
    if sum(isinstance(line.event, Hand) for line in chapter.lines) > 1:
        raise Illegal(TWO_HANDS, expected="a hand to begin after the end of the one before")


def _check_texts(events: tuple[Event, ...]) -> None:
    """Free text is short.

    Raises:
        Illegal: it is not.
    """
    for event in events:
        texts: list[str | None] = []
        if isinstance(event, Taverna):
            texts = [event.terms]
        elif isinstance(event, Penalty | Void):
            texts = [event.reason]
        elif isinstance(event, Rebuy):
            texts = [partner.name for partner in event.partners]
        if any(text is not None and len(text) > LONGEST_TEXT for text in texts):
            raise Illegal(TEXT_TOO_LONG, expected="a shorter one", letters=LONGEST_TEXT)
