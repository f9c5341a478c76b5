"""The people on Stù cards: the fool, the grotesque mask, the man with a rose."""

from __future__ import annotations

from companion.workshop.deck.landscape import FLOOR
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import ellipse


def fool(sheet: Sheet) -> None:
    """A seated fool with red cap, motley and marotte, on green ground."""
    sheet.shape(f"36,670! 150,650 350,660 464,680! 464,{FLOOR}! 36,{FLOOR}!", "green", 4)
    sheet.hatch(f"36,740! 464,730! 464,{FLOOR}! 36,{FLOOR}!", 0, 11, 3)
    sheet.shape("180,480! 320,470! 370,640! 300,720! 170,710! 140,620!", "blue", 6)
    sheet.shape("200,480! 300,480! 330,640! 250,680 180,640!", "red", 6)
    sheet.shape("150,700! 250,660 400,730! 380,790! 240,740!", "red", 6)
    sheet.shape("350,690! 250,660 110,740! 130,800! 260,740!", "red", 6)
    sheet.path(ellipse(255, 410, 48, 62), "flesh", 6)
    sheet.shape("190,390! 180,300 250,270 330,300 380,360! 330,350 312,390! 250,370", "red", 6)
    sheet.shape("190,470! 250,490 320,470! 330,500! 300,500! 280,530! 255,500! 220,530! 200,500!", "paper", 5)
    sheet.stroke("210,620! 110,470!", 12, "yellow")
    sheet.path(ellipse(100, 430, 34, 38), "flesh", 5)
    sheet.shape("70,420! 80,380 130,380 140,410! 110,400 90,420 80,480! 66,500!", "red", 5)


def mask(sheet: Sheet) -> None:
    """A bearded grotesque mask with goat's ears and a tongue."""
    sheet.shape("130,460! 60,400! 80,500 130,560!", "flesh", 6)
    sheet.shape("370,460! 440,400! 420,500 370,560!", "flesh", 6)
    sheet.shape("130,440 250,410 370,440 390,560 350,680 250,760 150,680 110,560", "pale", 6)
    sheet.shape("150,470 250,440 350,470 360,560 320,650 250,690 180,650 140,560", "flesh", 6)
    for x in (200, 300):
        sheet.path(ellipse(x, 530, 26, 14), "paper", 5)
        sheet.path(ellipse(x, 530, 9, 9), "ink")
    sheet.shape("170,610! 250,630 330,610! 300,660 250,670 200,660", "ink", 5)
    sheet.shape("220,640! 280,640! 270,720 250,740 230,720", "red", 5)


def rose_bearer(sheet: Sheet) -> None:
    """A man in a red doublet and green breeches who holds a rose up."""
    sheet.shape(f"36,790! 250,760 464,790! 464,{FLOOR}! 36,{FLOOR}!", "green", 4)
    sheet.shape("200,640! 180,820! 230,830! 245,660!", "red", 5)
    sheet.shape("300,640! 320,820! 270,830! 255,660!", "red", 5)
    sheet.shape("170,560! 330,560! 350,680 310,720 255,690! 190,720 150,680", "green", 6)
    sheet.shape("180,420! 320,420! 340,560! 160,560!", "red", 6)
    sheet.shape("180,420! 110,480 120,560! 160,540! 190,480!", "blue", 6)
    sheet.shape("320,420! 370,400 390,330! 350,320! 320,380!", "blue", 6)
    sheet.path(ellipse(250, 370, 44, 50), "flesh", 6)
    sheet.shape("200,340! 220,300 290,300 304,340!", "yellow", 6)
    sheet.stroke("370,330! 370,250!", 6, "green")
    sheet.path(ellipse(370, 250, 34, 32), "red", 6)
