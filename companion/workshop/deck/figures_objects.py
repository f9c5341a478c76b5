"""The things on Stù cards: bucket, disc and tavern."""

from __future__ import annotations

from companion.workshop.deck.alphabet import lettering
from companion.workshop.deck.plants import grass
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import Point, curve, ellipse, moved, number, sliver


def bucket(sheet: Sheet) -> None:
    """A green wooden bucket with yellow bands and a blue handle, on a floor of red and yellow tiles."""
    _tiles(sheet)
    sheet.hatch("150,776! 350,776! 420,800! 180,812!", 4, 6, 3)
    handle = "118,470! 128,410 176,362 250,352 324,362 372,410 382,470!"
    sheet.stroke(handle, 24)
    sheet.stroke(handle, 15, "blue")
    body = "112,486! 160,766! 200,784 250,790 300,784 340,766! 388,486!"
    sheet.shape(body, "green", 6, shade=30)
    for top, foot in ((156, 188), (202, 218), (250, 250), (298, 282), (344, 312)):
        sheet.stroke(f"{top},500! {foot},786!", 5)
    sheet.hatch("332,500 382,500 338,768 306,776", 84, 8, 3.4)
    sheet.hatch("118,500 150,500 184,776 164,766", 84, 10, 2.6)
    for x in (112.0, 388.0):
        sheet.shape(moved("-10,-8! 6,-26 14,-58! 26,-18 16,32 -14,44!", x, 488, flip=x < 250), "yellow", 5)
        sheet.path(ellipse(x, 488, 7, 7), "ink")
    _band(sheet, 548, 600, 121, 131)
    _band(sheet, 712, 754, 150, 158)
    rim = "104,484! 118,462 180,446 250,440 320,446 382,462 396,484! 384,508 320,526 250,532 180,526 116,508"
    sheet.shape(rim, "green", 6, shade=20)
    water = "130,484 190,464 250,460 310,464 370,484 310,506 250,511 190,506"
    sheet.shape(water, "ink", 4)
    sheet.path("".join(sliver((a, y), (b, y), 4) for a, b, y in ((170, 250, 480), (230, 330, 490), (200, 270, 499))), "blue")


def _tiles(sheet: Sheet) -> None:
    """Rows of tiles that grow towards the viewer, red and yellow in turn; the yellow ones are hatched."""
    rows = ((724, 742), (742, 768), (768, 804), (804, 852), (852, 900))
    for index, (top, foot) in enumerate(rows):
        for column in range(-6, 7):
            xs = [250 + (column + dx) * (30 + (y - 600) * 0.18) for y in (top, foot) for dx in (0, 1)]
            if max(xs) < 0 or min(xs) > 500:
                continue
            tile = f"{xs[0]:.0f},{top}! {xs[1]:.0f},{top}! {xs[3]:.0f},{foot}! {xs[2]:.0f},{foot}!"
            red = (index + column) % 2 == 0
            sheet.shape(tile, "red" if red else "yellow", 3.4)
            if not red:
                sheet.hatch(tile, 0, 7, 2)
            elif foot - top > 30:
                x, y = (xs[0] + xs[3]) / 2, (top + foot) / 2
                sheet.path(ellipse(x - 8, y, 7, 5) + ellipse(x + 8, y, 7, 5) + ellipse(x, y - 8, 6, 5) + ellipse(x, y + 8, 6, 5))
                sheet.dots(f"{x - 8:.0f},{y} {x + 8:.0f},{y} {x:.0f},{y - 7} {x:.0f},{y + 7}", 5, "ink")


def _band(sheet: Sheet, top: float, foot: float, left_top: float, left_foot: float) -> None:
    """A yellow band around the bucket with a running scroll."""
    right_top, right_foot = 500 - left_top, 500 - left_foot
    sag = 18
    sheet.shape(
        f"{left_top},{top}! 250,{top + sag} {right_top},{top}! {right_foot},{foot}! 250,{foot + sag} {left_foot},{foot}!",
        "yellow",
        5,
    )
    steps = 7
    for i in range(steps):
        x = left_foot + (right_foot - left_foot) * (i + 0.6) / (steps + 0.2)
        y = (top + foot) / 2 + sag * (1 - ((x - 250) / (250 - left_top)) ** 2)
        sheet.stroke(f"{x - 11:.0f},{y + 8:.0f}! {x - 4:.0f},{y - 12:.0f} {x + 5:.0f},{y + 10:.0f} {x + 11:.0f},{y - 8:.0f}!", 5)


def disc(sheet: Sheet) -> None:
    """A yellow disc with NULLA in it."""
    sheet.path(ellipse(250, 412, 148, 148), "green", 5)
    sheet.path(ellipse(250, 410, 141, 141), "yellow", 5)
    sheet.path(ellipse(250, 410, 128, 128), "none", 4)
    sheet.path(lettering("NULLA", sheet.style.caption, 46 * sheet.style.caption_scale, 250, 433), "ink")


