"""An evening's end as a picture to send round: who won, what everybody has, the evening's funniest figures. It is drawn as SVG in
the TV's colours, and resvg makes a PNG of it with the fonts that come with the program. Pure but for the files of `web/`.

Colours are given as attributes of the shapes: the site's content policy forbids style sheets in a drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

import resvg_py
from msgspec import Struct

from companion.assets import asset
from companion.table.text import printable

WIDTH = 1080
"""Width of the picture, pixels. Its height grows with the number of players, from `MIN_HEIGHT`."""
MIN_HEIGHT = 1080

Theme = Literal["dark", "light"]

_COLOURS: dict[Theme, dict[str, str]] = {
    "dark": {"room": "#14110f", "felt": "#1d5a49", "rim": "#8a5c38", "ink": "#f7f1e6", "soft": "#cdc2b3", "act": "#f0c419",
             "line": "#4a4038", "warn": "#ff9a4d"},
    "light": {"room": "#f3ede2", "felt": "#a9cfb9", "rim": "#a9774b", "ink": "#1b1613", "soft": "#4d443b", "act": "#7a4a00",
              "line": "#b9ab97", "warn": "#9a3b00"},
}  # fmt: skip
_MARGIN = 72
_INNER = WIDTH - 2 * _MARGIN
_CARD = 150
"""Width of the card beside the winner, in the drawing's units."""
_FONTS = ("Vollkorn-Regular.ttf", "Vollkorn-Bold.ttf", "Vollkorn-Italic.ttf")


class Place(Struct, frozen=True):
    """One player: what they have in the end (``has``), their money (``sum``, "" for none), and whether they have won."""

    name: str
    has: str
    sum: str
    won: bool


class Ending(Struct, frozen=True):
    """The texts of the picture, each "" where there is none. ``over``: the line above the ``winner``; ``note``: a warning below;
    ``sets``: how often the table has set how it stands; ``card``: the drawing (SVG) of a card beside the winner; ``left``: what
    was left in the pot, which has a place of its own."""

    title: str
    date: str
    over: str
    winner: str
    players: tuple[Place, ...]
    facts: tuple[str, ...]
    foot: str
    note: str = ""
    sets: str = ""
    card: str = ""
    left: str = ""


def svg(ending: Ending, theme: Theme = "dark") -> str:
    """The picture as an SVG document. Names are escaped; characters that cannot be printed become spaces."""
    colours = _COLOURS[theme]
    ink = colours["ink"]
    parts = list(_parts(ending, colours))
    height = max(MIN_HEIGHT, int(_bottom(ending)) + _MARGIN)
    label = "; ".join([f"{ending.title}, {ending.date}", f"{ending.over} {ending.winner}".strip(), *ending.facts])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"',
            f' role="img" aria-label={quoteattr(printable(label))}>',
            f'<g fill="{ink}" font-family="Vollkorn, DejaVu Serif Condensed, Georgia, serif">',
            f'<rect width="{WIDTH}" height="{height}" fill="{colours["room"]}"/>',
            f'<rect x="24" y="24" width="{WIDTH - 48}" height="{height - 48}" rx="36" fill="none"',
            f' stroke="{colours["rim"]}" stroke-width="6"/>',
            *parts,
            _text(WIDTH / 2, height - 54, ending.foot, 28, colours["soft"], middle=True),
            "</g></svg>",
        ]
    )


def png(drawing: str) -> bytes:
    """A drawing of `svg` as PNG, one pixel for each of its units. Letters that the program's fonts lack come from the machine's
    fonts."""
    fonts = asset("web/fonts")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, font_files=[str(fonts / name) for name in _FONTS]))


def drawing_of(card: Path) -> str:
    """The drawing of a card for `Ending.card`; "" where there is none."""
    return card.read_text("utf-8") if card.is_file() else ""


_TOP = 210
"""The top of the winner's panel, in the drawing's units."""
_PANEL = 290
_ROWS = _TOP + _PANEL + 40
_FACT = 58


def _row(ending: Ending) -> float:
    """The height of a player's row, in the drawing's units."""
    return 64 if len(ending.players) <= 10 else 46


def _bottom(ending: Ending) -> float:
    facts = 60 + len(ending.facts) * _FACT if ending.facts else 0
    return _ROWS + len(ending.players) * _row(ending) + facts + 56 * sum(map(bool, (ending.note, ending.sets))) + 50


