"""The inks of the figures, which differ by suit: the two-headed courts of the ramino cards, and the whole Italian ones."""

from __future__ import annotations

from functools import partial

from workshop.deck.figure import figure
from workshop.deck.pips import pip
from workshop.deck.sheet import Sheet
from workshop.deck.style import Style
from workshop.deck.svg import number

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
