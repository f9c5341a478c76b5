"""The things on Stù cards: bucket, disc and tavern."""

from __future__ import annotations

from companion.workshop.deck.alphabet import lettering
from companion.workshop.deck.landscape import FLOOR
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import ellipse, number


def bucket(sheet: Sheet) -> None:
    """A green wooden bucket with a blue handle, on a red and yellow floor."""
    sheet.shape(f"36,716! 464,716! 464,{FLOOR}! 36,{FLOOR}!", "yellow", 4)
    for row in range(5):
        y0, y1 = 716 + row * 28, 716 + (row + 1) * 28
        for column in range(9):
            if (row + column) % 2:
                x0, x1 = 36 + column * 48, 36 + (column + 1) * 48
                sheet.path(f"M{x0},{y0}H{min(x1, 464)}L{min(x1 - 6, 464)},{y1}H{max(x0 - 6, 36)}Z", "red", 3)
    sheet.stroke("122,480! 134,400 180,350 250,340 320,350 366,400 378,480!", 22)
    sheet.stroke("122,480! 134,400 180,350 250,340 320,350 366,400 378,480!", 13, "blue")
    body = "110,486! 160,770! 200,784 250,788 300,784 340,770! 390,486!"
    sheet.shape(body, "green", 6)
    for top, foot in ((160, 190), (206, 218), (250, 250), (294, 282), (340, 310)):
        sheet.stroke(f"{top},520! {foot},782!", 4)
    sheet.hatch("340,530! 384,510! 340,768! 306,780!", 80, 8, 3)
    sheet.hatch("120,530! 160,530! 186,776! 162,766!", 84, 10, 2.4)
    sheet.shape("98,450! 120,470! 124,520! 106,516!", "green", 5)
    sheet.shape("402,450! 380,470! 376,520! 394,516!", "green", 5)
    sheet.shape("124,570! 250,590 376,570! 368,616! 250,636 132,616!", "yellow", 5)
    sheet.shape("152,730! 250,748 348,730! 343,764! 250,784 157,764!", "yellow", 5)
    sheet.shape("110,486! 180,462 250,456 320,462 390,486! 320,512 250,518 180,512", "green", 6)
    sheet.shape("134,486! 190,474 250,470 310,474 366,486! 310,498 250,502 190,498", "ink", 3)


def disc(sheet: Sheet) -> None:
    """A yellow disc with NULLA in it."""
    sheet.path(ellipse(250, 408, 152, 152), "green", 5)
    sheet.path(ellipse(250, 406, 146, 146), "yellow", 5)
    sheet.path(ellipse(250, 406, 132, 132), "none", 3)
    sheet.path(lettering("NULLA", sheet.style.caption, 52, 250, 432), "ink")


def tavern(sheet: Sheet) -> None:
    """A house with a red roof and a sign that says VINO, on grass."""
    sheet.shape("36,640! 140,610 464,620! 464,704! 36,704!", "green", 4)
    sheet.hatch("36,664! 464,644! 464,700! 36,700!", -6, 9, 3)
    sheet.shape("130,300! 130,260! 210,252! 210,300!", "flesh", 5)
    sheet.shape("112,262! 140,214! 196,208! 226,254!", "red", 5)
    sheet.shape("84,440! 84,636! 240,646! 350,610! 350,400! 250,320!", "flesh", 5)
    sheet.shape("50,460! 110,300! 290,270! 380,410! 350,420! 280,330! 230,460!", "red", 5)
    sheet.hatch("60,450! 112,310! 270,290! 226,450!", 98, 12, 3)
    for x, y in ((108, 490), (170, 494)):
        sheet.path(f"M{x},{y}h34v48h-34Z", "ink", 3)
    for x in (104, 168):
        sheet.path(f"M{x},584h40v44h-40Z", "ink", 3)
    sheet.shape("272,640! 272,560 290,536 310,560 310,626!", "ink", 4)
    sheet.path(f"M{number(244)},466h102v42h-102Z", "paper", 4)
    sheet.path(lettering("VINO", sheet.style.caption_heavy, 26, 295, 500), "ink")
    sheet.path(ellipse(300, 420, 24, 28), "ink", 3)
    sheet.path(ellipse(400, 470, 22, 22), "none", 11, "green")
