"""Corrections by hand, at any later time, of any hand: what the eyes missed is told, what they made up is taken out.

A correction is a list edit on the lines of one hand. The engine checks it before it counts, `correct` makes it, and
`changed` shows what it changes. What was fixed by hand stays: no later sighting changes it, only another correction does.

Acts between hands stand among the lines of the hand that comes after them: before its `hand` line. Between two hands those are
the lines of `Evening.current`, which has no `hand` line yet. With the camera off a whole hand is told like this, line by line;
when the camera comes back it goes on from there. An `end` said by hand closes the hand; so does whatever is told after the last
line of a hand that is over, but that says nothing of how it ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as fields_replaced
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from companion.referee.beam import shares
from companion.referee.chapter import Chapter, decoded
from companion.referee.evening import Evening, observe, reported
from companion.referee.reasons import HAND_NOT_OVER, HAND_NOT_OVER_BEFORE_OTHERS
from companion.referee.record import Fixed, Inserted, StatedLine
from companion.table.errors import Illegal, Unfitting
from companion.table.game import Report, Rules, State
from companion.table.log import Event, Line, tag
from companion.table.play import possible

NEVER_SUGGESTED = frozenset({"deal", "end", "void", "split"})
"""What is not offered in another line's place: it says nothing about the play, or has a button of its own."""


class Correction(Struct, frozen=True):
    """The lines ``start`` to ``stop`` (indices, ``stop`` excluded) of a hand give way to ``events``.

    So ``start == stop`` inserts, no ``events`` removes; a hand that loses all its lines was not played. ``hand``: the id of its
    chapter. ``shown``: the events of all its lines as they were shown to the person who corrects; None to trust the indices.
    ``t``: when it happened (seconds), None to take the time of the first line that gives way, else of those around it.
    ``stand_in``: which events (indices) stand for an outcome that somebody has stated: nobody has told or seen these.
    """

    hand: int
    start: int
    stop: int
    events: tuple[Event, ...] = ()
    shown: tuple[Event, ...] | None = None
    t: float | None = None
    stand_in: frozenset[int] = frozenset()


