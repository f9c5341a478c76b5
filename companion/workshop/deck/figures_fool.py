"""The fool: MATTO, the lowest card."""

from __future__ import annotations

from companion.workshop.deck.plants import grass, ground
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, ellipse, moved, tube


def fool(sheet: Sheet) -> None:
    """A fool in red cap and motley who sits cross-legged on green ground and talks with his marotte."""
    ground(sheet, "0,688! 120,676 250,684 380,674 500,688!")
    grass(sheet, "80,770 430,760 110,846 400,842 250,846", 24)
    figure(sheet)


def figure(sheet: Sheet) -> None:
    """The fool alone, between x 50 and 420 and y 270 and 830 (the jokers of the ramino cards show him too)."""
    _breeches_and_legs(sheet)
    _tunic(sheet)
    _arms(sheet)
    _head(sheet)
    _marotte(sheet)


def _breeches_and_legs(sheet: Sheet) -> None:
    sheet.shape("178,640! 322,640! 350,690 300,730 250,736 200,730 150,690", "green", 5)
    for x, foot in ((196, 176), (216, 206), (236, 234), (264, 266), (284, 294), (304, 324)):
        sheet.stroke(f"{x},650! {foot},722", 5)
    far = (tube("300,690,60 372,704,66 392,716,56"), tube("388,724,54 290,762,44 196,786,34"))
    sheet.union("red", 5, *far, shade=26)
    _shoe(sheet, 178, 790, -1)
    near = (tube("200,690,60 128,704,66 108,716,56"), tube("112,724,54 210,762,44 304,786,34"))
    sheet.union("red", 5, *near, shade=30)
    _shoe(sheet, 322, 790, 1)


def _shoe(sheet: Sheet, x: float, y: float, way: int) -> None:
    """A blue shoe with a curled toe and a bell, pointing left (-1) or right (1)."""
    line = moved("-14,-22! 14,-18! 34,0 66,8 82,-14 72,-30! 98,-18 94,14 64,30 20,30 -16,22!", x, y, flip=way < 0)
    sheet.shape(line, "blue", 5, shade=16)
    sheet.stroke(f"{x - 10 * way},{y + 20}! {x + 30 * way},{y + 22} {x + 66 * way},{y + 20}", 3)
    sheet.path(ellipse(x + way * 72, y - 34, 8, 8), "yellow", 4)


def _tunic(sheet: Sheet) -> None:
    sheet.shape("192,520! 308,520! 318,600 326,648! 290,668! 270,650! 250,672! 230,650! 210,668! 174,648! 182,600", "red", 5)
    sheet.path(curve("250,520! 308,520! 318,600 326,648! 290,668! 270,650! 250,672!"), "yellow", 4)
    sheet.hatch("300,530 312,600 320,644 304,650 298,600 288,540", 86, 7, 2.4)
    sheet.hatch("192,530 184,600 176,644 196,650 200,600 208,540", 94, 7, 2.4)
    sheet.dots("250,560 250,592 250,624", 6, "ink")


def _arms(sheet: Sheet) -> None:
    for way, elbow in ((-1, 130), (1, 370)):
        shoulder = 250 + way * 66
        wrist = 250 + way * (38 if way < 0 else 76)
        low = 616 if way < 0 else 668
        arm = tube(f"{shoulder},528,58 {elbow},592,62 {elbow - way * 6},634,54 {wrist},{low},38")
        sheet.union("blue", 5, arm, shade=30)
        sheet.shape(moved("-14,-24! 14,-20! 20,0! 10,22! -16,20! -22,-4!", wrist, low), "yellow", 4)
    sheet.shape("314,662 336,656 352,668 356,690! 344,684! 340,698! 330,686! 322,698! 314,684! 306,690!", "flesh", 4.5)
    cape = (
        "198,494! 250,506 302,494! 352,500 392,548! 354,544! 346,580! 318,552! 300,590! 276,556! 250,596! "
        "224,556! 200,590! 182,552! 154,580! 146,544! 108,548! 148,500"
    )
    sheet.shape(cape, "red", 5, shade=26)
    for x, y in ((392, 552), (346, 586), (300, 596), (250, 602), (200, 596), (154, 586), (108, 552)):
        sheet.path(ellipse(x, y, 9, 9), "yellow", 4)
    sheet.stroke("276,512! 280,540", 3)
    sheet.stroke("224,512! 220,540", 3)
    ruff = (
        "182,486! 200,470 250,478 300,470 318,486! 306,494! 310,516! 290,506! 278,528! 262,508! 250,532! "
        "238,508! 222,528! 210,506! 190,516! 194,494!"
    )
    sheet.shape(ruff, "paper", 4.5)
    sheet.path("M214,486l-4,16M232,490l-8,22M250,490v26M268,490l8,22M286,486l4,16", "none", 3)


def _head(sheet: Sheet) -> None:
    sheet.shape("196,380 190,430 206,462 228,470 272,470 294,462 310,430 304,380", "ink", 4)
    sheet.shape("206,380! 250,366 294,380! 300,430 286,466 250,486 214,466 200,430", "flesh", 5, shade=16)
    for x in (228, 272):
        sheet.path(curve(f"{x - 14},420! {x},409 {x + 14},420! {x},427"), "paper", 3.4)
        sheet.path(ellipse(x - 3, 418, 6, 6), "ink")
    sheet.stroke("210,404! 226,394 242,402", 4.5)
    sheet.stroke("258,400! 276,392 290,402", 4.5)
    sheet.stroke("250,410! 240,440 254,444", 4)
    sheet.path(curve("226,454! 240,452 250,456 260,452 276,450! 254,472"), "red", 3.6)
    sheet.dots("214,444 288,442", 8, "red")
    sheet.locks("196,352 150,330 116,346;198,346 156,308 120,304;204,338 180,290 150,272", 16, "blue", 4)
    cap = "190,386! 196,340 226,312 262,304 304,312 344,336 368,376 372,418! 350,388 322,366! 312,390! 250,372"
    sheet.shape(cap, "red", 5, shade=30)
    sheet.stroke("300,330! 316,346 322,366", 4)
    sheet.shape("184,374! 250,356 316,374! 314,396! 250,380 186,396!", "yellow", 4.5)
    sheet.path("M206,372l2,16M228,367l2,16M250,365v16M272,367l-2,16M294,372l-2,16", "none", 3)
    sheet.path(ellipse(372, 426, 11, 11), "yellow", 4.5)
    sheet.path(ellipse(196, 350, 9, 9), "yellow", 4)


def _marotte(sheet: Sheet) -> None:
    sheet.union("yellow", 4.5, tube("96,474,11 160,540,11 240,618,11"))
    hand = "222,586 246,576 262,590 264,612 248,630 226,628 214,610"
    sheet.shape(hand, "flesh", 4.5)
    sheet.path("M232,594h26M230,605h32M232,616h26", "none", 3)
    face = "84,400 112,392 128,408! 146,422! 130,428! 138,438! 128,444! 130,456 112,468 88,462 76,436"
    sheet.shape(face, "flesh", 4.5, shade=14)
    sheet.path(ellipse(114, 416, 4, 5), "ink")
    sheet.stroke("104,404! 114,400 122,404", 3.4)
    sheet.dots("104,440", 7, "red")
    sheet.shape("128,404! 122,372 92,366 66,384 58,420 70,470 62,500! 54,470 48,430! 84,440! 88,410", "red", 4.5)
    sheet.path(ellipse(62, 506, 8, 8), "yellow", 4)
    sheet.shape(moved("0,0! 14,14! 30,4! 26,26! 4,26! -16,18!", 84, 462), "paper", 4)
