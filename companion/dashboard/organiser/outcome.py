"""Only the outcome of a hand: who has paid how much, or had how many cards left, when nobody can tell the rest. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import house_game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, begins_with, check_lines
from companion.referee.following import Followed, followed
from companion.referee.reasons import NO_SUCH_OUTCOME
from companion.table.errors import Illegal
from companion.table.log import Event, tag
from companion.table.sure import SURE_FROM


def with_outcome(evening: Evening, hand: int, paid: Mapping[str, int]) -> Followed:
    """The evening with a hand that comes to just this: player → what they paid.

    The likeliest history that the eyes think possible and that comes to it; where there is none, the plainest hand that does. Its
    lines stand for the outcome, but for those that somebody has said or the eyes are sure of.

    Raises:
        KeyError: there is no such hand. Illegal: no hand can come to this; or what `followed` raises.
    """
    chapter, pages = evening.chapter(hand), house_game(evening.game).pages
    events = [line.event for line in chapter.lines]
    begins = begins_with(events)
    if pages.outcomes is None or not chapter.played:
        raise KeyError(hand)
    wanted = {player: many for player, many in paid.items() if many}
    before = check_lines(evening.game.rules, chapter.before, events[: begins - 1])
    if max(wanted.values(), default=0) > pages.outcomes.most(before):
        raise Illegal(NO_SUCH_OUTCOME, expected="another outcome, or a void hand")
    found = _thought_possible(chapter, wanted)
    if found is None:
        found = pages.outcomes.stated(before, events[begins - 1 :], wanted, _faces(chapter))
    if found is None:
        raise Illegal(NO_SUCH_OUTCOME, expected="another outcome, or a void hand")
    correction = Correction(hand, begins - 1, len(events), found, stand_in=True)
    return followed(evening, correction, pages.bridge)


def comes_to(chapter: Chapter) -> dict[str, int]:
    """What the hand made everybody pay so far, or left them with."""
    outcomes = house_game(chapter.game).pages.outcomes
    return dict(outcomes.comes_to(chapter.before, chapter.after)) if outcomes is not None and chapter.played else {}


def _thought_possible(chapter: Chapter, wanted: Mapping[str, int]) -> tuple[Event, ...] | None:
    """The likeliest history of the hand that comes to this, from its `hand` line to its end."""
    outcomes = house_game(chapter.game).pages.outcomes
    assert outcomes is not None
    for history in chapter.outcome if chapter.reports.sightings else ():
        events = [line.event for line in history.lines]
        if events and tag(events[-1]) == "end" and outcomes.comes_to(chapter.before, history.state) == wanted:
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
