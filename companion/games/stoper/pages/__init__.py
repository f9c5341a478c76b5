"""Stoper on the pages: `companion.pages.protocol.Pages`. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from companion.games.stoper import rules
from companion.games.stoper.pages import (
    calls,
    chances,
    figures,
    lines,
    moviola,
    offers,
    outcome,
    public,
    score,
    season,
    view,
    words,
)
from companion.games.stoper.pages import calls as announcements
from companion.games.stoper.pages import lines as sense
from companion.games.stoper.pages import score as export
from companion.games.stoper.pages.steps import StoperSetup
from companion.pages.plain import PlainPages
from companion.pages.protocol import Charts, Outcomes


class StoperPages(PlainPages):
    """A poker of three cards, with chances of all-in hands."""

    title, clockwise = "Stoper", True
    charts: Charts | None = figures
    outcomes: Outcomes | None = outcome
    announcements = staticmethod(announcements.announcements)
    calls = staticmethod(calls.calls)
    differences = staticmethod(score.differences)
    hand = staticmethod(score.hand)
    hand_rows = staticmethod(export.hand_rows)
    money_rows = staticmethod(export.money_rows)
    laid = staticmethod(public.laid)
    moviola = staticmethod(moviola.moviola)
    sense = staticmethod(sense.sense)
    view = staticmethod(view.view)
    acts = staticmethod(words.acts)
    cards = staticmethod(words.cards)
    choice = staticmethod(words.choice)
    notices = staticmethod(words.notices)
    phone_words = staticmethod(words.phone_words)
    question = staticmethod(words.question)
    set_parts = staticmethod(words.set_parts)
    tv_words = staticmethod(words.tv_words)
    bridge = staticmethod(offers.bridge)
    ending = staticmethod(offers.ending)
    exchanges = staticmethod(offers.exchanges)
    order = staticmethod(offers.order)
    whole_acts = staticmethod(offers.whole_acts)
    chances = staticmethod(chances.chances)
    line_text = staticmethod(lines.line_text)
    together = staticmethod(lines.together)
    named = staticmethod(lines.named)
    public = staticmethod(public.public)
    score = staticmethod(score.score)
    offers = staticmethod(offers.offers)

    def __init__(self) -> None:
        super().__init__("stoper", rules)
        self.setup, self.season = StoperSetup(), season


PAGES = StoperPages()
