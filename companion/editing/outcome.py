"""A hand by its outcome alone: what each player paid, or how many cards they had left, when nobody can tell the rest. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace as replaced

from msgspec.structs import replace

from companion.games import house_game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, begins_with, fix_of, in_order
from companion.referee.evening import reported
from companion.referee.following import Edit, followed
from companion.referee.reasons import NO_SUCH_OUTCOME, TOLD_DIFFERENTLY
from companion.referee.record import Together
from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.log import Event, tag
from companion.table.sure import SURE_FROM


def with_outcome(evening: Evening, hand: int, paid: Mapping[str, int]) -> Edit:
    """The evening with a hand that comes to just this: player → what they paid.

    The likeliest history that the eyes think possible and that comes to it; where there is none, the plainest hand that does. Its
    lines stand for the outcome, but for those that somebody has said or the eyes are sure of, in their order. What somebody has
    said, and no such hand has in its place, goes with it (`Edit.gone`).

    Raises:
        KeyError: there is no such hand. Illegal: no hand can come to this; or what `followed` raises.
    """
    chapter, pages = evening.chapter(hand), house_game(evening.game).pages
    events = [line.event for line in chapter.lines]
    begins = begins_with(events)
    if pages.outcomes is None or not chapter.played:
        raise KeyError(hand)
    wanted = {player: many for player, many in paid.items() if many}
    before = before_hand(chapter)
    if max(wanted.values(), default=0) > pages.outcomes.most(before):
        raise Illegal(NO_SUCH_OUTCOME, expected="another outcome, or a void hand")
    found = _thought_possible(chapter, wanted)
    if found is None:
        found = _plainest(chapter, begins - 1, _shown_since(evening, chapter), wanted)
    if found is None:
        raise Illegal(NO_SUCH_OUTCOME, expected="another outcome, or a void hand")
    correction = Correction(hand, begins - 1, len(events), _to_its_end(found, events), stand_in=True)
    edit = followed(evening, correction, pages.bridge)
    return replaced(edit, gone=(*((hand, at) for at in _left_out(chapter, correction)), *edit.gone))


def with_shown(evening: Evening, events: Sequence[Event]) -> Evening | None:
    """The evening with these cards shown after a hand whose outcome alone is known, where one of the lines that stand for the
    outcome uses one of these cards: other lines with the same outcome take their place. None where that is not so.

    Raises:
        Illegal: no hand can come to this with these cards, or with what was told of it. Which line that stands in is in their way
            is not said.
    """
    current = evening.current
    if current.played or len(evening.chapters) < 2 or {tag(event) for event in events} != {"show"}:
        return None
    chapter, outcomes = evening.chapters[-2], house_game(evening.game).pages.outcomes
    if outcomes is None or not chapter.standing_in:
        return None
    lines = [line.event for line in chapter.lines]
    begins = begins_with(lines)
    found = _plainest(chapter, begins - 1, (*_shown_since(evening, chapter), *events), comes_to(chapter))
    whole = Correction(chapter.id, begins - 1, len(lines), _to_its_end(found or (), lines), stand_in=True)
    if found is not None and (against := [*_left_out(chapter, whole)]):
        raise Illegal(TOLD_DIFFERENTLY, expected="other cards, or that line changed first").at(against[0] + 1)
    try:
        stands = replace(fix_of(chapter, whole), confirms=True)
        after, end = reported(evening, stands), len(current.lines)
        shown = fix_of(after.current, Correction(current.id, end, end, tuple(events)))
        return reported(evening, Together((stands, shown)))
    except Illegal:
        raise Illegal(NO_SUCH_OUTCOME, expected="other cards, or another outcome") from None


def _plainest(chapter: Chapter, start: int, since: Sequence[Event], wanted: Mapping[str, int]) -> tuple[Event, ...] | None:
    """The plainest hand with this outcome. Its lines up to now, from ``start`` on, stay as far as that can be: without those that
    stood for another outcome; with them where nothing follows without. ``since``: cards shown since it was over."""
    outcomes = house_game(chapter.game).pages.outcomes
    assert outcomes is not None
    lines = [(at, line.event) for at, line in enumerate(chapter.lines) if at >= start]
    for those in ([event for at, event in lines if at not in chapter.standing_in], [event for _, event in lines]):
        if (found := outcomes.stated(before_hand(chapter), (*those, *since), wanted, _faces(chapter))) is not None:
            return found
    return None


def _left_out(chapter: Chapter, correction: Correction) -> Iterator[int]:
    """Which lines (indices) that somebody has told of a hand the correction has no longer, or in another order."""
    lines = range(correction.start, correction.stop)
    told = [at for at in lines if at in chapter.fixed and at not in chapter.standing_in and tag(chapter.lines[at].event) != "end"]
    kept = {by for _, by in in_order(correction.events, [chapter.lines[at].event for at in told])}
    yield from (at for by, at in enumerate(told) if by not in kept)


def _shown_since(evening: Evening, chapter: Chapter) -> tuple[Event, ...]:
    """Cards that were shown after a hand that is over, before the next: they stand among the lines of that one."""
    later = evening.chapters[evening.chapters.index(chapter) + 1 :]
    lines = [line.event for line in later[0].lines] if later else []
    begun = next((at for at, event in enumerate(lines) if tag(event) == "hand"), len(lines))
    return tuple(event for event in lines[:begun] if tag(event) == "show")


def _to_its_end(found: Sequence[Event], lines: Sequence[Event]) -> tuple[Event, ...]:
    """A hand without the cards shown after its end that do not stand among its ``lines``."""
    end = next((at for at, event in enumerate(found) if tag(event) == "end"), len(found)) + 1
    return (*found[:end], *(event for event in found[end:] if event in lines))


def before_hand(chapter: Chapter) -> State:
    """The game before the line that begins the hand: what was told between it and the one before, chips bought or how it stood,
    belongs to neither."""
    return chapter.states[max(begins_with(line.event for line in chapter.lines) - 1, 0)]


def comes_to(chapter: Chapter) -> dict[str, int]:
    """What the hand made everybody pay so far, or left them with."""
    outcomes = house_game(chapter.game).pages.outcomes
    return dict(outcomes.comes_to(before_hand(chapter), chapter.after)) if outcomes is not None and chapter.played else {}


def _thought_possible(chapter: Chapter, wanted: Mapping[str, int]) -> tuple[Event, ...] | None:
    """The likeliest history of the hand that comes to this, from its `hand` line to its end."""
    outcomes = house_game(chapter.game).pages.outcomes
    assert outcomes is not None
    for history in chapter.outcome if chapter.reports.sightings else ():
        events = [line.event for line in history.lines]
        if events and tag(events[-1]) == "end" and outcomes.comes_to(before_hand(chapter), history.state) == wanted:
            return tuple(events[begins_with(events) - 1 :])
    return None


def _faces(chapter: Chapter) -> dict[str, str]:
    """Player → the card that they were surely seen to show last."""
    found = {}
    for index, line in enumerate(chapter.lines):
        who, card = getattr(line.event, "by", None), getattr(line.event, "card", None)
        sure = index in chapter.fixed or (line.confidence or 0.0) >= SURE_FROM
        if tag(line.event) == "reveal" and who and card and sure and index not in chapter.standing_in:
            found[who] = card
    return found
