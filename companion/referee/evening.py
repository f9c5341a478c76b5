"""The evening as best known so far: every hand with all that was reported about it, the last one perhaps in progress.

An evening grows by one entry of its record at a time (`reported`); `replay` makes the same one from the whole record.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import is_

from msgspec import structs

from companion.eyes.sighting import Sighting
from companion.referee.beam import Ruling
from companion.referee.chapter import Chapter, after, decoded
from companion.referee.record import Answered, Entry, Fixed, JointCorrection, Record, Saw, Withdrawn, entries_that_count
from companion.referee.sighting_model import Refereed
from companion.referee.splitting import following, in_hindsight, next_id, redealt, split_chapters, without_hindsight
from companion.referee.values import Beam, HandReports
from companion.table.errors import Unfitting
from companion.table.game import State
from companion.table.log import Event, Line, tag


@dataclass(frozen=True)
class Evening:
    """``record``: all that was reported. ``chapters``: the hands in order of play; the last one is in progress, or still bare.

    ``aside``: the newest of those sightings that change nothing in a hand, each under its key.
    """

    game: Refereed = field(repr=False, compare=False)
    record: Record
    chapters: tuple[Chapter, ...]
    aside: tuple[tuple[Hashable, Sighting], ...] = ()

    @classmethod
    def of(cls, game: Refereed, first: Event) -> Evening:
        """The evening before its first hand. ``first``: the log's first line.

        Raises:
            Illegal: no such game can be.
        """
        return cls(game, Record(first), (decoded(game, HandReports(0), game.rules.begin(first)),))

    @property
    def current(self) -> Chapter:
        """The hand in progress, or what is known between two hands of the next one."""
        return self.chapters[-1]

    def told_later(self, chapter: Chapter) -> tuple[Chapter, ...]:
        """The chapters in which more may be told of the hand of this one of its own: the next, such as by a penalty or cards
        shown, and while the hand of that is void the one after it, as a void hand has nothing of its own. See `later_still`."""
        found: tuple[Chapter, ...] = ()
        for one in reversed(self.chapters):
            if one is chapter:
                break
            found = later_still(one, found)
        return found

    @property
    def settled(self) -> State:
        """The engine's state after all hands that are over."""
        return self.current.before

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """The sightings of the hand in progress, in order of time."""
        return self.current.reports.sightings

    @property
    def beams(self) -> tuple[Beam, ...]:
        """The histories of the hand in progress before the first sighting, after it, after the second, …"""
        return self.current.beams

    @property
    def ruling(self) -> Ruling | None:
        """What the hand in progress most probably is and comes to; None between hands."""
        return self.current.ruling

    @cached_property
    def log(self) -> tuple[Line, ...]:
        """The whole table log as best known now, each line of a hand with its time and confidence."""
        *past, current = self.chapters
        if not past:
            return (Line(self.record.game), *current.lines)
        # The hands before stay the same from one evening to the next, nearly always: their lines are put together once.
        same, lines = past[-1].cache.get("log", ((), ()))
        if len(same) != len(past) or not all(map(is_, same, past)):
            lines = (Line(self.record.game), *chain.from_iterable(chapter.lines for chapter in past))
            past[-1].cache["log"] = tuple(past), lines
            for chapter in past[-2:-1]:
                chapter.cache.pop("log", None)
        return (*lines, *current.lines)

    @property
    def t(self) -> float:
        """When something was last seen (seconds), 0 before."""
        for entry in reversed(self.record.entries):
            if isinstance(entry, Saw):
                return float(entry.sighting.t)
        return 0.0

    def chapter(self, number: int) -> Chapter:
        """The chapter with this id.

        Raises:
            KeyError: there is none.
        """
        for chapter in reversed(self.chapters):
            if chapter.id == number:
                return chapter
        raise KeyError(number)


def later_still(chapter: Chapter, later: tuple[Chapter, ...]) -> tuple[Chapter, ...]:
    """`Evening.told_later` of the chapter before this one; ``later``: of this one."""
    return (chapter, *later) if chapter.void else (chapter,)