class Stale(ValueError):
    """The hand has changed since it was shown to the person who corrects it: show it again."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What a correction would change, or has changed.

    ``rulings_before``, ``rulings_after``: the report of the whole evening. ``hands``: what each changed hand came to before and
    after (as `Rules.ruling` has it), by its chapter's id; None where it was, or is, no hand. ``lines``: the corrected hand's
    lines afterwards. ``evening``: the evening afterwards, not yet anybody's.
    """

    rulings_before: Report
    rulings_after: Report
    hands: tuple[tuple[int, Any, Any], ...]
    lines: tuple[Line, ...]
    evening: Evening


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Events that could stand in a place of a hand: the rules allow them and all that follows. ``probability``: how likely
    the eyes find it that this happened (0 where they saw nothing of it)."""

    events: tuple[Event, ...]
    probability: float


def correct(evening: Evening, correction: Correction) -> Evening:
    """The evening with this correction in it.

    Raises:
        KeyError: there is no such hand.
        Stale: the hand no longer has the lines that were shown.
        Illegal: this cannot have happened; the error says why, and ``line`` names the line of this hand, from 1.
        Unfitting (an Illegal): it could, but something fixed by hand in a later hand could then not.
    """
    chapter = evening.chapter(correction.hand)
    check_place(chapter, correction)
    if _comes_after(chapter, correction):
        evening = gone_on(evening) or correct(evening, replace(correction, events=(end_of(evening.game.rules),), shown=None))
        return correct(evening, replace(correction, hand=evening.current.id, start=0, stop=0, shown=None))
    try:
        return reported(evening, fix_of(chapter, correction))
    except Illegal as error:
        model = evening.game.sighting_model
        if model is None or chapter is not evening.current or not model.depends_on_past(error):
            raise
        try:
            return reported(evening, fix_of(chapter, correction, past_in_doubt=True))
        except Illegal:
            raise error from None


def belated(evening: Evening, events: tuple[Event, ...], t: float | None = None) -> Evening | None:
    """The evening with these events told of the hand before the one in progress; None where they do not belong there.

    They belong there if the eyes alone ended that hand as void, because too little had been told to rule on it, and no hand
    has begun since: the cards were gathered before somebody had told the last act. ``t``: when that was, seconds.
    """
    if len(evening.chapters) < 2:
        return None
    hand, current = evening.chapters[-2:]
    last = len(hand.lines) - 1
    if current.played or current.fixed or last < 0 or last in hand.fixed or tag(hand.lines[last].event) != "void":
        return None
    for ending in ((), (end_of(evening.game.rules),)):
        with suppress(Illegal):
            return correct(evening, Correction(hand.id, last, last + 1, (*events, *ending), t=t))
    return None


def check_place(chapter: Chapter, correction: Correction) -> None:
    """Refuse a correction of lines that are not there.

    Raises:
        Stale: the hand no longer has the lines that were shown, or has none in this place.
    """
    lines = chapter.lines
    if correction.shown is not None and correction.shown != tuple(line.event for line in lines):
        raise Stale("the hand has changed since it was shown: look at it again")
    if not 0 <= correction.start <= correction.stop <= len(lines):
        raise Stale(f"lines {correction.start} to {correction.stop} of a hand that has {len(lines)}")


def fix_of(chapter: Chapter, correction: Correction, *, past_in_doubt: bool = False) -> Fixed:
    """What a correction in a place of this hand makes of it, as an entry of the record. ``past_in_doubt``: it may be possible
    only where a hand before came to something else (`companion.referee.splitting`), so it is not checked.

    Raises:
        Illegal: as `correct`.
    """
    lines = chapter.lines
    said = said_of(chapter)
    t = correction.t
    if t is None:
        gone = (line.t for line in lines[correction.start : correction.stop] if line.t is not None)
        t = next(gone, time_beside(lines, correction.start))
    said[correction.start : correction.stop] = [
        StatedLine(event, t, True, at in correction.stand_in) for at, event in enumerate(correction.events)
    ]
    if not chapter.reports.closed:  # the end that the eyes give a hand whose cards still lie there comes back by itself
        said = [one for one in said if one.by_hand or tag(one.event) != "end"]
    rules = chapter.game.rules
    state = chapter.after if past_in_doubt else check_lines(rules, chapter.before, (one.event for one in said))
    opening = _opening(chapter, correction, said)
    fix = Fixed(chapter.id, tuple(said), lines[correction.start : correction.stop], last_seen(chapter), opening)
    if chapter.reports.closed and rules.in_hand(state) and not _seen_to_its_end(chapter, fix):
        raise Illegal(HAND_NOT_OVER_BEFORE_OTHERS, expected="an end or a void")
    return fix


def _seen_to_its_end(chapter: Chapter, fix: Fixed) -> bool:
    """Whether, by what was seen of it, a hand with this correction is over."""
    if fix.opening is not None or not chapter.reports.sightings:
        return False
    reports = fields_replaced(chapter.reports, fixes=(*chapter.reports.fixes, fix))
    try:
        return decoded(chapter.game, reports, chapter.before, chapter).over
    except Unfitting:
        return False


def said_of(chapter: Chapter) -> list[StatedLine]:
    """The lines of a hand as they stand now."""
    return [
        StatedLine(
            line.event, line.t, index in chapter.fixed or index in chapter.written, index in chapter.standing_in,
            chapter.written.get(index),
        )
        for index, line in enumerate(chapter.lines)
    ]  # fmt: skip


def confirm(evening: Evening, hand: int) -> Evening:
    """The evening with this hand as it now stands, all its lines certain by hand. A hand that has ended is closed with it.

    Raises:
        KeyError: there is no such hand.
    """
    chapter = evening.chapter(hand)
    said = tuple(replace(one, by_hand=True, confidence=None) for one in said_of(chapter))
    opening = None if chapter.reports.sightings else len(said)
    return reported(evening, Fixed(hand, said, after=last_seen(chapter), opening=opening, confirms=True))


def insert_hand(evening: Evening, before: int, events: Iterable[Event]) -> Evening:
    """The evening with a whole hand (from its `hand` to its `end` or `void`) that the eyes never saw, before another.

    Raises:
        KeyError: there is no hand with the id ``before``.
        Illegal: the hand cannot have been played so, or is not over; or something fixed later could then not have happened.
    """
    events = tuple(events)
    chapter = evening.chapter(before)
    rules = evening.game.rules
    if rules.in_hand(check_lines(rules, chapter.before, events)):
        raise Illegal(HAND_NOT_OVER, expected="an end or a void")
    t = time_beside(chapter.lines, 0)
    return reported(evening, Inserted(before, tuple(StatedLine(event, t, by_hand=True) for event in events)))


def changed(before: Evening, after: Evening, hand: int) -> Changed:
    """What differs between two states of the same evening; ``hand``: whose lines to give."""
    untouched = {id(chapter) for chapter in before.chapters} & {id(chapter) for chapter in after.chapters}
    was, now = (
        {chapter.id: ruling_of(chapter) for chapter in evening.chapters if id(chapter) not in untouched}
        for evening in (before, after)
    )
    rules = before.game.rules
    return Changed(
        rulings_before=rules.report(before.current.after),
        rulings_after=rules.report(after.current.after),
        hands=tuple((number, was.get(number), now.get(number)) for number in now | was if was.get(number) != now.get(number)),
        lines=after.chapter(hand).lines,
        evening=after,
    )


def ruling_of(chapter: Chapter) -> Any:
    """What the chapter's hand came to, or comes to so far, as `Rules.ruling` has it; None where it is no hand."""
    if not chapter.played:
        return None
    rules = chapter.game.rules
    return rules.ruling(chapter.after, rules.hands(chapter.before) + 1)


def end_of(rules: Rules) -> Event:
    """The event that ends a hand."""
    return rules.LOG.event({"e": "end"})


