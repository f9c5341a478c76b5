"""The smallest pieces of SVG text: numbers, lines of points, a few shapes as path data.

User units are tenths of a millimetre, x right, y down, origin at the card's top left corner. A *line of points* is written as
text, ``"10,20 30,45! 50,20"``: the curve runs smoothly through every point and turns sharply at those marked ``!``.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate in as few characters as a tenth of a unit (10 micrometres) needs."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def whole(*values: float) -> str:
    """Coordinates rounded to whole units (a tenth of a millimetre) in as few characters as path data allows."""
    text = ""
    for value in values:
        word = f"{value:.0f}".replace("-0", "0") if abs(value) < 0.5 else f"{value:.0f}"
        text += word if not text or word.startswith("-") else f" {word}"
    return text


def parse(line: str) -> tuple[list[Point], list[bool]]:
    """Points of a line of points, and for each whether the curve turns sharply there."""
    points: list[Point] = []
    sharp: list[bool] = []
    for word in line.split():
        x, y = word.rstrip("!").split(",")
        points.append((float(x), float(y)))
        sharp.append(word.endswith("!"))
    return points, sharp


def subdivide(knots: Sequence[Point], steps: int) -> list[Point]:
    """Points of the open Catmull-Rom spline through ``knots``, ``steps`` for each stretch."""
    out: list[Point] = []
    last = len(knots) - 1
    for i in range(last):
        (x0, y0), (x1, y1) = knots[i], knots[i + 1]
        (ax, ay), (bx, by) = knots[max(i - 1, 0)], knots[min(i + 2, last)]
        for k in range(steps):
            t = k / steps
            h1, h2 = 2 * t**3 - 3 * t**2 + 1, -2 * t**3 + 3 * t**2
            h3, h4 = (t**3 - 2 * t**2 + t) / 2, (t**3 - t**2) / 2
            x = h1 * x0 + h2 * x1 + h3 * (x1 - ax) + h4 * (bx - x0)
            y = h1 * y0 + h2 * y1 + h3 * (y1 - ay) + h4 * (by - y0)
            out.append((x, y))
    return [*out, knots[-1]]


def mirrored(line: str, axis: float) -> str:
    """A line of points reflected in the vertical x = ``axis``."""
    points, sharp = parse(line)
    return " ".join(f"{number(2 * axis - x)},{number(y)}{'!' if k else ''}" for (x, y), k in zip(points, sharp, strict=True))


def moved(line: str, dx: float = 0.0, dy: float = 0.0, scale: float = 1.0, flip: bool = False) -> str:
    """A line of points scaled about the origin (and reflected left to right), then shifted."""
    points, sharp = parse(line)
    way = -scale if flip else scale
    return " ".join(
        f"{number(x * way + dx)},{number(y * scale + dy)}{'!' if k else ''}" for (x, y), k in zip(points, sharp, strict=True)
    )


def lozenge(cx: float, cy: float, a: float, b: float) -> str:
    """Path data of a lozenge, ``a`` and ``b`` its half width and height."""
    n = number
    return f"M{n(cx - a)},{n(cy)}l{n(a)},{n(-b)} {n(a)},{n(b)} {n(-a)},{n(b)}Z"


def lozenges(x: float, y: float, width: float, height: float, across: float, down: float) -> str:
    """Path data of a field of lozenges, about ``across`` by ``down`` units each, that fills a rectangle."""
    columns, rows = round(width / across), round(height / down)
    dx, dy = width / columns, height / rows
    return "".join(
        lozenge(x + dx * (column + 0.5), y + dy * (row + 0.5), dx * 0.42, dy * 0.42)
        for row in range(rows)
        for column in range(columns)
    )


def rounded(x: float, y: float, width: float, height: float, radius: float) -> str:
    """Path data of a rectangle with round corners."""
    n, r = number, radius
    return (
        f"M{n(x + r)},{n(y)}h{n(width - 2 * r)}a{n(r)},{n(r)} 0 0 1 {n(r)},{n(r)}v{n(height - 2 * r)}"
        f"a{n(r)},{n(r)} 0 0 1 {n(-r)},{n(r)}h{n(2 * r - width)}a{n(r)},{n(r)} 0 0 1 {n(-r)},{n(-r)}"
        f"v{n(2 * r - height)}a{n(r)},{n(r)} 0 0 1 {n(r)},{n(-r)}Z"
    )


def ellipse(cx: float, cy: float, rx: float, ry: float) -> str:
    """Path data of an ellipse."""
    n = number
    return f"M{n(cx - rx)},{n(cy)}a{n(rx)},{n(ry)} 0 1 1 {n(2 * rx)},0a{n(rx)},{n(ry)} 0 1 1 {n(-2 * rx)},0Z"
