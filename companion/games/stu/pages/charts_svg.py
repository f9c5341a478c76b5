"""The evening's charts of Lu Stù: everybody's pedine, what they put into the pot, the gnaffate they gave. Pure."""

from __future__ import annotations

from companion.games.stu.pages.figures import Figures, Paid, Row
from companion.pages.charts import Bar, Column, Curve, Strip, chart
from companion.table.language import Lang, catalogue


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
