"""Stoper on the pages: `companion.table.pages.Pages`, as a module. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.decks.italian_words import kinds_by_number as cards
from companion.games.stoper import rules, story
from companion.games.stoper.pages.lines import line_text, named, together
from companion.games.stoper.pages.offers import bridge, ending, exchanges, offers, order, whole_acts
from companion.games.stoper.pages.public import laid, public
from companion.games.stoper.pages.steps import StoperSetup
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Event
from companion.table.language import Lang
from companion.table.log import tag
from companion.table.money import exact
from companion.table.pages import Chances, Charts, Moviola, Outcomes
from companion.table.plain import PlainPages

title = "Stoper"
clockwise = True


class _Plain(PlainPages):
    def has(self, state: State, player: str, lang: Lang) -> str:
        return exact(state.stacks[state.table.names.index(player)], lang)

    def comment(self, before: State, event: Event, after: State, lang: Lang) -> str | None:
        n = len(before.hands) + (before.hand is not None)
        return story._said(before, event, after, n, lang) or tag(event)

    def winner(self, state: State) -> str | None:
        return None if state.winner < 0 else state.table.names[state.winner]


_plain = _Plain("stoper", rules, most_players=6)
setup = StoperSetup()

# For everybody.
view, calls, tv_words, season = _plain.view, _plain.calls, _plain.tv_words, _plain.season
hand_rows, money_rows = _plain.hand_rows, _plain.money_rows
moviola: Moviola | None = None
charts: Charts | None = None
chances: Chances | None = None

# For organisers.
score, hand, differences, due = _plain.score, _plain.hand, _plain.differences, _plain.due
acts, question, choice, notices = _plain.acts, _plain.question, _plain.choice, _plain.notices
phone_words, outcomes = _plain.phone_words, _plain.outcomes


if TYPE_CHECKING:
    from companion.games.stoper import pages
    from companion.table.pages import Pages

    _: Pages = pages
