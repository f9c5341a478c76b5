"""Small drawing helpers: curves through points, woodcut hatching, and a sheet that collects them as one SVG text.

User units are tenths of a millimetre, x right, y down, origin at the card's top left corner. A *line of points* is written as
text, ``"10,20 30,45! 50,20"``: the curve runs smoothly through every point and turns sharply at those marked ``!``.
"""

from __future__ import annotations

import math
import random
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


def curve(line: str, closed: bool = True) -> str:
    """SVG path data of the Catmull-Rom spline through a line of points (tension 1/6, sharp points have no tangent)."""
    points, sharp = parse(line)
    return spline(points, sharp, closed)


def spline(points: Sequence[Point], sharp: Sequence[bool], closed: bool) -> str:
    """As `curve`, from points that were computed."""
    n = len(points)

    def tangent(i: int) -> Point:
        if sharp[i] or (not closed and i in (0, n - 1)):
            return 0.0, 0.0
        (ax, ay), (bx, by) = points[i - 1], points[(i + 1) % n]
        return (bx - ax) / 6, (by - ay) / 6

    x, y = round(points[0][0]), round(points[0][1])
    out = [f"M{whole(x, y)}"]
    for i in range(n if closed else n - 1):
        j = (i + 1) % n
        (x0, y0), (x1, y1) = points[i], points[j]
        (tx0, ty0), (tx1, ty1) = tangent(i), tangent(j)
        if tx0 == ty0 == tx1 == ty1 == 0.0:
            out.append(f"l{whole(x1 - x, y1 - y)}")
        else:
            out.append(f"c{whole(x0 + tx0 - x, y0 + ty0 - y, x1 - tx1 - x, y1 - ty1 - y, x1 - x, y1 - y)}")
        x, y = round(x1), round(y1)
    return "".join(out) + ("z" if closed else "")


def sample(line: str, steps: int = 6) -> list[Point]:
    """The closed spline of a line of points as a polygon, ``steps`` corners for each point."""
    points, sharp = parse(line)
    n = len(points)
    out: list[Point] = []
    for i in range(n):
        j = (i + 1) % n
        (x0, y0), (x1, y1) = points[i], points[j]
        (ax, ay), (bx, by) = points[i - 1], points[(j + 1) % n]
        tx0, ty0 = (0.0, 0.0) if sharp[i] else ((x1 - ax) / 2, (y1 - ay) / 2)
        tx1, ty1 = (0.0, 0.0) if sharp[j] else ((bx - x0) / 2, (by - y0) / 2)
        for k in range(steps):
            t = k / steps
            h1, h2 = 2 * t**3 - 3 * t**2 + 1, -2 * t**3 + 3 * t**2
            h3, h4 = t**3 - 2 * t**2 + t, t**3 - t**2
            out.append((h1 * x0 + h2 * x1 + h3 * tx0 + h4 * tx1, h1 * y0 + h2 * y1 + h3 * ty0 + h4 * ty1))
    return out


def sliver(a: Point, b: Point, width: float) -> str:
    """Path data of a cut of the graver from ``a`` to ``b``: ``width`` at its middle, pointed at both ends."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) or 1.0
    nx, ny = -dy / length * width, dx / length * width
    there = whole(dx / 2 + nx, dy / 2 + ny, dx, dy)
    return f"M{whole(*a)}q{there}q{whole(-dx / 2 - nx, -dy / 2 - ny, -dx, -dy)}z"


def hatching(outline: Sequence[Point], angle: float, gap: float, width: float, rng: random.Random) -> str:
    """Path data of slivers at ``angle`` degrees, ``gap`` units apart, clipped to a polygon; slightly uneven, as cut by hand."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned = [(x * c + y * s, -x * s + y * c) for x, y in outline]
    out: list[str] = []
    level = min(y for _, y in turned) + gap / 2
    while level < max(y for _, y in turned):
        crossings = sorted(
            x0 + (level - y0) * (x1 - x0) / (y1 - y0)
            for (x0, y0), (x1, y1) in zip(turned, turned[1:] + turned[:1], strict=True)
            if (y0 <= level) != (y1 <= level)
        )
        for start, end in zip(crossings[::2], crossings[1::2], strict=False):
            inset = min(width, (end - start) / 4) + rng.random() * gap * 0.6
            if end - start > 2 * inset + 2:
                u, v = start + inset, end - inset
                out.append(sliver((u * c - level * s, u * s + level * c), (v * c - level * s, v * s + level * c), width))
        level += gap * (0.85 + 0.3 * rng.random())
    return "".join(out)


