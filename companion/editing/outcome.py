"""A hand by its outcome alone: what each player paid, or how many cards they had left, when nobody can tell the rest. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace as replaced
from typing import Final

from msgspec.structs import replace

from companion.games import house_game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, begins_with, fix_of
from companion.referee.evening import reported
from companion.referee.following import Edit, followed
from companion.referee.reasons import CARDS_AGAINST_OUTCOME, ONLY_THE_OUTCOME, OUTCOME_TOO_LARGE, TOLD_DIFFERENTLY
from companion.referee.record import JointCorrection
from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.log import Event, tag
from companion.table.money import Minor
from companion.table.sure import SURE_FROM


def with_outcome(evening: Evening, hand: int, paid: Mapping[str, int]) -> Edit:
    """The evening with a hand that comes to just this: player → what they paid.

    The likeliest history that the eyes think possible and that comes to it; where there is none, the plainest hand that does. Its
    lines stand for the outcome, but for those that somebody has said or the eyes are sure of, in their order, before the first
    line that nobody has said. What somebody has said, and no such hand has in its place, goes with it (`Edit.gone`).

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
    most, sum_of = pages.outcomes.most(before), Minor if pages.outcomes.in_money else int
    for player, many in wanted.items():
        if many > most:
            raise Illegal(OUTCOME_TOO_LARGE, expected=f"{most} at most", value=sum_of(many), player=player, most=sum_of(most))
    found = _thought_possible(chapter, wanted)
    if found is None:
        found = _plainest(chapter, begins - 1, _shown_since(evening, chapter), wanted)
    if found is None:
        raise Illegal(pages.outcomes.no_such, expected="another outcome, or a void hand")
    lines = _meant(chapter, _to_its_end(found, events))
    edit = followed(evening, _standing(chapter, lines), pages.bridge)
    return replaced(edit, gone=(*((hand, at) for at in _left_out(chapter, lines)), *edit.gone))


def check_change(chapter: Chapter, start: int, stop: int, events: Sequence[Event]) -> None:
    """Check that a change of these lines of a hand puts nothing among the lines that stand for its outcome, or behind them, but
    what says the same there (`companion.pages.protocol.Outcomes.alone`), and takes them away all at once or not at all.

    Raises:
        Illegal: it does not.
    """
    stand_ins, outcomes = chapter.standing_in, house_game(chapter.game).pages.outcomes
    if not stand_ins or outcomes is None or any(tag(event) == "void" for event in events):
        return
    first, last = min(stand_ins), max(stand_ins)
    over = next((at for at in range(last + 1, len(chapter.lines)) if tag(chapter.lines[at].event) in _FRAME), len(chapter.lines))
    apart = stop <= first or start > over or (start <= first and stop > last)
    if not apart and not (stand_ins.isdisjoint(range(start, stop)) and all(map(outcomes.alone, events))):
        raise Illegal(ONLY_THE_OUTCOME, expected="another outcome, or other lines in place of it")


def check_still_stated(chapter: Chapter, start: int, stop: int, events: Sequence[Event], after: Evening) -> None:
    """Check that a hand whose outcome alone is known comes to just that ``after`` a change of what was told before it, as long as
    lines stand for an outcome: nobody has stated another. A penalty comes on top of it.

    Raises:
        Illegal: it does not.
    """
    outcomes, now = house_game(chapter.game).pages.outcomes, next((one for one in after.chapters if one.id == chapter.id), None)
    changed = (*(line.event for line in chapter.lines[start:stop]), *events)
    if outcomes is not None and all(map(outcomes.alone, changed)):
        return
    if chapter.standing_in and now is not None and now.standing_in and not now.void and comes_to(now) != comes_to(chapter):
        raise Illegal(ONLY_THE_OUTCOME, expected="another outcome, or other lines in place of it")


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
    whole = _meant(chapter, _to_its_end(found or (), lines))
    if found is not None and (against := [*_left_out(chapter, whole)]):
        raise Illegal(TOLD_DIFFERENTLY, expected="other cards, or that line changed first").at(against[0] + 1)
    try:
        stands = replace(fix_of(chapter, _standing(chapter, whole)), confirms=True)
        after, end = reported(evening, stands), len(current.lines)
        shown = fix_of(after.current, Correction(current.id, end, end, tuple(events)))
        return reported(evening, JointCorrection((stands, shown)))
    except Illegal:
        raise Illegal(CARDS_AGAINST_OUTCOME, expected="other cards, or another outcome") from None


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


Meant = tuple[Event, Hashable]
"""A line and what it says in its place (`companion.pages.protocol.Outcomes.meant`): a card that refused a passo, or one that
somebody just shows."""


