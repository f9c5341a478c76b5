"""The two-headed courts of the ramino cards: jack, queen and king, drawn from a few parts that differ by suit."""

from __future__ import annotations

from companion.workshop.deck.pips import pip
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, ellipse, mirrored, number, tube

_AXIS = 290.0
_LEFT, _RIGHT, _TOP, _FOOT = 112.0, 468.0, 72.0, 808.0
_ROBES = {
    "c": ("green", "red", "yellow"),
    "d": ("yellow", "blue", "red"),
    "h": ("red", "yellow", "blue"),
    "s": ("blue", "yellow", "red"),
}
"""Robe, trimming and sleeve of each suit's courts."""


def court(sheet: Sheet, value: str, suit: str, colour: str) -> None:
    """Draws a court card's framed picture, the lower half the upper one turned by 180 degrees."""
    frame = f"M{number(_LEFT)},{number(_TOP)}H{number(_RIGHT)}V{number(_FOOT)}H{number(_LEFT)}Z"
    half = f"M{number(_LEFT)},{number(_TOP)}H{number(_RIGHT)}V440H{number(_LEFT)}Z"
    sheet.defined(f'<clipPath id="half"><path d="{half}"/></clipPath>')
    for turn in ("", 'transform="rotate(180 290 440)"'):
        sheet.opened(turn)
        sheet.opened('clip-path="url(#half)"')
        _robe(sheet, value, suit)
        {"J": _jack, "Q": _queen, "K": _king}[value](sheet, suit)
        sheet.path(pip(suit, 164, 128, 84), colour)
        sheet.closed()
        sheet.closed()
    sheet.path(f"M{number(_LEFT)},440H{number(_RIGHT)}", "none", 5)
    sheet.path(frame, "none", 4)


def _robe(sheet: Sheet, value: str, suit: str) -> None:
    robe, trimming, sleeve = _ROBES[suit]
    for way in (-1, 1):
        arm = tube(f"{290 + way * 82},330,80 {290 + way * 140},386,84 {290 + way * 150},452,84")
        sheet.union(sleeve, 5, arm, shade=30)
        for i in range(3):
            y = 366 + 24 * i
            sheet.stroke(f"{290 + way * (104 + 6 * i)},{y + 16}! {290 + way * 140},{y} {290 + way * 182},{y + 6}!", 4)
    sheet.shape("196,316! 240,292 290,300 340,292 384,316! 372,380 380,450! 200,450! 208,380", robe, 5, shade=24)
    sheet.shape("262,300! 318,300! 326,450! 254,450!", trimming, 4.5)
    for y in (336, 376, 416):
        if value == "K":
            sheet.path(pip(suit, 290, y, 28), "ink")
        elif value == "Q":
            sheet.path(f"M290,{y - 15}l13,15 -13,15 -13,-15Z", "paper", 3.4)
        else:
            sheet.path(ellipse(290, y, 9, 9), "paper", 3.4)
    for x in (228, 352):
        for y in (350, 384, 418):
            sheet.path(ellipse(x, y, 8, 8), trimming, 3)


def _features(sheet: Sheet, look: float) -> None:
    """Eyes, nose and mouth of a face about (290, 214); ``look`` turns the eyes."""
    for x in (268, 312):
        sheet.path(curve(f"{x - 15},206! {x},195 {x + 15},206! {x},213"), "paper", 3.4)
        sheet.path(ellipse(x + look, 204, 6, 6), "ink")
    sheet.stroke("250,190! 267,181 284,189", 4)
    sheet.stroke("296,189! 313,181 330,190", 4)
    sheet.stroke("290,196! 280,230 292,234", 4)
    sheet.path(curve("272,250! 284,245 290,248 296,245 308,250! 290,262"), "red", 3.4)
    sheet.dots("258,238 322,238", 8, "red")


def _face(sheet: Sheet, chin: float = 284) -> None:
    sheet.shape(f"242,170! 290,158 338,170! 340,216 326,258 290,{chin} 254,258 240,216", "flesh", 5, shade=18)


def _collar(sheet: Sheet, colour: str) -> None:
    sheet.shape(
        "214,300! 250,282 290,296 330,282 366,300! 350,318! 326,308! 308,326! 290,310! 272,326! 254,308! 230,318!", colour, 4.5
    )


def _hand(sheet: Sheet, x: float, y: float) -> None:
    sheet.shape(
        f"{x - 20},{y - 12} {x + 6},{y - 20} {x + 22},{y - 6} {x + 20},{y + 14} {x},{y + 20} {x - 20},{y + 10}", "flesh", 4.5
    )
    sheet.path(f"M{number(x - 14)},{number(y - 6)}h26M{number(x - 14)},{number(y + 5)}h26", "none", 3)