def tube(line: str, steps: int = 4) -> str:
    """A closed line of points around a limb; its middle and widths given as ``"x,y,width …"``. The ends are round."""
    knots = [tuple(float(v) for v in word.split(",")) for word in line.split()]
    middle = list(
        zip(subdivide([(x, y) for x, y, _ in knots], steps), subdivide([(w, 0.0) for _, _, w in knots], steps), strict=True)
    )
    left: list[str] = []
    right: list[str] = []
    last = len(middle) - 1
    for i, ((x, y), (w, _)) in enumerate(middle):
        (ax, ay), (bx, by) = middle[max(i - 1, 0)][0], middle[min(i + 1, last)][0]
        length = math.hypot(bx - ax, by - ay) or 1.0
        tx, ty = (bx - ax) / length, (by - ay) / length
        left.append(f"{x + ty * w / 2:.1f},{y - tx * w / 2:.1f}")
        right.append(f"{x - ty * w / 2:.1f},{y + tx * w / 2:.1f}")
        if i in (0, last):
            way = -1 if i == 0 else 1
            cap = f"{x + way * tx * w * 0.45:.1f},{y + way * ty * w * 0.45:.1f}"
            if i == 0:
                left.insert(0, cap)
            else:
                left.append(cap)
    return " ".join(left + right[::-1])


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


def clockwise(line: str) -> str:
    """The line of points, run clockwise on the card."""
    words = line.split()
    corners, _ = parse(line)
    area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True))
    return " ".join(words if area > 0 else words[::-1])


def lock(line: str, width: float) -> str:
    """Path data of a lock of hair: ``"x,y x,y x,y"`` from its root over its bend to its tip, ``width`` units at the bend."""
    ((ax, ay), (cx, cy), (bx, by)), _ = parse(line)
    length = math.hypot(bx - ax, by - ay) or 1.0
    nx, ny = -(by - ay) / length * width, (bx - ax) / length * width
    there = whole(cx + nx - ax, cy + ny - ay, bx - ax, by - ay)
    return f"M{whole(ax, ay)}q{there}q{whole(cx - nx - bx, cy - ny - by, ax - bx, ay - by)}z"


def inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon (even-odd rule)."""
    x, y = point
    within = False
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            within = not within
    return within


def shading(line: str, others: Sequence[Sequence[Point]], depth: float, gap: float, width: float, rng: random.Random) -> str:
    """Path data of the engraver's shade: wedges from the outline inwards wherever it is turned away from light at the upper left.

    They are up to ``depth`` units long, ``width`` wide at the root and ``gap`` units apart; none starts inside ``others``.
    """
    corners = sample(clockwise(line), 5)
    out: list[str] = []
    walked = gap / 2
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        length = math.hypot(x1 - x0, y1 - y0)
        if length < 1e-6:
            continue
        tx, ty = (x1 - x0) / length, (y1 - y0) / length
        dark = 0.62 * ty - 0.78 * tx
        while walked < length:
            x, y = x0 + tx * walked, y0 + ty * walked
            walked += gap * (0.85 + 0.3 * rng.random())
            if dark < 0.1 or any(inside((x - ty, y + tx), other) for other in others):
                continue
            reach = depth * (0.25 + 0.75 * dark) * (0.7 + 0.6 * rng.random())
            dx, dy = -ty - tx * 0.35, tx - ty * 0.35
            while reach > 3 and not inside((x + dx * (reach + 4), y + dy * (reach + 4)), corners):
                reach *= 0.6
            if reach <= 3:
                continue
            px, py = tx * width, ty * width
            out.append(f"M{whole(x - px / 2, y - py / 2)}l{whole(px, py, dx * reach - px / 2, dy * reach - py / 2)}z")
        walked -= length
    return "".join(out)


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
