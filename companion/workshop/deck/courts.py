"""The two-headed courts of the ramino cards: jack, queen and king, whose inks differ by suit."""

from __future__ import annotations

from functools import partial

from companion.workshop.deck.figure import figure
from companion.workshop.deck.pips import pip
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import number

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
