"""Replaces what was assumed of earlier hands. Sightings turn out to be of more hands, or of fewer; or a line of a later hand
rules out the outcome that was assumed of an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from companion.referee.beam import shares
from companion.referee.chapter import Chapter, after, after_another_past, decoded
from companion.referee.record import Fixed
from companion.referee.sighting_model import HandSplit
from companion.referee.values import Fact, HandReports
from companion.table.errors import Unfitting
from companion.table.log import Event
from companion.table.play import possible


def split_chapters(chapters: tuple[Chapter, ...], whole: Chapter, split: HandSplit) -> tuple[Chapter, ...]:
    """The chapters into which ``whole`` is split. ``chapters``: all of the evening."""
    found: list[Chapter] = []
    ids = next_id(chapters)
    reports, before, game = whole.reports, whole.before, whole.game
    if split.earlier:
        ended = replace(reports, sightings=split.earlier, cleared=split.cleared, closed=True)
        found.append(decoded(game, ended, before, whole))
        reports = after(found[-1], HandReports(ids, cleared=reports.cleared, closed=reports.closed))
        before, ids = found[-1].after, ids + 1
    surely = whole.reports.surely * split.surely
    for _ in range(split.missed):
        missed = HandReports(ids, split.between, split.until, closed=True, surely=surely, missed=True)
        missed = replace(
            missed, unruled=reports.unruled, earlier_unruled=reports.earlier_unruled, doubted=reports.doubted, owned=reports.owned
        )
        found.append(decoded(game, missed, before))
        reports = after(found[-1], reports)
        before, ids = found[-1].after, ids + 1
    settled = ((f"{reports.id}:{split.about}", ""),) if split.about and split.later else ()
    later = replace(reports, sightings=split.later, surely=surely, answers=(*reports.answers, *settled))
    return (*found, decoded(game, later, before))


def _bare(chapter: Chapter) -> Chapter:
    return decoded(chapter.game, replace(chapter.reports, sightings=(), answers=()), chapter.before)


def redealt(chapters: tuple[Chapter, ...], reports: HandReports, fact: Fact, choice: str) -> tuple[Chapter, ...]:
    """The chapters after somebody has answered how many hands were dealt (``choice``), where the eyes doubted it (``fact``).
    ``reports``: of the hand about which it was asked, with the answer.

    Raises:
        Unfitting: a correction in a later hand could not have happened then.
    """
    at = next(index for index, chapter in enumerate(chapters) if chapter.id == reports.id)
    model = chapters[at].game.sighting_model
    assert model is not None, "only eyes have doubts"
    first, last = at, at
    while first > 0 and chapters[first - 1].reports.missed and model.depends_on(fact, chapters[first - 1].reports.sightings):
        first -= 1
    while last + 1 < len(chapters) and model.depends_on(fact, chapters[last + 1].reports.sightings):
        last += 1
    if last > at and not chapters[last].played:  # no hand of its own: the cards of the one before were being gathered
        chapters = (*chapters[:last], _bare(chapters[last]), *chapters[last + 1 :])
        last -= 1
    group = chapters[first : last + 1]
    played = [chapter.reports for chapter in group if not chapter.reports.missed]
    if any(one.fixes for one in played):  # people have said what was played there: the hands stay as they are
        settled = tuple(_answered(one, fact, choice) for one in group)
        return (*chapters[:first], *settled, *chapters[last + 1 :])
    answers = tuple(dict([*(pair for one in played for pair in one.answers), *reports.answers]).items())
    sightings = tuple(sorted(dict.fromkeys(seen for one in played for seen in one.sightings), key=lambda seen: seen.t))
    surely = chapters[first].reports.surely if len(group) > 1 and group[0].reports.missed else played[0].surely
    whole = replace(played[-1], id=played[0].id, sightings=sightings, answers=answers, surely=surely)
    chapter = decoded(group[0].game, whole, group[0].before)
    split = model.redealt(fact, choice, sightings)
    found = split_chapters(chapters, chapter, split) if split is not None else (chapter,)
    if split is not None and not split.later:
        found = found[:-1]  # what follows is there already
    found = tuple(_answered(one, fact, choice) for one in found)
    scale = found[-1].certainty / max(group[-1].certainty, 1e-9)
    rest = tuple(_surer(one, scale) for one in following(found[-1], chapters[last + 1 :]))
    return (*chapters[:first], *found, *rest)


def following(previous: Chapter, chapters: Iterable[Chapter]) -> tuple[Chapter, ...]:
    """These chapters, decoded again after another past that ends with the chapter ``previous``."""
    found = []
    for chapter in chapters:
        previous = after_another_past(chapter, previous)
        found.append(previous)
    return tuple(found)


def next_id(chapters: tuple[Chapter, ...]) -> int:
    """An id that no chapter has yet."""
    return max(chapter.id for chapter in chapters) + 1


def _answered(chapter: Chapter, fact: Fact, choice: str) -> Chapter:
    """The chapter with the answer ``choice`` to the question about ``fact``, on which it depends."""
    question = f"{chapter.id}:{fact.key}"
    answers = (*(pair for pair in chapter.reports.answers if pair[0] != question), (question, choice))
    return replace(chapter, reports=replace(chapter.reports, answers=answers), kept=None, cache={})


def _surer(chapter: Chapter, scale: float) -> Chapter:
    if scale == 1.0:
        return chapter
    reports = replace(chapter.reports, surely=min(1.0, chapter.reports.surely * scale))
    return replace(chapter, reports=reports, kept=None, cache={})


# The eyes see who takes a pot, and may be wrong; later bets are entered by a person. A player who bets more chips than the
# referee thinks they have must have won an earlier pot.


MAX_HANDS_BACK: Final = 3
"""Greatest number of earlier hands that are decoded again."""


def in_hindsight(chapters: tuple[Chapter, ...], events: Sequence[Event]) -> tuple[Chapter, ...] | None:
    """The chapters after one earlier hand is given another outcome, so that these ``events`` of the last hand can follow. None
    where no such outcome is likely enough: then the events are wrong."""
    found = max(_pasts(chapters, tuple(events)), key=lambda past: past[0], default=None)
    if found is None:
        return None
    _, at, later = found
    old = chapters[at]
    new = decoded(old.game, replace(old.reports, later=later), old.before, old)
    if not possible(old.game.rules.apply, new.after, later):  # the outcome needed is too unlikely: the events are wrong
        return None
    try:
        return (*chapters[:at], new, *following(new, chapters[at + 1 :]))
    except Unfitting:
        return None


def _pasts(chapters: tuple[Chapter, ...], later: tuple[Event, ...]) -> list[tuple[float, int, tuple[Event, ...]]]:
    """For each hand that is not settled: the probability of its outcomes after which all known events of the later hands are
    possible; the hand's index; and these events."""
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
    """The chapters on which a correction of the last hand is made. `in_hindsight` may have replaced the likely outcome of an
    earlier hand because of lines that the correction removes: then that outcome is put back, and the last hand has no lines, as
    the correction has all of them."""
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
