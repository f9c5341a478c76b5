"""Stoppa on the pages: `companion.table.pages.Pages`, as a module. Pure: no ledger, no clock, no request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.stoppa import rules
from companion.games.stoppa.pages import charts, season
from companion.games.stoppa.pages import outcome as outcomes
from companion.games.stoppa.pages.announcements import announcements
from companion.games.stoppa.pages.calls import calls
from companion.games.stoppa.pages.export import hand_rows, money_rows
from companion.games.stoppa.pages.lines import line_text, together
from companion.games.stoppa.pages.moviola import moviola
from companion.games.stoppa.pages.offers import bridge, ending, exchanges, offers, order, whole_acts
from companion.games.stoppa.pages.public import laid, public
from companion.games.stoppa.pages.score import differences, hand, score
from companion.games.stoppa.pages.sense import sense
from companion.games.stoppa.pages.steps import StoppaSetup
from companion.games.stoppa.pages.view import view
from companion.games.stoppa.pages.words import acts, cards, choice, named, notices, phone_words, question, set_parts, tv_words
from companion.table.pages import Chances
from companion.table.plain import PlainPages

__all__ = [
    "acts", "announcements", "bridge", "calls", "cards", "chances", "charts", "choice", "clockwise", "differences", "due",
    "ending", "exchanges", "hand", "hand_rows", "laid", "line_text", "money_rows", "moviola", "named", "notices", "offers",
    "order", "outcomes", "phone_words", "public", "question", "score", "season", "sense", "set_parts", "setup", "title",
    "together", "tv_words",
    "view", "whole_acts",
]  # fmt: skip

title = "Stoppa"
clockwise = False

# For organisers.
setup = StoppaSetup()
chances: Chances | None = None  # who stops depends on whole hands that nobody has seen: nothing exact can be said of it
due = PlainPages("stoppa", rules).due

if TYPE_CHECKING:
    from companion.games.stoppa import pages
    from companion.table.pages import Pages

    _: Pages = pages
