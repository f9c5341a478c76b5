"""The evening's charts of Stoppa: `companion.pages.protocol.Charts`, as a module. Balances over the hands, punti won,
stoppate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.games.stoppa import rules
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.rules import State
from companion.pages.charts import Bar, Column, Curve, Strip, chart, courses
from companion.pages.moments import Moment
from companion.pages.sets import marks
from companion.table.language import Lang, catalogue
from companion.table.money import Sum

# The evening of Stoppa in figures: everybody's balance over the hands, punti won, stoppate. Pure.


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


def figures(moments: Sequence[Moment], lang: Lang) -> Figures:
    """The figures of a game that has come this far; nothing but `Moment.seen` goes into them."""
    if not moments:
        return Figures(0, "", ())
    state: State = moments[-1].seen
    balances = courses(
        rules, moments, lambda state: state.balances, lambda balance: phrases.signed_sum(state.table, balance, lang)
    )
    punti, stoppate = tallies(state)
    named = zip(state.table.names, balances, strict=True)
    rows = [Row(name, *course, punti[name], stoppate[name]) for name, course in named]
    said = marks(rules, moments)
    rows = [replace(row, sets=said.get(row.name, ())) for row in rows]
    return Figures(len(balances[0].values) - 1, phrases.sum_of(state.table, state.table.misera, lang), tuple(rows))


def tallies(state: State) -> tuple[Counter[str], Counter[str]]:
    """Two counts by player, over the hands that count: punti won, as far as they were told, and stoppate."""
    counted = [hand for hand in state.hands if not hand.void]
    punti = Counter(pot.winner for hand in counted for pot in hand.pots if pot.winner is not None and pot.how != "stated")
    stoppate = Counter(
        hand.stoppata.winner for hand in counted if hand.stoppata is not None and hand.stoppata.winner is not None
    )
    return punti, stoppate

def drawing(figures: Figures, lang: Lang) -> str:
    """The drawing as an `<svg>` element; "" where there is no game."""
    _ = catalogue(lang).gettext
    columns = Column(_("Balance, hand by hand"), 360, 480), Column(_("Punti won"), 1090, 150), Column(_("Stoppate"), 1350, 150)
    strips = [
        Strip(row.name, (
            Curve(row.balances, row.balance.text, row.sets), *(Bar(count, str(count)) for count in (row.punti, row.stoppate)),
        ))
        for row in figures.rows
    ]  # fmt: skip
    return chart(_("The evening in figures"), columns, strips, figures.hands, _("set by the table"))
