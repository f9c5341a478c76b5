"""The evening as best known so far: every hand with all that was reported about it, the last one perhaps in progress.

An evening grows by one entry of its record at a time (`report`); `replay` makes the same one from the whole record.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from companion.eyes.sighting import Appeared, Cleared, PedineSeen, Shown, Sighting
from companion.games.stu.referee.explain import LAIN_SECONDS
from companion.games.stu.rules import State, begin
from companion.games.stu.rules.log import End, Game, Void
from companion.referee.chapter import Account, Chapter, decoded, moved
from companion.referee.decode import GUESSED_FACES, Beam, Ruling
from companion.referee.record import Answered, Entry, Fixed, Record, Saw, Withdrawn, standing
from companion.table.log import Line

PLAYERS = 2
"""At least so many are dealt a card in a hand."""


@dataclass(frozen=True)
class Evening:
    """``record``: all that was reported. ``chapters``: the hands in order of play; the last one is in progress, or still bare.

    ``pedine``: what was last seen of them, by place; they are compared with the engine's and change nothing.
    """

    record: Record
    chapters: tuple[Chapter, ...]
    pedine: tuple[PedineSeen, ...] = ()

    @classmethod
    def of(cls, game: Game) -> Evening:
        """The evening before its first hand."""
        return cls(Record(game), (decoded(Account(0), begin(game)),))

    @property
    def current(self) -> Chapter:
        """The hand in progress, or what is known between two hands of the next one."""
        return self.chapters[-1]

    @property
    def settled(self) -> State:
        """The engine's state after all hands that are over."""
        return self.current.before

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """Of the hand in progress, by time."""
        return self.current.account.sightings

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
        return (Line(self.record.game), *(line for chapter in self.chapters for line in chapter.lines))

    @property
    def t(self) -> float:
        """When something was last seen (seconds), 0 before."""
        for entry in reversed(self.record.entries):
            if isinstance(entry, Saw):
                return entry.sighting.t
        return 0.0

    def chapter(self, number: int) -> Chapter:
        """The chapter with this id.

        Raises:
            KeyError: there is none.
        """
        for chapter in self.chapters:
            if chapter.id == number:
                return chapter
        raise KeyError(number)


def replay(record: Record) -> Evening:
    """The evening that this record tells: the same as if each entry had been reported in its turn."""
    evening = Evening.of(record.game)
    for _, entry in standing(record.entries):
        evening = report(evening, entry)
    return replace(evening, record=record)


def observe(evening: Evening, sighting: Sighting) -> Evening:
    """The evening after one more sighting. A face that is reported again replaces its earlier report."""
    return report(evening, Saw(sighting))


def report(evening: Evening, entry: Entry) -> Evening:
    """The evening after one more entry of its record.

    Raises:
        Unfitting: a correction that cannot have happened, or after which a later one could not.
        KeyError: a hand that does not exist; of a withdrawal, an entry that nobody has said.
    """
    record = Record(evening.record.game, (*evening.record.entries, entry))
    if isinstance(entry, Withdrawn):
        said = evening.record.entries
        if not 0 <= entry.entry < len(said) or isinstance(said[entry.entry], Saw):
            raise KeyError(entry.entry)
        return replay(record)
    pedine = evening.pedine
    if isinstance(entry, Saw) and isinstance(entry.sighting, PedineSeen):
        chapters = evening.chapters
        others = [seen for seen in pedine if seen.place != entry.sighting.place]
        pedine = tuple(sorted([*others, entry.sighting], key=lambda seen: seen.place))
    elif isinstance(entry, Saw):
        chapters = _seen(evening.chapters, entry.sighting)
    elif isinstance(entry, Answered):
        chapter = evening.chapter(hand_of(entry.question))
        answers = (*(pair for pair in chapter.account.answers if pair[0] != entry.question), (entry.question, entry.choice))
        chapters = _retold(evening.chapters, replace(chapter.account, answers=answers))
    elif isinstance(entry, Fixed):
        account = evening.chapter(entry.hand).account
        chapters = _retold(evening.chapters, replace(account, fixes=(*account.fixes, entry)))
        chapters = _ended_by_hand(chapters, entry)
    else:
        at = evening.chapters.index(evening.chapter(entry.before))
        fix = Fixed(_next_id(evening.chapters), entry.lines, opening=len(entry.lines))
        new = Account(fix.hand, fixes=(fix,), closed=True)
        chapters = (*evening.chapters[:at], decoded(new, evening.chapters[at].before))
        chapters += _after(chapters[-1].after, evening.chapters[at:])
    return Evening(record, chapters, pedine)


def at_the_end(evening: Evening) -> Evening:
    """The evening where nothing more can be seen, the source having ended: a hand in its showdown is over, ungathered.

    Half of the cards and more have been shown, and no more faces are missing than can be tried through.
    """
    chapter = evening.current
    hand = chapter.after.hand
    if not chapter.outcome or hand is None or not chapter.outcome[0].showing:
        return evening
    missing = [position for position in hand.positions() if hand.face_of(position) is None]
    over = len(missing) <= GUESSED_FACES and 2 * len(missing) <= len(hand.positions())
    return observe(evening, Cleared(evening.t)) if over else evening


