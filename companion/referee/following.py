"""A correction without the later lines that could not follow it, of its hand and of later hands; undo and redo of what was said
by hand.

An organiser who says that a player was not out after all also says that nobody paid a ricompera for them. The lines that go are
named before it is done, and all of it is one step: one undo brings it back. What the eyes saw is never taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from types import MappingProxyType

from msgspec.structs import replace as struct_replace

from companion.referee.chapter import Chapter, after, decoded
from companion.referee.corrections import Correction, begins_with, check_lines, check_place, correct, fix_of, last_seen, said_of
from companion.referee.evening import Evening, reported
from companion.referee.reasons import HAND_NOT_OVER_BEFORE_OTHERS
from companion.referee.record import Fixed, JointCorrection, StatedLine, Withdrawn, entries_that_count
from companion.referee.splitting import following
from companion.table.errors import Illegal, Unfitting
from companion.table.game import Rules, State
from companion.table.log import Event, tag
from companion.table.play import possible

Bridge = Callable[[State], tuple[Event, ...]]
"""What must come first where an answer or the like is awaited, in its plainest form; nothing elsewhere."""

_MAX_LINES_CHECKED = 400
"""Greatest number of lines of later hands that are checked for whether a correction fits: ten to thirty hands of a betting
game. All of a long evening would keep a phone waiting for seconds."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What somebody does to an evening: it ``before`` and ``after``.

    ``gone``: other lines that are left out with it, as they could not follow it: a hand's id and an index there, both as before.
    ``added``: what had to come in between: a hand's id and an event.
    """

    before: Evening
    after: Evening
    gone: tuple[tuple[int, int], ...] = ()
    added: tuple[tuple[int, Event], ...] = ()

    @property
    def already(self) -> bool:
        """Whether what the command says is the case already, so that nothing is done."""
        return self.after is self.before


def followed(evening: Evening, correction: Correction, bridge: Bridge) -> Edit:
    """The evening with this correction in it, without the later lines that could then not have happened.

    Raises:
        KeyError: there is no such hand.
        Stale: the hand no longer has the lines that were shown.
        Illegal: the correction itself cannot be, or a hand that others follow could then not be over.
    """
    check_place(evening.chapter(correction.hand), correction)
    try:  # an end that the eyes gave comes back by itself when the sightings are decoded again
        return _followed(evening, correction, bridge, lambda one: one.by_hand or tag(one.event) != "end")
    except Illegal:
        return _followed(evening, correction, bridge, lambda one: True)


def _followed(evening: Evening, correction: Correction, bridge: Bridge, bridged: Callable[[StatedLine], bool]) -> Edit:
    """See `followed`. ``bridged``: for which lines something may be put in between."""
    chapter = evening.chapter(correction.hand)
    rules, lines = evening.game.rules, [line.event for line in chapter.lines]
    state = check_lines(rules, chapter.before, (*lines[: correction.start], *correction.events))

    def before(one: StatedLine, here: State) -> tuple[Event, ...]:
        return bridge(here) if bridged(one) else ()

    tail, gone, added, _ = _fitted(rules, state, said_of(chapter)[correction.stop :], before)
    if gone or added:
        fix = _with_tail(chapter, correction, tail, gone)
    else:
        try:
            return Edit(evening, correct(evening, correction))
        except Unfitting:
            fix = fix_of(chapter, correction)
    fixes, left_out = [fix], [(chapter.id, correction.stop + index) for index in gone]
    put_in = [(chapter.id, event) for event in added]
    at = evening.chapters.index(chapter)
    reports = replace(chapter.reports, fixes=_with(chapter, fix))
    previous = decoded(chapter.game, reports, chapter.before, chapter)
    for later in evening.chapters[at + 1 :]:
        try:
            (previous,) = following(previous, (later,))
        except Unfitting:
            said, gone, added, end = _fitted(rules, previous.after, said_of(later), before)
            if later.reports.closed and rules.in_hand(end):
                raise Illegal(HAND_NOT_OVER_BEFORE_OTHERS, expected="an end or a void") from None
            replaced = _replaced(later, said, gone)
            fixes += replaced
            left_out += [(later.id, index) for index in gone]
            put_in += [(later.id, event) for event in added]
            previous = decoded(later.game, after(previous, replace(later.reports, fixes=tuple(replaced))), previous.after)
    done = reported(evening, JointCorrection(tuple(fixes)) if fixes[1:] else fix)
    return Edit(evening, done, tuple(left_out), tuple(put_in))


def fits(evening: Evening, correction: Correction, bridge: Bridge) -> bool:
    """Whether a correction can be, without the lines that could not follow it, so that every hand but the last is over.

    Of the later hands the next `_MAX_LINES_CHECKED` lines are checked. A hand that the eyes have seen can be explained in other
    ways: it is left, with what follows it, to `followed`.
    """
    chapter, rules = evening.chapter(correction.hand), evening.game.rules
    lines = [line.event for line in chapter.lines]
    try:
        state = check_lines(rules, chapter.before, (*lines[: correction.start], *correction.events))
    except Illegal:
        return False
    later = evening.chapters[evening.chapters.index(chapter) + 1 :]
    said, asked = said_of(chapter)[correction.stop :], 0
    for hand in (chapter, *takewhile(lambda one: not one.reports.sightings, later)):
        if hand is not chapter:
            said = said_of(hand)
            asked += len(said)
        state = _fitted(rules, state, said, lambda one, here: bridge(here))[3]
        if rules.in_hand(state) and (hand.reports.closed or (hand is chapter and not rules.in_hand(hand.after))):
            return False
        if asked >= _MAX_LINES_CHECKED:
            break
    return True


def _fitted(
    rules: Rules, state: State, said: Iterable[StatedLine], before: Callable[[StatedLine, State], tuple[Event, ...]]
) -> tuple[list[StatedLine], list[int], list[Event], State]:
    """Those of the lines that can follow one another from here, with what must come between them; the indices of the others,
    what was put between, and the state after all."""
    kept: list[StatedLine] = []
    gone: list[int] = []
    added: list[Event] = []
    for index, one in enumerate(said):
        between = _between(rules, state, one.event, partial(before, one))
        if between is None:
            gone.append(index)
            continue
        for event in (*between, one.event):
            state = rules.apply(state, event)
        kept += [*(StatedLine(event, one.t, by_hand=True) for event in between), one]
        added += between
    return kept, gone, added, state


def _between(rules: Rules, state: State, event: Event, bridge: Bridge) -> tuple[Event, ...] | None:
    """What must come before this event can, all of one step of the game; None where nothing helps."""
    found: tuple[Event, ...] = ()
    here, step = state, _step(rules, state)
    while rules.check(here, event) is not None:
        more = bridge(here) if _step(rules, here) == step else ()
        if not more or not possible(rules.apply, here, more):
            return None
        for one in more:
            here = rules.apply(here, one)
        found += more
    return found


def _step(rules: Rules, state: State) -> str | None:
    return getattr(rules.waiting(state), "step", None)


def _with_tail(chapter: Chapter, correction: Correction, tail: list[StatedLine], gone: list[int]) -> Fixed:
    """The correction of a hand whose later lines are from now on these; they are as they stood, not said by hand just now."""
    whole = (*correction.events, *(one.event for one in tail))
    fix = fix_of(chapter, struct_replace(correction, stop=len(chapter.lines), events=whole, shown=None))
    kept = [one for one in tail if chapter.reports.closed or one.by_hand or tag(one.event) != "end"]
    head = fix.lines[: correction.start + len(correction.events)]
    lines = chapter.lines
    removed = (*lines[correction.start : correction.stop], *(lines[correction.stop + index] for index in gone))
    return struct_replace(fix, lines=(*head, *kept), removed=removed)


def _with(chapter: Chapter, fix: Fixed) -> tuple[Fixed, ...]:
    kept = tuple(one for one in chapter.reports.fixes if fix.opening is None or one.opening is None)
    return (*kept, fix)


def _replaced(chapter: Chapter, said: list[StatedLine], gone: list[int]) -> list[Fixed]:
    """All that is now said of a hand, in place of what was said of it before."""
    removed = tuple(chapter.lines[index] for index in gone)
    if not chapter.reports.sightings:
        return [Fixed(chapter.id, tuple(said), removed, None, len(said))]
    opened = begins_with(one.event for one in said) if any(fix.opening is not None for fix in chapter.reports.fixes) else 0
    fixes = [Fixed(chapter.id, tuple(said[:opened]), (), None, opened)] if opened else []
    if any(fix.opening is None for fix in chapter.reports.fixes):
        fixes.append(Fixed(chapter.id, tuple(said), removed, last_seen(chapter)))
    return fixes or [Fixed(chapter.id, (), removed, None, 0)]


NO_PAST: Mapping[int, Evening] = MappingProxyType({})


class NothingThere(LookupError):
    """Nothing was said that could be taken back, or nothing was taken back."""


def undo(evening: Evening, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening without what was said last, everything seen since included.

    ``past``: evenings by the number of entries that their records had, as far as somebody has kept them. From one of them it
    is a short way; without, the whole record is decoded again, to the same end.

    Raises:
        NothingThere: nothing was said, or all of it was taken back.
        KeyError, Unfitting: what was seen or said since does not fit without it.
    """
    if not evening.record.undoable:
        raise NothingThere("there is nothing to undo")
    return _without(evening, evening.record.undoable[-1], past)


def redo(evening: Evening, past: Mapping[int, Evening] = NO_PAST) -> Evening:
    """The evening with what was taken back last, in its old place. Nothing can be redone once something new was said.

    Raises:
        As `undo`.
    """
    if not evening.record.redoable:
        raise NothingThere("there is nothing to redo")
    return _without(evening, evening.record.redoable[-1], past)


def can(evening: Evening) -> tuple[bool, bool]:
    """Whether there is something to undo, and something to redo."""
    return bool(evening.record.undoable), bool(evening.record.redoable)


def _without(evening: Evening, index: int, past: Mapping[int, Evening]) -> Evening:
    withdrawal = Withdrawn(index)
    record = evening.record.with_entry(withdrawal)
    entries = record.entries
    first = index  # the first entry that from now on counts differently
    while isinstance(entry := entries[first], Withdrawn):
        first = entry.entry
    if first not in past:
        return reported(evening, withdrawal)
    found = past[first]
    for number, entry in entries_that_count(entries):
        if number >= first:
            found = reported(found, entry)
    return replace(found, record=record)
