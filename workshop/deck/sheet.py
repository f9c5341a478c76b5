"""A card being drawn: shapes in, one SVG text out. Colours are names of the style's palette.

What the graver cuts (hatching, shade along a rim, turf) is uneven, as cut by hand.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from workshop.deck.style import Style
from workshop.deck.svg import Outline, Point, curve, ellipse, number, parse, rounded, whole


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

NAMESPACE = "http://www.w3.org/2000/svg"

STU_SIZE = (50.0, 89.5)
"""Width and height of a Stù card in mm."""

RAMINO_SIZE = (58.0, 88.0)
"""Width and height of a ramino card in mm."""

ITALIAN_SIZE = STU_SIZE
"""Width and height of an Italian card in mm."""


class Sheet:
    """Collects the drawing of one card; every method draws above what is there. Units as in `svg`, outlines in ink.

    ``graver`` multiplies the density of the style's shading.
    """

    def __init__(self, style: Style, size: tuple[float, float], name: str, graver: float = 1.0) -> None:
        self.style = replace(style, hatch=style.hatch * graver) if graver != 1 else style
        self.width, self.height = size[0] * 10, size[1] * 10
        self.rng = random.Random(f"{style.seed} {name}")
        self._parts: list[str] = []
        self._definitions: list[str] = []

    def colour(self, name: str) -> str:
        """A palette name, or ``#rrggbb`` itself."""
        return name if name.startswith("#") else str(getattr(self.style.palette, name))

    def _pen(self, stroke: str, line: float) -> str:
        width = number(line * self.style.line)
        return f' stroke="{self.colour(stroke)}" stroke-width="{width}"'

    def path(self, d: str, fill: str = "none", line: float = 0.0, stroke: str = "ink", rule: str = "") -> None:
        """Path data with a fill and an outline ``line`` units wide (times the style's line weight)."""
        if not d:
            return
        extra = f' fill-rule="{rule}"' if rule else ""
        dx, dy = self.style.register
        pen = self._pen(stroke, line) if line else ""
        fill_value = "none" if fill == "none" else self.colour(fill)
        if (dx or dy) and fill not in ("none", "ink", "paper"):
            self._parts.append(f'<path transform="translate({number(dx)} {number(dy)})" fill="{fill_value}"{extra} d="{d}"/>')
            fill_value = "none"
        if pen or fill_value != "none":
            self._parts.append(f'<path fill="{fill_value}"{extra}{pen} d="{d}"/>')

    def shape(self, *loops: Outline, fill: str = "none", line: float = 4.0, stroke: str = "ink", shade: float = 0.0) -> None:
        """Closed shapes with their outlines, rounded to whole units; shaded ``shade`` units deep."""
        self.path("".join(loop.data() for loop in loops), fill, line, stroke)
        self._shade(loops, shade)

    def union(self, *loops: Outline, fill: str, line: float, stroke: str = "ink", shade: float = 0.0) -> None:
        """Closed shapes that grow together: one outline around all of them, half of ``line`` wide, and none between them."""
        d = "".join(loop.clockwise().data() for loop in loops)
        pen = self._pen(stroke, line) if line else ""
        self._parts.append(f'<path fill="{self.colour(fill)}" paint-order="stroke"{pen} d="{d}"/>')
        self._shade(loops, shade)

    def _shade(self, loops: Sequence[Outline], depth: float, gap: float = 7.0) -> None:
        """The engraver's shade along the lower right rim of closed shapes that grow together."""
        if depth and self.style.hatch > 0:
            polygons = [loop.polygon() for loop in loops]
            width = min(3.6 * self.style.line, gap * 0.6)
            for i, loop in enumerate(loops):
                others = polygons[:i] + polygons[i + 1 :]
                self.path(shading(loop, others, depth, gap / self.style.hatch, width, self.rng), "ink")

    def dots(self, line: str, radius: float, fill: str = "ink", weight: float = 0.0) -> None:
        """A dot at every point of a line of points."""
        self.path("".join(ellipse(x, y, radius, radius) for x, y in parse(line)[0]), fill, weight)

    def stroke(self, line: str, weight: float = 4.0, colour: str = "ink") -> None:
        """An open smooth line through a line of points."""
        self.path(curve(line, closed=False), "none", weight, colour)

    def hatch(self, loop: Outline, angle: float, gap: float, width: float) -> None:
        """Hatches a closed shape with cuts at ``angle`` degrees; none when the style has no hatching."""
        if self.style.hatch > 0:
            cut = min(width * self.style.line, gap * 0.3)
            self.path(hatching(loop.polygon(), angle, gap / self.style.hatch, cut, self.rng), "ink")

    def turf(self, top: float) -> None:
        """Short cuts over the ground from y = ``top`` down; none when the style has no hatching."""
        if self.style.hatch > 0:
            self.path(turf(top, self.style.hatch, self.rng), "ink")

    def opened(self, attributes: str) -> None:
        """Opens a group with these attributes (a transform); close it with `closed`."""
        self._parts.append(f"<g {attributes}>")

    def defined(self, element: str) -> None:
        """Adds an element that others refer to (a clip path)."""
        self._definitions.append(element)

    def closed(self) -> None:
        """Closes the last opened group."""
        self._parts.append("</g>")

    @contextmanager
    def framed(self, inset: float, radius: float) -> Iterator[None]:
        """Keeps what is drawn meanwhile inside the border line, ``inset`` units from the card's edge; draws the line over it."""
        line = rounded(inset, inset, self.width - 2 * inset, self.height - 2 * inset, radius)
        self.defined(f'<clipPath id="frame"><path d="{line}"/></clipPath>')
        self.opened('clip-path="url(#frame)"')
        yield
        self.closed()
        self.path(line, "none", self.style.border / self.style.line if self.style.border else 0.0)

    @contextmanager
    def cut(self, name: str) -> Iterator[None]:
        """What is drawn meanwhile is cut into a block ``name`` that `stamp` prints as often as it is wanted."""
        kept, self._parts = self._parts, []
        yield
        self.defined(f'<defs><g id="{name}">{"".join(self._parts)}</g></defs>')
        self._parts = kept

    def stamp(self, name: str, x: float, y: float, scale: float = 1.0, angle: float = 0.0) -> None:
        """Prints the block ``name`` about (x, y), ``angle`` degrees clockwise."""
        turn = f" rotate({number(angle)})" if angle else ""
        size = f" scale({scale:.3g})" if scale != 1 else ""
        self._parts.append(f'<use href="#{name}" transform="translate({number(x)} {number(y)}){turn}{size}"/>')

    def svg(self, corner: float, bleeds: bool = False) -> str:
        """The whole document: the card's paper with round corners of radius ``corner``, the drawing, the wear.

        A drawing that ``bleeds`` over the card's edge is cut off there (which costs the renderer as much as the drawing).
        """
        w, h = number(self.width), number(self.height)
        card = rounded(0, 0, self.width, self.height, corner)
        size = f'width="{number(self.width / 10)}mm" height="{number(self.height / 10)}mm" viewBox="0 0 {w} {h}"'
        self._wear()
        if bleeds or self.style.wear:
            self.defined(f'<clipPath id="card"><path d="{card}"/></clipPath>')
        clip = ' clip-path="url(#card)"' if bleeds or self.style.wear else ""
        return (
            f'<svg xmlns="{NAMESPACE}" {size}>{"".join(self._definitions)}<path fill="{self.style.palette.paper}" d="{card}"/>'
            f'<g stroke-linejoin="round" stroke-linecap="round"{clip}>{"".join(self._parts)}</g></svg>\n'
        )

    def _wear(self) -> None:
        wear = self.style.wear
        if wear <= 0.02:
            return
        rub = random.Random(f"{self.style.seed} wear {self.rng.random()}")
        specks: list[str] = []
        for _ in range(round(90 * wear)):
            x, y = rub.uniform(0, self.width), rub.uniform(0, self.height)
            r = rub.expovariate(1) * 2.2 + 0.6
            a, b, c = number(r), number(-r * 1.6), number(2 * r)
            specks.append(f"M{number(x - r)},{number(y)}q{a},{b} {c},0q-{a},{a} -{c},0Z")
        for _ in range(round(6 * wear)):
            x, y = rub.uniform(0, self.width), rub.uniform(0, self.height)
            specks.append(f"M{number(x)},{number(y)}l{number(rub.uniform(-160, 160))},{number(rub.uniform(-160, 160))}l1.6,1.2Z")
        self.path("".join(specks), "paper")
        n = number
        self._parts.append(
            f'<path fill="none" stroke="#6b5a3c" stroke-opacity="{n(0.1 + 0.3 * wear)}" stroke-width="{n(6 + 14 * wear)}" '
            f'd="{rounded(0, 0, self.width, self.height, self.style.corner)}"/>'
        )
