"""The grotesque mask and the man with a rose."""

from __future__ import annotations

from companion.workshop.deck.plants import grass, ground, leafy
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, ellipse, mirrored, moved, tube

_AXIS = 250.0


def mask(sheet: Sheet) -> None:
    """A bearded grotesque with horns and goat's ears that puts its tongue out; the same on both sides."""
    _both(sheet, "156,530! 112,494 66,452! 70,520 98,580 148,600!", "flesh")
    _both(sheet, "146,540! 116,514 88,488! 94,530 116,564 146,580!", "red", 3)
    beard = "132,590 96,620! 124,636! 92,672! 128,676! 108,716! 144,706! 138,752! 170,730! 180,782! 204,746! 226,800! 250,760"
    _whole(sheet, beard, "pale", 5)
    strands = (
        "140,620 124,650 112,668;146,650 132,690 122,706;160,680 150,716 150,738;182,700 178,736 184,766;"
        "206,710 208,750 224,784;236,720 240,744 244,764"
    )
    for lines in (strands, ";".join(mirrored(line, _AXIS) for line in strands.split(";"))):
        sheet.locks(lines, 6, "blue")
        sheet.locks(lines, 2.2)
    _both(sheet, "182,452! 168,420 174,388 200,372! 196,400 206,424 222,440!", "yellow")
    for y in (392, 408, 424):
        for side in (0, 1):
            line = f"{178 - (y < 400) * -4},{y}! 190,{y + 6} 202,{y + 2}"
            sheet.stroke(mirrored(line, _AXIS) if side else line, 3.4)
    hair = "250,430 236,404! 226,430! 200,420! 206,448! 168,436! 184,470! 146,470! 166,500! 138,520! 158,552! 200,540 250,500"
    _whole(sheet, hair, "blue", 5, 26)
    face = "250,470 200,478 164,510 150,560 152,620 176,670 214,706 250,716"
    _whole(sheet, face, "flesh", 5, 34)
    for y, half in ((492, 44), (506, 60), (520, 54)):
        sheet.stroke(
            f"{250 - half},{y + 4}! {250 - half / 2:.0f},{y - 4} 250,{y + 6} {250 + half / 2:.0f},{y - 4} {250 + half},{y + 4}!",
            3.4,
        )
    _both(sheet, "160,548! 178,528 212,530 240,556! 212,548 184,550", "ink", 4)
    for x in (203, 297):
        sheet.path(curve(f"{x - 27},574! {x},556 {x + 27},574! {x},590"), "paper", 4.5)
        sheet.path(ellipse(x, 572, 12, 12), "red", 3.4)
        sheet.path(ellipse(x, 572, 5, 5), "ink")
    _both_stroke(sheet, "176,594! 200,604 226,594", 3.4)
    _both(sheet, "176,612 196,606 204,626 188,642 168,634", "red", 0)
    nose = "236,556 230,600 206,622 214,642 236,640 250,648"
    _whole(sheet, nose, "flesh", 4.5, 22)
    sheet.dots("230,634 270,634", 6)
    _both(sheet, "250,650! 220,646 190,656 160,636! 168,668 200,676 250,668!", "blue", 4)
    sheet.shape("182,672! 216,684 250,680 284,684 318,672! 300,704 250,716 200,704", "red", 5)
    sheet.path(curve("196,684! 250,692 304,684! 284,700 250,704 216,700"), "ink")
    sheet.shape("226,690! 274,690! 280,730 266,768 250,780! 234,768 220,730", "red", 5, shade=24)
    sheet.stroke("250,698! 250,752", 4)


def _both(sheet: Sheet, line: str, fill: str, weight: float = 5.0) -> None:
    for side in (line, mirrored(line, _AXIS)):
        sheet.path(curve(side), fill, weight)


def _both_stroke(sheet: Sheet, line: str, weight: float) -> None:
    sheet.stroke(line, weight)
    sheet.stroke(mirrored(line, _AXIS), weight)


def _whole(sheet: Sheet, left: str, fill: str, weight: float, shade: float = 0.0) -> None:
    """A shape of which the left half is given, from the axis round to the axis."""
    other = mirrored(" ".join(left.split()[::-1]), _AXIS).split()
    words = left.split()
    if words[-1].split(",")[0] == "250":
        other = other[1:]
    if words[0].split(",")[0] == "250":
        other = other[:-1]
    sheet.shape(" ".join(words + other), fill, weight, shade)


def rose_bearer(sheet: Sheet) -> None:
    """A young man in a red doublet and striped green breeches who holds a rose up."""
    ground(sheet, "0,744! 120,752 250,764 380,752 500,736!")
    leafy(sheet, 88, 766, 1.1)
    leafy(sheet, 420, 754, 1.1)
    grass(sheet, "130,830 370,836 250,820 60,836", 24)
    _legs(sheet)
    _body(sheet)
    _face(sheet)
    _rose(sheet)


