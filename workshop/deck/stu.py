"""The twenty Stù faces: what stands on which card, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.decks.stu import KINDS
from workshop.deck.alphabet import lettering, measure
from workshop.deck.figure import figure
from workshop.deck.garland import garland
from workshop.deck.sheet import STU_SIZE, Sheet
from workshop.deck.style import Letterform, Style

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
