"""The back of a Stù card: one ink on paper, the same upside down."""

from __future__ import annotations

import math

from companion.workshop.deck.sheet import STU_SIZE, Sheet
from companion.workshop.deck.style import Style
from companion.workshop.deck.svg import ellipse, mirrored, number, rounded


def back(style: Style) -> str:
    """The back as an SVG text."""
    sheet = Sheet(style, STU_SIZE, "back")
    ink = style.back_ink
    sheet.path(rounded(0, 0, 500, 895, style.corner), ink)
    _mesh(sheet, 0, 0, 500, 895, 9.0)
    sheet.path("M40,48h420v799h-420Z", ink)
    sheet.path(_frame(48, 56, 404, 783, 5), "paper", rule="evenodd")
    _beads(sheet)
    sheet.path(_frame(92, 100, 316, 695, 5), "paper", rule="evenodd")
    {"arabesque": _arabesque, "diamonds": _diamonds, "weave": _weave, "checks": _checks}[style.back](sheet)
    return sheet.svg(style.corner)


def _frame(x: float, y: float, width: float, height: float, band: float) -> str:
    return f"M{x},{y}h{width}v{height}h{-width}Z" + f"M{x + band},{y + band}h{width - 2 * band}v{height - 2 * band}h{2 * band - width}Z"


def _mesh(sheet: Sheet, x: float, y: float, width: float, height: float, step: float) -> None:
    """A fine mesh of paper-coloured lozenges."""
    out: list[str] = []
    rows = round(height / (step * 1.15))
    columns = round(width / (step * 1.7))
    dx, dy = width / columns, height / rows
    for row in range(rows + 1):
        for column in range(columns + 1):
            cx = x + dx * (column + (0.5 if row % 2 else 0.0))
            cy = y + dy * row
            a, b = dx * 0.33, dy * 0.66
            out.append(f"M{number(cx - a)},{number(cy)}l{number(a)},{number(-b)} {number(a)},{number(b)} {number(-a)},{number(b)}Z")
    sheet.path("".join(out), "paper")


def _beads(sheet: Sheet) -> None:
    """A string of rings between the two frames."""
    out: list[str] = []
    for i in range(17):
        for y in (79.0, 816.0):
            out.append(ellipse(76 + i * (348 / 16), y, 7, 7))
    for i in range(1, 34):
        for x in (71.0, 429.0):
            out.append(ellipse(x, 79 + i * (737 / 34), 7, 7))
    sheet.path("".join(out), "paper")


def _arabesque(sheet: Sheet) -> None:
    """A medallion of lozenges in an arched field with scrolls above and below."""
    sheet.path("M150,270h200v355h-200Z", "none", 6, "paper")
    _mesh_in(sheet, 160, 280, 180, 335, 22)
    sheet.path(ellipse(250, 447.5, 60, 60), sheet.style.back_ink)
    for i in range(12):
        angle = math.radians(30 * i)
        c, s = math.cos(angle), math.sin(angle)
        sheet.path(ellipse(250 + 42 * c, 447.5 + 42 * s, 8, 8), "paper")
    sheet.path(ellipse(250, 447.5, 22, 22), "paper")
    sheet.path(ellipse(250, 447.5, 11, 11), sheet.style.back_ink)
    for turn in ("", 'transform="rotate(180 250 447.5)"'):
        sheet.opened(turn)
        _scrolls(sheet)
        sheet.closed()


def _mesh_in(sheet: Sheet, x: float, y: float, width: float, height: float, step: float) -> None:
    out: list[str] = []
    columns, rows = round(width / step), round(height / step)
    dx, dy = width / columns, height / rows
    for row in range(rows):
        for column in range(columns):
            cx, cy = x + dx * (column + 0.5), y + dy * (row + 0.5)
            out.append(f"M{number(cx - dx * 0.42)},{number(cy)}L{number(cx)},{number(cy - dy * 0.42)} {number(cx + dx * 0.42)},{number(cy)} {number(cx)},{number(cy + dy * 0.42)}Z")
    sheet.path("".join(out), "paper")


def _scrolls(sheet: Sheet) -> None:
    """A shell over the field and curling leaves at its sides."""
    for i in range(7):
        angle = math.radians(-90 + (i - 3) * 24)
        x, y = 250 + 70 * math.cos(angle), 245 + 70 * math.sin(angle)
        sheet.path(f"M250,245L{number(x)},{number(y)}", "none", 12, "paper")
    sheet.path(ellipse(250, 245, 20, 20), "paper")
    for points in ("300,250! 360,240 380,180 340,150 310,170 320,200 340,195", "120,140! 150,130 200,125 230,150"):
        sheet.stroke(points, 9, "paper")
        sheet.stroke(mirrored(points, 250), 9, "paper")
    for y in range(290, 440, 30):
        sheet.stroke(f"118,{y}! 136,{y + 6} 128,{y + 22}", 7, "paper")
        sheet.stroke(f"382,{y}! 364,{y + 6} 372,{y + 22}", 7, "paper")


def _diamonds(sheet: Sheet) -> None:
    _mesh_in(sheet, 110, 118, 280, 659, 40)
    for column in range(8):
        for row in range(17):
            sheet.path(ellipse(110 + 40 * column, 118 + 659 / 16 * row, 5, 5), "paper")


def _weave(sheet: Sheet) -> None:
    out: list[str] = []
    for row in range(22):
        for column in range(9):
            x, y = 112 + column * 31, 120 + row * 30
            for k in range(3):
                out.append(f"M{x + 3 + k * 9},{y + 2}v25h5v-25Z" if (row + column) % 2 else f"M{x + 2},{y + 3 + k * 9}h26v5h-26Z")
    sheet.path("".join(out), "paper")


def _checks(sheet: Sheet) -> None:
    out: list[str] = []
    for row in range(24):
        for column in range(10):
            if (row + column) % 2:
                out.append(f"M{110 + column * 28},{number(118 + row * 27.4)}h28v27.4h-28Z")
    sheet.path("".join(out), "paper")
