"""The landscape along the foot of the numerals: lake, pale hills, a house with a red roof, fir trees."""

from __future__ import annotations

from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve

FLOOR = 850.0
"""y of the lowest line of every picture, inside the border."""


def landscape(sheet: Sheet) -> None:
    """Draws it from y 590 (top of the tallest tree) to `FLOOR`, between x 36 and 464."""
    if sheet.style.landscape_mirrored:
        sheet.opened(f'transform="matrix(-1 0 0 1 {sheet.width:.0f} 0)"')
    _hills(sheet)
    _house(sheet)
    _lake(sheet)
    _wood(sheet)
    if sheet.style.landscape_mirrored:
        sheet.closed()


def _hills(sheet: Sheet) -> None:
    far = "36,786! 60,752 88,738 112,722! 136,742 158,738 182,716! 214,744 250,752 300,790!"
    sheet.shape(far, "pale", 4)
    for side in ("112,722! 122,744 116,764 130,784 158,786 150,752!", "182,716! 186,744 180,770 200,788 240,790 214,744!", "70,746! 72,764 60,786 90,786 88,752!"):
        sheet.hatch(side, 62, 8, 2.2)
    near = "150,800! 200,772 256,742 310,716 380,704 464,700! 464,800!"
    sheet.shape(near, "flesh", 4)
    sheet.stroke("230,776! 270,752 300,748", 3)
    sheet.stroke("270,790! 320,764 352,764", 3)


def _house(sheet: Sheet) -> None:
    sheet.shape("286,700! 286,736! 350,736! 350,694!", "paper", 4)
    sheet.shape("350,694! 350,736! 380,728! 380,690!", "pale", 4)
    sheet.shape("274,702! 298,664! 362,658! 386,690! 352,696!", "red", 4)
    sheet.path("M300,708h10v14h-10ZM326,706h10v14h-10Z", "ink")
    sheet.stroke("298,664! 352,696!", 3)


def _lake(sheet: Sheet) -> None:
    lake = f"36,790! 160,792 300,790 464,788! 464,{FLOOR}! 36,{FLOOR}!"
    sheet.shape(lake, "blue", 4)
    sheet.hatch(f"36,796! 464,796! 464,{FLOOR}! 36,{FLOOR}!", 0, 11, 2.6)
    sheet.hatch("60,800! 220,800! 260,830! 60,840!", 0, 16, 2.2, "paper")


def _fir(sheet: Sheet, x: float, top: float, foot: float, half: float) -> None:
    """A fir tree in tiers of drooping boughs."""
    tiers = 5
    right: list[str] = []
    left: list[str] = []
    for i in range(1, tiers + 1):
        y = top + (foot - top) * i / tiers
        reach = half * (0.22 + 0.78 * i / tiers)
        right += [f"{x + reach:.0f},{y + 4:.0f}!", f"{x + reach * 0.42:.0f},{y - 2:.0f}!"]
        left += [f"{x - reach:.0f},{y + 2:.0f}!", f"{x - reach * 0.42:.0f},{y - 4:.0f}!"]
    line = " ".join([f"{x:.0f},{top:.0f}!", *right[:-1], *reversed(left[:-1])])
    sheet.path(f"M{x - 4:.0f},{foot - 6:.0f}h8v16h-8Z", "ink")
    sheet.shape(line, "green", 4)
    sheet.hatch(f"{x:.0f},{top + 14:.0f}! {x + half * 0.8:.0f},{foot:.0f}! {x:.0f},{foot:.0f}!", 8, 8, 2.8)


def _wood(sheet: Sheet) -> None:
    _fir(sheet, 398, 622, 770, 40)
    _fir(sheet, 440, 590, 800, 52)
    bush = "300,838! 306,812 330,806 342,784 366,786 380,764 404,776 424,766 440,790 464,786! 464,846! 380,850!"
    sheet.path(curve(bush), "green", 4)
    for clump in ("336,834 340,812 366,806 372,830 352,842", "388,826 396,798 424,800 428,824 408,838", "432,844 440,816 464,814! 464,846!"):
        sheet.hatch(clump, 35, 9, 3)
