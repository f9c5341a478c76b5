"""What a change would do: the difference between two states of an evening, already said in one language. Pure."""

from __future__ import annotations

import hashlib
from itertools import takewhile
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.games import house_game
from companion.pages.doubts import has_doubts
from companion.pages.moments import Moment, follow, stands_in
from companion.pages.phone import Difference, HandSummary
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.following import Edit
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.log import tag


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


def effect(edit: Edit, lang: Lang, sure_from: float) -> Effect:
    """What an edit does, in words. ``sure_from``: probability from which a line is sure."""
    _, before, after = catalogue(lang).gettext, edit.before, edit.after
    was, would = ({chapter.id: chapter for chapter in evening.chapters} for evening in (before, after))
    hands = []
    for id in dict.fromkeys([*would, *was]):
        if was.get(id) is would.get(id):
            continue
        now, then = (summary(known.get(id), lang, sure_from) for known in (was, would))
        known = then or now
        if known is not None and _unmarked(_paid(now, lang)) != _unmarked(_paid(then, lang)):
            hands.append(Difference(_("Hand {n}").format(n=known.n), _paid(now, lang), _paid(then, lang)))
    rest = house_game(before.game).pages.differences(before.current.after, after.current.after, lang)
    without = tuple(dict.fromkeys(line_said(before, hand, index, lang) for hand, index in edit.gone))
    return Effect(tuple(hands), rest, without, _added(edit, lang))


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
    chapter: Chapter | None, lang: Lang, sure_from: float, following: Chapter | None = None
) -> HandSummary | None:
    """What a chapter's hand has come to (so far); None where the chapter has no hand. It includes what was told of the hand after
    its end, such as a penalty or cards shown, in the chapter ``following``. Kept in the chapter's cache: an evening has
    hundreds. ``sure_from``:
    probability from which a line is sure; what rests on another has a question mark."""
    if chapter is None or not chapter.played:
        return None
    key = "summary", lang, sure_from, following is not None
    made: tuple[Chapter | None, HandSummary] | None = chapter.cache.get(key)
    if made is None or made[0] is not following:
        chapter.cache[key] = made = following, _summary(chapter, lang, sure_from, following)
    return made[1]


def _summary(chapter: Chapter, lang: Lang, sure_from: float, following: Chapter | None) -> HandSummary:
    pages, over = house_game(chapter.game).pages, _without_outcome(chapter)
    late = _told_late(chapter, over, following) if following is not None and chapter.over else over
    told = pages.hand(chapter.before, late, lang, _doubtful(chapter, sure_from, following))
    if not chapter.standing_in:
        return told
    stated = pages.hand(chapter.before, over, lang)  # why they paid is not known
    only = catalogue(lang).gettext("{payers}: only the outcome is known").format(payers=stated.payers)
    return replace(told, paid=(only, *(said for said in told.paid if said not in stated.paid)), notes=())


def _doubtful(chapter: Chapter, sure_from: float, following: Chapter | None) -> frozenset[Any]:
    """What of a chapter's hand is not sure; ``following``: the chapter after it, in which more of it may have been shown."""
    rules, pages = chapter.game.rules, house_game(chapter.game).pages
    more = () if following is None else tuple(takewhile(lambda line: tag(line.event) != "hand", following.lines))
    lines = (*chapter.lines, *more)
    if all(line.confidence is None or line.confidence >= sure_from or stands_in(line) for line in lines):
        return frozenset()
    before = Moment(chapter.before, chapter.before, None, ())
    hand = (before, *follow(rules, pages, lines, before))
    return pages.doubtful(hand, sure_from) if has_doubts(hand, sure_from) else frozenset()


def _unmarked(said: str) -> str:
    """Without the question marks of what is not sure: that it becomes sure changes nothing that anybody pays."""
    return "\n".join(one.removesuffix("?") for one in said.split("\n"))


def _told_late(chapter: Chapter, over: State, following: Chapter) -> State:
    """The state in which all is told of a hand, given the state ``over`` at its end and the chapter ``following`` it."""
    rules, number = chapter.game.rules, hand_number(chapter)
    state = told = over
    for line in following.lines:
        if tag(line.event) == "hand":
            break
        state = rules.apply(state, line.event)
        if rules.ruling(state, number) != rules.ruling(told, number):
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
