"""A line told of a hand that the assumed outcomes of earlier hands rule out: one of them had another outcome.

The eyes see who takes a pot, and may be wrong; later bets are told by a person. A player who bets more chips than they are
thought to have has won them before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from companion.referee.chapter import Chapter, after, decoded
from companion.referee.decode import shares
from companion.referee.record import Fixed
from companion.referee.splitting import following
from companion.table.errors import Unfitting
from companion.table.log import Event
from companion.table.play import possible

MAX_HANDS_BACK: Final = 3
"""Greatest number of earlier hands that are decoded again."""


def in_hindsight(chapters: tuple[Chapter, ...], events: Sequence[Event]) -> tuple[Chapter, ...] | None:
    """The chapters with another past, in which an earlier hand had an outcome that these ``events`` of the last hand can
    follow. None where no such past is likely enough: then the events are wrong."""
    found = max(_pasts(chapters, tuple(events)), key=lambda past: past[0], default=None)
    if found is None:
        return None
    _, at, later = found
    old = chapters[at]
    new = decoded(old.game, replace(old.reports, later=later), old.before, old)
    if not possible(old.game.rules.apply, new.after, later):  # so unlikely a past that the events are more probably wrong
        return None
    try:
        return (*chapters[:at], new, *following(new, chapters[at + 1 :]))
    except Unfitting:
        return None


def _pasts(chapters: tuple[Chapter, ...], later: tuple[Event, ...]) -> list[tuple[float, int, tuple[Event, ...]]]:
    """For each hand that is not settled: the probability of those of its outcomes that everything known of the later hands can
    follow, its index, and what is known."""
    found, first = [], max(len(chapters) - 1 - MAX_HANDS_BACK, 0)
    for at in range(len(chapters) - 2, first - 1, -1):
        chapter = chapters[at]
        apply = chapter.game.rules.apply
        if not chapter.settled:
            likely = zip(chapter.outcome, shares(chapter.outcome), strict=True)
            odds = sum(share for history, share in likely if possible(apply, history.state, later))
            found += [(odds, at, later)] if odds else []
        later = (*(line.event for line in chapter.lines), *later)
    return found


def without_hindsight(chapters: tuple[Chapter, ...], fix: Fixed) -> tuple[Chapter, ...]:
    """The chapters before a correction of the last hand. Where the correction takes out the lines that had ruled out the likely
    past, they are those of that past, with nothing told of the last hand: the correction tells all of it."""
    gone = [line.event for line in fix.removed]
    at = next((at for at, chapter in enumerate(chapters) if any(event in chapter.reports.later for event in gone)), None)
    if at is None or fix.hand != chapters[-1].id:
        return chapters
    old, last = chapters[at], chapters[-1]
    plain = decoded(old.game, replace(old.reports, later=()), old.before, old)
    try:
        past = (*chapters[:at], plain, *following(plain, chapters[at + 1 : -1]))
    except Unfitting:
        return chapters
    return (*past, decoded(last.game, after(past[-1], replace(last.reports, fixes=())), past[-1].after))
