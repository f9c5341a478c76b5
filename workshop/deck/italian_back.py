"""The back of the Italian cards: one ink on paper, the same upside down."""

from __future__ import annotations

import math

from workshop.deck.sheet import ITALIAN_SIZE, Sheet
from workshop.deck.style import Style
from workshop.deck.svg import ellipse, lozenge, number, rounded

_CX, _CY = 250.0, 447.5
_LEFT, _TOP, _RIGHT, _FOOT = 66.0, 66.0, 434.0, 829.0
"""The field inside the border."""


def back(style: Style) -> str:
    """The back as an SVG text."""
    sheet = Sheet(style, ITALIAN_SIZE, "italian back")
    ink = style.italian_back_ink
    sheet.path(rounded(26, 26, 448, 843, 26), ink)
    sheet.path(rounded(34, 34, 432, 827, 20) + rounded(39, 39, 422, 817, 16), "paper", rule="evenodd")
    _beads(sheet)
    sheet.path(rounded(_LEFT - 4, _TOP - 4, _RIGHT - _LEFT + 8, _FOOT - _TOP + 8, 8), "none", 4 / style.line, "paper")
    {"stars": _stars, "scales": _scales, "tiles": _tiles}[style.italian_back](sheet)
    _brooch(sheet)
    return sheet.svg(style.corner)


def _beads(sheet: Sheet) -> None:
    """Lozenges and dots by turns around the field."""
    across, down = 14, 28
    xs = [50 + 400 * i / across for i in range(across + 1)]
    ys = [50 + 795 * i / down for i in range(down + 1)]
    places = [(x, y) for y in (ys[0], ys[-1]) for x in xs] + [(x, y) for x in (xs[0], xs[-1]) for y in ys[1:-1]]
    # Both sides have an even number of steps, so that the turns meet in the corners and about the middle.
    marks = (
        lozenge(x, y, 8, 8) if (round((x - 50) / 400 * across) + round((y - 50) / 795 * down)) % 2 else ellipse(x, y, 4.5, 4.5)
        for x, y in places
    )
    sheet.path("".join(marks), "paper")


def _star(x: float, y: float, points: int, outer: float, inner: float) -> str:
    """Path data of a star about (x, y)."""
    corners = (
        (x + r * math.sin(math.pi * i / points), y - r * math.cos(math.pi * i / points))
        for i, r in enumerate((outer, inner) * points)
    )
    return "M" + " ".join(f"{number(u)},{number(v)}" for u, v in corners) + "Z"


def _stars(sheet: Sheet) -> None:
    """A net of crossing lines with a star in every mesh."""
    columns, rows = 4, 8
    dx, dy = (_RIGHT - _LEFT) / columns, (_FOOT - _TOP) / rows
    lines = []
    for i in range(-rows, columns + 1):  # each runs down to the right, then back up, cut off at the field's sides
        first, last = max(0, -i), min(rows, columns - i)
        if first < last:
            for side in (1, -1):
                x = _LEFT + (i + first) * dx if side > 0 else _RIGHT - (i + first) * dx
                run = last - first
                lines.append(f"M{number(x)},{number(_TOP + first * dy)}l{number(side * run * dx)},{number(run * dy)}")
    sheet.path("".join(lines), "none", 5 / sheet.style.line, "paper")
    meshes = [(_LEFT + dx * i, _TOP + dy * (j + 0.5)) for i in range(1, columns) for j in range(rows)]
    meshes += [(_LEFT + dx * (i + 0.5), _TOP + dy * j) for i in range(columns) for j in range(1, rows)]
    sheet.path("".join(_star(x, y, 8, 25, 11) for x, y in meshes), "paper")
    sheet.path("".join(ellipse(x, y, 4.5, 4.5) for x, y in meshes), sheet.style.italian_back_ink)


def _scales(sheet: Sheet) -> None:
    """Scales that hang in the upper half and stand in the lower one."""
    columns, rows = 8, 12
    r = (_RIGHT - _LEFT) / columns / 2
    step = (_CY - _TOP) / rows
    out = []
    for row in range(rows):
        y = _TOP + row * step
        whole = row % 2 == 0
        for i in range(columns if whole else columns - 1):
            x = _LEFT + (2 * i + (1 if whole else 2)) * r
            for side in (1, -1):
                at = y if side > 0 else 2 * _CY - y
                out.append(f"M{number(x - r)},{number(at)}q0,{number(side * 1.3 * step)} {number(r)},{number(side * 1.5 * step)}")
                out.append(f"q{number(r)},{number(-side * 0.2 * step)} {number(r)},{number(-side * 1.5 * step)}")
    sheet.path("".join(out), "none", 5 / sheet.style.line, "paper")


def _tiles(sheet: Sheet) -> None:
    """Tiles with flowers of four petals, set on their corners."""
    columns, rows = 6, 12
    dx, dy = (_RIGHT - _LEFT) / columns, (_FOOT - _TOP) / rows
    places = [(_LEFT + dx * (i + 0.5), _TOP + dy * (j + 0.5)) for i in range(columns) for j in range(rows)]
    sheet.path("".join(lozenge(x, y, dx * 0.47, dy * 0.47) for x, y in places), "paper")
    petals = (ellipse(x + u, y + v, 7.5, 7.5) for x, y in places for u, v in ((-10, 0), (10, 0), (0, -10), (0, 10)))
    sheet.path("".join(petals), sheet.style.italian_back_ink)


def _brooch(sheet: Sheet) -> None:
    """The star-shaped brooch in the middle."""
    ink = sheet.style.italian_back_ink
    sheet.path(ellipse(_CX, _CY, 124, 124), ink)
    sheet.path(_star(_CX, _CY, 16, 118, 84), "paper")
    sheet.path(ellipse(_CX, _CY, 76, 76), ink)
    sheet.path(ellipse(_CX, _CY, 68, 68), "none", 5 / sheet.style.line, "paper")
    sheet.path(_star(_CX, _CY, 8, 58, 24), "paper")
    sheet.path(ellipse(_CX, _CY, 15, 15), ink)
    sheet.path(ellipse(_CX, _CY, 7, 7), "paper")
