"""Stoppa on the pages: `companion.pages.protocol.Pages`. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from typing import Any

from companion.games.betting.pages import BettingPages
from companion.games.stoppa import rules, telling
from companion.games.stoppa.pages import (
    offers,
    outcome,
    phrases,
    public,
    rulings,
    score,
    sentences,
    view,
    waiting,
    words,
)
from companion.games.stoppa.pages.centre import Centre
from companion.games.stoppa.pages.figures import CHARTS, SEASON
from companion.games.stoppa.pages.steps import StoppaSetup
from companion.games.stoppa.pages.view import StoppaSeat, StoppaView
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.log import Deal, End, Giro
from companion.pages.protocol import Charts, Outcomes
from companion.table.language import Lang


class StoppaPages(BettingPages[StoppaView, StoppaSeat, Centre]):
    """Stoppa's pages show no chances: who stops depends on whole hands that nobody has seen, so they cannot be computed
    exactly."""

    title, clockwise = "Stoppa", False
    views, seats, quiet = StoppaView, StoppaSeat, (Deal, End, Giro)
    charts: Charts | None = CHARTS
    outcomes: Outcomes | None = outcome
    doubtful = staticmethod(public.doubtful)
    public, laid, unsure = staticmethod(public.public), staticmethod(public.laid), staticmethod(public.doubts)
    message = staticmethod(waiting.message)
    hand_ruling, believed = staticmethod(rulings.hand_ruling), staticmethod(rulings.believed)
    winner = staticmethod(rulings.winner)
    roles, seat, also = staticmethod(view.roles), staticmethod(view.seat), staticmethod(view.also)
    won_before = staticmethod(view.won_before)
    happened, act_said = staticmethod(view.happened), staticmethod(telling.act_said)
    told_aloud, sense = staticmethod(sentences.told_aloud), staticmethod(sentences.sense)
    standing = staticmethod(score.standing)
    ranked = staticmethod(score.ranked)
    announcements = staticmethod(sentences.announcements)
    goes_with, step_said = staticmethod(sentences.goes_with), staticmethod(sentences.step_said)
    hand_rows, money_rows = staticmethod(score.hand_rows), staticmethod(score.money_rows)
    score, hand, differences = staticmethod(score.score), staticmethod(score.hand), staticmethod(score.differences)
    acts, named, notices = staticmethod(words.acts), staticmethod(words.named), staticmethod(words.notices)
    phone_words, tv_words = staticmethod(words.phone_words), staticmethod(words.tv_words)
    set_parts = staticmethod(words.set_parts)
    bridge, by_itself, order = staticmethod(offers.bridge), staticmethod(offers.by_itself), staticmethod(offers.order)
    whole_acts = staticmethod(offers.whole_acts)
    offers = staticmethod(offers.offers)

    def __init__(self) -> None:
        super().__init__("stoppa", rules)
        self.setup, self.season = StoppaSetup(), SEASON

    @property
    def asked(self) -> Any:
        from companion.games.stoppa.referee.facts import ASKED

        return ASKED

    def amount(self, state: State, minor: int, lang: Lang) -> str:
        return phrases.sum_of(state.table, minor, lang)


PAGES = StoppaPages()