def replay(game: Refereed, record: Record) -> Evening:
    """The evening that this record tells: the same as if each entry had been reported in its turn."""
    evening = Evening.of(game, record.game)
    for _, entry in entries_that_count(record.entries):
        evening = reported(evening, entry)
    return replace(evening, record=record)


def observe(evening: Evening, sighting: Sighting) -> Evening:
    """The evening after one more sighting. A face that is reported again replaces its earlier report."""
    return reported(evening, Saw(sighting))


def reported(evening: Evening, entry: Entry) -> Evening:
    """The evening after one more entry of its record.

    Raises:
        Unfitting: a correction that cannot have happened, or after which a later one could not.
        KeyError: a hand that does not exist; of a withdrawal, an entry that nobody has said.
    """
    game, chapters, aside = evening.game, evening.chapters, evening.aside
    record = evening.record.with_entry(entry)
    match entry:
        case Withdrawn(entry=index):
            said = evening.record.entries
            if not 0 <= index < len(said) or isinstance(said[index], Saw):
                raise KeyError(index)
            return replay(game, record)
        case Saw(sighting=sighting):
            assert game.sighting_model is not None, "a game without eyes has no sightings"
            if (key := game.sighting_model.aside(sighting)) is not None:
                aside = _kept_aside(aside, key, sighting)
            else:
                chapters = _seen(chapters, sighting)
        case Answered(question=question, choice=choice):
            chapter = evening.chapter(hand_of(question))
            answers = (*(pair for pair in chapter.reports.answers if pair[0] != question), (question, choice))
            reports = replace(chapter.reports, answers=answers)
            model = game.sighting_model
            told = model.fact(question.partition(":")[2]) if model is not None and choice is not None else None
            if told is not None and model is not None and model.depends_on(told, reports.sightings):
                chapters = redealt(chapters, reports, told, choice or "")
            else:
                chapters = _decoded_again(chapters, reports)
        case Fixed():
            chapters = _ended_by_hand(_fixed(chapters, entry), entry)
        case JointCorrection(fixes=fixes):
            first, later = fixes[0], fixes[1:]
            corrected = {first.hand: _corrected(evening.chapter(first.hand).reports, first)}
            for hand in dict.fromkeys(fix.hand for fix in later):  # a correction of a later hand replaces all that was said of it
                reports = evening.chapter(hand).reports
                corrected[hand] = replace(reports, fixes=tuple(fix for fix in later if fix.hand == hand))
            chapters = _decoded_together(chapters, corrected)
            for fix in fixes:
                chapters = _ended_by_hand(chapters, fix)
        case _:
            at = chapters.index(evening.chapter(entry.before))
            fix = Fixed(next_id(chapters), entry.lines, opening=len(entry.lines))
            reports = HandReports(fix.hand, fixes=(fix,), closed=True)
            new = decoded(game, after(chapters[at - 1], reports) if at else reports, chapters[at].before)
            chapters = (*chapters[:at], new, *following(new, chapters[at:]))
    return Evening(game, record, chapters, aside)


def at_the_end(evening: Evening) -> Evening:
    """The evening where nothing more can be seen, the source having ended: a hand in its showdown is then over, although
    nobody saw its cards gathered."""
    model = evening.game.sighting_model
    said = model.at_the_end(evening.current, evening.t) if model is not None else None
    return evening if said is None else observe(evening, said)


def hand_of(question: str) -> int:
    """The id of the chapter that a question with this id asks about."""
    return int(question.partition(":")[0])


def _kept_aside(
    aside: tuple[tuple[Hashable, Sighting], ...], key: Hashable, sighting: Sighting
) -> tuple[tuple[Hashable, Sighting], ...]:
    kept = [pair for pair in aside if pair[0] != key]
    return tuple(sorted([*kept, (key, sighting)], key=lambda pair: repr(pair[0])))


