"""Stoper on the pages: `companion.table.pages.Pages`, as a module. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.games.stoper import rules, story
from companion.games.stoper.pages.public import laid, public
from companion.games.stoper.rules import State, log
from companion.games.stoper.rules.log import Event
from companion.table.language import Lang
from companion.table.log import tag
from companion.table.money import exact
from companion.table.pages import Chances, Charts, Moviola, Outcomes
from companion.table.plain import PlainPages, PlainSetup
from companion.table.setup import Own, Setup

title = "Stoper"
clockwise = True


class _Setup(PlainSetup):
    def game_line(self, names: tuple[str, ...], own: Own) -> log.Game:
        return log.new_game(names, 5000, names[-1])


class _Plain(PlainPages):
    def has(self, state: State, player: str, lang: Lang) -> str:
        return exact(state.stacks[state.table.names.index(player)], lang)

    def comment(self, before: State, event: Event, after: State, lang: Lang) -> str | None:
        n = len(before.hands) + (before.hand is not None)
        return story._said(before, event, after, n, lang) or tag(event)

    def winner(self, state: State) -> str | None:
        return None if state.winner < 0 else state.table.names[state.winner]


_plain = _Plain("stoper", rules, most_players=6)
setup: Setup = _Setup("stoper", rules, 6)

# For everybody.
view, calls, tv_words, season = _plain.view, _plain.calls, _plain.tv_words, _plain.season
hand_rows, money_rows = _plain.hand_rows, _plain.money_rows
moviola: Moviola | None = None
charts: Charts | None = None
chances: Chances | None = None

# For organisers.
score, offers, exchanges, whole_acts, bridge = _plain.score, _plain.offers, _plain.exchanges, _plain.whole_acts, _plain.bridge
ending, order, line_text, hand, differences = _plain.ending, _plain.order, _plain.line_text, _plain.hand, _plain.differences
acts, cards, question, choice, notices = _plain.acts, _plain.cards, _plain.question, _plain.choice, _plain.notices
phone_words, outcomes = _plain.phone_words, _plain.outcomes


def together(events: Sequence[Event], index: int) -> tuple[int, int]:
    """Every line of Stoper stands alone."""
    return index, index + 1


if TYPE_CHECKING:
    from companion.games.stoper import pages
    from companion.table.pages import Pages

    _: Pages = pages
