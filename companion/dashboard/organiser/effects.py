"""What a change would do: the difference between two states of an evening, already said in one language. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from operator import is_
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.games import house_game
from companion.pages.doubts import has_doubts, unsure_rulings
from companion.pages.moments import Moment, follow, stands_in
from companion.pages.phone import Difference, HandSummary
from companion.pages.ruling import doubted_hand
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.evening import later_still
from companion.referee.following import Edit
from companion.table.game import Over, State
from companion.table.language import Lang, catalogue
from companion.table.log import Line, tag
from companion.table.text import perhaps


class Effect(Struct, frozen=True):
    """What a change would do, as sentences; all is empty where it would change nothing that anybody pays.

    ``hands``: what each changed hand comes to now, and after the change. ``rest``: the same of what the players have, money, who
    has won. ``without``: later lines that the change deletes, ``adds``: lines that it must insert. ``already``: what it says is
    the case already.
    """

    hands: tuple[Difference, ...]
    rest: tuple[Difference, ...]
    without: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    already: bool = False

    @property
    def mark(self) -> str:
        """A hash of the effect. A phone sends it back to confirm, so that nothing else is done than what it was shown."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


class EffectView(Effect, frozen=True, kw_only=True):
    """What a change would do, and the ``mark`` by which to agree to it."""

    mark: str


def effect(edit: Edit, lang: Lang, sure_from: float, believed: Callable[[], tuple[Iterable[str], Iterable[str]]]) -> Effect:
    """What an edit does, in words. ``sure_from``: probability from which a line is sure; ``believed``: gives the players for whom
    it is not sure what they have, before and after the edit."""
    _, before, after = catalogue(lang).gettext, edit.before, edit.after
    was, would = _chapters(before), _chapters(after)
    hands = []
    for id in dict.fromkeys([*would, *was]):
        known_now, known_then = was.get(id, ()), would.get(id, ())
        if len(known_now) == len(known_then) and all(map(is_, known_now, known_then)):
            continue
        now, then = (summary(of[0], lang, sure_from, of[1:]) if of else None for of in (known_now, known_then))
        known = then or now
        if known is not None and _unmarked(_paid(now, lang)) != _unmarked(_paid(then, lang)):
            hands.append(Difference(_("Hand {n}").format(n=known.n), _paid(now, lang), _paid(then, lang)))
    rest = house_game(before.game).pages.differences(before.current.after, after.current.after, lang)
    if rest:
        of_players = believed()
        doubted, would_be = (
            _doubted_things(evening, names, lang, sure_from) for evening, names in zip((before, after), of_players, strict=True)
        )
        rest = tuple(
            Difference(one.what, perhaps(one.now, sure=one.what not in doubted), perhaps(one.then, sure=one.what not in would_be))
            for one in rest
        )
    without = tuple(dict.fromkeys(_line_deleted(before, hand, index, lang, sure_from) for hand, index in edit.gone))
    return Effect(tuple(hands), rest, without, _added(edit, lang))


def _chapters(evening: Evening) -> dict[int, tuple[Chapter, ...]]:
    """Id of each chapter → the chapter, and those in which more may be told of its hand (`Evening.told_later`)."""
    later: tuple[Chapter, ...] = ()
    found: dict[int, tuple[Chapter, ...]] = {}
    for chapter in reversed(evening.chapters):
        found[chapter.id] = (chapter, *later)
        later = later_still(chapter, later)
    return dict(reversed(found.items()))


def _doubted_things(evening: Evening, believed: Iterable[str], lang: Lang, sure_from: float) -> frozenset[str]:
    """`Difference.what` of all that is not sure: what these players have, and what else a ruling has decided that stands and is
    not sure; of a game that it may have ended, all but what players have."""
    current, rules, following = evening.current, evening.game.rules, None
    names = frozenset(rules.names(current.after))
    for chapter in reversed(evening.chapters):
        if chapter.played:
            if not ruling_doubted(chapter, sure_from, following):
                break
            after = current.after if isinstance(rules.waiting(current.after), Over) else chapter.after
            decided = house_game(evening.game).pages.differences(chapter.before, after, lang)
            return frozenset(believed) | ({one.what for one in decided} - names)
        following = chapter
    return frozenset(believed)