def _decoded_again(chapters: tuple[Chapter, ...], reports: HandReports) -> tuple[Chapter, ...]:
    """The chapters with these reports in their place, and all after it decoded again as far as it makes a difference."""
    at = next(index for index, chapter in enumerate(chapters) if chapter.id == reports.id)
    old = chapters[at]
    new = decoded(old.game, reports, old.before, old)
    return (*chapters[:at], new, *following(new, chapters[at + 1 :]))


def _fixed(chapters: tuple[Chapter, ...], fix: Fixed) -> tuple[Chapter, ...]:
    """The chapters with this correction, in the likeliest past in which it can be.

    Raises:
        KeyError: there is no such hand. Unfitting: it cannot be in any.
    """
    chapters = without_hindsight(chapters, fix)
    old = {chapter.id: chapter for chapter in chapters}[fix.hand]
    try:
        return _decoded_again(chapters, _corrected(old.reports, fix))
    except Unfitting:
        found = in_hindsight(chapters, [said.event for said in fix.lines]) if old is chapters[-1] else None
        if found is None:
            raise
        return _decoded_again(found, _corrected(found[-1].reports, fix))


def _corrected(reports: HandReports, fix: Fixed) -> HandReports:
    """The reports with a correction added, without the name of the phone that made it: no hand depends on that."""
    # A correction of how the hand opens replaces the earlier ones of that.
    kept = tuple(one for one in reports.fixes if fix.opening is None or one.opening is None)
    return replace(reports, fixes=(*kept, structs.replace(fix, by="") if fix.by else fix))


def _decoded_together(chapters: tuple[Chapter, ...], corrected: Mapping[int, HandReports]) -> tuple[Chapter, ...]:
    """The chapters with these reports (by their ids) in their places, each decoded after its new past."""
    at = next(index for index, chapter in enumerate(chapters) if chapter.id in corrected)
    found = list(chapters[:at])
    for old in chapters[at:]:
        if old.id not in corrected:
            found += following(found[-1], (old,))
            continue
        reports, before = corrected[old.id], old.before
        if found:
            reports, before = after(found[-1], reports), found[-1].after
        found.append(decoded(old.game, reports, before, old))
    return tuple(found)


def _seen(chapters: tuple[Chapter, ...], sighting: Sighting) -> tuple[Chapter, ...]:
    current, game = chapters[-1], chapters[-1].game
    reports, model = current.reports, current.game.sighting_model
    assert model is not None, "a game without eyes has no sightings"
    assign = model.assign(current, chapters[-2] if chapters[1:] else None, sighting)
    if assign == "ignored":
        return chapters
    if assign == "over":
        split = model.split_hand(current, sighting)
        if split is not None:
            return (*chapters[:-1], *split_chapters(chapters, current, split))
        return _closed(chapters, replace(reports, cleared=sighting.t, closed=True))
    if assign == "put_down":
        return (*chapters[:-1], decoded(game, replace(reports, sightings=()), current.before))
    chapter = decoded(game, replace(reports, sightings=assign), current.before, current)
    split = model.split_hand(chapter, sighting)
    return (*chapters[:-1], *(split_chapters(chapters, chapter, split) if split is not None else (chapter,)))


def _ended_by_hand(chapters: tuple[Chapter, ...], fix: Fixed) -> tuple[Chapter, ...]:
    """A hand in progress that somebody says is over, or void, is closed."""
    current = chapters[-1]
    over = any(said.by_hand and tag(said.event) in ("end", "void") for said in fix.lines)
    if fix.hand != current.id or not over or current.game.rules.in_hand(current.after):
        return chapters
    return _closed(chapters, replace(current.reports, closed=True))


def _closed(chapters: tuple[Chapter, ...], reports: HandReports) -> tuple[Chapter, ...]:
    *earlier, current = chapters
    closed = decoded(current.game, reports, current.before, current)
    reports = after(closed, HandReports(next_id(chapters), surely=closed.certainty))
    return (*earlier, closed, decoded(current.game, reports, closed.after))
