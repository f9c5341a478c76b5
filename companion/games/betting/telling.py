"""The hands of a game with bets in words, for `companion rule`: what each line was, and what the hand came to by it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from companion.table.game import Rules, State
from companion.table.language import Lang
from companion.table.log import Event, Line, tag
from companion.table.story import ALL_SURE, Between, Doubts, HandStory, act_sure, sentences, stories, told_steps
from companion.table.text import perhaps


class Act(Protocol):
    """What a line was, without what followed from it; "" for one that tells nothing."""

    def __call__(self, before: State, event: Event, after: State, lang: Lang, /) -> str: ...


class BettingTelling:
    """`companion.table.story.Telling`.

    ``act_said``: see `Act`. ``news``: what was decided or came to light between two rulings of a hand, in the state after both, a
    sentence each, with a question mark where it is not sure. ``order``: who plays, of a state in which a hand has just begun.
    ``printed``: the whole game as text, with the steps of hands by their number, and what was said between the hands.
    """

    def __init__(
        self, rules: Rules, act_said: Act, news: Callable[[Any, Any, Any, Lang, Collection[Any]], Sequence[str]],
        order: Callable[[Any], tuple[str, ...]], printed: Callable[[Any, Lang, dict[int, list[str]], Between, Doubts], str],
    ) -> None:  # fmt: skip
        self._rules, self._act_said, self._news, self._order, self._printed = rules, act_said, news, order, printed

    def story(self, lines: Iterable[Line], /, *, doubts: Doubts | None = None) -> tuple[HandStory, ...]:
        """All hands of a log, the one in progress included. ``doubts``: see `companion.table.story.Telling`.

        Raises:
            GameError: the log cannot have happened.
        """
        return stories(self._rules, lines, partial(self._line_text, doubts), self._order)

    def text(
        self, state: State, stories: tuple[HandStory, ...], lang: Lang, between: Between, doubts: Doubts = ALL_SURE, /
    ) -> list[str]:
        """All hands, each with its steps where they are told, or else what it came to; what was said between them; then how
        everybody stands; a line each. ``doubts``: what of each hand is not sure."""
        return self._printed(state, lang, told_steps(stories, lang), between, doubts).split("\n")

    def _line_text(self, doubts: Doubts | None, before: State, line: Line, after: State, n: int, lang: Lang, /) -> str:
        event = line.event
        if tag(event) == "set":
            return ""  # it is of no hand
        act = self._act_said(before, event, after, lang)
        said = [perhaps(act, sure=not act or doubts is None or act_sure(line))]
        was, now = self._rules.ruling(before, n), self._rules.ruling(after, n)
        if was is not None and now is not None and not now.void:
            said += self._news(was, now, after, lang, (doubts or ALL_SURE).get(n, ()))
        return sentences(said)
