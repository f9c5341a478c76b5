"""The evening's charts of Stoper: `companion.pages.protocol.Charts`, as a module. Stacks over the hands, pots won, best hands."""

from __future__ import annotations

from companion.games.stoper.pages.figures import Figures, figures
from companion.pages.charts import Bar, Column, Curve, Strip, chart
from companion.table.language import Lang, catalogue

__all__ = ["drawing", "figures"]


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
