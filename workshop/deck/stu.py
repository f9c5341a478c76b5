"""The twenty Stù faces: what stands on which card, and where, with the garland of swags and rosettes along the top."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.decks.stu import KINDS
from workshop.deck.alphabet import lettering, measure
from workshop.deck.figure import figure
from workshop.deck.sheet import STU_SIZE, Sheet
from workshop.deck.style import Letterform, Style
from workshop.deck.svg import Outline, curve, ellipse, mirrored, moved


def garland(sheet: Sheet, middle: float = 0.86) -> None:
    """Draws the style's garland; its lowest ribbon ends about 250 units below the card's top.

    ``middle`` is the middle ribbon's length, shorter where a caption stands close.
    """
    kind = sheet.style.garland
    if kind == "none":
        return
    half = 170 * sheet.style.garland_width
    {"swags": _swags, "bunting": _bunting, "laurel": _laurel}[kind](sheet, half)
    for x, length, lean in ((-half, 1.1, 10.0), (half, 1.1, -10.0), (0.0, middle, 0.0)):
        _ribbon(sheet, sheet.width / 2 + x, length, lean)


def _swags(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    for left in (middle - half, middle):
        _swag(sheet, left, half)


def _swag(sheet: Sheet, left: float, width: float) -> None:
    """Two cloths that droop from the ends and are gathered under a rosette in their middle, each with a tail."""
    half = width / 2
    tail = f"{half - 14},110! {half - 40},116 30,134 26,164! 46,152 {half - 26},138 {half - 10},128!"
    knot = f"{half - 14},118! {half - 28},134 {half - 28},150 {half - 20},168! {half - 8},150 {half - 4},132!"
    cloth = f"6,78! 26,76 {half - 34},86 {half - 12},100! {half - 10},130! {half - 34},126 30,114 14,98"
    for points in (knot, tail, cloth):
        for line in (points, mirrored(points, half)):
            sheet.shape(Outline.through(moved(line, left)), fill="blue", shade=11)
    folds = (f"14,86! 40,92 {half - 14},108!", f"22,100! 46,112 {half - 16},120!", f"34,152! 44,132 {half - 20},120!")
    for fold in folds:
        for line in (fold, mirrored(fold, half)):
            sheet.stroke(moved(line, left), 3.4)
    cx = left + half
    petals = "".join(ellipse(cx + dx, 118 + dy, 10, 10) for dx, dy in ((0, -13), (12, -4), (8, 11), (-8, 11), (-12, -4)))
    sheet.path(petals, "red", 4)
    sheet.path(ellipse(cx, 118, 7, 7), "red", 3)


def _ribbon(sheet: Sheet, x: float, length: float, lean: float) -> None:
    """A twisted ribbon that hangs from a nail at ``x``."""
    y = 76.0

    def at(line: str) -> str:
        words = []
        for word in line.split():
            px, py = word.rstrip("!").split(",")
            fx, fy = float(px), float(py)
            words.append(f"{x + fx + lean * fy / 150:.1f},{y + fy * length:.1f}{'!' if word.endswith('!') else ''}")
        return " ".join(words)

    lower = at("-4,96! -16,126 -10,148! -2,140! 2,172! 10,150 8,132! 20,122 20,92!")
    upper = at("-7,2! -13,40 -14,82 -6,106! 10,90! 12,112! 24,98! 16,60 9,2!")
    sheet.path(curve(lower), "red", 4)
    sheet.hatch(Outline.through(lower), 70, 8, 2.6)
    sheet.path(curve(upper), "red", 4)
    sheet.stroke(at("0,14! -5,50 -1,96!"), 3.4)
    sheet.stroke(at("5,20! 8,56 14,92!"), 3)
    sheet.path(ellipse(x, y, 8, 8), "paper", 3.5)


def _bunting(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    step = half / 3
    for i in range(6):
        left = middle - half + i * step
        flag = f"{left:.0f},80! {left + step / 2:.0f},170! {left + step:.0f},80!"
        sheet.path(curve(flag), "blue" if i % 2 else "red", 4)


def _laurel(sheet: Sheet, half: float) -> None:
    middle = sheet.width / 2
    for left in (middle - half, middle):
        sheet.stroke(f"{left:.0f},82! {left + half / 2:.0f},134 {left + half:.0f},82!", 6)
        for i in range(1, 9):
            t = i / 9
            x, y = left + half * t, 82 + 52 * 4 * t * (1 - t)
            for side in (-1, 1):
                sheet.path(
                    curve(f"{x:.0f},{y:.0f}! {x + 10:.0f},{y + side * 8:.0f} {x + 22:.0f},{y + side * 16:.0f}!"), "blue", 3
                )
        sheet.path(ellipse(left + half / 2, 130, 17, 17), "red", 4)

NUMERALS = ("I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "VIIII", "X")

FLOOR = 850.0
"""y of the frame's lowest line, on which figures stand."""

_Draw = Callable[[Sheet], None]


def face(kind: str, style: Style) -> str:
    """The face of a kind (`companion.decks.stu.KINDS`) as an SVG text; `ValueError` for any other name."""
    if kind not in KINDS:
        raise ValueError(f"no Stù card is called {kind!r}; the kinds are {', '.join(KINDS)}")
    sheet = Sheet(style, STU_SIZE, kind)
    with sheet.framed(style.border_inset, style.border_radius):
        if kind.isdecimal():
            _numeral(sheet, int(kind))
        else:
            _FACES[kind](sheet)
    return sheet.svg(style.corner)


