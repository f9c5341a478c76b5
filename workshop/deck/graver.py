"""Path data of what the graver cuts: hatching of a field, shade along a rim, the short cuts of turf; uneven, as cut by hand."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from workshop.deck.outline import Outline
from workshop.deck.svg import Point, whole


def sliver(a: Point, b: Point, width: float) -> str:
    """A cut from ``a`` to ``b``: ``width`` at its middle, pointed at both ends."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy) or 1.0
    nx, ny = -dy / length * width, dx / length * width
    there = whole(dx / 2 + nx, dy / 2 + ny, dx, dy)
    return f"M{whole(*a)}q{there}q{whole(-dx / 2 - nx, -dy / 2 - ny, -dx, -dy)}z"


def hatching(outline: Sequence[Point], angle: float, gap: float, width: float, rng: random.Random) -> str:
    """Slivers at ``angle`` degrees, ``gap`` units apart, clipped to a polygon."""
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


def shading(
    outline: Outline, others: Sequence[Sequence[Point]], depth: float, gap: float, width: float, rng: random.Random
) -> str:
    """The engraver's shade: wedges from the outline inwards wherever it is turned away from light at the upper left.

    They are up to ``depth`` units long, ``width`` wide at the root and ``gap`` units apart; none starts inside ``others``.
    """
    corners = outline.clockwise().polygon(5)
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


def turf(top: float, density: float, rng: random.Random) -> str:
    """Short cuts over the ground of a Stù card from y = ``top`` down, denser towards the foot."""
    out: list[str] = []
    y = top
    while y < 880:
        near = (y - top) / (868 - top)
        x = rng.uniform(-80, 0)
        while x < 510:
            long = rng.uniform(26, 70 + 70 * near)
            tilt = rng.uniform(-3, 3)
            out.append(sliver((x, y + tilt), (x + long, y - tilt), 2.4 + 2.4 * near))
            x += long + rng.uniform(20, 30 + 110 * (1 - near)) / density
        y += 13 - 3 * near
    return "".join(out)


def inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon (even-odd rule)."""
    x, y = point
    within = False
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            within = not within
    return within
