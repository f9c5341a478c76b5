"""Lu Stù on the pages: `companion.pages.protocol.Pages`. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.stu import rules
from companion.games.stu.pages import (
    chances,
    commentary,
    doubts,
    export,
    figures,
    moviola,
    offers,
    outcome,
    public,
    score,
    sentences,
    view,
    words,
)
from companion.games.stu.pages.season import SEASON
from companion.games.stu.pages.steps import StuSetup
from companion.games.stu.rules import money
from companion.pages.moments import Moment
from companion.pages.plain import PlainPages
from companion.pages.protocol import Charts, Outcomes
from companion.pages.view import ViewSettings
from companion.table.language import Lang


class StuPages(PlainPages):
    """A game for pedine, in which everybody has one card."""

    title, clockwise = "Lu Stù", False
    charts: Charts | None = figures
    outcomes: Outcomes | None = outcome
    standing = staticmethod(score.standing)
    ranked = staticmethod(score.ranked)
    announcements, calls = staticmethod(sentences.announcements), staticmethod(sentences.calls)
    hangs = staticmethod(sentences.hangs)
    differences = staticmethod(score.differences)
    doubtful = staticmethod(doubts.doubtful)
    hand = staticmethod(score.hand)
    hand_rows = staticmethod(export.hand_rows)
    money_rows = staticmethod(export.money_rows)
    laid = staticmethod(public.laid)
    moviola = staticmethod(moviola.moviola)
    sense, spelt_out = staticmethod(sentences.sense), staticmethod(sentences.spelt_out)
    acts = staticmethod(words.acts)
    cards = staticmethod(words.cards)
    choice = staticmethod(words.choice)
    named = staticmethod(words.named)
    notices = staticmethod(words.notices)
    phone_words = staticmethod(words.phone_words)
    question = staticmethod(words.question)
    set_parts = staticmethod(words.set_parts)
    tv_words = staticmethod(words.tv_words)
    bridge = staticmethod(offers.bridge)
    by_itself = staticmethod(offers.by_itself)
    exchanges = staticmethod(offers.exchanges)
    order = staticmethod(offers.order)
    whole_acts = staticmethod(offers.whole_acts)
    chances = staticmethod(chances.chances)
    due = staticmethod(offers.due)
    line_text = staticmethod(commentary.line_text)
    together = staticmethod(commentary.together)
    public = staticmethod(public.public)
    score = staticmethod(score.score)
    offers = staticmethod(offers.offers)
    mistold = staticmethod(money.mistold)

    def __init__(self) -> None:
        super().__init__("stu", rules)
        self.setup, self.season = StuSetup(), SEASON

    def view(self, moments: Sequence[Moment], lang: Lang, settings: ViewSettings, /) -> view.StuView:
        """As of `view.view`; of a variant, too."""
        shown = view.view(moments, lang, settings)
        return shown if shown.game_id == self.game_id else replace(shown, game_id=self.game_id)


PAGES = StuPages()
