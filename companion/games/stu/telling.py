"""Lu Stù in the terminal: `companion.table.story.Telling`, as a module."""

from __future__ import annotations

from collections import Counter

from companion.games.stu import rules, words
from companion.games.stu.rules import State
from companion.games.stu.story import HandStory, story
from companion.table.language import Lang
from companion.table.story import ALL_SURE, Between, Doubts

__all__ = ["story", "text"]


def text(state: State, stories: tuple[HandStory, ...], lang: Lang, between: Between, doubts: Doubts = ALL_SURE) -> list[str]:
    """All hands, each with its steps where they are told, or else its payments; what was said between them; then how everybody
    stands; a line each. ``doubts``: what of each hand is not sure."""
    return words.rulings(state, lang, {hand.n: _steps(state, hand, lang) for hand in stories}, between, doubts).split("\n")


def _steps(state: State, hand: HandStory, lang: Lang) -> list[str]:
    """What each step says, then the penalties that were told once the hand was over: they belong to it, and are no step."""
    paid = Counter(paid for step in hand.steps for paid in step.payments)
    ruling = rules.ruling(state, hand.n)
    assert ruling is not None, "a hand that is told was begun"
    late = Counter(ruling.payments) - paid
    return [*(step.says[lang] for step in hand.steps), *(words.payment(one, lang) for one in late.elements())]
