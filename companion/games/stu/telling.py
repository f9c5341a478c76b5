"""Lu Stù in the terminal: `companion.table.telling.Telling`, as a module."""

from __future__ import annotations

from companion.games.stu import words
from companion.games.stu.rules import State, report
from companion.games.stu.rules.report import virgins_by_hand
from companion.games.stu.story import HandStory, story
from companion.table.language import Lang

__all__ = ["story", "text"]


def text(state: State, stories: tuple[HandStory, ...], lang: Lang) -> list[str]:
    """All hands, each with its steps where they are told, or else its payments; then how everybody stands; a line each."""
    rulings = report(state)
    lines: list[str] = []
    steps = {hand.n: [step.says[lang] for step in hand.steps] for hand in stories}
    for hand, virgins in zip(rulings.hands, virgins_by_hand(state), strict=True):
        sentences = steps[hand.n] if hand.n in steps else words.hand(hand, lang)
        lines.append(words.title(hand, lang))
        lines += [f"  {sentence}" for sentence in (*sentences, *words.aftermath(hand, lang, virgins))]
    if lines:
        lines.append("")
    return [*lines, *words.standing(rulings, lang)]
