"""Stoper on the pages: `companion.table.pages.Pages`, as a module. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.stoper import rules
from companion.games.stoper.pages import charts, season
from companion.games.stoper.pages import outcome as outcomes
from companion.games.stoper.pages.announcements import announcements
from companion.games.stoper.pages.calls import calls
from companion.games.stoper.pages.chances import chances
from companion.games.stoper.pages.export import hand_rows, money_rows
from companion.games.stoper.pages.lines import line_text, named, together
from companion.games.stoper.pages.moviola import moviola
from companion.games.stoper.pages.offers import bridge, ending, exchanges, offers, order, whole_acts
from companion.games.stoper.pages.public import laid, public
from companion.games.stoper.pages.score import differences, hand, score
from companion.games.stoper.pages.sense import sense
from companion.games.stoper.pages.steps import StoperSetup
from companion.games.stoper.pages.view import view
from companion.games.stoper.pages.words import acts, cards, choice, notices, phone_words, question, set_parts, tv_words
from companion.table.plain import PlainPages

__all__ = [
    "acts", "announcements", "bridge", "calls", "cards", "chances", "charts", "choice", "clockwise", "differences", "due",
    "ending", "exchanges", "hand", "hand_rows", "laid", "line_text", "money_rows", "moviola", "named", "notices", "offers",
    "order", "outcomes", "phone_words", "public", "question", "score", "season", "sense", "set_parts", "setup", "title",
    "together", "tv_words",
    "view", "whole_acts",
]  # fmt: skip

title = "Stoper"
clockwise = True

# For organisers.
setup = StoperSetup()
_plain = PlainPages("stoper", rules)
due = _plain.due

if TYPE_CHECKING:
    from companion.games.stoper import pages
    from companion.table.pages import Pages

    _: Pages = pages
