"""Stoper on the pages: `companion.pages.protocol.Pages`. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from typing import Any

from companion.games.betting.pages import BettingPages
from companion.games.stoper import rules, telling
from companion.games.stoper.pages import (
    chances,
    offers,
    outcome,
    public,
    rulings,
    score,
    sentences,
    view,
    waiting,
    words,
)
from companion.games.stoper.pages.centre import Centre
from companion.games.stoper.pages.figures import CHARTS, SEASON
from companion.games.stoper.pages.steps import StoperSetup
from companion.games.stoper.pages.view import StoperSeat, StoperView
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Chips, Deal, End, Event, Show
from companion.pages.protocol import Charts, Outcomes
from companion.table.language import Lang
from companion.table.money import money


class StoperPages(BettingPages[StoperView, StoperSeat, Centre]):
    """A poker of three cards, with chances of all-in hands."""

    title, clockwise = "Stoper", True
    views, seats, quiet = StoperView, StoperSeat, (Deal, End, Chips)
    charts: Charts | None = CHARTS
    outcomes: Outcomes | None = outcome
    doubtful = staticmethod(public.doubtful)
    public, laid, unsure = staticmethod(public.public), staticmethod(public.laid), staticmethod(public.doubts)
    message, chances = staticmethod(waiting.message), staticmethod(chances.chances)
    hand_ruling, believed = staticmethod(rulings.hand_ruling), staticmethod(rulings.believed)
    winner = staticmethod(rulings.winner)
    roles, seat, also = staticmethod(view.roles), staticmethod(view.seat), staticmethod(view.also)
    won_before = staticmethod(view.won_before)
    happened, act_said = staticmethod(view.happened), staticmethod(telling.act_said)
    standing = staticmethod(score.standing)
    ranked = staticmethod(score.ranked)
    told_aloud, announcements = staticmethod(sentences.told_aloud), staticmethod(sentences.announcements)
    goes_with, step_said = staticmethod(sentences.goes_with), staticmethod(sentences.step_said)
    named, sense = staticmethod(sentences.named), staticmethod(sentences.sense)
    hand_rows, money_rows = staticmethod(score.hand_rows), staticmethod(score.money_rows)
    score, hand, differences = staticmethod(score.score), staticmethod(score.hand), staticmethod(score.differences)
    acts, notices, set_parts = staticmethod(words.acts), staticmethod(words.notices), staticmethod(words.set_parts)
    phone_words, tv_words = staticmethod(words.phone_words), staticmethod(words.tv_words)
    bridge, by_itself, order = staticmethod(offers.bridge), staticmethod(offers.by_itself), staticmethod(offers.order)
    whole_acts = staticmethod(offers.whole_acts)
    offers = staticmethod(offers.offers)

    def __init__(self) -> None:
        super().__init__("stoper", rules)
        self.setup, self.season = StoperSetup(), SEASON

    @property
    def asked(self) -> Any:
        from companion.games.stoper.referee.facts import ASKED

        return ASKED

    def amount(self, state: State, minor: int, lang: Lang) -> str:
        return money(minor, lang)

    def line_text(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        """The line of a log as a sentence; one that shows cards also says what they come to."""
        said = super().line_text(before, event, after, lang)
        return f"{said} ({self.named(before, event.cards, lang)})" if isinstance(event, Show) else said


PAGES = StoperPages()