def _king(sheet: Sheet, suit: str) -> None:
    sheet.shape("222,176! 216,230 226,286 250,300! 330,300! 354,286 364,230 358,176!", "pale", 5)
    for x, bend in ((232, 222), (244, 238), (348, 358), (336, 342)):
        sheet.locks(f"{x},190 {bend},240 {x},284", 3)
    _face(sheet)
    _collar(sheet, "paper")
    beard = "246,232! 262,262 276,244 290,250 304,244 318,262 334,232! 336,276 318,310 302,326! 290,318! 278,326! 262,310 244,276"
    sheet.shape(beard, "pale", 4.5)
    sheet.locks("262,268 266,292 276,314;278,268 280,296 286,314;302,268 300,296 294,314;318,268 314,292 304,314", 3)
    _features(sheet, 3)
    sheet.shape("228,174! 214,96! 250,130! 266,84! 290,124! 314,84! 330,130! 366,96! 352,174! 290,160", "yellow", 5, shade=16)
    sheet.shape("228,152! 290,138 352,152! 352,176! 290,162 228,176!", _ROBES[suit][0] if suit != "d" else "red", 4.5)
    sheet.dots("214,94 266,82 314,82 366,94", 8, "yellow", 4)
    sheet.dots("252,163 290,157 328,163", 6, "paper", 3)
    sheet.shape("408,110! 418,92! 428,110! 428,356! 408,356!", "pale", 4.5)
    sheet.stroke("418,106! 418,350!", 3)
    sheet.shape("384,352! 452,352! 452,368! 384,368!", "yellow", 4.5)
    sheet.shape("411,368! 425,368! 425,430! 411,430!", "brown", 4)
    _hand(sheet, 418, 396)


def _queen(sheet: Sheet, suit: str) -> None:
    hair = "226,168! 204,220 206,280 222,316! 262,300! 262,180!"
    for line in (hair, mirrored(hair, _AXIS)):
        sheet.shape(line, "yellow" if suit in "hd" else "brown", 5)
    for line in ("236,190 218,240 228,296;248,200 232,250 240,296", "344,190 362,240 352,296;332,200 348,250 340,296"):
        sheet.locks(line, 3.4)
    _face(sheet, 282)
    _features(sheet, -3)
    _collar(sheet, "paper")
    sheet.dots("254,312 272,322 290,326 308,322 326,312", 6, "yellow", 3)
    sheet.shape(
        "232,172! 226,126! 252,146! 262,104! 282,140! 290,92! 298,140! 318,104! 328,146! 354,126! 348,172! 290,156",
        "yellow",
        5,
        shade=14,
    )
    sheet.dots("226,124 262,102 290,90 318,102 354,124", 7, "red", 3.4)
    sheet.stroke("416,420! 418,300 424,230!", 10)
    sheet.stroke("416,420! 418,300 424,230!", 4.5, "green")
    sheet.shape("421,280! 446,262 462,266! 450,288 430,292", "green", 4)
    for dx, dy in ((0, -24), (22, -8), (14, 18), (-14, 18), (-22, -8)):
        sheet.path(ellipse(424 + dx, 208 + dy, 17, 17), "red" if suit != "h" else "paper", 4)
    sheet.path(ellipse(424, 208, 13, 13), "yellow", 4)
    _hand(sheet, 416, 380)


def _jack(sheet: Sheet, suit: str) -> None:
    robe = _ROBES[suit][0]
    hair = "234,164! 214,210 216,262 240,282! 262,262! 256,180!"
    for line in (hair, mirrored(hair, _AXIS)):
        sheet.shape(line, "brown" if suit in "cs" else "yellow", 5)
    for line in ("240,190 226,230 238,270", "340,190 354,230 342,270"):
        sheet.locks(line, 4)
    _face(sheet, 280)
    _features(sheet, 4)
    _collar(sheet, "paper")
    sheet.locks("330,120 390,70 440,96;334,126 400,96 446,126;330,134 390,120 436,152", 18, "paper", 4)
    sheet.shape("218,168! 222,126 256,104 300,102 346,122 362,168! 290,150", robe if suit != "d" else "red", 5, shade=20)
    sheet.shape("212,164! 290,142 368,164! 366,184! 290,162 214,184!", _ROBES[suit][1], 4.5)
    sheet.path(ellipse(336, 134, 10, 10), "yellow", 4)
    sheet.shape("410,160! 424,160! 424,440! 410,440!", "brown", 4.5)
    sheet.shape("417,84! 440,132 424,164! 410,164! 394,132", "pale", 4.5)
    sheet.stroke("417,96! 417,158!", 3)
    _hand(sheet, 417, 390)
