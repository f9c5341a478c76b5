"""The 40 Italian faces: suits as in Naples, figures whole, pips laid out by number; no indices, as on the cards of the South."""

from __future__ import annotations

from functools import partial

from companion.decks.italian import KINDS, SUITS
from workshop.deck.courts import dressed
from workshop.deck.figure import figure
from workshop.deck.places import PLACES, SPRIGS, Place
from workshop.deck.sheet import ITALIAN_SIZE, Sheet
from workshop.deck.style import Style

RANKS = {1: "asso", 8: "fante", 9: "cavallo", 10: "re"}
"""Number → the first half of its figure's name; the suit is the second. The others are laid out of pips."""

_INKS = {
    "denari": ({"petal": "red"}, {"petal": "blue"}),
    "coppe": ({"bowl": "blue", "band": "red"}, {"bowl": "red", "band": "blue"}),
    "spade": ({"blade": "blue", "grip": "red"}, {"blade": "night", "grip": "green"}),
    "bastoni": ({"bark": "green", "core": "brown"}, {"bark": "brown", "core": "green"}),
}
"""Suit → the inks of its pips, by turns."""

_VIGNETTES = {"denari-4": ("presentosa", 0.92), "bastoni-3": ("gatto-mammone", 1.0)}
"""Card → the figure in its middle, and its scale."""


def face(kind: str, style: Style) -> str:
    """The face of a card (`companion.decks.italian.KINDS`) as an SVG text; `ValueError` for any other name."""
    if kind not in KINDS:
        raise ValueError(f"no Italian card is called {kind!r}; they are {', '.join(SUITS)}, each with -1 to -10")
    suit, number = kind.split("-")
    sheet = Sheet(style, ITALIAN_SIZE, kind, graver=0.6)
    with sheet.framed(style.italian_inset, min(style.border_radius, 30.0)):
        if int(number) in RANKS:
            pip = partial(_pip, sheet, suit, 0)
            figure(sheet, f"{RANKS[int(number)]}-{suit}", inks=_INKS[suit][0] | dressed(suit, style), held=pip)
        else:
            _numbered(sheet, suit, int(number))
    return sheet.svg(style.corner)


def _pip(sheet: Sheet, suit: str, turn: int) -> None:
    """The suit's pip about the origin: coins and cups 200 units high, swords and batons 400, on end."""
    name = sheet.style.italian_pips[list(SUITS).index(suit)]
    figure(sheet, name, inks=_INKS[suit][turn])


def _numbered(sheet: Sheet, suit: str, number: int) -> None:
    """The cards 2 to 7: pips of two inks by turns, sprigs or a vignette between them."""
    long = suit in ("spade", "bastoni")
    how = ("crossed" if suit in sheet.style.italian_crossed else "upright") if long else "round"
    places = PLACES[how][number]
    for turn in range(2):
        with sheet.cut(f"pip{turn}"):
            _pip(sheet, suit, turn)
    for n, place in enumerate(places):
        _stamp(sheet, f"pip{place.turn if place.turn is not None else n % 2}", place, sheet.style.italian_pip)
    if vignette := _VIGNETTES.get(f"{suit}-{number}"):
        name, scale = vignette
        sheet.opened(f'transform="translate(250 447) scale({scale})"')
        figure(sheet, name, inks={"petal": "red"})
        sheet.closed()
    elif sprigs := SPRIGS[how].get(number):
        with sheet.cut("sprig"):
            figure(sheet, "sprig", inks={"flower": "red"})
        for place in sprigs:
            _stamp(sheet, "sprig", place)


def _stamp(sheet: Sheet, name: str, place: Place, scale: float = 1.0) -> None:
    sheet.stamp(name, place.x, place.y, place.scale * scale, place.angle)
