"""What is counted of everybody at Stoper: for the season, and for the evening's charts. Pure.

The player who has won most wins an evening for cash, the last one with chips a tournament; for the others it says how many
players they outlasted. Money is shown once an evening is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.games.betting.pages import BettingSeason
from companion.games.stoper import rules
from companion.games.stoper.pages.rulings import balances, left_over, money_known, pots_taken, winner
from companion.games.stoper.pages.score import places
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Chips
from companion.games.stoper.rules.state import HandRulings
from companion.pages.counted import Charted, Counted, CountedCharts
from companion.pages.moments import Moment
from companion.pages.season import EveningFigures, PlayedLine, figure_of, finest
from companion.table.language import N_, Lang, catalogue
from companion.table.money import Sum, money

_MIN_FINE_SCORE = 31
"""The lowest score of a hand that is among the highlights."""


def _shown(hand: HandRulings, name: str) -> int | None:
    """The highest score that somebody has shown at the showdown."""
    return max((one.score for pot in hand.pots for one in pot.ranking if one.player == name), default=None)


POTS = Counted("pots", "count", pots_taken, label=N_("Pots won"), help=N_("Pots that this player took, side pots among them."))
BEST = Counted(
    "best", "best", _shown, start=None, label=N_("Best hand"),
    help=N_("The highest score that this player has shown: 33 at most."),
)  # fmt: skip
COUNTED = (
    POTS,
    Counted(
        "showdowns", "count", lambda hand, name: sum(pot.winner == name and pot.how == "shown" for pot in hand.pots),
        label=N_("Showdowns won"), help=N_("Pots won with cards laid open."),
    ),
    BEST,
    Counted(
        "outlasted", "count", label=N_("Players outlasted"), help=N_("In tournaments: players who were out before this one.")
    ),
    Counted("bought", "money", label=N_("Chips bought"), help=N_("During the evening, of evenings for cash.")),
    Counted("net", "money", label=N_("Balance"), help=N_("Won or lost, of evenings for cash.")),
)  # fmt: skip


class StoperSeason(BettingSeason):
    """See `companion.pages.season.Season`. Between two players there is nothing to tell: a pot is put in by many."""

    revision = 7
    counted, kept = COUNTED, ("pots", "showdowns", "best", "bought", "net", "outlasted")

    def stands(self, stood: int, lang: Lang, /) -> str:
        """A stack."""
        return money(stood, lang)

    def for_money(self, state: State) -> bool:
        return state.table.mode == "cash"

    def on_table(self, state: State) -> int:
        return state.carried.pot

    def has(self, state: State) -> Sequence[int]:
        return state.stacks

    def more(
        self, played: Sequence[PlayedLine], state: State, after: Sequence[State], *, settled: bool
    ) -> dict[str, dict[str, int]]:
        names = state.table.names
        if not self.for_money(state):
            ranks = places(state) if state.over else {}
            return {name: {"outlasted": sum(rank > ranks[name] for rank in ranks.values())} for name in ranks}
        if not settled or not money_known(state):
            return {}
        bought = Counter[str]()
        for one in played:
            if isinstance(one.line.event, Chips):
                bought[one.line.event.by] += one.line.event.amount
        return {name: {"bought": bought[name], "net": net} for name, net in zip(names, balances(state), strict=True)}

    def finally_told(self, state: State, *, settled: bool) -> dict[str, Any]:
        if not self.for_money(state) or not settled:
            return {}
        return {"left": left_over(state)} if money_known(state) else {"unknown": True}

    def highlights(self, told: EveningFigures, lang: Lang, /) -> tuple[str, ...]:
        """The evening's finest figures: a 31 or better, who won most pots, and most showdowns."""
        say = catalogue(lang)
        return finest(told, (
            (figure_of("best"), _MIN_FINE_SCORE, lambda n: say.gettext("{player}: a hand of {n}")),
            (figure_of("pots"), 2, lambda n: say.ngettext("{player}: {n} pot won", "{player}: {n} pots won", n)),
            (figure_of("showdowns"), 2, lambda n: say.ngettext("{player}: {n} showdown won", "{player}: {n} showdowns won", n)),
        ), lang)  # fmt: skip


class Row(Struct, frozen=True):
    """One player. ``stacks``: at the beginning and after every hand; ``said``: the same in words; ``stack``: the last of them;
    ``pots``: how many were won; ``best``: the highest score that they have shown, 0 for none; ``sets``: after
    which hands (numbers, 0 for none) the table has said how they stand; ``buys``: after which they have bought chips."""

    name: str
    stacks: tuple[int, ...]
    said: tuple[str, ...]
    stack: Sum
    pots: int
    best: int
    sets: tuple[int, ...] = ()
    buys: tuple[int, ...] = ()


class Figures(Struct, frozen=True):
    """The rows in seat order; ``hands`` is how many hands are over: every row has one more stack; ``stake``: the cip."""

    hands: int
    stake: str
    rows: tuple[Row, ...]


class StoperCharts(CountedCharts):
    """Stacks over the hands, pots won, best hands."""

    rows, table, curve, buys = Row, Figures, N_("Stack, hand by hand"), "chips"
    bars = (
        Charted(POTS, N_("Pots won"), 1090, 150),
        Charted(BEST, N_("Best hand"), 1350, 150, 33, none="–"),
    )

    def has(self, state: State) -> Sequence[int]:
        return state.stacks

    def amount_text(self, state: State, minor: int, lang: Lang) -> str:
        return money(minor, lang)

    def stake(self, state: State, lang: Lang) -> str:
        return money(state.cip, lang) if state.cip else ""

    def figures(self, moments: Sequence[Moment], lang: Lang, /) -> Figures:
        found: Figures = super().figures(moments, lang)
        return found


SEASON, CHARTS = StoperSeason(rules, winner), StoperCharts(rules)