def hand_of(question: str) -> int:
    """The id of the chapter that a question with this id asks about."""
    return int(question.partition(":")[0])


def _retold(chapters: tuple[Chapter, ...], account: Account) -> tuple[Chapter, ...]:
    """The chapters with this account in its place, and all after it thought through again as far as it makes a difference."""
    at = next(index for index, chapter in enumerate(chapters) if chapter.id == account.id)
    new = decoded(account, chapters[at].before, chapters[at])
    return (*chapters[:at], new, *_after(new.after, chapters[at + 1 :]))


def _after(state: State, chapters: Iterable[Chapter]) -> tuple[Chapter, ...]:
    found = []
    for chapter in chapters:
        chapter = moved(chapter, state)
        found.append(chapter)
        state = chapter.after
    return tuple(found)


def _seen(chapters: tuple[Chapter, ...], sighting: Sighting) -> tuple[Chapter, ...]:
    current = chapters[-1]
    account = current.account
    dealt = {seen.place for seen in account.sightings if isinstance(seen, Appeared)}
    if isinstance(sighting, Cleared):
        # A hand of which nothing was seen yet, begun by hand, is not the one whose cards are gathered.
        if _was_a_hand(account, current.before) or (current.played and account.fixes and account.sightings):
            return _closed(chapters, replace(account, cleared=sighting.t, closed=True))
        return (*chapters[:-1], decoded(replace(account, sightings=()), current.before))  # a card put down by the way
    kept = [old for old in account.sightings if not _replaces(sighting, old)]
    if not dealt and not current.played and not isinstance(sighting, Appeared):
        return chapters  # cards that lie about between hands are no hand
    if not dealt and chapters[1:] and any(_replaces(sighting, old) for old in chapters[-2].account.sightings):
        return chapters  # a card of the hand before, which still lies there though the next was begun by hand
    sightings = tuple(sorted([*kept, sighting], key=lambda seen: seen.t))
    chapter = decoded(replace(account, sightings=sightings), current.before, current)
    anew = _dealt_anew(chapter) if isinstance(sighting, Appeared) else None
    if anew is None:
        return (*chapters[:-1], chapter)
    ended = tuple(seen for seen in sightings if seen.t < anew)
    *earlier, bare = _closed(chapters, replace(account, sightings=ended, cleared=anew, closed=True))
    account = replace(bare.account, sightings=sightings[len(ended) :])
    return (*earlier, decoded(account, bare.before))


def _was_a_hand(account: Account, before: State) -> bool:
    """Whether the cards that are gathered are those of a hand, and not one that was put down by the way.

    Who shows a card has been dealt one, also where nobody saw it come. Of the last two the one may keep a hand on theirs all the
    time: then it tells that the other's lay for a while, and was shown.
    """
    came = {seen.place: seen.t for seen in reversed(account.sightings) if isinstance(seen, Appeared)}
    shown = {seen.place: seen.t for seen in account.sightings if isinstance(seen, Shown)}
    if came and len(came.keys() | shown.keys()) >= PLAYERS:
        return True
    lain = any(place in came and t - came[place] >= LAIN_SECONDS for place, t in shown.items())
    return lain and len(before.in_play) == PLAYERS


def _dealt_anew(chapter: Chapter) -> float | None:
    """When the next hand was dealt though nobody saw the cards of this one gathered (seconds); None: it was not.

    All have shown their cards and several get a card face down; or where several showed theirs, cards lie face down.
    """
    shown = {seen.place: seen.t for seen in chapter.account.sightings if isinstance(seen, Shown)}
    last = max(shown.values(), default=math.inf)
    dealt = [seen for seen in chapter.account.sightings if isinstance(seen, Appeared)]
    after_all = [seen for seen in dealt if seen.t > last]
    over = chapter.played and chapter.after.hand is None
    if over and len({seen.place for seen in after_all}) >= PLAYERS:
        return after_all[0].t
    covered = [seen for seen in dealt if seen.t > shown.get(seen.place, math.inf)]
    return covered[0].t if len({seen.place for seen in covered}) > PLAYERS else None


def _replaces(new: Sighting, old: Sighting) -> bool:
    return isinstance(new, Shown) and isinstance(old, Shown) and new.episode == old.episode


def _ended_by_hand(chapters: tuple[Chapter, ...], fix: Fixed) -> tuple[Chapter, ...]:
    """Whoever says that the hand in progress is over, or void, has closed it."""
    over = any(said.by_hand and isinstance(said.event, End | Void) for said in fix.lines)
    if fix.hand != chapters[-1].id or not over or chapters[-1].after.hand is not None:
        return chapters
    return _closed(chapters, replace(chapters[-1].account, closed=True))


def _closed(chapters: tuple[Chapter, ...], account: Account) -> tuple[Chapter, ...]:
    *earlier, current = chapters
    closed = decoded(account, current.before, current)
    return (*earlier, closed, decoded(Account(_next_id(chapters)), closed.after))


def _next_id(chapters: tuple[Chapter, ...]) -> int:
    return max(chapter.id for chapter in chapters) + 1

