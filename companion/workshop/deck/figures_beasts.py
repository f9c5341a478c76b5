"""The animals on Stù cards: cat, horse and owl."""

from __future__ import annotations

from companion.workshop.deck.plants import grass, ground, ivy, leafy
from companion.workshop.deck.sheet import Sheet
from companion.workshop.deck.svg import curve, ellipse, mirrored, tube


def cat(sheet: Sheet) -> None:
    """A cat that walks over the grass and looks at you."""
    ground(sheet, "0,612! 120,604 230,612 360,604 500,616!")
    far = (tube("206,556,34 222,600,24 204,648,20 186,660,20"), tube("318,560,40 300,606,26 316,650,20 300,664,20"))
    sheet.union("flesh", 5, *far, shade=16)
    for leg in far:
        sheet.hatch(leg, 20, 6, 3)
    body = "168,470 216,494 280,488 340,486 374,510 384,556 356,590 312,586 262,592 206,596 166,580 142,530 140,486"
    tail = tube("366,524,30 414,506,26 432,452,24 414,402,22 380,388,14", 3)
    near = (tube("170,556,46 152,610,30 140,650,22 120,664,24"), tube("358,556,58 378,604,32 362,644,22 346,664,26"))
    head = "108,398! 120,424 158,416! 190,422 206,390! 212,440 204,474 170,500 132,488 104,462 102,430"
    sheet.union("flesh", 5, body, tail, *near, head, shade=26)
    sheet.hatch("166,584 206,598 262,594 312,588 346,552 280,566 210,568 172,548", 8, 7, 3.4)
    sheet.hatch("190,578 206,598 262,594 312,588 320,574 260,580", 60, 7, 2.6)
    for stripe in (
        "236,496! 232,516 238,534",
        "262,492! 258,516 264,540",
        "288,490! 286,514 292,538",
        "314,488! 314,512 320,534",
    ):
        x, y = stripe.split()[0].rstrip("!").split(",")
        sheet.locks(f"{x},{y} {stripe.split()[1]} {stripe.split()[2]}", 7)
    for ring in (
        "402,522 400,502 388,492",
        "424,494 414,480 404,482",
        "442,462 426,454 418,456",
        "440,428 424,426 418,432",
        "420,398 408,404 402,414",
    ):
        sheet.locks(ring, 7)
    sheet.locks("352,560 336,584 340,612;366,600 356,606 350,604", 5)
    sheet.hatch("136,500 146,566 170,560 160,500", 70, 9, 2.2)
    sheet.stroke("128,660! 122,668", 3)
    sheet.stroke("354,660! 348,668", 3)
    _cat_face(sheet)
    leafy(sheet, 86, 660, 1.0)
    leafy(sheet, 396, 780, 0.9)
    leafy(sheet, 70, 800, 1.2)
    grass(sheet, "210,740 300,700 250,820 340,770 160,760 440,690 300,830", 26)


def _cat_face(sheet: Sheet) -> None:
    sheet.path(curve("113,408! 122,426 136,420!") + curve("200,402! 194,424 180,420!"), "red", 3)
    sheet.locks("158,420 156,432 158,446;146,420 144,430 148,440;170,420 170,430 166,440", 5)
    for x in (134, 178):
        sheet.path(curve(f"{x - 15},446! {x},436 {x + 15},446! {x},456"), "yellow", 4)
        sheet.path(ellipse(x, 446, 4, 9), "ink")
    sheet.path(curve("148,462! 156,459 164,462! 156,472!"), "red", 3)
    sheet.stroke("156,472! 156,478 146,484 138,480", 3.4)
    sheet.stroke("156,478! 166,484 174,480", 3.4)
    whiskers = "M132,470L82,458M132,474L80,478M134,478L88,496M180,470L228,454M180,474L232,472M178,478L226,492"
    sheet.path(whiskers, "none", 2.6)


def horse(sheet: Sheet) -> None:
    """A horse that rears over the grass."""
    ground(sheet, "0,790! 120,776 250,790 380,772 500,784!")
    sheet.locks(
        "392,590 486,590 448,700;392,590 500,640 462,770;390,596 470,660 440,800;386,600 446,690 456,820;"
        "386,604 420,680 420,790;392,600 480,620 470,720",
        18,
        "flesh",
        4,
    )
    sheet.locks("394,596 476,640 448,760;392,600 450,680 440,800;394,594 480,610 460,690;390,604 430,680 430,780", 4)
    far = (
        tube("246,520,50 186,556,34 162,590,24 160,640,18 152,668,22"),
        tube("330,650,84 282,716,42 300,764,24 262,806,20 242,822,24"),
    )
    sheet.union("flesh", 5, *far, shade=14)
    for leg in far:
        sheet.hatch(leg, 30, 7, 3.2)
    body = "196,356 246,352 272,420 318,496 372,540 408,604 406,668 366,712 312,694 262,640 220,580 190,520 178,440"
    near = (
        tube("220,500,62 160,476,40 122,486,28 104,540,18 92,570,22"),
        tube("372,650,100 370,726,48 392,770,26 358,812,21 338,828,26"),
    )
    head = "166,250! 182,226 192,252! 216,262 240,292 236,352 206,372 186,352 160,366 138,390 112,384 104,362 122,330 140,286"
    sheet.union("flesh", 5, body, *near, head, shade=32)
    sheet.hatch("220,580 262,640 312,694 336,680 290,620 250,560 210,520 196,536", 50, 8, 3)
    sheet.hatch("230,560 262,620 312,680 330,650 290,600 256,550", 8, 8, 2.4)
    sheet.hatch("196,380 190,440 196,500 214,500 206,440 214,384", 84, 8, 2.4)
    sheet.hatch("140,470 124,490 108,540 118,546 140,496 170,500", 30, 7, 2.2)
    sheet.stroke("312,560! 336,596 332,640 310,668", 4)
    sheet.stroke("222,548! 250,528 252,490", 4)
    hooves = (
        "82,562! 104,566! 108,592! 74,590!",
        "142,658! 166,660! 166,690! 130,686!",
        "236,812! 258,822! 250,846! 218,840!",
        "330,818! 354,828! 346,852! 312,846!",
    )
    for hoof in hooves:
        sheet.shape(hoof, "night", 4)
    _mane(sheet)
    _horse_face(sheet)
    leafy(sheet, 70, 760, 1.3)
    leafy(sheet, 118, 800, 0.9)
    grass(sheet, "200,830 420,840 150,840 280,850", 22)


