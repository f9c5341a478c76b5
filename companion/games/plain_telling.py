"""How `companion rule` tells a game without a `telling` of its own: in the words of its pages or, where it has none, of its
log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from companion.table.game import Rules, State
from companion.table.language import LANGS, Lang, catalogue
from companion.table.log import Event, Line, tag
from companion.table.story import ALL_SURE, Between, Doubts, Step, Telling, act_sure, printed
from companion.table.text import perhaps

if TYPE_CHECKING:
    from companion.games.game import Game
    from companion.pages.protocol import Pages


class PlainHand(Struct, frozen=True):
    """A hand from its first line on, ``n`` from 1."""

    n: int
    steps: tuple[Step, ...]


def telling_of(game: Game, lines: Sequence[Line]) -> Telling:
    """What tells this log of the game."""
    if game.telling is not None:
        return game.telling
    return PagesTelling(game.rules, game.pages, lines) if game.has_pages else PlainTelling(game.rules)


class PlainTelling:
    """A game with rules alone: a step is a line's kind and its values, and how it stands is its report, by the keys of
    `companion rule --json`."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def event_text(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        """What an event was, with the states around it; "" for one that tells nothing."""
        values = (f"{key} {_plain(value)}" for key, value in msgspec.to_builtins(event).items() if key != "e" and value)
        return " ".join([tag(event), ", ".join(values)]).strip()

    def story(self, lines: Iterable[Line], /, *, doubts: Doubts | None = None) -> tuple[PlainHand, ...]:
        """All hands of a log, the one in progress included. ``doubts``: see `companion.table.story.Telling`.

        Raises:
            GameError: the log cannot have happened.
        """
        hands: list[list[Step]] = []
        state: State | None = None
        for number, line in enumerate(lines, start=1):
            before, state = state, self.rules.begin(line.event) if state is None else self.rules.apply(state, line.event)
            if before is None:
                continue
            if self.rules.in_hand(state) and not self.rules.in_hand(before):
                hands.append([])
            if hands and (says := {lang: self.event_text(before, line.event, state, lang) for lang in LANGS})["en"]:
                if doubts is not None and not act_sure(line):
                    says = {lang: perhaps(text.removesuffix("."), sure=False) for lang, text in says.items()}
                hands[-1].append(Step(number, tag(line.event), says))
        return tuple(PlainHand(n, tuple(steps)) for n, steps in enumerate(hands, start=1))

    def text(
        self, state: State, stories: tuple[PlainHand, ...], lang: Lang, between: Between, doubts: Doubts = ALL_SURE, /
    ) -> list[str]:
        """Each hand with its steps, where there are ``stories``; then how the game stands."""
        return printed(_steps(stories, lang), list(_outline(self.rules.report(state).to_dict())), between).split("\n")


class PagesTelling(PlainTelling):
    """A game in the words of its pages. ``lines``: the log."""

    def __init__(self, rules: Rules, pages: Pages, lines: Sequence[Line]) -> None:
        super().__init__(rules)
        self.pages, self.lines = pages, lines

    def event_text(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        return self.pages.line_text(before, event, after, lang)

    def text(
        self, state: State, stories: tuple[PlainHand, ...], lang: Lang, between: Between, doubts: Doubts = ALL_SURE, /
    ) -> list[str]:
        """Each hand with its steps, where there are ``stories``, or else its payments; then how everybody stands."""
        score = self.pages.score(state, lang)
        standing = [score.status, *(f"{player.name}: {player.has}" for player in score.players)]
        standing += [f"{figure.label}: {figure.text}" for figure in score.figures]
        steps = _steps(stories, lang)
        return printed(steps or list(self._hands(lang, doubts)), standing, between, ALL_SURE if steps else doubts).split("\n")

    def _hands(self, lang: Lang, doubts: Doubts) -> Iterator[tuple[str, Sequence[str]]]:
        before = state = self.rules.begin(self.lines[0].event)
        for number, line in enumerate(self.lines[1:], start=2):
            was, state = state, self.rules.apply(state, line.event)
            if self.rules.in_hand(state) and not self.rules.in_hand(was):
                before = was
            ended = self.rules.in_hand(was) and not self.rules.in_hand(state)
            if ended or (self.rules.in_hand(state) and number == len(self.lines)):
                hand = self.pages.hand(before, state, lang, doubts.get(self.rules.hands(before) + 1, ()))
                yield hand.title, (*hand.paid, *hand.notes)


def _steps(stories: Iterable[PlainHand], lang: Lang) -> list[tuple[str, Sequence[str]]]:
    title = catalogue(lang).gettext("Hand {n}")
    return [(title.format(n=hand.n), [step.says[lang] for step in hand.steps]) for hand in stories]


def _outline(value: Any) -> Iterator[str]:
    """A value as JSON has it, a line for each key or element that holds no others."""
    named = value.items() if isinstance(value, dict) else enumerate(value, start=1)
    for key, one in named:
        if isinstance(one, dict) or (_is_list(one) and any(isinstance(item, dict) or _is_list(item) for item in one)):
            yield f"{key}:"
            yield from (f"  {line}" for line in _outline(one))
        else:
            yield f"{key}: {_plain(one)}"


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _plain(value: Any) -> str:
    if _is_list(value):
        return " ".join(map(_plain, value)) or "–"
    return value if isinstance(value, str) else json.dumps(value)
