"""Stoper on the pages: `companion.table.pages.Pages`, as a module. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.games.stoper import rules, story
from companion.games.stoper.pages import charts, season
from companion.games.stoper.pages.calls import calls
from companion.games.stoper.pages.chances import chances
from companion.games.stoper.pages.export import hand_rows, money_rows
from companion.games.stoper.pages.moviola import moviola
from companion.games.stoper.pages.public import laid, public
from companion.games.stoper.pages.score import differences, hand, score
from companion.games.stoper.pages.view import view
from companion.games.stoper.pages.words import acts, cards, tv_words
from companion.games.stoper.rules import State, log
from companion.games.stoper.rules.log import Event
from companion.table.language import Lang
from companion.table.log import tag
from companion.table.pages import Outcomes
from companion.table.plain import PlainPages, PlainSetup
from companion.table.setup import Own, Setup

__all__ = [
    "acts", "bridge", "calls", "cards", "chances", "charts", "choice", "clockwise", "differences", "ending", "exchanges", "hand",
    "hand_rows", "laid", "line_text", "money_rows", "moviola", "notices", "offers", "order", "outcomes", "phone_words", "public",
    "question", "score", "season", "setup", "title", "together", "tv_words", "view", "whole_acts",
]  # fmt: skip

title = "Stoper"
clockwise = True
outcomes: Outcomes | None = None


# For organisers: the plainest there is.


class _Setup(PlainSetup):
    def game_line(self, names: tuple[str, ...], own: Own) -> log.Game:
        return log.new_game(names, 5000, names[-1])


class _Plain(PlainPages):
    def comment(self, before: State, event: Event, after: State, lang: Lang) -> str | None:
        return story.act_said(before, event, after, lang) or tag(event)


_plain = _Plain("stoper", rules)
setup: Setup = _Setup("stoper", rules, 6)
offers, exchanges, whole_acts, bridge = _plain.offers, _plain.exchanges, _plain.whole_acts, _plain.bridge
ending, order, line_text = _plain.ending, _plain.order, _plain.line_text
question, choice, notices, phone_words = _plain.question, _plain.choice, _plain.notices, _plain.phone_words


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """Every line of Stoper stands alone."""
    return index, index + 1


if TYPE_CHECKING:
    from companion.games.stoper import pages
    from companion.table.pages import Pages

    _: Pages = pages
