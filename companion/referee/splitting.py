"""Splits the sightings of an evening into other hands: more were played than was assumed, or fewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.referee.chapter import Chapter, after, after_another_past, decoded
from companion.referee.facts import Fact
from companion.referee.reports import HandReports
from companion.referee.sighting_model import HandSplit


def split_chapters(chapters: tuple[Chapter, ...], whole: Chapter, split: HandSplit) -> tuple[Chapter, ...]:
    """What comes of ``whole`` when it is split. ``chapters``: all of the evening."""
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
            missed, unruled=reports.unruled, untold=reports.untold, doubted=reports.doubted, owned=reports.owned
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
    """The chapters once it is told how many hands the doubt about this ``fact`` was about. ``reports``: of the hand that it was
    asked of, with the answer.

    Raises:
        Unfitting: a correction in a later hand could not have happened then.
    """
    at = next(index for index, chapter in enumerate(chapters) if chapter.id == reports.id)
    meaning = chapters[at].game.meaning
    assert meaning is not None, "only eyes have doubts"
    first, last = at, at
    while first > 0 and chapters[first - 1].reports.missed and meaning.depends_on(fact, chapters[first - 1].reports.sightings):
        first -= 1
    while last + 1 < len(chapters) and meaning.depends_on(fact, chapters[last + 1].reports.sightings):
        last += 1
    if last > at and not chapters[last].played:  # no hand of its own: the cards of the one before were being gathered
        chapters = (*chapters[:last], _bare(chapters[last]), *chapters[last + 1 :])
        last -= 1
    group = chapters[first : last + 1]
    played = [chapter.reports for chapter in group if not chapter.reports.missed]
    if any(one.fixes for one in played):  # people have told what was played there: it stays parted as it is
        settled = tuple(_answered(one, fact, choice) for one in group)
        return (*chapters[:first], *settled, *chapters[last + 1 :])
    answers = tuple(dict([*(pair for one in played for pair in one.answers), *reports.answers]).items())
    sightings = tuple(sorted(dict.fromkeys(seen for one in played for seen in one.sightings), key=lambda seen: seen.t))
    surely = chapters[first].reports.surely if len(group) > 1 and group[0].reports.missed else played[0].surely
    whole = replace(played[-1], id=played[0].id, sightings=sightings, answers=answers, surely=surely)
    chapter = decoded(group[0].game, whole, group[0].before)
    split = meaning.redealt(fact, choice, sightings)
    found = split_chapters(chapters, chapter, split) if split is not None else (chapter,)
    if split is not None and not split.later:
        found = found[:-1]  # what follows is there already
    found = tuple(_answered(one, fact, choice) for one in found)
    scale = found[-1].certainty / max(group[-1].certainty, 1e-9)
    rest = tuple(_surer(one, scale) for one in following(found[-1], chapters[last + 1 :]))
    return (*chapters[:first], *found, *rest)


def following(previous: Chapter, chapters: Iterable[Chapter]) -> tuple[Chapter, ...]:
    """These chapters after another past that ends with ``previous``."""
    found = []
    for chapter in chapters:
        previous = after_another_past(chapter, previous)
        found.append(previous)
    return tuple(found)


def next_id(chapters: tuple[Chapter, ...]) -> int:
    """An id that no chapter has yet."""
    return max(chapter.id for chapter in chapters) + 1


def _answered(chapter: Chapter, fact: Fact, choice: str) -> Chapter:
    """The chapter with what was told of a doubt that it hangs on."""
    question = f"{chapter.id}:{fact.key}"
    answers = (*(pair for pair in chapter.reports.answers if pair[0] != question), (question, choice))
    return replace(chapter, reports=replace(chapter.reports, answers=answers), kept=None, cache={})


def _surer(chapter: Chapter, scale: float) -> Chapter:
    if scale == 1.0:
        return chapter
    reports = replace(chapter.reports, surely=min(1.0, chapter.reports.surely * scale))
    return replace(chapter, reports=reports, kept=None, cache={})
