"""The garland along a Stù card's top: blue swags, red rosettes, hanging red ribbons."""

from __future__ import annotations

from workshop.deck.outline import Outline, curve
from workshop.deck.sheet import Sheet
from workshop.deck.svg import ellipse, mirrored, moved


def garland(sheet: Sheet, middle: float = 0.86) -> None:
    """Draws the style's garland; its lowest ribbon ends about 250 units below the card's top.

    ``middle`` is the middle ribbon's length, shorter where a caption stands close.
    """
    kind = sheet.style.garland
    if kind == "none":
        return
    half = 170 * sheet.style.garland_width
    {"swags": _swags, "bunting": _bunting, "laurel": _laurel}[kind](sheet, half)
    for x, length, lean in ((-half, 1.1, 10.0), (half, 1.1, -10.0), (0.0, middle, 0.0)):
        _ribbon(sheet, sheet.width / 2 + x, length, lean)


def _swags(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    for left in (middle - half, middle):
        _swag(sheet, left, half)


def _swag(sheet: Sheet, left: float, width: float) -> None:
    """Two cloths that droop from the ends and are gathered under a rosette in their middle, each with a tail."""
    half = width / 2
    tail = f"{half - 14},110! {half - 40},116 30,134 26,164! 46,152 {half - 26},138 {half - 10},128!"
    knot = f"{half - 14},118! {half - 28},134 {half - 28},150 {half - 20},168! {half - 8},150 {half - 4},132!"
    cloth = f"6,78! 26,76 {half - 34},86 {half - 12},100! {half - 10},130! {half - 34},126 30,114 14,98"
    for points in (knot, tail, cloth):
        for line in (points, mirrored(points, half)):
            sheet.shape(Outline.through(moved(line, left)), fill="blue", shade=11)
    folds = (f"14,86! 40,92 {half - 14},108!", f"22,100! 46,112 {half - 16},120!", f"34,152! 44,132 {half - 20},120!")
    for fold in folds:
        for line in (fold, mirrored(fold, half)):
            sheet.stroke(moved(line, left), 3.4)
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

    lower = at("-4,96! -16,126 -10,148! -2,140! 2,172! 10,150 8,132! 20,122 20,92!")
    upper = at("-7,2! -13,40 -14,82 -6,106! 10,90! 12,112! 24,98! 16,60 9,2!")
    sheet.path(curve(lower), "red", 4)
    sheet.hatch(Outline.through(lower), 70, 8, 2.6)
    sheet.path(curve(upper), "red", 4)
    sheet.stroke(at("0,14! -5,50 -1,96!"), 3.4)
    sheet.stroke(at("5,20! 8,56 14,92!"), 3)
    sheet.path(ellipse(x, y, 8, 8), "paper", 3.5)


def _bunting(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    step = half / 3
    for i in range(6):
        left = middle - half + i * step
        flag = f"{left:.0f},80! {left + step / 2:.0f},170! {left + step:.0f},80!"
        sheet.path(curve(flag), "blue" if i % 2 else "red", 4)


def _laurel(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    for left in (middle - half, middle):
        sheet.stroke(f"{left:.0f},82! {left + half / 2:.0f},134 {left + half:.0f},82!", 6)
        for i in range(1, 9):
            t = i / 9
            x, y = left + half * t, 82 + 52 * 4 * t * (1 - t)
            for side in (-1, 1):
                sheet.path(
                    curve(f"{x:.0f},{y:.0f}! {x + 10:.0f},{y + side * 8:.0f} {x + 22:.0f},{y + side * 16:.0f}!"), "blue", 3
                )
        sheet.path(ellipse(left + half / 2, 130, 17, 17), "red", 4)
