"""The landscape along the foot of the numerals: lake, pale hills, a house with a red roof, fir trees."""

from __future__ import annotations

from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, moved, sliver

FLOOR = 850.0
"""y of the frame's lowest line, on which figures stand."""


def landscape(sheet: Sheet) -> None:
    """Draws it from y 590 (top of the tallest tree) down; it runs to the card's edges, and the frame cuts it off."""
    if sheet.style.landscape_mirrored:
        sheet.opened(f'transform="matrix(-1 0 0 1 {sheet.width:.0f} 0)"')
    _hills(sheet)
    _house(sheet)
    _lake(sheet)
    _wood(sheet)
    if sheet.style.landscape_mirrored:
        sheet.closed()


def _hills(sheet: Sheet) -> None:
    far = "0,800! 0,758! 40,748 72,736 98,722! 120,738 142,734 168,710! 196,738 234,748 300,800!"
    sheet.shape(far, "pale", 4)
    sides = (
        "98,722! 110,742 104,766 116,790 140,792 146,760 130,744",
        "168,710! 168,744 180,774 204,796 250,796 220,756 192,740",
        "58,746! 62,768 52,792 84,794 82,756",
    )
    for side in sides:
        sheet.hatch(side, 58, 7, 2.8)
    near = "130,802! 190,772 246,744 300,716 370,704 500,690! 500,802!"
    sheet.shape(near, "flesh", 4)
    for line in ("196,790! 236,766 280,756", "240,794! 290,766 330,760", "300,794! 340,772 372,768"):
        sheet.stroke(line, 3)
    _fir(sheet, 226, 706, 762, 15, 3)
    _fir(sheet, 254, 716, 752, 11, 3)


def _house(sheet: Sheet) -> None:
    sheet.shape("282,700! 282,738! 346,740! 346,698!", "paper", 4)
    sheet.shape("346,698! 346,740! 382,732! 382,690!", "pale", 4)
    sheet.hatch("346,698! 346,740! 382,732! 382,690!", 60, 7, 2.2)
    sheet.shape("268,704! 294,664! 362,658! 392,690! 348,700!", "red", 4.5)
    sheet.path("M294,711h11v15h-11ZM320,711h11v15h-11Z", "ink")
    sheet.stroke("296,668! 348,698!", 3.4)
    for x in (282, 296, 310, 324):
        sheet.stroke(f"{x + 8},{678 - (x - 282) * 0.1:.0f}! {x},702!", 2.6)
    sheet.shape("316,662! 316,646! 330,645! 330,661!", "paper", 3.4)


def _lake(sheet: Sheet) -> None:
    lake = "0,792! 120,796 260,792 360,796 500,790! 500,900! 0,900!"
    sheet.shape(lake, "blue", 4)
    sheet.hatch("0,800! 500,800! 500,850! 0,850!", 0, 10, 4)
    sheet.path(
        "".join(sliver((x, y), (x + w, y), 2.6) for x, y, w in ((70, 803, 90), (180, 811, 100), (90, 822, 120), (240, 829, 60))),
        "paper",
    )


def _fir(sheet: Sheet, x: float, top: float, foot: float, half: float, tiers: int = 6) -> None:
    """A fir in tiers of drooping boughs: a black shape with green light on its left side."""
    for fill, width, shift, weight in (("ink", half, 0.0, 3.0), ("green", half * 0.62, -half * 0.2, 0.0)):
        right: list[str] = []
        left: list[str] = []
        for i in range(1, tiers + 1):
            y = top + (foot - top) * i / tiers
            reach = width * (0.2 + 0.8 * i / tiers)
            right += [f"{x + shift + reach:.0f},{y + 5:.0f}!", f"{x + shift + reach * 0.4:.0f},{y - 3:.0f}!"]
            left += [f"{x + shift - reach:.0f},{y + 2:.0f}!", f"{x + shift - reach * 0.36:.0f},{y - 5:.0f}!"]
        line = " ".join([f"{x + shift * 0.3:.0f},{top + (0 if fill == 'ink' else 10):.0f}!", *right[:-1], *reversed(left[:-1])])
        sheet.path(curve(line), fill, weight)


def _wood(sheet: Sheet) -> None:
    _fir(sheet, 384, 634, 780, 36, 6)
    sheet.path("M428,790h10v40h-10Z", "ink")
    _fir(sheet, 428, 588, 806, 58, 8)
    bush = "280,846! 288,820 316,816! 326,794 352,798! 366,776 394,786! 412,774 436,788! 456,778 500,790! 500,900! 290,900!"
    sheet.path(curve(bush), "ink", 4)
    clump = "-34,14 -40,2 -30,-6! -28,-18 -12,-20! -2,-30 12,-22! 28,-22 28,-8! 40,-2 34,10! 26,20 14,14! 2,22 -10,14! -24,22"
    for x, y, scale in ((322, 834, 0.62), (356, 820, 0.7), (400, 800, 0.72), (392, 836, 0.8), (438, 822, 0.95)):
        line = moved(clump, x, y, scale)
        sheet.shape(line, "green", 0, shade=14)
