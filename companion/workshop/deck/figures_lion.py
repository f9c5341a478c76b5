"""The lion with the shield, under the sun: the one Stù face without a caption."""

from __future__ import annotations

import math

from companion.workshop.deck.plants import grass, ground
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, ellipse, number, tube


def lion(sheet: Sheet) -> None:
    """A crowned shield of red and gold, a lion that stands behind it, a sun with a face among clouds."""
    _sky(sheet)
    ground(sheet, "0,742! 150,752 300,760 400,776 500,790!")
    _hind(sheet)
    _shield(sheet)
    _fore(sheet)
    grass(sheet, "110,820 180,800 230,846 440,836 90,780", 24)


def _sky(sheet: Sheet) -> None:
    rays: list[str] = []
    for i in range(24):
        c, s = math.cos(math.radians(15 * i)), math.sin(math.radians(15 * i))
        far = 100 if i % 2 else 82
        corners = ((c * 50 - s * 7, s * 50 + c * 7), (c * far, s * far), (c * 50 + s * 7, s * 50 - c * 7))
        rays.append("M" + "L".join(f"{number(132 + x)},{number(118 + y)}" for x, y in corners) + "Z")
    sheet.path("".join(rays), "yellow", 3)
    sheet.path(ellipse(132, 118, 52, 52), "yellow", 5)
    sheet.shade("132,66 184,118 132,170 80,118", depth=18)
    for x in (114, 150):
        sheet.path(ellipse(x, 110, 6, 7), "ink")
        sheet.stroke(f"{x - 13},{96}! {x},{90} {x + 13},{96}!", 3.4)
    sheet.stroke("132,104! 124,128 136,132", 3.4)
    sheet.path(curve("112,142! 132,146 152,142! 132,156"), "red", 3)
    sheet.dots("100,130 164,130", 7, "red")
    for cloud in (
        "40,190 62,166 92,176 112,164 138,184 168,182 178,204 220,214! 176,226 150,240 118,232 92,246 60,236 40,220",
        "226,66 238,44 270,50 290,30 320,44 352,38 362,62 340,84 306,82 284,98 256,84",
    ):
        sheet.shape(cloud, "pale", 5, shade=28)


def _hind(sheet: Sheet) -> None:
    tail = tube("372,630,16 424,612,14 432,552,12 408,500,12 424,452,11", 3)
    sheet.union("sand", 5, tail, shade=8)
    sheet.shape("424,462 402,440 420,402! 428,418! 444,400! 446,440", "yellow", 4.5)
    far = tube("316,590,80 282,672,50 300,732,30 276,786,28 240,800,30")
    sheet.union("sand", 5, far, shade=18)
    sheet.hatch(far, 40, 7, 3)
    torso = "288,360 380,330 404,420 390,520 402,600 360,660 304,640 288,560 276,460"
    near = tube("366,610,100 356,700,56 384,754,32 362,812,30 320,828,34")
    sheet.union("sand", 5, torso, near, shade=34)
    sheet.hatch("384,440 372,520 384,600 404,610 392,520 404,420", 80, 8, 2.8)
    sheet.hatch("290,470 296,560 310,630 326,620 312,560 304,470", 80, 8, 2.4)
    for y in (490, 520, 552):
        sheet.stroke(f"306,{y}! 330,{y + 10} 352,{y + 4}", 3)
    sheet.stroke("312,640! 340,620 352,586", 4)
    for x, y in ((318, 836), (240, 806)):
        for dx in (-10, 2, 14):
            sheet.stroke(f"{x + dx},{y - 10}! {x + dx - 6},{y + 4}", 3.4)


