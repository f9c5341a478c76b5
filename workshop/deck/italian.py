"""The 40 Italian faces and their back: suits as in Naples, figures whole, pips laid out by number; no indices, as in the South.

Places of pips are in units of the card (500 by 895). The back has one ink on paper, and is the same upside down.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

from companion.decks.italian import KINDS, SUITS
from workshop.deck.courts import dressed
from workshop.deck.figure import figure
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


class Place(NamedTuple):
    """A pip about (x, y), ``scale`` times its own size, turned clockwise; ``turn``: which of the suit's two inks it has."""

    x: float
    y: float
    scale: float
    angle: float = 0.0
    turn: int | None = None


def _grid(xs: tuple[float, ...], ys: tuple[float, ...], scale: float) -> tuple[Place, ...]:
    """Pips in columns and rows, their inks by turns as on a chessboard."""
    return tuple(Place(x, y, scale, 0, (i + j) % 2) for j, y in enumerate(ys) for i, x in enumerate(xs))


def _cross(y: float, scale: float, angle: float, *, star: bool = False) -> tuple[Place, ...]:
    """Two long pips that cross each other about the middle of the card's width; with ``star`` a third upright over them."""
    crossed = (Place(250, y, scale, -angle, 1), Place(250, y, scale, angle, 0))
    return (*crossed, Place(250, y, scale, 0, 0)) if star else crossed


_BAR = 447.5
"""y of the card's middle."""

PLACES: dict[str, dict[int, tuple[Place, ...]]] = {
    "round": {
        2: (Place(250, 238, 1.3, 0, 0), Place(250, 657, 1.3, 0, 1)),
        3: (Place(250, 174, 1.2, 0, 0), Place(250, _BAR, 1.2, 0, 1), Place(250, 721, 1.2, 0, 0)),
        4: _grid((142, 358), (190, 705), 0.98),
        5: (*_grid((142, 358), (180, 715), 0.98), Place(250, _BAR, 0.98, 0, 1)),
        6: _grid((142, 358), (165, _BAR, 730), 0.98),
        7: (*_grid((137, 363), (160, _BAR, 735), 0.86), Place(250, 303, 0.86, 0, 1)),
    },
    "upright": {
        2: _cross(_BAR, 1.72, 26),
        3: _cross(_BAR, 1.72, 29, star=True),
        4: _grid((150, 350), (242, 653), 0.96),
        5: (*_grid((124, 376), (242, 653), 0.9), Place(250, _BAR, 1.2, 0, 1)),
        6: _grid((106, 250, 394), (242, 653), 0.8),
        7: (*_grid((106, 250, 394), (212, 683), 0.76), Place(250, _BAR, 0.86, 90, 1)),
    },
    "crossed": {
        2: _cross(_BAR, 1.72, 26),
        3: _cross(_BAR, 1.72, 29, star=True),
        4: (*_cross(242, 1.0, 40), *_cross(653, 1.0, 40)),
        5: (*_cross(212, 0.84, 50), Place(250, _BAR, 1.0, 90, 1), *_cross(683, 0.84, 50)),
        6: (*_cross(242, 0.98, 43, star=True), *_cross(653, 0.98, 43, star=True)),
        7: (*_cross(208, 0.82, 36, star=True), Place(250, _BAR, 1.0, 90, 1), *_cross(687, 0.82, 36, star=True)),
    },
}
"""How the pips lie → number → their places, the lowest pip first."""

_SIDES = (Place(92, _BAR, 1.1), Place(408, _BAR, 1.1))

SPRIGS: dict[str, dict[int, tuple[Place, ...]]] = {
    "round": {2: _SIDES, 4: (Place(250, _BAR, 1.9),)},
    "upright": {2: (Place(250, 190, 1.6), Place(250, 745, 1.4)), 4: (Place(250, _BAR, 1.3),)},
    "crossed": {2: (*_SIDES, Place(250, 160, 1.3), Place(250, 735, 1.3)), 3: _SIDES, 4: _SIDES},
}
"""Where flowers stand between the pips."""

RANKS = {1: "asso", 8: "fante", 9: "cavallo", 10: "re"}
"""Number → the first half of its figure's name; the suit is the second. The others are laid out of pips."""

_INKS = {
    "denari": ({"petal": "red"}, {"petal": "blue"}),
    "coppe": ({"bowl": "blue", "band": "red"}, {"bowl": "red", "band": "blue"}),
    "spade": ({"blade": "blue", "grip": "red"}, {"blade": "night", "grip": "green"}),
    "bastoni": ({"bark": "green", "core": "brown"}, {"bark": "brown", "core": "green"}),
}
"""Suit → the inks of its pips, by turns."""

_VIGNETTES = {"denari-4": ("presentosa", 0.92), "bastoni-3": ("gatto-mammone", 1.0)}
"""Card → the figure in its middle, and its scale."""


def face(kind: str, style: Style) -> str:
    """The face of a card (`companion.decks.italian.KINDS`) as an SVG text; `ValueError` for any other name."""
    if kind not in KINDS:
        raise ValueError(f"no Italian card is called {kind!r}; they are {', '.join(SUITS)}, each with -1 to -10")
    suit, number = kind.split("-")
    sheet = Sheet(style, ITALIAN_SIZE, kind, graver=0.6)
    with sheet.framed(style.italian_inset, min(style.border_radius, 30.0)):
        if int(number) in RANKS:
            pip = partial(_pip, sheet, suit, 0)
            figure(sheet, f"{RANKS[int(number)]}-{suit}", inks=_INKS[suit][0] | dressed(suit, style), held=pip)
        else:
            _numbered(sheet, suit, int(number))
    return sheet.svg(style.corner)


def _pip(sheet: Sheet, suit: str, turn: int) -> None:
    """The suit's pip about the origin: coins and cups 200 units high, swords and batons 400, on end."""
    name = sheet.style.italian_pips[list(SUITS).index(suit)]
    figure(sheet, name, inks=_INKS[suit][turn])


def _numbered(sheet: Sheet, suit: str, number: int) -> None:
    """The cards 2 to 7: pips of two inks by turns, sprigs or a vignette between them."""
    long = suit in ("spade", "bastoni")
    how = ("crossed" if suit in sheet.style.italian_crossed else "upright") if long else "round"
    places = PLACES[how][number]
    for turn in range(2):
        with sheet.cut(f"pip{turn}"):
            _pip(sheet, suit, turn)
    for n, place in enumerate(places):
        _stamp(sheet, f"pip{place.turn if place.turn is not None else n % 2}", place, sheet.style.italian_pip)
    if vignette := _VIGNETTES.get(f"{suit}-{number}"):
        name, scale = vignette
        sheet.opened(f'transform="translate(250 447) scale({scale})"')
        figure(sheet, name, inks={"petal": "red"})
        sheet.closed()
    elif sprigs := SPRIGS[how].get(number):
        with sheet.cut("sprig"):
            figure(sheet, "sprig", inks={"flower": "red"})
        for place in sprigs:
            _stamp(sheet, "sprig", place)


def _stamp(sheet: Sheet, name: str, place: Place, scale: float = 1.0) -> None:
    sheet.stamp(name, place.x, place.y, place.scale * scale, place.angle)
