"""The signs of the French suits, read from their figures."""

from __future__ import annotations

from functools import cache

from workshop.deck.figure import read
from workshop.deck.outline import curve, outlines
from workshop.deck.svg import ellipse, moved

NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
"""Suit → its figure. Each stands about the origin in a box of 100 by 100."""


def pip(suit: str, x: float, y: float, size: float, upside_down: bool = False) -> str:
    """Path data of a suit's sign, ``size`` units high, about (x, y).

    Its curves run smoothly through the figure's nodes, or sharply where a node has no handles, at every size.
    """
    k = size / 100 * (-1 if upside_down else 1)
    circles, line = _sign(suit)
    round_parts = (ellipse(x + cx * k, y + cy * k, r * abs(k), r * abs(k)) for cx, cy, r in circles)
    return "".join(round_parts) + curve(moved(line, x, y, k))


@cache
def _sign(suit: str) -> tuple[list[tuple[float, float, float]], str]:
    """A sign's circles (x, y, radius) and the line of points of its one path."""
    root = read(NAMES[suit])
    circles = [tuple(float(element.attrib[name]) for name in ("cx", "cy", "r")) for element in root.iterfind("{*}circle")]
    [path] = root.iterfind("{*}path")
    [outline] = outlines(path.attrib["d"])
    return [(cx, cy, r) for cx, cy, r in circles], outline.nodes()
