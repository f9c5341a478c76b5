"""The animals on Stù cards: lion, cat, horse and owl."""

from __future__ import annotations

from companion.workshop.deck.landscape import FLOOR
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import ellipse


def lion(sheet: Sheet) -> None:
    """A standing lion beside a crowned shield of red and gold, under a sun with a face."""
    sheet.path(ellipse(130, 110, 60, 60), "yellow", 5)
    sheet.shape(f"36,800! 464,780! 464,{FLOOR}! 36,{FLOOR}!", "green", 4)
    sheet.shape("300,100 380,100 420,200 400,340 400,560 400,820! 280,820! 300,560 280,300", "yellow", 6)
    sheet.shape("60,380! 260,380! 260,600 160,740! 60,600", "red", 6)
    sheet.shape("160,380! 260,380! 260,600 160,740!", "yellow", 6)
    sheet.shape("60,380! 50,310! 110,350! 160,290! 210,350! 270,310! 260,380!", "yellow", 6)


def cat(sheet: Sheet) -> None:
    """A cat on grass that looks at you."""
    sheet.shape(f"36,640! 464,650! 464,{FLOOR}! 36,{FLOOR}!", "green", 4)
    sheet.shape("150,480 250,480 360,480 380,640! 340,640! 330,560 200,560 190,640! 150,640!", "flesh", 6)
    sheet.path(ellipse(150, 440, 52, 48), "flesh", 6)
    sheet.stroke("360,490! 420,450 400,380", 20)


def horse(sheet: Sheet) -> None:
    """A rearing horse on grass."""
    sheet.shape(f"36,780! 464,760! 464,{FLOOR}! 36,{FLOOR}!", "green", 4)
    sheet.shape("150,260! 240,240 330,420 420,600 420,820! 360,820! 340,680 220,560 130,560 120,400 200,360 110,340!", "flesh", 6)


def owl(sheet: Sheet) -> None:
    """A crowned owl on a branch."""
    sheet.stroke("40,820! 250,720 440,600!", 34, "brown")
    sheet.shape("190,430 250,400 310,430 330,580 250,700 170,580", "blue", 6)
    for x in (225, 275):
        sheet.path(ellipse(x, 460, 22, 22), "yellow", 5)
        sheet.path(ellipse(x, 460, 9, 9), "ink")
    sheet.shape("200,400! 190,340! 225,370! 250,330! 275,370! 310,340! 300,400!", "yellow", 5)
