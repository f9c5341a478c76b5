"""French-suited ramino cards: pips, indices, aces to tens, jokers, and the backs of several makers."""

from __future__ import annotations

import math
from dataclasses import replace

from workshop.deck.alphabet import lettering, measure
from workshop.deck.courts import court, pip
from workshop.deck.figure import figure
from workshop.deck.sheet import RAMINO_SIZE, Sheet
from workshop.deck.style import Palette, Style
from workshop.deck.svg import ellipse, lozenges, number, rounded

SUITS = ("c", "d", "h", "s")
VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FACES: tuple[str, ...] = (*(value + suit for suit in SUITS for value in VALUES), "joker1", "joker2")

_PLACES: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((0.5, 0), (0.5, 1)),
    3: ((0.5, 0), (0.5, 0.5), (0.5, 1)),
    4: ((0, 0), (1, 0), (0, 1), (1, 1)),
    5: ((0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)),
    6: ((0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    7: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0, 1), (1, 1)),
    8: ((0, 0), (1, 0), (0.5, 0.25), (0, 0.5), (1, 0.5), (0.5, 0.75), (0, 1), (1, 1)),
    9: ((0, 0), (1, 0), (0, 1 / 3), (1, 1 / 3), (0.5, 0.5), (0, 2 / 3), (1, 2 / 3), (0, 1), (1, 1)),
    10: ((0, 0), (1, 0), (0.5, 1 / 6), (0, 1 / 3), (1, 1 / 3), (0, 2 / 3), (1, 2 / 3), (0.5, 5 / 6), (0, 1), (1, 1)),
}
"""Where the pips of a number stand: shares of the field's width and height."""


def face(card: str, style: Style) -> str:
    """A ramino face as an SVG text: ``"7h"``, ``"10s"``, ``"Kd"``, ``"joker1"``… (`FACES`); `ValueError` for any other name."""
    if card not in FACES:
        raise ValueError(f"no ramino card is called {card!r}; they are A 2..10 J Q K with c d h s, joker1, joker2")
    if card == "joker2":
        style = replace(style, palette=_grey(style))
    sheet = Sheet(style, RAMINO_SIZE, card)
    if card.startswith("joker"):
        _joker(sheet, style.ramino_red if card == "joker1" else style.ramino_black)
        return sheet.svg(style.ramino_corner)
    value, suit = card[:-1], card[-1]
    colour = style.ramino_red if suit in "dh" else style.ramino_black
    for turn in (False, True):
        _index(sheet, value, suit, colour, turn)
    if value == "A":
        sheet.path(pip(suit, 290, 440, 230 * style.ramino_pip), colour)
    elif value in "JQK":
        court(sheet, value, suit, colour)
    else:
        size = 128 * style.ramino_pip
        for u, v in _PLACES[int(value)]:
            sheet.path(pip(suit, 168 + 244 * u, 130 + 620 * v, size, upside_down=v > 0.5), colour)
    return sheet.svg(style.ramino_corner)


def _index(sheet: Sheet, value: str, suit: str, colour: str, turned: bool) -> None:
    style = sheet.style
    if turned:
        sheet.opened('transform="rotate(180 290 440)"')
    cap = 84 * style.ramino_index
    cap = min(cap, cap * 84 / measure(value, style.ramino_index_form, cap) * style.ramino_index) if value == "10" else cap
    sheet.path(lettering(value, style.ramino_index_form, cap, 58, 34 + 84 * style.ramino_index), colour)
    sheet.path(pip(suit, 58, 34 + 84 * style.ramino_index + 48 * style.ramino_index, 64 * style.ramino_index), colour)
    if turned:
        sheet.closed()


def _grey(style: Style) -> Palette:
    """The inks of the joker printed in black only."""
    greys = {"red": "#4b4d54", "blue": "#8d929b", "green": "#63666d", "yellow": "#dcdcd8"}
    return replace(style.palette, flesh=style.palette.paper, **greys)


def _joker(sheet: Sheet, colour: str) -> None:
    form, style = sheet.style.ramino_index_form, sheet.style
    for turn in ("", 'transform="rotate(180 290 440)"'):
        sheet.opened(turn)
        for i, letter in enumerate("JOKER"):
            sheet.path(lettering(letter, form, 58 * style.ramino_index, 52, 96 + 74 * style.ramino_index * i), colour)
        sheet.closed()
    sheet.opened('transform="translate(62 -34) scale(.88)"')
    figure(sheet, "fool", part="fool")
    sheet.closed()


def back(style: Style) -> str:
    """The back of the style's ramino deck as an SVG text."""
    sheet = Sheet(style, RAMINO_SIZE, "ramino back")
    m, ink = style.ramino_back_margin, style.ramino_back_ink
    w, h = sheet.width - 2 * m, sheet.height - 2 * m
    sheet.path(rounded(m, m, w, h, 14 if m else style.ramino_corner), ink)
    if style.ramino_back == "plain":
        return sheet.svg(style.ramino_corner)
    sheet.path(rounded(m + 12, m + 12, w - 24, h - 24, 10), "none", 4, "paper")
    {"lattice": _lattice, "rosettes": _rosettes, "waves": _waves, "chevrons": _chevrons}[style.ramino_back](
        sheet, m + 20, m + 20, w - 40, h - 40
    )
    return sheet.svg(style.ramino_corner)


def _lattice(sheet: Sheet, x: float, y: float, w: float, h: float) -> None:
    sheet.path(lozenges(x, y, w, h, 36, 52), "paper")


def _rosettes(sheet: Sheet, x: float, y: float, w: float, h: float) -> None:
    columns, rows = round(w / 62), round(h / 62)
    dx, dy = w / columns, h / rows
    petals = [(14 * math.cos(math.radians(60 * i)), 14 * math.sin(math.radians(60 * i))) for i in range(6)]
    sheet.path(
        "".join(
            ellipse(x + dx * (column + 0.5) + px, y + dy * (row + 0.5) + py, 6.5, 6.5)
            for row in range(rows)
            for column in range(columns)
            for px, py in petals
        ),
        "paper",
    )


def _waves(sheet: Sheet, x: float, y: float, w: float, h: float) -> None:
    rows, half = round(h / 30), number(w / 16)
    wave = f"q{number(w / 32)},-22 {half},0" + f"t{half},0" * 15
    waves = (f"M{number(x)},{number(y + h / rows * row)}{wave}" for row in range(1, rows))
    sheet.path("".join(waves), "none", 7 / sheet.style.line, "paper")


def _chevrons(sheet: Sheet, x: float, y: float, w: float, h: float) -> None:
    rows, half = round(h / 44), number(w / 12)
    chevrons = (f"M{number(x)},{number(y + h / rows * (row + 0.25) + 20)}" + f"l{half},-20 {half},20" * 6 for row in range(rows))
    sheet.path("".join(chevrons), "none", 12 / sheet.style.line, "paper")