def _parts(ending: Ending, colours: dict[str, str]) -> Iterator[str]:
    yield _text(_MARGIN, 122, ending.title, 68, colours["ink"], most=_INNER, italic=True)
    yield _text(_MARGIN, 176, ending.date, 34, colours["soft"], most=_INNER)
    yield (
        f'<rect x="{_MARGIN - 16}" y="{_TOP}" width="{_INNER + 32}" height="{_PANEL}" rx="28" fill="{colours["felt"]}"'
        f' stroke="{colours["rim"]}" stroke-width="4"/>'
    )
    beside = _CARD + 48 if ending.card else 0
    if ending.card:
        yield _card(ending.card, WIDTH - _MARGIN - _CARD, _TOP + 12)
    if ending.winner:
        yield _text(_MARGIN + 16, _TOP + 92, ending.over, 40, colours["ink"], most=_INNER - beside - 32)
        yield _text(_MARGIN + 16, _TOP + 200, ending.winner, 104, colours["act"], most=_INNER - beside - 32, bold=True)
    else:
        yield _text(_MARGIN + 16, _TOP + 165, ending.over, 60, colours["ink"], most=_INNER - beside - 32, bold=True)
    tall, size = _row(ending), 36 if len(ending.players) <= 10 else 29
    y: float = _ROWS
    for place in ending.players:
        middle, ink = y + tall / 2 + size * 0.35, colours["act"] if place.won else colours["ink"]
        yield _text(_MARGIN, middle, place.name, size, ink, most=450, bold=place.won)
        yield _text(_MARGIN + 480, middle, place.has, size, colours["soft"], most=230)
        yield _text(WIDTH - _MARGIN, middle, place.sum, size, ink, most=220, end=True, bold=place.won)
        y += tall
        yield f'<path d="M{_MARGIN},{y:.0f}H{WIDTH - _MARGIN}" stroke="{colours["line"]}" stroke-width="2"/>'
    if ending.facts:
        y += 24
        for fact in ending.facts:
            y += _FACT
            yield f'<circle cx="{_MARGIN + 8}" cy="{y - 11:.0f}" r="7" fill="{colours["act"]}"/>'
            yield _text(_MARGIN + 36, y, fact, 34, colours["ink"], most=_INNER - 36)
    for warning in filter(None, (ending.note, ending.sets)):
        yield _text(_MARGIN, y + 70, warning, 28, colours["warn"], most=_INNER)
        y += 56


def _card(drawing: str, x: float, y: float) -> str:
    """A card's drawing (SVG), placed in the picture with its upper left corner at ``x``, ``y``, `_CARD` wide; "" where the
    drawing has no usable viewBox."""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing)
    if box is None:
        return ""
    height = _CARD * float(box[2]) / float(box[1])
    placed = f'<svg x="{x:.0f}" y="{y:.0f}" width="{_CARD}" height="{height:.0f}" viewBox="{box[0][9:-1]}">'
    return re.sub(r"<svg\b[^>]*>", placed, drawing, count=1)


def _text(
    x: float, y: float, text: str, size: float, colour: str, *, most: float = _INNER, bold: bool = False, italic: bool = False,
    middle: bool = False, end: bool = False,
) -> str:  # fmt: skip
    """One line of text; made smaller where it would be wider than ``most``, and cut where it would become too small to read."""
    if not text:
        return ""
    text = printable(text)
    wide = _width(text, bold=bold)
    if wide * size > most:
        least = min(size, max(24, size * 0.45))
        size = max(least, most / wide)
        text = _cut(text, most / size, bold=bold)
    anchor = ' text-anchor="middle"' if middle else ' text-anchor="end"' if end else ""
    weight = ' font-weight="bold"' if bold else ""
    slant = ' font-style="italic"' if italic else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.1f}" fill="{colour}"{anchor}{weight}{slant}>{escape(text)}</text>'


def _cut(text: str, most: float, *, bold: bool) -> str:
    if _width(text, bold=bold) <= most:
        return text
    while text and _width(text + "…", bold=bold) > most:
        text = text[:-1]
    return text.rstrip() + "…"


_NARROW, _WIDE = frozenset("iljtfrI.,;:'’|!()[] -"), frozenset("mwMW@%€●—…")


def _width(text: str, *, bold: bool) -> float:
    """About how wide a text is, in multiples of its font size; rather too wide than too narrow, as another font may be used."""
    return (1.09 if bold else 1.0) * sum(map(_letter, text))


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE or ord(letter) > 0x1100:
        return 0.92
    return 0.7 if letter.isupper() else 0.56


