"""A card being drawn: shapes in, one SVG text out. Colours are names of the style's palette."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from workshop.deck.graver import hatching, shading, turf
from workshop.deck.outline import Outline, curve
from workshop.deck.style import Style
from workshop.deck.svg import ellipse, number, parse, rounded

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