def _line_deleted(evening: Evening, hand: int, index: int, lang: Lang, sure_from: float) -> str:
    """A line that a change deletes, as a sentence; a question where it is not sure that it is so now."""
    chapter = evening.chapter(hand)
    line = chapter.lines[index]
    sure = index in chapter.fixed or stands_in(line) or line.confidence is None or line.confidence >= sure_from
    return perhaps(line_said(evening, hand, index, lang), sure=sure)


def hand_number(chapter: Chapter) -> int:
    """The number of the chapter's hand, from 1; of the next hand where it has none."""
    return chapter.game.rules.hands(chapter.before) + 1


def line_said(evening: Evening, hand: int, index: int, lang: Lang) -> str:
    """A line of a hand as a sentence, after the hand's number where that hand is not the newest. Of lines that stand for an
    outcome it says only that the hand's outcome is all that is known."""
    chapter = evening.chapter(hand)
    if index in chapter.standing_in:
        return catalogue(lang).gettext("only the outcome of hand {n}").format(n=hand_number(chapter))
    return _line_text(evening, chapter, index, lang)


def _line_text(evening: Evening, chapter: Chapter, index: int, lang: Lang) -> str:
    before, after = chapter.states[index : index + 2]
    text = house_game(chapter.game).pages.line_text(before, chapter.lines[index].event, after, lang)
    return text if chapter is evening.current else _of_hand(chapter, text, lang)


def _added(edit: Edit, lang: Lang) -> tuple[str, ...]:
    """The lines that the edit had to insert, as sentences."""
    texts = []
    for hand in dict.fromkeys(hand for hand, _ in edit.added):
        chapter = edit.after.chapter(hand)
        left = [event for of, event in edit.added if of == hand]
        for index, line in enumerate(chapter.lines):
            if line.event in left:
                left.remove(line.event)
                texts.append(_line_text(edit.after, chapter, index, lang))
    return tuple(texts)


def _of_hand(chapter: Chapter, text: str, lang: Lang) -> str:
    return f"{catalogue(lang).gettext('Hand {n}').format(n=hand_number(chapter))}: {text}"


def summary(
    chapter: Chapter | None, lang: Lang, sure_from: float, later: Sequence[Chapter] = ()
) -> HandSummary | None:
    """What a chapter's hand has come to (so far); None where the chapter has no hand. It includes what was told of the hand after
    its end, such as a penalty or cards shown, in the chapters ``later`` (`Evening.told_later`). Kept in the chapter's cache: an
    evening has hundreds. ``sure_from``: probability from which a line is sure; what rests on another has a question mark."""
    if chapter is None or not chapter.played:
        return None
    key = "summary", lang, sure_from, bool(later)
    made: tuple[tuple[Chapter, ...], HandSummary] | None = chapter.cache.get(key)
    if made is None or [*map(id, made[0])] != [*map(id, later)]:
        chapter.cache[key] = made = tuple(later), _summary(chapter, lang, sure_from, later)
    return made[1]


def _summary(chapter: Chapter, lang: Lang, sure_from: float, later: Sequence[Chapter]) -> HandSummary:
    pages, over = house_game(chapter.game).pages, _without_outcome(chapter)
    late = _told_late(chapter, over, later) if chapter.over else over
    told = pages.hand(chapter.before, late, lang, _doubtful(chapter, sure_from, later))
    if chapter.standing_in:
        stated = pages.hand(chapter.before, over, lang)  # why they paid is not known
        only = catalogue(lang).gettext("{payers}: only the outcome is known").format(payers=stated.payers)
        given = pages.outcomes.given(chapter.before, over, lang) if pages.outcomes is not None else ()
        told = replace(told, paid=(only, *given, *(said for said in told.paid if said not in stated.paid)), notes=())
    return doubted_hand(told, sure=not ruling_doubted(chapter, sure_from, later[0] if later else None))


