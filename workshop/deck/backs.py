"""The back of a Stù card: one ink on paper, the same upside down."""

from __future__ import annotations

import math

from workshop.deck.sheet import STU_SIZE, Sheet
from workshop.deck.style import Style
from workshop.deck.svg import curve, ellipse, lozenges, mirrored, moved, number, parse

_CX, _CY = 250.0, 447.5


def back(style: Style) -> str:
    """The back as an SVG text."""
    sheet = Sheet(style, STU_SIZE, "back")
    _mesh(sheet, 12.5)
    sheet.path("M40,48h420v799h-420Z", style.back_ink)
    sheet.path(_band(48, 5) + _band(96, 5), "paper", rule="evenodd")
    _rings(sheet, 79)
    {"arabesque": _arabesque, "diamonds": _diamonds, "weave": _weave, "checks": _checks}[style.back](sheet)
    return sheet.svg(style.corner, bleeds=True)


def _band(inset: float, width: float) -> str:
    """A rectangular line ``inset`` units inside the card's edge, for the even-odd rule."""
    x, y, w, h = inset + 4, inset + 10, 492 - 2 * inset, 875 - 2 * inset
    return f"M{x},{y}h{w}v{h}h{-w}Z" + f"M{x + width},{y + width}h{w - 2 * width}v{h - 2 * width}h{2 * width - w}Z"


def _mesh(sheet: Sheet, step: float) -> None:
    """A fine mesh of crossing lines over the whole card, balanced about its middle."""
    reach = 895 / 1.5
    count = round((250 + reach / 2) / step)
    out: list[str] = []
    for i in range(-count, count + 1):
        x = _CX - reach / 2 + i * step
        out.append(f"M{number(x)},0l{number(reach)},895M{number(x + reach)},0l{number(-reach)},895")
    sheet.path("".join(out), "none", 4.2 / sheet.style.line, sheet.style.back_ink)


def _rings(sheet: Sheet, inset: float) -> None:
    """A string of rings around the card, ``inset`` units inside its edge."""
    across, down = 16, 34
    w, h = 500 - 2 * inset, 895 - 2 * inset
    places = [(inset + w * i / across, y) for i in range(across + 1) for y in (inset, 895 - inset)]
    places += [(x, inset + h * i / down) for i in range(1, down) for x in (inset, 500 - inset)]
    sheet.path("".join(ellipse(x, y, 8.5, 8.5) + ellipse(x, y, 4.2, 4.2) for x, y in places), "paper", rule="evenodd")


def _arabesque(sheet: Sheet) -> None:
    """A latticed panel with a rosette between two shells, leaves and scrolls around."""
    ink = sheet.style.back_ink
    sheet.path("M164,262h172v371h-172Z", "none", 6 / sheet.style.line, "paper")
    sheet.path(lozenges(174, 272, 152, 351, 19, 19.5), "paper")
    sheet.path(ellipse(_CX, _CY, 66, 66), ink)
    sheet.path(ellipse(_CX, _CY, 58, 58), "none", 5 / sheet.style.line, "paper")
    petals = []
    for i in range(12):
        c, s = math.cos(math.radians(30 * i)), math.sin(math.radians(30 * i))
        petals.append(ellipse(_CX + 40 * c, _CY + 40 * s, 8.5, 8.5))
    sheet.path("".join(petals), "paper")
    sheet.path(ellipse(_CX, _CY, 24, 24) + ellipse(_CX, _CY, 15, 15) + ellipse(_CX, _CY, 7, 7), "paper", rule="evenodd")
    for turn in ("", 'transform="rotate(180 250 447.5)"'):
        sheet.opened(turn)
        _shell(sheet)
        for line in ("314,262! 352,254 372,214 360,176 330,168 314,186 322,204 338,202", "322,250! 300,238 296,214"):
            _paired(sheet, line, 9)
        _paired(sheet, "372,262! 384,226 388,176 376,136 346,124", 7)
        _paired(sheet, "300,124! 322,138 346,124 330,112!", 6)
        sheet.dots("360,150 140,150 250,126", 8, "paper")
        _leaves(sheet)
        sheet.closed()


def _paired(sheet: Sheet, line: str, weight: float) -> None:
    for side in (line, mirrored(line, _CX)):
        sheet.stroke(side, weight / sheet.style.line, "paper")


def _shell(sheet: Sheet) -> None:
    """A scallop shell over the panel."""
    for i in range(9):
        angle = math.radians(-90 + (i - 4) * 19)
        c, s = math.cos(angle), math.sin(angle)
        at = ((16, 3), (74, 10), (88, 0), (74, -10), (16, -3))
        rib = " ".join(f"{_CX + r * c - a * s:.1f},{236 + r * s + a * c:.1f}{'!' if r == 16 else ''}" for r, a in at)
        sheet.path(curve(rib), "paper")
    sheet.path(ellipse(_CX, 238, 15, 15) + ellipse(_CX, 238, 7, 7), "paper", rule="evenodd")


def _leaves(sheet: Sheet) -> None:
    """A stem with leaves up each side of the panel, from its foot to its middle."""
    stem = "360,440! 372,400 356,360 372,320 360,284"
    _paired(sheet, stem, 5)
    for x, y in parse("368,418 362,376 368,336 364,298")[0]:
        for leaf in ("0,0! 8,-20 24,-26! 20,-8", "0,0! -8,-16 -18,-22! -16,-6"):
            line = moved(leaf, x, y)
            for side in (line, mirrored(line, _CX)):
                sheet.path(curve(side), "paper")


def _diamonds(sheet: Sheet) -> None:
    sheet.path(lozenges(112, 118, 276, 659, 40, 40), "paper")
    dots = [(112 + 276 / 7 * i, 118 + 659 / 16 * j) for i in range(8) for j in range(17)]
    sheet.path("".join(ellipse(x, y, 5, 5) for x, y in dots), "paper")


def _weave(sheet: Sheet) -> None:
    out: list[str] = []
    for row in range(22):
        for column in range(9):
            x, y = 111 + column * 31, 118 + row * 30
            if (row + column) % 2:
                out += [f"M{x + 3 + k * 9},{y + 2}v25h5v-25Z" for k in range(3)]
            else:
                out += [f"M{x + 2},{y + 3 + k * 9}h26v5h-26Z" for k in range(3)]
    sheet.path("".join(out), "paper")


def _checks(sheet: Sheet) -> None:
    squares = [(column, row) for row in range(24) for column in range(10) if (row + column) % 2]
    sheet.path("".join(f"M{110 + column * 28},{number(118 + row * 27.4)}h28v27.4h-28Z" for column, row in squares), "paper")
