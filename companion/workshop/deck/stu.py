"""The twenty Stù faces: what stands on which card, and where."""

from __future__ import annotations

from collections.abc import Callable

from companion.stu.cards import KINDS
from companion.workshop.deck import figures_beasts as beasts
from companion.workshop.deck import figures_fool, figures_lion
from companion.workshop.deck import figures_objects as objects
from companion.workshop.deck import figures_people as people
from companion.workshop.deck.alphabet import lettering, measure
from companion.workshop.deck.garland import garland
from companion.workshop.deck.landscape import FLOOR, landscape
from companion.workshop.deck.sheet import STU_SIZE, Sheet
from companion.workshop.deck.style import Letterform, Style
from companion.workshop.deck.svg import rounded

NUMERALS = ("I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "VIIII", "X")

_Draw = Callable[[Sheet], None]


def face(kind: str, style: Style) -> str:
    """The face of a kind (`companion.stu.cards.KINDS`) as an SVG text; `ValueError` for any other name."""
    if kind not in KINDS:
        raise ValueError(f"no Stù card is called {kind!r}; the kinds are {', '.join(KINDS)}")
    sheet = Sheet(style, STU_SIZE, kind)
    _frame(sheet, opened=True)
    if kind.isdecimal():
        _numeral(sheet, int(kind))
    else:
        _FACES[kind](sheet)
    _frame(sheet, opened=False)
    return sheet.svg(style.corner)


def _frame(sheet: Sheet, opened: bool) -> None:
    """Keeps the picture inside the border line (first call), then draws the line over its edge (second call)."""
    s = sheet.style
    line = rounded(s.border_inset, s.border_inset, sheet.width - 2 * s.border_inset, sheet.height - 2 * s.border_inset, s.border_radius)
    if opened:
        sheet.defined(f'<clipPath id="frame"><path d="{line}"/></clipPath>')
        sheet.opened('clip-path="url(#frame)"')
    else:
        sheet.closed()
        sheet.path(line, "none", s.border / s.line if s.border else 0.0)


def _caption(sheet: Sheet, text: str, x: float, y: float, cap: float, heavy: bool = False, room: float = 400.0) -> None:
    """One line of text with its base line at ``y``, made narrower where it would pass ``room`` units."""
    form: Letterform = sheet.style.caption_heavy if heavy else sheet.style.caption
    cap *= sheet.style.caption_scale
    cap *= min(1.0, room / measure(text, form, cap))
    sheet.path(lettering(text, form, cap, x, y), "ink")


def _figure(sheet: Sheet, draw: _Draw) -> None:
    """A figure at the style's scale, kept on the card's foot."""
    k = sheet.style.figure_scale
    sheet.opened(f'transform="matrix({k:.3f} 0 0 {k:.3f} {250 * (1 - k):.1f} {FLOOR * (1 - k):.1f})"')
    draw(sheet)
    sheet.closed()


def _numeral(sheet: Sheet, value: int) -> None:
    garland(sheet)
    landscape(sheet)
    text, form = NUMERALS[value - 1], sheet.style.numeral
    cap = 226 * sheet.style.numeral_scale
    cap *= min(1.0, 410 / measure(text, form, cap))
    sheet.path(lettering(text, form, cap, 250, 372 + cap / 2), "ink")


def _matto(sheet: Sheet) -> None:
    garland(sheet)
    _caption(sheet, "MATTO", 250, 288, 58)
    _figure(sheet, figures_fool.fool)


def _leone(sheet: Sheet) -> None:
    _figure(sheet, figures_lion.lion)


def _mascherone(sheet: Sheet) -> None:
    garland(sheet)
    for i, line in enumerate(("MASCHERONE", "MANCO", "DI SECCHIA")):
        _caption(sheet, line, 250, 266 + 54 * i, 38, heavy=True, room=310)
    _figure(sheet, people.mask)


def _secchia(sheet: Sheet) -> None:
    garland(sheet)
    for i, line in enumerate(("SECCHIA MENO", "DI NULLA")):
        _caption(sheet, line, 250, 284 + 54 * i, 38, heavy=True, room=310)
    _figure(sheet, objects.bucket)


def _nulla(sheet: Sheet) -> None:
    garland(sheet)
    landscape(sheet)
    objects.disc(sheet)


def _taverna(sheet: Sheet) -> None:
    garland(sheet)
    _caption(sheet, "XI", 320, 216, 58)
    _figure(sheet, objects.tavern)
    _caption(sheet, "FERMATEVI", 250, 772, 44)
    _caption(sheet, "ALQUANTO", 250, 836, 44)


def _gnao(sheet: Sheet) -> None:
    garland(sheet)
    _caption(sheet, "XII", 190, 276, 52)
    _caption(sheet, "GNAO", 250, 340, 52)
    _figure(sheet, beasts.cat)


def _salta(sheet: Sheet) -> None:
    garland(sheet)
    _caption(sheet, "SALTA", 230, 186, 50)
    _caption(sheet, "XIII", 400, 262, 50)
    _figure(sheet, beasts.horse)


def _bragon(sheet: Sheet) -> None:
    _caption(sheet, "HAI PIGLIATO", 250, 108, 38, heavy=True)
    _caption(sheet, "BRAGON", 250, 168, 38, heavy=True)
    _caption(sheet, "XIIII", 180, 268, 56)
    _figure(sheet, people.rose_bearer)


def _cucco(sheet: Sheet) -> None:
    garland(sheet)
    _caption(sheet, "XV", 250, 262, 56)
    _caption(sheet, "CUCCO", 250, 330, 52)
    _figure(sheet, beasts.owl)


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