def tavern(sheet: Sheet) -> None:
    """A country tavern with tiled roofs, a sign that says VINO and a wreath at its corner, on grass."""
    sheet.shape("-90,628! 120,612 590,606! 590,686! -90,686!", "green", 5)
    sheet.hatch("-90,640! 590,626! 590,684! -90,684!", 2, 11, 3)
    grass(sheet, "70,660 220,676 420,660 330,680 130,674", 22)
    sheet.dots("176,654 196,664 206,650 390,652 404,662 366,668", 7, "yellow", 3)
    _fence(sheet)
    sheet.shape("126,330! 126,276! 196,276! 196,330!", "flesh", 5)
    sheet.shape("196,330! 196,276! 230,262! 230,320!", "flesh", 5)
    sheet.hatch("196,330! 196,276! 230,262! 230,320!", 60, 8, 2.4)
    sheet.path("M142,290h14v22h-14ZM166,290h14v22h-14Z", "ink")
    _roof(sheet, (140, 236), (218, 230), (240, 266), (110, 282), 3)
    sheet.shape("322,350! 322,300! 350,300! 350,370!", "flesh", 5)
    _roof(sheet, (330, 282), (342, 282), (358, 304), (314, 304), 1)
    sheet.shape("90,452! 90,628! 248,632! 248,452!", "flesh", 5)
    sheet.shape("248,632! 248,440! 310,346! 372,440! 372,624!", "flesh", 5, shade=22)
    sheet.hatch("90,464! 248,464! 248,490! 90,484!", 0, 6, 2.4)
    for x in (110, 180):
        _shutters(sheet, x, 504)
    for x in (112, 186):
        sheet.path(f"M{x},596h40v34h-40Z", "ink")
        sheet.path(f"M{x + 10},598v32M{x + 20},598v32M{x + 30},598v32M{x},612h40", "none", 3, "flesh")
    sheet.stroke("90,584! 248,586! 372,580!", 3.4)
    _roof(sheet, (146, 322), (312, 322), (256, 462), (62, 462), 6)
    sheet.shape("312,322! 328,330! 398,452! 376,458! 310,352! 254,462! 240,450!", "red", 5)
    for x in (276, 320):
        sheet.path(curve(f"{x},470! {x},444 {x + 14},430 {x + 28},444 {x + 28},470!"), "ink", 4)
        sheet.path(f"M{x + 14},432v38M{x},452h28", "none", 3.4, "flesh")
    sheet.path(lettering("VINO", sheet.style.caption_heavy, 32, 312, 526), "ink")
    sheet.path(curve("272,630! 272,576 284,552 310,546 336,552 348,576 348,627!"), "flesh", 5)
    sheet.path(curve("284,630! 284,582 294,564 310,560 326,564 336,582 336,628!"), "ink", 3)
    sheet.stroke("310,562! 310,628!", 3.4, "brown")
    for y in (580, 600):
        sheet.path(f"M272,{y}h12M336,{y}h12", "none", 3)
    sheet.stroke("372,474! 432,470!", 5)
    sheet.path(ellipse(412, 506, 20, 22), "none", 17)
    sheet.path(ellipse(412, 506, 20, 22), "none", 10, "green")
    sheet.shape("404,482! 420,482! 424,470! 400,470!", "red", 3)


def _roof(sheet: Sheet, a: Point, b: Point, c: Point, d: Point, rows: int) -> None:
    """A roof face from its ridge a-b down to its eaves d-c, with ``rows`` rows of round tiles."""
    n = number
    sheet.path(f"M{n(a[0])},{n(a[1])}L{n(b[0])},{n(b[1])} {n(c[0])},{n(c[1])} {n(d[0])},{n(d[1])}Z", "red", 5)
    out: list[str] = []
    columns = max(2, round((c[0] - d[0]) / 19))
    for row in range(rows):
        t0, t1 = row / rows, (row + 1) / rows
        for column in range(columns):
            u = (column + (0.5 if row % 2 else 0.0)) / columns
            if u >= 1:
                continue
            x0 = (a[0] + (b[0] - a[0]) * u) * (1 - t0) + (d[0] + (c[0] - d[0]) * u) * t0
            x1 = (a[0] + (b[0] - a[0]) * u) * (1 - t1) + (d[0] + (c[0] - d[0]) * u) * t1
            y0, y1 = a[1] + (d[1] - a[1]) * t0, a[1] + (d[1] - a[1]) * t1
            if u > 0:
                out.append(f"M{n(x0)},{n(y0)}L{n(x1)},{n(y1)}")
        xs = [(d[0] - a[0]) * t1 + a[0], (c[0] - b[0]) * t1 + b[0]]
        if row < rows - 1:
            y1 = a[1] + (d[1] - a[1]) * t1
            step = (xs[1] - xs[0]) / columns
            out.append(f"M{n(xs[0])},{n(y1)}" + f"q{n(step / 2)},8 {n(step)},0" * columns)
    sheet.path("".join(out), "none", 3)


def _shutters(sheet: Sheet, x: float, y: float) -> None:
    """A window with both shutters open."""
    sheet.path(f"M{number(x + 12)},{number(y)}h24v52h-24Z", "ink", 3)
    for left in (x, x + 36):
        sheet.path(f"M{number(left)},{number(y)}h13v52h-13Z", "green", 3.4)
        sheet.path("".join(f"M{number(left)},{number(y + dy)}h13" for dy in (13, 26, 39)), "none", 2.4)


def _fence(sheet: Sheet) -> None:
    for y in (566, 592):
        sheet.shape(f"372,{y}! 470,{y - 6}! 470,{y + 8}! 372,{y + 14}!", "brown", 3.4)
    for x in (388, 416, 444):
        sheet.shape(f"{x - 7},620! {x - 7},556! {x},544! {x + 7},556! {x + 7},620!", "brown", 3.6)
