"""Stoper in the terminal: `companion.table.story.Telling`, as a module."""

from __future__ import annotations

from companion.games.stoper import words
from companion.games.stoper.rules import State
from companion.games.stoper.story import story
from companion.table.language import Lang
from companion.table.story import HandStory, told_steps

__all__ = ["story", "text"]


def text(state: State, stories: tuple[HandStory, ...], lang: Lang) -> list[str]:
    """All hands, each with its steps where they are told, or else what it came to; then how everybody stands; a line each."""
    return words.rulings(state, lang, told_steps(stories, lang)).split("\n")