def _shield(sheet: Sheet) -> None:
    left, right = 66, 266
    middle = (left + right) / 2
    outer = f"{left},440! {middle},424 {right},440! {right},560 {right - 28},660 {middle},748! {left + 28},660 {left},560"
    sheet.shape(outer, "yellow", 6, shade=12)
    inner = (84, 248)
    sheet.path(curve(f"{inner[0]},456! {middle},446! {middle},722! 108,648 {inner[0]},560"), "red", 4)
    sheet.path(curve(f"{middle},446! {inner[1]},456! {inner[1]},560 224,648 {middle},722!"), "yellow", 4)
    bars = "".join(f"M{x},{456}V{round(560 + (x - 84) * 1.75)}" for x in range(94, int(middle) - 4, 11))
    sheet.path(bars, "none", 3)
    widths = (
        (y, inner[1] if y < 570 else inner[1] - (y - 570) * 0.5 if y < 650 else 210 - (y - 650) * 0.62)
        for y in range(464, 704, 12)
    )
    sheet.path("".join(f"M{middle:.0f},{y}H{x:.0f}" for y, x in widths), "none", 3)
    crown = (
        "70,424! 50,336! 88,374 112,366 106,340 122,318 142,338 138,366 166,360 154,328 166,300 178,328 "
        "166,360 194,366 190,338 210,318 226,340 220,366 244,374 282,336! 262,424! 166,412"
    )
    sheet.shape(crown, "yellow", 5, shade=16)
    sheet.shape("68,400! 166,388 264,400! 262,440! 166,426 70,440!", "red", 5)
    sheet.dots("96,418 131,412 166,410 201,412 236,418", 7, "yellow", 3)
    sheet.dots("50,334 282,334 166,298", 9, "yellow", 4)


def _fore(sheet: Sheet) -> None:
    mane = (
        "300,92! 330,74 356,88! 384,82 398,110! 426,122 424,154! 450,178 436,212! 456,248 438,280! 452,318 430,344! "
        "438,384 410,400! 402,434 374,424! 352,446 332,420! 306,430 296,398! 270,394 276,360! 252,340 266,308! 250,280 272,250!"
    )
    far = tube("300,350,50 252,398,38 216,372,30 208,348,32")
    sheet.union("sand", 5, far, shade=14)
    sheet.hatch(far, 30, 7, 3)
    sheet.shape(mane, "yellow", 5, shade=30)
    rows = (
        "400,150 446,190 440,250;402,220 452,260 436,330;396,290 446,330 420,400;370,340 404,380 372,436",
        "360,120 420,150 414,220;366,180 426,220 414,290;362,250 420,290 400,370;340,310 384,350 348,420;310,330 330,380 304,420",
        "336,150 392,190 388,250;334,210 388,250 380,320;322,260 366,300 346,380;296,280 310,330 286,390;276,262 272,310 262,340",
        "330,110 390,110 404,160;318,236 350,270 336,330;300,246 312,290 304,350",
    )
    for row in rows:
        sheet.locks(row, 17, "yellow", 4)
        sheet.locks(row, 4)
    head = "298,100 330,110 346,150 336,200 306,240 276,250 262,232 240,228 226,212! 214,196 222,176 240,166 258,140 274,112"
    sheet.shape(head, "sand", 5, shade=26)
    sheet.shape("312,98 338,88 348,112 330,128", "sand", 4.5)
    sheet.shape("210,180! 226,168 240,174 232,192!", "ink", 3)
    sheet.shape("228,212! 252,206 274,214! 262,232 240,228", "red", 4)
    sheet.path("M232,212l4,10 5,-12ZM252,208l4,11 5,-10Z", "paper", 2)
    sheet.path(curve("262,156! 278,146 292,156! 278,164"), "paper", 4)
    sheet.path(ellipse(275, 156, 6, 6), "ink")
    sheet.stroke("256,144! 276,132 298,146", 5)
    sheet.stroke("236,190! 252,196 270,192", 3.4)
    sheet.path("M238,198L196,190M238,202L192,206M240,206L200,222", "none", 2.6)
    near = tube("326,356,62 262,420,44 196,392,36 176,352,38")
    sheet.union("sand", 5, near, shade=20)
    sheet.hatch("296,420 262,446 220,428 250,424 290,396", 20, 8, 2.4)
    for dx in (0, 14, 28):
        sheet.stroke(f"{160 + dx},342! {164 + dx},354 {168 + dx},360", 3.4)
