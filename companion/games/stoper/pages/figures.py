"""The evening's charts of Stoper: `companion.pages.protocol.Charts`, as a module. Stacks over the hands, pots won, best hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.games.stoper import rules
from companion.games.stoper.rules import State
from companion.games.stoper.rules.state import HandRulings
from companion.pages.charts import Bar, Column, Curve, Strip, chart, courses
from companion.pages.moments import Moment
from companion.pages.sets import marks
from companion.table.language import Lang, catalogue
from companion.table.money import Sum, money

# The evening of Stoper in figures: everybody's stack over the hands, pots won, the best hand shown. Pure.


class Row(Struct, frozen=True):
    """One player. ``stacks``: at the beginning and after every hand; ``said``: the same in words; ``stack``: the last of them;
    ``pots``: how many were won; ``best``: the highest score that they have shown, 0 for none; ``sets``: after
    which hands (numbers, 0 for none) the table has said how they stand."""

    name: str
    stacks: tuple[int, ...]
    said: tuple[str, ...]
    stack: Sum
    pots: int
    best: int
    sets: tuple[int, ...] = ()


class Figures(Struct, frozen=True):
    """The rows in seat order; ``hands`` is how many hands are over: every row has one more stack; ``stake``: the cip."""

    hands: int
    stake: str
    rows: tuple[Row, ...]


def figures(moments: Sequence[Moment], lang: Lang) -> Figures:
    """The figures of a game that has come this far; nothing but `Moment.seen` goes into them."""
    if not moments:
        return Figures(0, "", ())
    state: State = moments[-1].seen
    stacks = courses(rules, moments, lambda state: state.stacks, lambda stack: money(stack, lang))
    pots, best = pots_won(state.hands), best_shown(state.hands)
    named = zip(state.table.names, stacks, strict=True)
    rows = [Row(name, *course, pots[name], best.get(name, 0)) for name, course in named]
    said = marks(rules, moments)
    rows = [replace(row, sets=said.get(row.name, ())) for row in rows]
    return Figures(len(stacks[0].values) - 1, money(state.cip, lang) if state.cip else "", tuple(rows))


def pots_won(hands: Iterable[HandRulings]) -> Counter[str]:
    """Player → pots won."""
    return Counter(pot.winner for hand in hands for pot in hand.pots)


def best_shown(hands: Iterable[HandRulings]) -> dict[str, int]:
    """Player → the highest score that they have shown at a showdown; only of those who have shown."""
    best: dict[str, int] = {}
    for one in (ranked for hand in hands for pot in hand.pots for ranked in pot.ranking):
        best[one.player] = max(best.get(one.player, 0), one.score)
    return best

def drawing(figures: Figures, lang: Lang) -> str:
    """The drawing as an `<svg>` element; "" where there is no game."""
    _ = catalogue(lang).gettext
    columns = Column(_("Stack, hand by hand"), 360, 480), Column(_("Pots won"), 1090, 150), Column(_("Best hand"), 1350, 150, 33)
    strips = [
        Strip(row.name, (
            Curve(row.stacks, row.stack.text, row.sets), Bar(row.pots, str(row.pots)), Bar(row.best, str(row.best or "–")),
        ))
        for row in figures.rows
    ]  # fmt: skip
    return chart(_("The evening in figures"), columns, strips, figures.hands, _("set by the table"))
