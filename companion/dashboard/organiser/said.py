"""What was said by hand, in a few words, and on whose phone: the history, and what an undo or a redo is about. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from itertools import islice, takewhile

from msgspec import Struct

from companion.dashboard.organiser.effects import hand_number, line_said
from companion.dashboard.organiser.phone_names import phone_name
from companion.games import house_game
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.evening import hand_of
from companion.referee.questions import Question
from companion.referee.record import (
    Answered,
    Fixed,
    Inserted,
    JointCorrection,
    Saw,
    StatedLine,
    Withdrawn,
    Word,
    entries_that_count,
)
from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.log import Event, tag
from companion.table.play import possible

_MAX_LOOKED_BACK = 400
"""Number of entries of the record that are searched for what a correction changed; before them it is said in fewer words."""
_MAX_LINES = 2
"""Number of lines that are quoted of what somebody has said."""


class SaidView(Struct, frozen=True):
    """Something that was said by hand: the index of its ``entry`` in the record, for `Undo` and `Redo`; ``text``, "" where it is
    not to be told in a few words; ``by``: the name of the phone, "" where nobody knows."""

    entry: int
    text: str
    by: str


class HistoryView(Struct, frozen=True):
    """Something that was said by hand, as in `SaidView`; ``at``: when, local time, ISO 8601, None where nobody knows;
    ``taken_back``: it counts no more."""

    entry: int
    text: str
    by: str
    at: str | None
    taken_back: bool


def history(evening: Evening, recorded: Sequence[float | None], lang: Lang) -> tuple[HistoryView, ...]:
    """What was said by hand, and on whose phone, the newest first, at most `_MAX_LOOKED_BACK` entries. ``recorded``: the time of
    each entry of the record (Unix seconds, None: not known)."""
    entries = evening.record.entries
    counts = {index for index, _ in entries_that_count(entries)}
    found = []
    for index in islice(said_since(evening, 0), _MAX_LOOKED_BACK):
        entry, at = entries[index], recorded[index] if index < len(recorded) else None
        by = "" if isinstance(entry, Saw) else phone_name(entry.by, lang)
        local = datetime.fromtimestamp(at).astimezone().isoformat(timespec="seconds") if at is not None else None
        back = index not in counts and not isinstance(entry, Withdrawn)
        found.append(HistoryView(index, said_text(evening, index, lang), by, local, back))
    return tuple(found)


def to_undo(evening: Evening, lang: Lang) -> SaidView | None:
    """What an undo would take back; None where there is nothing to undo."""
    undoable = evening.record.undoable
    return _view(evening, undoable[-1], undoable[-1], lang) if undoable else None


def to_redo(evening: Evening, lang: Lang) -> SaidView | None:
    """What a redo would bring back; None where there is nothing to redo. ``by``: the phone that took it back."""
    redoable = evening.record.redoable
    if not redoable:
        return None
    entry = evening.record.entries[redoable[-1]]
    assert isinstance(entry, Withdrawn)
    return _view(evening, redoable[-1], _withdrawn(evening, entry)[0], lang)


def overtaken(evening: Evening, said: int, lang: Lang) -> str:
    """What has happened since ``said`` things had been said by hand, and whose phone or the camera told it, as a sentence; ""
    where the evening has no line yet."""
    _ = catalogue(lang).gettext
    for index in said_since(evening, said):
        entry, text = evening.record.entries[index], said_text(evening, index, lang)
        if text and not isinstance(entry, Saw):
            who = phone_name(entry.by, lang) or _("another phone")
            return _("Meanwhile {phone} has said: {what}. Look again").format(phone=who, what=text)
    shown = next((chapter for chapter in reversed(evening.chapters) if chapter.lines), None)
    if shown is None:
        return ""
    text = line_said(evening, shown.id, len(shown.lines) - 1, lang)
    return _("Meanwhile the camera has seen: {what}. Look again").format(what=text)


def said_since(evening: Evening, said: int) -> tuple[int, ...]:
    """The indices of the entries said by hand after the first ``said`` of them, the newest first."""
    entries, found = evening.record.entries, list[int]()
    for index in range(len(entries) - 1, -1, -1):
        if len(found) >= evening.record.said - said:
            break
        if not isinstance(entries[index], Saw):
            found.append(index)
    return tuple(found)


def said_text(evening: Evening, index: int, lang: Lang) -> str:
    """What the record's entry with this index says, in a few words; "" where it has nothing for people."""
    entry = evening.record.entries[index]
    _ = catalogue(lang).gettext
    match entry:
        case Fixed():
            return _fix_text(evening, entry, index, lang)
        case JointCorrection(fixes=(Fixed(confirms=True), shown, *_)):
            return _fix_text(evening, shown, index, lang)
        case JointCorrection(fixes=fixes):
            return _fix_text(evening, fixes[0], index, lang)
        case Inserted():
            return _("a hand entered afterwards")
        case Answered():
            return _answer_text(evening, entry, lang)
        case Withdrawn():
            about, times = _withdrawn(evening, entry)
            text = _("“{said}” taken back") if times % 2 else _("“{said}” said again")
            return text.format(said=said_text(evening, about, lang))
    return ""


