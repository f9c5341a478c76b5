"""Lu Stù in the terminal: `companion.table.story.Telling`, as a module."""

from __future__ import annotations

from companion.games.stu import words
from companion.games.stu.rules import State
from companion.games.stu.story import HandStory, story
from companion.table.language import Lang

__all__ = ["story", "text"]


def text(state: State, stories: tuple[HandStory, ...], lang: Lang) -> list[str]:
    """All hands, each with its steps where they are told, or else its payments; then how everybody stands; a line each."""
    steps = {hand.n: [step.says[lang] for step in hand.steps] for hand in stories}
    return words.rulings(state, lang, steps).split("\n")