def _mane(sheet: Sheet) -> None:
    locks = (
        (
            "254,380 300,420 322,510;250,350 312,400 342,480;246,324 312,360 344,440;244,298 316,330 330,400;"
            "238,272 306,280 326,350;228,258 286,250 314,300"
        ),
        "240,360 280,410 296,480;240,330 286,380 306,450;240,306 290,350 308,410;236,284 284,310 300,370;226,262 270,270 290,330",
        "214,250 184,252 176,300;204,246 168,240 150,284;196,244 152,232 134,262",
    )
    for row in locks:
        sheet.locks(row, 12, "flesh", 4)
        sheet.locks(row, 3)


def _horse_face(sheet: Sheet) -> None:
    sheet.path(curve("158,300! 170,291 182,302! 170,306"), "ink", 3)
    sheet.stroke("152,294! 168,284 186,294", 3.4)
    sheet.path(ellipse(122, 362, 5, 8), "ink")
    sheet.stroke("114,380! 132,372 142,374", 3.4)
    sheet.stroke("204,300! 222,328 206,360", 3.4)
    sheet.hatch("210,306 226,330 210,358 204,330", 60, 7, 2)


def owl(sheet: Sheet) -> None:
    """A crowned owl that spreads its wings on a branch with ivy."""
    branch = (
        tube("20,872,44 110,800,36 196,748,28 300,716,24 400,690,16 448,668,8"),
        tube("330,708,18 392,640,13 418,584,10 440,540,4"),
        tube("120,790,24 220,796,18 320,800,12 400,836,5"),
    )
    sheet.union("sand", 5, *branch, shade=14)
    for part in branch:
        sheet.hatch(part, 62, 9, 2)
    ivy(sheet, 96, 700, 44, -20)
    ivy(sheet, 396, 752, 44, 20)
    ivy(sheet, 250, 800, 46, 0)
    tail = "214,660! 206,764 228,752! 238,776 250,756! 262,776 272,752! 294,764 286,660!"
    sheet.shape(tail, "night", 5)
    sheet.path("M232,690V748M250,690V752M268,690V748", "none", 3.4, "paper")
    wing = "206,500! 168,496 118,536 84,600 72,664! 96,648! 94,692! 122,664! 122,708! 148,674! 152,706! 176,660! 210,640!"
    for line in (wing, mirrored(wing, 250)):
        sheet.shape(line, "night", 5, shade=26)
    for quill in ("196,540 140,570 100,640;200,566 152,600 124,660;204,592 170,620 152,664",):
        sheet.locks(quill, 3.4, "pale")
        sheet.locks(";".join(mirrored(part, 250) for part in quill.split(";")), 3.4, "pale")
    body = "250,460 320,490 336,570 316,650 278,700 250,708 222,700 184,650 164,570 180,490"
    sheet.shape(body, "night", 5, shade=40)
    sheet.shape("250,540 298,560 302,620 274,672 250,686 226,672 198,620 202,560", "blue", 3)
    for row, (y, half) in enumerate(((560, 30), (590, 40), (620, 40), (648, 26))):
        count = 3 + (row % 2)
        for i in range(count):
            x = 250 + (i - (count - 1) / 2) * half * 2 / count
            sheet.stroke(f"{x - 9:.0f},{y}! {x:.0f},{y + 14} {x + 9:.0f},{y}!", 4)
    head = "178,398! 206,424 250,420 294,424 322,398! 330,450 318,494 284,522 250,530 216,522 182,494 170,450"
    sheet.shape(head, "night", 5, shade=26)
    for x in (217, 283):
        sheet.path(ellipse(x, 466, 37, 39), "sand", 4)
        for i in range(3):
            sheet.stroke(f"{x - 22 + 22 * i:.0f},{494 - abs(i - 1) * 6} {x - 26 + 26 * i:.0f},{501 - abs(i - 1) * 8}", 3)
        sheet.path(ellipse(x, 464, 24, 24), "yellow", 4)
        sheet.path(ellipse(x, 464, 12, 12), "ink")
        sheet.path(ellipse(x + 4, 459, 4, 4), "paper")
    sheet.shape("236,474! 250,466 264,474! 258,500 250,516! 242,500", "yellow", 4)
    for x in (218, 282):
        for dx in (-14, 0, 14):
            sheet.shape(f"{x + dx - 6},704! {x + dx - 7},728 {x + dx},738! {x + dx + 7},728 {x + dx + 6},704!", "yellow", 3.6)
    _crown(sheet)


def _crown(sheet: Sheet) -> None:
    sheet.shape("200,412! 188,354! 218,378! 232,342! 250,374! 268,342! 282,378! 312,354! 300,412! 250,422", "yellow", 5)
    sheet.dots("188,352 232,340 268,340 312,352", 6, "yellow", 4)
    sheet.shape("200,396! 250,404 300,396! 299,413! 250,421 201,413!", "red", 3.4)
    sheet.dots("225,407 250,411 275,407", 3.4, "yellow")
