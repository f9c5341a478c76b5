"""Stoppa on the pages: `companion.pages.protocol.Pages`. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from companion.games.stoppa import rules
from companion.games.stoppa.pages import calls, figures, lines, moviola, offers, outcome, public, score, season, view, words
from companion.games.stoppa.pages import calls as announcements
from companion.games.stoppa.pages import lines as sense
from companion.games.stoppa.pages import score as export
from companion.games.stoppa.pages.steps import StoppaSetup
from companion.pages.plain import PlainPages
from companion.pages.protocol import Charts, Outcomes


class StoppaPages(PlainPages):
    """Stoppa's pages show no chances: who stops depends on whole hands that nobody has seen, so they cannot be computed
    exactly."""

    title, clockwise = "Stoppa", False
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
    named = staticmethod(words.named)
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
    line_text = staticmethod(lines.line_text)
    together = staticmethod(lines.together)
    public = staticmethod(public.public)
    score = staticmethod(score.score)
    offers = staticmethod(offers.offers)

    def __init__(self) -> None:
        super().__init__("stoppa", rules)
        self.setup, self.season = StoppaSetup(), season


PAGES = StoppaPages()
