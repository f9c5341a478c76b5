"""The evening in figures, and drawn: `companion.pages.protocol.Charts`, as a module. Everybody's pedine over the hands, what they
put into the pot, the gnaffate they gave. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from companion.games.stu import rules
from companion.games.stu.pages.season import gnaffate
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Rebuy
from companion.games.stu.rules.reckoning import put_in, unknown
from companion.pages.charts import Bar, Column, Curve, Strip, chart
from companion.pages.moments import Moment, between_hands
from companion.pages.sets import marks
from companion.table.language import Lang, catalogue
from companion.table.money import Sum, as_sum


class Row(msgspec.Struct, frozen=True):
    """One player. ``pedine``: at the beginning and after every hand, ricompere before the next one included. ``paid``: the
    stake, and their part of ricompere; ``gnaffate``: given to others; ``sets``: after which hands (numbers, 0 for none) the
    table has said how they stand."""

    name: str
    pedine: tuple[int, ...]
    paid: Sum
    ricompere: int
    gnaffate: int
    out: bool
    sets: tuple[int, ...] = ()


class Paid(msgspec.Struct, frozen=True):
    """What somebody from outside has put into the pot."""

    name: str
    paid: Sum


class Figures(msgspec.Struct, frozen=True):
    """The rows in seat order; ``hands`` is how many hands are over: every row has one more number of pedine. ``others``: partners
    from outside, and what they have paid; ``before``: what was paid before the log began, nobody knows by whom; None for nothing.
    What all have paid adds up to the ``pot``."""

    hands: int
    pot: Sum
    rows: tuple[Row, ...]
    others: tuple[Paid, ...] = ()
    before: Sum | None = None


def figures(moments: Sequence[Moment], lang: Lang) -> Figures:
    """The figures of a game that has come this far; nothing but `Moment.seen` and public events go into them."""
    if not moments:
        return Figures(0, as_sum(0, lang), ())
    columns = between_hands(rules, moments, lambda state: state.pedine)
    last, said = moments[-1].seen, marks(rules, moments)
    paid, names = put_in(last), last.table.names
    rebuys = Counter(now.event.by for now in moments if isinstance(now.event, Rebuy))
    told = report(last)
    gave = Counter(by for hand in told.hands if not hand.void for by, _ in gnaffate(hand))
    rows = tuple(
        Row(
            name=player.name,
            pedine=tuple(column[seat] for column in columns),
            paid=as_sum(paid[player.name], lang),
            ricompere=rebuys[player.name],
            gnaffate=gave[player.name],
            out=not player.in_play,
            sets=said.get(player.name, ()),
        )
        for seat, player in enumerate(told.players)
    )
    others = tuple(Paid(name, as_sum(paid[name], lang)) for name in paid if name not in names)
    before = as_sum(left, lang) if (left := unknown(last)) else None
    return Figures(len(columns) - 1, as_sum(told.pot, lang), rows, others, before)


def drawing(figures: Figures, lang: Lang) -> str:
    """The drawing as an `<svg>` element; "" where there is no game."""
    _ = catalogue(lang).gettext
    columns = (
        Column(_("Pedine, hand by hand"), 360, 480, least=3),
        Column(_("In the pot (R: ricompera)"), 900, 190),
        Column(_("Gnaffate given"), 1300, 210),
    )
    strips = [*(_strip(row) for row in figures.rows), *(_partner(one, figures.hands) for one in figures.others)]
    return chart(_("The evening in figures"), columns, strips, figures.hands, _("set by the table"))


def _strip(row: Row) -> Strip:
    pedine = Curve(row.pedine, str(row.pedine[-1]), row.sets)
    return Strip(row.name, (pedine, Bar(row.paid.minor, _money(row)), Bar(row.gnaffate, str(row.gnaffate))), dim=row.out)


def _partner(one: Paid, hands: int) -> Strip:
    """A partner from outside, who has no pedine."""
    return Strip(one.name, (Curve((0,) * (hands + 1), ""), Bar(one.paid.minor, one.paid.text), Bar(0, "")), dim=True)


def _money(row: Row) -> str:
    return f"{row.paid.text} ({row.ricompere}×R)" if row.ricompere else row.paid.text