def _legs(sheet: Sheet) -> None:
    for side in (1, -1):
        leg = tube(f"{250 - 48 * side},690,52 {250 - 62 * side},740,46 {250 - 70 * side},800,32")
        sheet.union("red", 5, leg, shade=26)
        shoe = "-20,-4! 16,-6! 40,12 66,22 64,38! -20,36!"
        sheet.shape(moved(shoe, 250 - 70 * side, 800, flip=side > 0), "yellow", 5, shade=18)
        sheet.shape(moved("-4,-8! 18,-20! 22,4!", 250 - 70 * side, 800, flip=side > 0), "yellow", 4)
        bow = 250 - 84 * side
        sheet.shape(
            f"{250 - 22 * side},690! {bow},682! {bow - 30 * side},668! {bow - 30 * side},704! {bow},700! {250 - 22 * side},712!",
            "blue",
            4.5,
        )
    breeches = "184,560! 316,560! 344,620 336,692! 270,700! 250,636! 230,700! 164,692! 156,620"
    sheet.shape(breeches, "green", 5.5, shade=26)
    for top, middle, foot in (
        (200, 178, 186),
        (220, 206, 208),
        (238, 232, 226),
        (262, 268, 274),
        (280, 294, 292),
        (300, 322, 314),
    ):
        sheet.stroke(f"{top},566! {middle},624 {foot},690", 6)


def _body(sheet: Sheet) -> None:
    left = tube("190,462,56 138,508,58 132,548,46 190,566,34")
    right = tube("310,462,56 366,474,54 388,420,42 384,352,32")
    sheet.union("blue", 5, left, shade=28)
    sheet.union("blue", 5, right, shade=28)
    sheet.stroke("150,486! 164,498 170,514", 4)
    sheet.stroke("352,450! 344,464 346,482", 4)
    sheet.shape("188,438! 250,452 312,438! 322,500 316,572! 250,580 184,572! 178,500", "red", 5.5, shade=30)
    for y in (476, 506, 536):
        sheet.stroke(f"212,{y - 6}! 232,{y + 4} 250,{y} 268,{y + 4} 288,{y - 6}!", 4.5)
        sheet.dots(f"212,{y - 6} 288,{y - 6} 250,{y}", 6, "yellow", 3)
    sheet.shape("180,556! 250,566 320,556! 322,582! 250,592 178,582!", "blue", 5)
    sheet.shape("182,552 200,548 212,562 208,580 190,584", "flesh", 4.5)
    ruff = (
        "186,432! 214,420 250,424 286,420 314,432! 308,448! 292,442! 284,460! 268,446! 250,464! 232,446! "
        "216,460! 208,442! 192,448!"
    )
    sheet.shape(ruff, "paper", 4.5)


def _face(sheet: Sheet) -> None:
    sheet.shape("200,350 190,390 204,418 226,420 274,420 296,418 310,390 300,350", "brown", 4.5)
    sheet.hatch("196,360 192,390 206,414 220,416 212,390 210,360", 84, 7, 2.4)
    sheet.shape("212,344! 250,330 288,344! 294,386 278,420 250,434 222,420 206,386", "flesh", 5, shade=16)
    for x in (231, 269):
        sheet.path(curve(f"{x - 12},379! {x},369 {x + 12},379! {x},385"), "paper", 3.2)
        sheet.path(ellipse(x + 2, 377, 5, 5.5), "ink")
    sheet.stroke("216,366! 230,358 244,364", 4)
    sheet.stroke("256,364! 270,358 284,366", 4)
    sheet.stroke("250,372! 256,396 246,398", 3.6)
    sheet.path(curve("234,410! 250,408 266,410! 250,420"), "red", 3.2)
    sheet.dots("220,402 280,402", 7, "red")
    sheet.locks("206,318 172,300 150,316;208,310 176,282 148,286;214,304 196,272 170,258", 13, "green", 4)
    sheet.shape("194,352! 196,324 220,300 250,294 280,300 304,324 306,352! 250,338", "yellow", 5)
    sheet.shape("188,346! 250,326 312,346! 308,362! 250,344 192,362!", "yellow", 4.5)
    sheet.hatch("280,304 302,326 304,340 288,336 272,306", 60, 7, 2.4)
    sheet.path(ellipse(250, 292, 10, 8), "yellow", 4)


def _rose(sheet: Sheet) -> None:
    sheet.stroke("386,350! 384,300", 13)
    sheet.stroke("386,350! 384,300", 6, "green")
    sheet.shape("384,318! 410,300 440,300! 426,322 400,330", "green", 4.5)
    sheet.shape("384,318! 358,300 330,300! 344,322 368,330", "green", 4.5)
    sheet.shape("340,262 348,232 372,218 398,218 422,234 430,262 420,290 386,304 352,290", "red", 5, shade=30)
    sheet.stroke("352,286! 346,260 366,250 386,262 406,250 426,262 418,288", 4)
    sheet.stroke("362,240! 386,228 410,242", 4)
    sheet.stroke("372,262! 374,244 390,238 402,248 396,262 384,258", 4)
    sheet.stroke("366,290! 386,276 408,290", 4)
    sheet.shape("366,340 388,332 404,344 404,366 386,376 368,368", "flesh", 4.5)
    sheet.path("M370,348h20M370,358h20", "none", 3)