def _meant(chapter: Chapter, events: Sequence[Event]) -> tuple[Meant, ...]:
    """The events, from the one that begins the hand of this chapter on, each with what it says there.

    Raises:
        Illegal: they cannot follow one another."""
    rules, outcomes, state = chapter.game.rules, house_game(chapter.game).pages.outcomes, before_hand(chapter)
    assert outcomes is not None
    found = list[Meant]()
    for event in events:
        before, state = state, rules.apply(state, event)
        found.append((event, outcomes.meant(before, event, state)))
    return tuple(found)


def _was_meant(chapter: Chapter, at: int) -> Meant:
    """A line of the chapter, with what it says where it stands."""
    event, outcomes = chapter.lines[at].event, house_game(chapter.game).pages.outcomes
    assert outcomes is not None
    return event, outcomes.meant(chapter.states[at], event, chapter.states[at + 1])


def _standing(chapter: Chapter, lines: Sequence[Meant]) -> Correction:
    """The correction after which the hand has just these lines. All but those that are still `_known` stand for its outcome. That
    it has begun and ended is always known."""
    made_up = frozenset(_acts(lines)) - _known(chapter, lines)
    begins = begins_with(line.event for line in chapter.lines)
    events = tuple(event for event, _ in lines)
    return Correction(chapter.id, begins - 1, len(chapter.lines), events, stand_in=made_up)


def _acts(lines: Sequence[Meant]) -> list[int]:
    """Which of the lines (indices) neither begin nor end the hand."""
    return [at for at, (event, _) in enumerate(lines) if tag(event) not in _FRAME]


def _known(chapter: Chapter, lines: Sequence[Meant]) -> frozenset[int]:
    """Which of the lines (indices) somebody has said of the hand, or the eyes are sure of: as far as they say what they said, and
    stand in the order in which that was. Behind the first line that stands for the outcome nothing counts as told but what says
    the same anywhere (`companion.pages.protocol.Outcomes.alone`): nobody has said a word after words that nobody has said."""
    acts, outcomes = _acts(lines), house_game(chapter.game).pages.outcomes
    assert outcomes is not None
    found = _in_order([lines[at] for at in acts], [_was_meant(chapter, at) for at in _vouched(chapter)])
    known = {acts[at] for at, _ in found}
    made_up = next((at for at in acts if at not in known), len(lines))
    return frozenset(at for at in known if at < made_up or outcomes.alone(lines[at][0]))


def _vouched(chapter: Chapter) -> Iterator[int]:
    """The lines (indices) that somebody has said of a hand with a stated outcome, or the eyes are sure of, in order; without its
    beginning and end."""
    for index, line in enumerate(chapter.lines):
        known = index in chapter.fixed or (line.confidence or 0.0) >= SURE_FROM
        if index not in chapter.standing_in and known and tag(line.event) not in _FRAME:
            yield index


_FRAME: Final = ("hand", "end")
"""Tags of the events with which a hand begins and ends."""


def _left_out(chapter: Chapter, lines: Sequence[Meant]) -> Iterator[int]:
    """Which lines (indices) that somebody has told of a hand are not among these any longer, or in another order, or would say
    something else there, or would stand behind what stands for the outcome."""
    begins = begins_with(line.event for line in chapter.lines) - 1
    told = [
        at for at in range(begins, len(chapter.lines))
        if at in chapter.fixed and at not in chapter.standing_in and tag(chapter.lines[at].event) != "end"
    ]  # fmt: skip
    known = _known(chapter, lines)
    stay = [line for at, line in enumerate(lines) if at in known or tag(line[0]) in _FRAME]
    kept = {by for _, by in _in_order(stay, [_was_meant(chapter, at) for at in told])}
    yield from (at for by, at in enumerate(told) if by not in kept)


def _in_order(some: Sequence[Meant], others: Sequence[Meant]) -> tuple[tuple[int, int], ...]:
    """The longest sequence of lines that both have, in one order: the index of each in ``some`` and in ``others``."""
    longest = [[0] * (len(others) + 1) for _ in range(len(some) + 1)]
    for at in range(len(some) - 1, -1, -1):
        for by in range(len(others) - 1, -1, -1):
            both = longest[at + 1][by + 1] + 1 if some[at] == others[by] else 0
            longest[at][by] = max(both, longest[at + 1][by], longest[at][by + 1])
    found, at, by = list[tuple[int, int]](), 0, 0
    while longest[at][by]:
        if some[at] == others[by] and longest[at][by] == longest[at + 1][by + 1] + 1:
            found.append((at, by))
            at, by = at + 1, by + 1
        elif longest[at][by] == longest[at + 1][by]:
            at += 1
        else:
            by += 1
    return tuple(found)


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