def _withdrawn(evening: Evening, entry: Withdrawn) -> tuple[int, int]:
    """The index of the entry that a chain of withdrawals is about in the end, and how many withdrawals it has, this one included.
    After an odd number the entry is taken back, after an even number it is valid again."""
    times, entries = 1, evening.record.entries
    index = entry.entry
    while isinstance(back := entries[index], Withdrawn):
        index, times = back.entry, times + 1
    return index, times


def _view(evening: Evening, entry: int, about: int, lang: Lang) -> SaidView:
    found = evening.record.entries[entry]
    return SaidView(entry, said_text(evening, about, lang), "" if isinstance(found, Saw) else phone_name(found.by, lang))


def _fix_text(evening: Evening, fix: Fixed, index: int, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    try:
        chapter = evening.chapter(fix.hand)
    except KeyError:
        chapter = evening.current  # the hand is no more; it is said again after what stands now
    if fix.confirms:
        return _("hand {n} was just so").format(n=hand_number(chapter))
    said_before = _by_hand_before(evening, fix.hand, index)
    if (made_up := _standing_in(fix.lines)) and made_up != _standing_in(said_before):
        return _("only the outcome of hand {n}").format(n=hand_number(chapter))
    added = _added(fix, [one.event for one in said_before])
    texts = list(_new_texts(chapter, [one.event for one in fix.lines], added, lang))
    if texts:
        return "; ".join(texts[:_MAX_LINES]) + ("…" if texts[_MAX_LINES:] else "")
    gone = _gone_texts(chapter, [one.event for one in fix.lines], [line.event for line in fix.removed], lang)
    return _("without “{lines}”").format(lines=gone) if gone else ""


def _added(fix: Fixed, before: Sequence[Event]) -> set[int]:
    """The indices of the hand's lines that ``fix`` has added to those said by hand ``before``, in order.

    Where the same is said several times in a hand, such as a word in each phase, the later lines are the new ones.
    """
    by_hand = [index for index, one in enumerate(fix.lines) if one.by_hand]
    stated = [fix.lines[index].event for index in by_hand]
    same = _common_start(before, stated)
    was, now = before[same:], stated[same:]
    blocks = SequenceMatcher(None, was, now, autojunk=False).get_matching_blocks()
    old = {block.b + offset for block in blocks for offset in range(block.size)}
    return {index for at, index in enumerate(by_hand[same:]) if at not in old}


def _common_start(one: Sequence[Event], other: Sequence[Event]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _standing_in(lines: Iterable[StatedLine]) -> list[Event]:
    """The events that only stand for an outcome."""
    return [one.event for one in lines if one.stand_in]


def _by_hand_before(evening: Evening, hand: int, index: int) -> list[StatedLine]:
    """What had been said by hand of this hand before the record's entry with this index, in the order of the hand's lines."""
    entries, gone = evening.record.entries, set[int]()
    for at in range(len(entries) - 1, max(-1, len(entries) - _MAX_LOOKED_BACK), -1):
        entry = entries[at]
        if isinstance(entry, Withdrawn) and at not in gone:
            gone.add(entry.entry)
        if at < index and at not in gone:
            for fix in reversed(_fixes(entry)):
                if fix.hand == hand:
                    return [one for one in fix.lines if one.by_hand]
    return []


def _fixes(entry: Word | Saw) -> tuple[Fixed, ...]:
    return (entry,) if isinstance(entry, Fixed) else entry.fixes if isinstance(entry, JointCorrection) else ()


def _new_texts(chapter: Chapter, events: Sequence[Event], new: Collection[int], lang: Lang) -> Iterator[str]:
    """The lines of a hand with the indices ``new``, each as a sentence; the hand's end only where nothing else is new."""
    alone = len(new) == 1
    state, rules, pages = chapter.before, chapter.game.rules, house_game(chapter.game).pages
    for index, event in enumerate(events):
        try:
            before, state = state, rules.apply(state, event)
        except Illegal:
            return
        if index in new and (alone or tag(event) != "end"):
            yield pages.line_text(before, event, state, lang)


def _gone_texts(chapter: Chapter, events: Sequence[Event], gone: Sequence[Event], lang: Lang) -> str:
    """The lines ``gone``, which were taken out of a hand, as sentences; told from the first state in which they were possible."""
    state: State = chapter.before
    rules = chapter.game.rules
    for event in (*events, None):
        if gone and possible(rules.apply, state, gone):
            texts = []
            for line in gone[:_MAX_LINES]:
                before, state = state, rules.apply(state, line)
                texts.append(house_game(chapter.game).pages.line_text(before, line, state, lang))
            return "; ".join(texts)
        if event is None or rules.check(state, event) is not None:
            return ""
        state = rules.apply(state, event)
    return ""


def _answer_text(evening: Evening, entry: Answered, lang: Lang) -> str:
    model, rules, pages = evening.game.sighting_model, evening.game.rules, house_game(evening.game).pages
    if model is None:
        return ""
    try:
        fact = model.fact(entry.question.partition(":")[2])
        chapter = evening.chapter(hand_of(entry.question))
    except (KeyError, ValueError):
        return ""
    names = rules.names(chapter.before)
    players = tuple(names[place] for place in fact.places)
    question = Question(entry.question, chapter.id, hand_number(chapter), fact.kind, fact.t, fact.places, players, (), 0.0)
    return f"{pages.question(question, lang)} {pages.choice(question, entry.choice, names, lang).text}"