def _caption(sheet: Sheet, text: str, x: float, y: float, cap: float, heavy: bool = False, room: float = 290.0) -> None:
    """One line of text with its base line at ``y``, made narrower where it would pass ``room`` units."""
    form: Letterform = sheet.style.caption_heavy if heavy else sheet.style.caption
    cap *= sheet.style.caption_scale
    cap *= min(1.0, room / measure(text, form, cap))
    sheet.path(lettering(text, form, cap, x, y), "ink")


def _number(sheet: Sheet, text: str, x: float, y: float, cap: float) -> None:
    """A trump's number: the caption's letters, cut bolder."""
    form = sheet.style.caption
    bold = replace(form, thick=form.thick * 1.45, thin=form.thin * 1.3, slab=form.slab * 1.2, width=form.width * 0.9)
    sheet.path(lettering(text, bold, cap * sheet.style.caption_scale, x, y), "ink")


def _figure(sheet: Sheet, name: str, scale: float = 1.0, foot: float = FLOOR) -> None:
    """A figure at a scale times the style's, kept on the card's foot (or another y)."""
    k = scale * sheet.style.figure_scale
    sheet.opened(f'transform="matrix({k:.3f} 0 0 {k:.3f} {250 * (1 - k):.1f} {foot * (1 - k):.1f})"')
    figure(sheet, name)
    sheet.closed()


def _landscape(sheet: Sheet) -> None:
    """The landscape along the card's foot; it runs to the card's edges, and the frame cuts it off."""
    if sheet.style.landscape_mirrored:
        sheet.opened(f'transform="matrix(-1 0 0 1 {sheet.width:.0f} 0)"')
    figure(sheet, "landscape")
    if sheet.style.landscape_mirrored:
        sheet.closed()


def _numeral(sheet: Sheet, value: int) -> None:
    garland(sheet)
    _landscape(sheet)
    text, form = NUMERALS[value - 1], sheet.style.numeral
    if text == "X":
        form = replace(form, width=form.width * 1.9, thick=form.thick * 0.85)
    cap = 218 * sheet.style.numeral_scale
    cap *= min(1.0, 372 / measure(text, form, cap))
    sheet.path(lettering(text, form, cap, 250, 384 + cap / 2), "ink")


def _matto(sheet: Sheet) -> None:
    garland(sheet)
    _caption(sheet, "MATTO", 250, 282, 48)
    _figure(sheet, "fool", 0.93)


def _leone(sheet: Sheet) -> None:
    _figure(sheet, "lion")


def _mascherone(sheet: Sheet) -> None:
    garland(sheet)
    for i, line in enumerate(("MASCHERONE", "MANCO", "DI SECCHIA")):
        _caption(sheet, line, 250, 272 + 52 * i, 35, heavy=True, room=264)
    _figure(sheet, "mask", 0.9)


def _secchia(sheet: Sheet) -> None:
    garland(sheet)
    for i, (line, x) in enumerate((("SECCHIA MENO", 250.0), ("DI NULLA", 262.0))):
        _caption(sheet, line, x, 284 + 54 * i, 36, heavy=True, room=300)
    _figure(sheet, "bucket")


def _nulla(sheet: Sheet) -> None:
    garland(sheet)
    _landscape(sheet)
    figure(sheet, "disc")
    _caption(sheet, "NULLA", 250, 433, 46)


def _taverna(sheet: Sheet) -> None:
    garland(sheet)
    _number(sheet, "XI", 326, 226, 48)
    _figure(sheet, "tavern", foot=686)
    _caption(sheet, "FERMATEVI", 250, 746, 44)
    _caption(sheet, "ALQUANTO", 250, 812, 44)


def _gnao(sheet: Sheet) -> None:
    garland(sheet)
    _number(sheet, "XII", 250, 286, 46)
    _caption(sheet, "GNAO", 250, 346, 46)
    _figure(sheet, "cat")


def _salta(sheet: Sheet) -> None:
    garland(sheet, middle=0.5)
    _caption(sheet, "SALTA", 250, 222, 48)
    _number(sheet, "XIII", 374, 318, 46)
    _figure(sheet, "horse", 0.93)


def _bragon(sheet: Sheet) -> None:
    _caption(sheet, "HAI PIGLIATO", 250, 118, 36, heavy=True)
    _caption(sheet, "BRAGON", 250, 178, 36, heavy=True)
    _number(sheet, "XIIII", 230, 272, 48)
    _figure(sheet, "rose-bearer", 0.94)


def _cucco(sheet: Sheet) -> None:
    garland(sheet)
    _number(sheet, "XV", 250, 284, 46)
    _caption(sheet, "CUCCO", 250, 344, 46)
    _figure(sheet, "owl", 0.95)


_FACES: dict[str, _Draw] = {
    "matto": _matto,
    "leone": _leone,
    "mascherone": _mascherone,
    "secchia": _secchia,
    "nulla": _nulla,
    "taverna": _taverna,
    "gnao": _gnao,
    "salta": _salta,
    "bragon": _bragon,
    "cucco": _cucco,
}
