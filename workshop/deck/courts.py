"""Court cards and the signs of the French suits, read from their figures: two-headed ramino courts, and whole Italian ones."""

from __future__ import annotations

from functools import cache, partial

from workshop.deck.figure import figure, read
from workshop.deck.sheet import Sheet
from workshop.deck.style import Style
from workshop.deck.svg import curve, ellipse, moved, number, outlines

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

_NAMES = {"J": "jack", "Q": "queen", "K": "king"}
_LEFT, _RIGHT, _TOP, _FOOT = 112.0, 468.0, 72.0, 808.0
_ROLES = ("robe", "trimming", "sleeve", "cap", "hair", "rose")
_INKS = {
    "c": dict(zip(_ROLES, ("green", "red", "yellow", "green", "brown", "red"), strict=True)),
    "d": dict(zip(_ROLES, ("yellow", "blue", "red", "red", "yellow", "red"), strict=True)),
    "h": dict(zip(_ROLES, ("red", "yellow", "blue", "red", "yellow", "paper"), strict=True)),
    "s": dict(zip(_ROLES, ("blue", "yellow", "red", "blue", "brown", "red"), strict=True)),
}
"""Suit → the ink of each role that the figures name in ``data-ink``."""


def court(sheet: Sheet, value: str, suit: str, colour: str) -> None:
    """Draws a court card's framed picture, the lower half the upper one turned by 180 degrees."""
    frame = f"M{number(_LEFT)},{number(_TOP)}H{number(_RIGHT)}V{number(_FOOT)}H{number(_LEFT)}Z"
    half = f"M{number(_LEFT)},{number(_TOP)}H{number(_RIGHT)}V440H{number(_LEFT)}Z"
    sheet.defined(f'<clipPath id="half"><path d="{half}"/></clipPath>')
    for turn in ("", 'transform="rotate(180 290 440)"'):
        sheet.opened(turn)
        sheet.opened('clip-path="url(#half)"')
        figure(sheet, _NAMES[value], inks=_INKS[suit], sign=partial(pip, suit))
        sheet.path(pip(suit, 164, 128, 84), colour)
        sheet.closed()
        sheet.closed()
    sheet.path(f"M{number(_LEFT)},440H{number(_RIGHT)}", "none", 5)
    sheet.path(frame, "none", 4)

_CLOTHES = ("robe", "trim", "sleeve", "hose", "cap", "cape", "shoe", "hair", "steel", "fleece", "coat", "mane", "cloth")
_DRESSES = {
    "denari": "red yellow red red blue blue brown brown pale paper paper pale red",
    "coppe": "red yellow red blue blue green brown yellow pale paper brown ink blue",
    "spade": "blue yellow red red red red brown brown pale paper pale ink red",
    "bastoni": "blue yellow red paper brown green brown brown pale paper sand brown green",
}
"""Suit → the ink of each role that its figures name: what they wear, and the coat, mane and cloth of the horse."""

SWAPS: tuple[dict[str, str], ...] = (
    {},
    {"red": "blue", "blue": "red"},
    {"red": "green", "green": "red"},
    {"blue": "green", "green": "blue"},
)
"""Which inks of the clothes change places in another printing."""


def dressed(suit: str, style: Style) -> dict[str, str]:
    """Role → ink of the Italian figures of a suit."""
    swap = SWAPS[style.italian_dress % len(SWAPS)]
    return {role: swap.get(ink, ink) for role, ink in zip(_CLOTHES, _DRESSES[suit].split(), strict=True)}
