"""What is counted of everybody at Stoppa: for the season, and for the evening's charts. Pure.

The player who has won most wins the evening. Money is shown once an evening is over, with what was won or lost before the program
came to the table. What is won in an evening played for points has a column of its own, and is never added to money.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from companion.games.betting.pages import BettingSeason
from companion.games.stoppa import rules
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.rulings import winner
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import DEALS
from companion.games.stoppa.rules.state import HandRulings
from companion.games.stoppa.words import signed_sum
from companion.pages.counted import Charted, Counted, CountedCharts
from companion.pages.moments import Moment
from companion.pages.season import EveningFigures, Pair, PlayedLine, figure_of, finest
from companion.table.language import N_, Lang, catalogue
from companion.table.money import Sum

UNBEATABLE = 55


def _stopped(hand: HandRulings, name: str) -> int:
    return int(hand.stoppata is not None and hand.stoppata.winner == name)


def _best_trio(hand: HandRulings, name: str) -> int | None:
    won = (pot.ranking[0] for pot in hand.pots if pot.how == "shown")
    return max((one.score for one in won if one.player == name and one.cards == 3), default=None)


def _left(hand: HandRulings, name: str) -> int:
    """Cards in hand when another stopped."""
    stoppata = hand.stoppata
    return sum(DEALS[len(stoppata.laid)]) - stoppata.laid[name] if stoppata is not None and stoppata.winner is not None else 0


def _for_stoppata(hand: HandRulings) -> list[tuple[str, str]]:
    """Who was paid for a stoppata by whom."""
    return [(paid.to, paid.payer) for paid in hand.payments if paid.cause == "stoppata"]


PUNTI = Counted(
    "punti", "count", lambda hand, name: sum(pot.winner == name and pot.how != "stated" for pot in hand.pots),
    label=N_("Punti won"), help=N_("Punti piccoli and grossi that this player took."),
)  # fmt: skip
STOPPATE = Counted(
    "stoppate", "count", _stopped, label=N_("Stoppate"), help=N_("How often this player was the first without cards."),
)  # fmt: skip
COUNTED = (
    PUNTI,
    Counted(
        "grossi", "count",
        lambda hand, name: sum(pot.winner == name and pot.how != "stated" and pot.phase == "grosso" for pot in hand.pots),
        label=N_("Punti grossi"), help=N_("Punti grossi that this player took."),
    ),
    STOPPATE,
    Counted(
        "best", "best", _best_trio, start=None, label=N_("Best punto"),
        help=N_("The dearest trio with which a punto was won: 55 at most."),
    ),
    Counted("cards", "count", _left, label=N_("Cards left"), help=N_("Cards in hand when another stopped, in all hands.")),
    Counted("net", "money", label=N_("Balance"), help=N_("Won or lost, of evenings for money.")),
    Counted("points", "points", label=N_("Points"), help=N_("Won or lost, of evenings for points.")),
)  # fmt: skip


class StoppaSeason(BettingSeason):
    """See `companion.pages.season.Season`."""

    revision = 6
    has_balance = True
    counted, kept = COUNTED, ("punti", "grossi", "stoppate", "cards", "best", "net", "points")
    pairs = MappingProxyType({"stoppata": _for_stoppata})

    def between(self, lang: Lang, /) -> tuple[Pair, ...]:
        _ = catalogue(lang).gettext
        return (Pair("stoppata", _("Was paid for the stoppata by"), _("Paid for the stoppata of")),)

    def stands(self, stood: int, lang: Lang, /) -> str:
        """A balance."""
        return signed_sum(stood, lang)

    def for_money(self, state: State) -> bool:
        return not state.table.points

    def on_table(self, state: State) -> int:
        return state.carried

    def has(self, state: State) -> Sequence[int]:
        """Everybody's balance when the last hand was over, also where the same line has begun the next hand."""
        if not self.for_money(state):
            return ()
        return state.balances if state.hand is None else state.hand.balances_before

    def more(
        self, played: Sequence[PlayedLine], state: State, after: Sequence[State], *, settled: bool
    ) -> dict[str, dict[str, int]]:
        if not settled or not self.for_money(state):
            return {}
        return {name: {"net": balance} for name, balance in zip(state.table.names, state.balances, strict=True)}

    def evening(self, played: Sequence[PlayedLine], *, ended: bool) -> EveningFigures:
        told, state = super().evening(played, ended=ended), played[-1].state
        if self.for_money(state):
            return told
        if not self.final(state, ended=ended):
            return replace(told, points=True, points_open=True)
        players = zip(told.players, state.balances, strict=True)
        scored = tuple(replace(one, figures=one.figures | {"points": balance}) for one, balance in players)
        return replace(told, points=True, players=scored)

    def highlights(self, told: EveningFigures, lang: Lang, /) -> tuple[str, ...]:
        """The evening's finest figures: a 55, who stopped most, who was left with most cards."""
        say = catalogue(lang)
        return finest(told, (
            (figure_of("best"), UNBEATABLE, lambda n: say.gettext("{player}: a punto won with {n}")),
            (figure_of("stoppate"), 2, lambda n: say.ngettext("{player} stopped {n} time", "{player} stopped {n} times", n)),
            (figure_of("punti"), 2, lambda n: say.ngettext("{player}: {n} punto won", "{player}: {n} punti won", n)),
            (figure_of("cards"), 2,
             lambda n: say.ngettext("{player}: {n} card left in hand", "{player}: {n} cards left in hand", n)),
        ), lang)  # fmt: skip


class Row(Struct, frozen=True):
    """One player. ``balances``: at the beginning and after every hand; ``said``: the same in words; ``balance``: the last of
    them; ``punti``: how many were won, small and big; ``stoppate``: how often they stopped; ``sets``: after which
    hands (numbers, 0 for none) the table has said how they stand."""

    name: str
    balances: tuple[int, ...]
    said: tuple[str, ...]
    balance: Sum
    punti: int
    stoppate: int
    sets: tuple[int, ...] = ()


class Figures(Struct, frozen=True):
    """The rows in seat order; ``hands`` is how many hands are over: every row has one more balance; ``stake``: the misera."""

    hands: int
    stake: str
    rows: tuple[Row, ...]


class StoppaCharts(CountedCharts):
    """Balances over the hands, punti won, stoppate."""

    rows, table, curve = Row, Figures, N_("Balance, hand by hand")
    bars = (Charted(PUNTI, N_("Punti won"), 1090, 150), Charted(STOPPATE, N_("Stoppate"), 1350, 150))

    def has(self, state: State) -> Sequence[int]:
        return state.balances

    def amount_text(self, state: State, minor: int, lang: Lang) -> str:
        return phrases.signed_sum(state.table, minor, lang)

    def stake(self, state: State, lang: Lang) -> str:
        return phrases.sum_of(state.table, state.table.misera, lang)

    def figures(self, moments: Sequence[Moment], lang: Lang, /) -> Figures:
        found: Figures = super().figures(moments, lang)
        return found


SEASON, CHARTS = StoppaSeason(rules, winner), StoppaCharts(rules)
