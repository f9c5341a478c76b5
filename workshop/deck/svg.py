"""The smallest pieces of SVG text: numbers, lines of points, a few shapes as path data, and smooth outlines.

User units are tenths of a millimetre, x right, y down, origin at the card's top left corner. A *line of points* is written as
text, ``"10,20 30,45! 50,20"``: the curve runs smoothly through every point and turns sharply at those marked ``!``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

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


Bezier: TypeAlias = tuple[Point, Point, Point, Point]
"""A cubic curve: start, two handles, end. A straight line has its handles on its ends."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A closed loop of cubic curves; each starts where the one before ends."""

    curves: tuple[Bezier, ...]

    @staticmethod
    def through(line: str) -> Outline:
        """The loop through a line of points (see `svg`)."""
        return Outline(tuple(_smooth(line, closed=True)))

    def data(self) -> str:
        """SVG path data, rounded to whole units."""
        return _written(self.curves) + "z"

    def polygon(self, steps: int = 6) -> list[Point]:
        """Points along the loop, ``steps`` for each curve."""
        # Hermite's form of the curve: on a straight line the handles fall out, and its points lie on it exactly.
        shares = [k / steps for k in range(steps)]
        weights = [(2 * t**3 - 3 * t**2 + 1, 3 * t**2 - 2 * t**3, 3 * (t**3 - 2 * t**2 + t), 3 * (t**2 - t**3)) for t in shares]
        return [
            (at * ax + to * dx + off * (bx - ax) + on * (cx - dx), at * ay + to * dy + off * (by - ay) + on * (cy - dy))
            for (ax, ay), (bx, by), (cx, cy), (dx, dy) in self.curves
            for at, to, off, on in weights
        ]

    def clockwise(self) -> Outline:
        """The outline, run clockwise on the card."""
        area = sum(x0 * y1 - x1 * y0 for (x0, y0), _, _, (x1, y1) in self.curves)
        if area > 0:
            return self
        *others, last = ((d, c, b, a) for a, b, c, d in self.curves)
        return Outline((*others[::-1], last))

    def nodes(self) -> str:
        """The line of points that the loop runs through; sharp where both handles of a node lie on it."""
        before = (self.curves[-1], *self.curves[:-1])
        return " ".join(
            f"{x:g},{y:g}{'!' if handle == came == (x, y) else ''}"
            for ((x, y), handle, _, _), (_, _, came, _) in zip(self.curves, before, strict=True)
        )


def curve(line: str, closed: bool = True) -> str:
    """SVG path data of the smooth curve through a line of points, rounded to whole units."""
    return _written(_smooth(line, closed)) + ("z" if closed else "")


def _smooth(line: str, closed: bool) -> list[Bezier]:
    """The Catmull-Rom spline through a line of points (tension 1/6).

    Sharp points and the ends of an open line have no tangent.
    """
    points, sharp = parse(line)
    n = len(points)

    def tangent(i: int) -> Point:
        if sharp[i] or (not closed and i in (0, n - 1)):
            return 0.0, 0.0
        (ax, ay), (bx, by) = points[i - 1], points[(i + 1) % n]
        return (bx - ax) / 6, (by - ay) / 6

    out: list[Bezier] = []
    for i in range(n if closed else n - 1):
        j = (i + 1) % n
        (x0, y0), (x1, y1) = points[i], points[j]
        (tx0, ty0), (tx1, ty1) = tangent(i), tangent(j)
        out.append(((x0, y0), (x0 + tx0, y0 + ty0), (x1 - tx1, y1 - ty1), (x1, y1)))
    return out


def _written(curves: Sequence[Bezier]) -> str:
    """Relative path data from the rounded start of each curve, so that roundings do not add up."""
    x, y = round(curves[0][0][0]), round(curves[0][0][1])
    out = [f"M{whole(x, y)}"]
    for start, (bx, by), (cx, cy), (dx, dy) in curves:
        if (bx, by) == start and (cx, cy) == (dx, dy):
            out.append(f"l{whole(dx - x, dy - y)}")
        else:
            out.append(f"c{whole(bx - x, by - y, cx - x, cy - y, dx - x, dy - y)}")
        x, y = round(dx), round(dy)
    return "".join(out)


@cache
def outlines(d: str) -> tuple[Outline, ...]:
    """The loops of SVG path data, each closed with a straight line where it is not."""
    pen = RecordingPen()
    parse_path(d, pen)
    loops: list[list[Bezier]] = []
    here: Point = (0.0, 0.0)
    for step, points in pen.value:
        if step == "moveTo":
            loops.append([])
        elif step == "lineTo":
            loops[-1].append((here, here, points[0], points[0]))
        elif step == "curveTo":
            loops[-1].append((here, *points))
        elif step == "qCurveTo":
            loops[-1].append((here, _towards(here, points[0]), _towards(points[1], points[0]), points[1]))
        elif step == "endPath" and loops[-1] and here != loops[-1][0][0]:
            loops[-1].append((here, here, loops[-1][0][0], loops[-1][0][0]))
        here = points[-1] if points else here
    return tuple(Outline(tuple(loop)) for loop in loops if loop)


def _towards(a: Point, b: Point) -> Point:
    """Two thirds of the way, where the handle of a quadratic curve stands when it is written as a cubic one."""
    return a[0] + (b[0] - a[0]) * 2 / 3, a[1] + (b[1] - a[1]) * 2 / 3