def suggestions(evening: Evening, hand: int, start: int, stop: int) -> tuple[Suggestion, ...]:
    """What could stand instead of the lines ``start`` to ``stop`` of a hand (``start == stop``: before line ``start``).

    First what the eyes find likely: what other histories of the hand tell there. Then every single act that the rules allow
    there, with all that follows still possible. Nothing that is the same act told with less: what was agreed on would be lost.

    Raises:
        KeyError: there is no such hand.
    """
    rules = evening.game.rules
    chapter = evening.chapter(hand)
    lines = chapter.lines
    head, tail = lines[:start], lines[stop:]
    state = check_lines(rules, chapter.before, (line.event for line in head))
    here = tuple(line.event for line in lines[start:stop])
    found: dict[tuple[Event, ...], float] = {}
    for events, probability in _likely(chapter, head, tail):
        found[events] = found.get(events, 0.0) + probability
    for event in rules.legal_acts(state):
        if tag(event) not in NEVER_SUGGESTED:
            found.setdefault((event,), 0.0)
    found.pop((), None)
    told = ((events, odds) for events, odds in found.items() if not says_no_more(events, here))
    ranked = sorted(told, key=lambda pair: -pair[1])
    rest = tuple(line.event for line in tail)
    return tuple(Suggestion(events, odds) for events, odds in ranked if possible(rules.apply, state, (*events, *rest)))


def says_no_more(events: Sequence[Event], there: Sequence[Event]) -> bool:
    """Whether these events are those that stand ``there``, each told as it is or with keys left out, such as a ricompera without
    its partners."""
    return len(events) == len(there) and all(
        type(one) is type(other) and to_builtins(one).items() <= to_builtins(other).items()
        for one, other in zip(events, there, strict=True)
    )


def check_lines(rules: Rules, before: State, events: Iterable[Event]) -> State:
    """The engine's state after these events of a hand.

    Raises:
        Illegal: one cannot have happened; ``line`` is its number among them, from 1.
    """
    state = before
    for number, event in enumerate(events, start=1):
        try:
            state = rules.apply(state, event)
        except Illegal as error:
            raise error.at(number) from None
    return state


def _likely(chapter: Chapter, head: tuple[Line, ...], tail: tuple[Line, ...]) -> Iterator[tuple[tuple[Event, ...], float]]:
    """What other histories tell between the same head and the same tail, with its share of the likelihood."""
    if not chapter.outcome:
        return
    first, last = [line.event for line in head], [line.event for line in tail]
    for history, share in zip(chapter.outcome, shares(chapter.outcome), strict=True):
        events = [line.event for line in history.lines]
        if events[: len(first)] == first and events[len(events) - len(last) :] == last and len(events) >= len(first) + len(last):
            yield tuple(events[len(first) : len(events) - len(last)]), share


def _comes_after(chapter: Chapter, correction: Correction) -> bool:
    """Whether this was told of a hand that is over and comes after it: it ends that hand, and belongs to the next."""
    at_end = correction.start == len(chapter.lines) and bool(correction.events)
    if not chapter.over or chapter.reports.closed or not at_end:
        return False
    first = correction.events[0]
    return tag(first) not in ("end", "void") and chapter.game.rules.check(chapter.after, first) is None


def gone_on(evening: Evening) -> Evening | None:
    """The evening after the hand that is over, where something else is told that comes after it: nobody has said how the hand
    ended, so it ends as if the eyes had seen its cards gathered, and what is in doubt stays in doubt. None where they have seen
    nothing of it."""
    model = evening.game.sighting_model
    cleared = model.TAGS.get("Cleared") if model is not None and evening.current.reports.sightings else None
    after = observe(evening, cleared(evening.t)) if cleared is not None else evening
    return after if after.current.id != evening.current.id else None


def last_seen(chapter: Chapter) -> float | None:
    """When a correction made now is made: after the last sighting of the hand, or after the hand."""
    seen = chapter.reports.sightings
    return max(sighting.t for sighting in seen) if seen and not chapter.reports.closed else None


def _opening(chapter: Chapter, correction: Correction, said: list[StatedLine]) -> int | None:
    """Number of lines with which the hand begins, whatever was seen of it: those before its play, where nothing else was
    corrected; all of them, where nothing was seen."""
    if not chapter.reports.sightings:
        return len(said)
    begins = begins_with(line.event for line in chapter.lines)
    if chapter.reports.fixes or correction.start >= begins or correction.stop > begins:
        return None
    return begins_with(one.event for one in said) or None


def begins_with(events: Iterable[Event]) -> int:
    """How many events there are up to the one that begins the hand; 0 when it is not begun."""
    return next((number for number, event in enumerate(events, start=1) if tag(event) == "hand"), 0)


def time_beside(lines: tuple[Line, ...], index: int) -> float | None:
    """The time of the line before, or of the one after."""
    near = (*reversed(lines[:index]), *lines[index:])
    return next((line.t for line in near if line.t is not None), None)
