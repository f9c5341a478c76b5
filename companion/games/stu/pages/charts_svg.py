"""The evening's charts as one drawing: a row for every player, with three columns. Pure: numbers in, SVG out.

Nothing is told by hue: pedine are steps, money and gnaffate are bars with their number beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from companion.games.stu.pages.figures import Figures, Row
from companion.table.language import Lang, catalogue
from companion.table.text import short

WIDTH, HEIGHT = 1600, 860
"""Size of the drawing in its own units; letters are 30 of them, 3 % of the screen whose width it fills."""

_HEAD = 64
_NAME, _PEDINE, _MONEY, _GNAFFATE = 20, 360, 900, 1300
"""Where the columns begin."""
_PEDINE_WIDTH, _MONEY_WIDTH, _GNAFFATE_WIDTH = 480, 190, 210
_LONGEST = 16
"""Letters of a name that have room in its column; a longer one is written smaller."""


def drawing(figures: Figures, lang: Lang) -> str:
    """The drawing as an `<svg>` element, classes for the page's style sheet; names are escaped. "" where there is no game."""
    if not figures.rows:
        return ""
    _ = catalogue(lang).gettext
    tall = (HEIGHT - _HEAD) / max(len(figures.rows), 4)
    most_pedine = max(3, *(pedine for row in figures.rows for pedine in row.pedine))
    most_paid = max(row.paid.minor for row in figures.rows) or 1
    most_gave = max(*(row.gnaffate for row in figures.rows), 1)
    parts = [
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={quoteattr(_("The evening in figures"))}>',
        *(
            f'<text class="head" x="{x}" y="40">{escape(head)}</text>'
            for x, head in (
                (_PEDINE, _("Pedine, hand by hand")), (_MONEY, _("In the pot (R: ricompera)")), (_GNAFFATE, _("Gnaffate given")),
            )
        ),
    ]
    for index, row in enumerate(figures.rows):
        top = _HEAD + index * tall
        middle = top + tall / 2
        small = " long" * (len(row.name) > _LONGEST)
        parts += [
            f'<g class="{"row out" if row.out else "row"}">',
            f'<line class="rule" x1="{_NAME}" x2="{WIDTH - _NAME}" y1="{top:.1f}" y2="{top:.1f}"/>',
            f'<text class="name{small}" x="{_NAME}" y="{middle + 9:.1f}">{escape(short(row.name))}</text>',
            _steps(row.pedine, figures.hands, top, tall, most_pedine),
            f'<text x="{_PEDINE + _PEDINE_WIDTH + 12}" y="{middle + 9:.1f}">{row.pedine[-1]}</text>',
            _bar(_MONEY, middle, tall, _MONEY_WIDTH * _share(row.paid.minor, most_paid), _money(row)),
            _bar(_GNAFFATE, middle, tall, _GNAFFATE_WIDTH * row.gnaffate / most_gave, str(row.gnaffate)),
            "</g>",
        ]
    return "\n".join([*parts, "</svg>"])


def _money(row: Row) -> str:
    return f"{row.paid.text} ({row.ricompere}×R)" if row.ricompere else row.paid.text


def _share(part: int, whole: int) -> float:
    """A proportion of sums that may be too long for a float."""
    return part * 1000 // whole / 1000


def _steps(pedine: Sequence[int], hands: int, top: float, tall: float, most: int) -> str:
    """Pedine over the hands as a line of steps, from the row's lower edge (none) to its upper one."""
    wide = _PEDINE_WIDTH / (hands + 1)
    low, room = top + tall * 0.85, tall * 0.7

    def level(count: int) -> float:
        return low - room * count / most

    path = f"M{_PEDINE},{level(pedine[0]):.1f}"
    for index, count in enumerate(pedine):
        path += f"V{level(count):.1f}H{_PEDINE + wide * (index + 1):.1f}"
    right = _PEDINE + wide * len(pedine)
    return (
        f'<path class="area" d="{path}V{low:.1f}H{_PEDINE}Z"/><path class="steps" d="{path}"/>'
        f'<line class="ground" x1="{_PEDINE}" x2="{right:.1f}" y1="{low:.1f}" y2="{low:.1f}"/>'
    )


def _bar(x: float, middle: float, tall: float, length: float, said: str) -> str:
    high = min(tall * 0.55, 40)
    bar = f'<rect class="bar" x="{x}" y="{middle - high / 2:.1f}" width="{length:.1f}" height="{high:.1f}"/>' if length else ""
    return f'{bar}<text x="{x + length + 10:.1f}" y="{middle + 9:.1f}">{escape(said)}</text>'
