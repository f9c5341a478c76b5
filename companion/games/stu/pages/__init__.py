"""Lu Stù on the pages: `companion.table.pages.Pages`, as a module. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.stu.pages import charts, season
from companion.games.stu.pages import outcome as outcomes
from companion.games.stu.pages.announcements import announcements
from companion.games.stu.pages.calls import calls
from companion.games.stu.pages.chances import chances
from companion.games.stu.pages.commentary import line_text, together
from companion.games.stu.pages.export import hand_rows, money_rows
from companion.games.stu.pages.moviola import moviola
from companion.games.stu.pages.offers import bridge, due, ending, exchanges, offers, order, whole_acts
from companion.games.stu.pages.public import laid, public
from companion.games.stu.pages.score import differences, hand, score
from companion.games.stu.pages.sense import sense
from companion.games.stu.pages.steps import StuSetup
from companion.games.stu.pages.view import view
from companion.games.stu.pages.words import acts, cards, choice, named, notices, phone_words, question, set_parts, tv_words

__all__ = [
    "acts",
    "announcements",
    "bridge",
    "calls",
    "cards",
    "chances",
    "charts",
    "choice",
    "clockwise",
    "differences",
    "due",
    "ending",
    "exchanges",
    "hand",
    "hand_rows",
    "laid",
    "line_text",
    "money_rows",
    "moviola",
    "named",
    "notices",
    "offers",
    "order",
    "outcomes",
    "phone_words",
    "public",
    "question",
    "score",
    "season",
    "sense",
    "set_parts",
    "setup",
    "title",
    "together",
    "tv_words",
    "view",
    "whole_acts",
]

title = "Lu Stù"
clockwise = False
setup = StuSetup()

if TYPE_CHECKING:
    from companion.games.stu import pages
    from companion.table.pages import Pages

    _: Pages = pages
