"""The two-headed courts of the ramino cards: jack, queen and king of each suit."""

from __future__ import annotations

from companion.workshop.deck.pips import pip
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import ellipse


def court(sheet: Sheet, value: str, suit: str, colour: str) -> None:
    """Draws a court card's framed picture, the same upside down."""
    sheet.path("M110,70h360v740h-360Z", "none", 3)
    for turn in ("", 'transform="rotate(180 290 440)"'):
        sheet.opened(turn)
        _bust(sheet, value)
        sheet.path(pip(suit, 168, 134, 90), colour)
        sheet.closed()


def _bust(sheet: Sheet, value: str) -> None:
    robe = {"J": "blue", "Q": "red", "K": "yellow"}[value]
    sheet.shape("112,440! 130,330 230,290! 350,290! 450,330 468,440!", robe, 5)
    sheet.path(ellipse(290, 210, 58, 70), "flesh", 5)
    sheet.shape("220,170! 214,90! 252,130! 290,84! 328,130! 366,90! 360,170!", "yellow" if value != "J" else "red", 5)
    sheet.path(ellipse(268, 210, 6, 8) + ellipse(312, 210, 6, 8), "ink")
    sheet.stroke("266,246! 290,256 314,246!", 5, "red")
    if value == "K":
        sheet.shape("236,240! 290,250 344,240! 330,320 290,350 250,320", "brown", 5)
    if value == "Q":
        sheet.stroke("226,170! 210,260 226,310", 14, "brown")
        sheet.stroke("354,170! 370,260 354,310", 14, "brown")