def _doubtful(chapter: Chapter, sure_from: float, later: Sequence[Chapter]) -> frozenset[Any]:
    """What of a chapter's hand is not sure; ``later``: as of `summary`. In the first of them more of it may have been shown."""
    hand = _moments(chapter, _later(later[0] if later else None), sure_from)
    doubts = has_doubts(hand, sure_from)
    return house_game(chapter.game).pages.doubtful(hand, sure_from) if doubts else frozenset()


def ruling_doubted(chapter: Chapter, sure_from: float, following: Chapter | None) -> bool:
    """Whether it is not sure who pays in a chapter's hand, as the TV would say (`unsure_rulings`). ``following``: the chapter
    after it, which may be the first to say that the hand is over. Kept in the chapter's cache."""
    key = "doubted", sure_from, following is not None
    made: tuple[Chapter | None, bool] | None = chapter.cache.get(key)
    if made is None or made[0] is not following:
        later = _later(following)
        begins = following.lines[len(later) : len(later) + 1] if following is not None else ()
        hand = _moments(chapter, (*later, *begins), sure_from)
        doubted = bool(hand) and hand_number(chapter) in unsure_rulings(chapter.game.rules, hand, sure_from)
        chapter.cache[key] = made = following, doubted
    return made[1]


def _later(following: Chapter | None) -> tuple[Line, ...]:
    """What the chapter after a hand tells before the next hand begins."""
    return () if following is None else tuple(takewhile(lambda line: tag(line.event) != "hand", following.lines))


def _moments(chapter: Chapter, later: tuple[Line, ...], sure_from: float) -> tuple[Moment, ...]:
    """The game along a chapter's lines and these ``later`` ones, as everybody has seen it; none where all of them are sure."""
    lines = (*chapter.lines, *later)
    if all(line.confidence is None or line.confidence >= sure_from or stands_in(line) for line in lines):
        return ()
    before = Moment(chapter.before, chapter.before, None, ())
    return (before, *follow(chapter.game.rules, house_game(chapter.game).pages, lines, before))


def _unmarked(said: str) -> str:
    """Without the question marks of what is not sure: that it becomes sure changes nothing that anybody pays."""
    return "\n".join(one.removesuffix("?") for one in said.split("\n"))


def _told_late(chapter: Chapter, over: State, later: Sequence[Chapter]) -> State:
    """The game once the last line about a chapter's hand has come. ``over``: the game at the hand's end; ``later``: the chapters
    after it, in which a penalty or cards shown may still belong to it."""
    rules, number = chapter.game.rules, hand_number(chapter)
    state = told = over
    for one in later:
        for line in one.lines if one.void else takewhile(lambda line: tag(line.event) != "hand", one.lines):
            state = rules.apply(state, line.event)
            if not rules.in_hand(state) and rules.ruling(state, number) != rules.ruling(told, number):
                told = state
    return told


def state_without_outcome(evening: Evening) -> State:
    """The present state of the game, without anything that only stands for the outcome of the last hand that is over."""
    current = evening.current
    if current.played or len(evening.chapters) < 2:
        return _without_outcome(current)
    hand = evening.chapters[-2]
    if not hand.standing_in or hand.after is not current.before:
        return current.after
    state = _without_outcome(hand)
    for line in current.lines:
        state = current.game.rules.apply(state, line.event)
    return state


def _without_outcome(chapter: Chapter) -> State:
    """The state after the chapter; where its hand is over, without anything that only stands for its outcome."""
    outcomes = house_game(chapter.game).pages.outcomes
    if not chapter.standing_in or not chapter.over or outcomes is None:
        return chapter.after
    return outcomes.untold(chapter.states[min(chapter.standing_in)], chapter.after)


def _paid(hand: HandSummary | None, lang: Lang) -> str:
    return "\n".join(hand.paid) if hand is not None else catalogue(lang).gettext("no hand")
