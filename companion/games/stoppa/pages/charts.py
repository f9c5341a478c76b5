"""The evening's charts of Stoppa: `companion.pages.protocol.Charts`, as a module. Balances over the hands, punti won,
stoppate."""

from __future__ import annotations

from companion.games.stoppa.pages.figures import Figures, figures
from companion.pages.charts import Bar, Column, Curve, Strip, chart
from companion.table.language import Lang, catalogue

__all__ = ["drawing", "figures"]


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
