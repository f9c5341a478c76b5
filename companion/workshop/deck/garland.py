"""The garland along a Stù card's top: blue swags, red rosettes, hanging red ribbons."""

from __future__ import annotations

from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, ellipse, mirrored, moved


def garland(sheet: Sheet) -> None:
    """Draws the style's garland; its lowest ribbon ends about 250 units below the card's top."""
    kind = sheet.style.garland
    if kind == "none":
        return
    half = 170 * sheet.style.garland_width
    {"swags": _swags, "bunting": _bunting, "laurel": _laurel}[kind](sheet, half)


def _swags(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    for left in (middle - half, middle):
        _swag(sheet, left, half)
    for x, length, lean in ((middle - half, 1.12, 10.0), (middle + half, 1.12, -10.0), (middle, 1.0, 0.0)):
        _ribbon(sheet, x, length, lean)


def _swag(sheet: Sheet, left: float, width: float) -> None:
    """Two cloths that droop from the ends and are gathered under a rosette in their middle."""
    half = width / 2
    cloth = f"8,78! 30,92 {half - 12},104! {half - 8},136! {half - 40},138 20,118!"
    lower = f"14,92! 34,116 {half - 30},130! {half - 6},128 {half - 18},146 30,134!"
    for points in (lower, cloth):
        for line in (points, mirrored(points, half)):
            sheet.shape(moved(line, left), "blue", 4)
            sheet.hatch(moved(line, left), 22 if line is points else -22, 8, 2.4)
    cx = left + half
    petals = "".join(ellipse(cx + dx, 118 + dy, 10, 10) for dx, dy in ((0, -13), (12, -4), (8, 11), (-8, 11), (-12, -4)))
    sheet.path(petals, "red", 4)
    sheet.path(ellipse(cx, 118, 7, 7), "red", 3)


def _ribbon(sheet: Sheet, x: float, length: float, lean: float) -> None:
    """A twisted ribbon that hangs from a nail at ``x``."""
    y = 76.0

    def at(line: str) -> str:
        words = []
        for word in line.split():
            px, py = word.rstrip("!").split(",")
            fx, fy = float(px), float(py)
            words.append(f"{x + fx + lean * fy / 150:.1f},{y + fy * length:.1f}{'!' if word.endswith('!') else ''}")
        return " ".join(words)

    tail = at("2,92! -14,128 -12,156! 0,146! 8,172! 16,120 14,92!")
    upper = at("-6,2! -12,40 -10,70 -2,96! 16,98! 12,60 10,30 6,2!")
    sheet.shape(tail, "red", 4)
    sheet.hatch(tail, 78, 8, 2.2)
    sheet.shape(upper, "red", 4)
    sheet.stroke(at("0,14! -4,50 4,90!"), 3)
    sheet.path(ellipse(x, y, 8, 8), "paper", 3.5)


def _bunting(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    step = half / 3
    for i in range(6):
        left = middle - half + i * step
        sheet.shape(f"{left:.0f},80! {left + step / 2:.0f},170! {left + step:.0f},80!", "blue" if i % 2 else "red", 4)
    for x in (middle - half, middle, middle + half):
        _ribbon(sheet, x, 1.0, 0)


def _laurel(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    for left in (middle - half, middle):
        sheet.stroke(f"{left:.0f},82! {left + half / 2:.0f},134 {left + half:.0f},82!", 6)
        for i in range(1, 9):
            t = i / 9
            x, y = left + half * t, 82 + 52 * 4 * t * (1 - t)
            for side in (-1, 1):
                sheet.path(curve(f"{x:.0f},{y:.0f}! {x + 10:.0f},{y + side * 8:.0f} {x + 22:.0f},{y + side * 16:.0f}!"), "blue", 3)
        sheet.path(ellipse(left + half / 2, 130, 17, 17), "red", 4)
    for x in (middle - half, middle, middle + half):
        _ribbon(sheet, x, 1.05, 0)
