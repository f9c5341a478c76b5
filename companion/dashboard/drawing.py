"""What pictures to send round are drawn with: SVG by own code in the TV's colours, PNG of it by resvg with the fonts that come
with the program. Pure but for the files of `web/`.

Attributes alone give shapes their colours: the site's content policy lets no style sheet into a drawing.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

import msgspec
import resvg_py

from companion.assets import asset
from companion.table.text import printable

WIDTH = 1080
"""Pixels. The height grows with what stands in the picture, from `MIN_HEIGHT`."""
MIN_HEIGHT = 1080

Theme = Literal["dark", "light"]

COLOURS: dict[Theme, dict[str, str]] = {
    "dark": {"room": "#14110f", "felt": "#1d5a49", "rim": "#8a5c38", "ink": "#f7f1e6", "soft": "#cdc2b3", "act": "#f0c419",
             "line": "#4a4038", "warn": "#ff9a4d"},
    "light": {"room": "#f3ede2", "felt": "#a9cfb9", "rim": "#a9774b", "ink": "#1b1613", "soft": "#4d443b", "act": "#7a4a00",
              "line": "#b9ab97", "warn": "#9a3b00"},
}  # fmt: skip
MARGIN = 72
INNER = WIDTH - 2 * MARGIN
_FONTS = ("Vollkorn-Regular.ttf", "Vollkorn-Bold.ttf", "Vollkorn-Italic.ttf")
_MAX_PICTURES = 16
"""Number of pictures that are kept: many phones ask for the same one at once."""


def framed(parts: Iterable[str], bottom: float, label: str, foot: str, theme: Theme) -> str:
    """The ``parts``, which reach down to ``bottom`` pixels, as an SVG document, in a frame and with the line ``foot`` below them.
    ``label``: the same for those who cannot see it."""
    colours = COLOURS[theme]
    height = max(MIN_HEIGHT, int(bottom) + MARGIN)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"',
            f' role="img" aria-label={quoteattr(printable(label))}>',
            f'<g fill="{colours["ink"]}" font-family="Vollkorn, DejaVu Serif Condensed, Georgia, serif">',
            f'<rect width="{WIDTH}" height="{height}" fill="{colours["room"]}"/>',
            f'<rect x="24" y="24" width="{WIDTH - 48}" height="{height - 48}" rx="36" fill="none"',
            f' stroke="{colours["rim"]}" stroke-width="6"/>',
            *parts,
            text(WIDTH / 2, height - 54, foot, 28, colours["soft"], middle=True),
            "</g></svg>",
        ]
    )


def png(drawing: str) -> bytes:
    """A drawing as PNG, in its own size. Letters that the program's fonts lack are taken from the machine's."""
    fonts = asset("web/fonts")
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, font_files=[str(fonts / name) for name in _FONTS]))


class _Pictures:
    """The pictures made last, by their drawings."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[str, bytes] = OrderedDict()

    def pixels(self, drawing: str) -> bytes:
        with self._lock:
            if drawing not in self._made:
                self._made[drawing] = png(drawing)
            self._made.move_to_end(drawing)
            while len(self._made) > _MAX_PICTURES:
                self._made.popitem(last=False)
            return self._made[drawing]


pixels = _Pictures().pixels
"""A drawing as PNG, as `png` gives it; the last ones are kept."""


def text(
    x: float, y: float, said: str, size: float, colour: str, *, most: float = INNER, bold: bool = False, italic: bool = False,
    middle: bool = False, end: bool = False,
) -> str:  # fmt: skip
    """One line of text: smaller where it would be wider than ``most``, and cut where it would become too small to read."""
    if not said:
        return ""
    said = printable(said)
    wide = text_width(said, bold=bold)
    if wide * size > most:
        least = min(size, max(24, size * 0.45))
        said, size = said if most / wide >= least else _cut(said, most / least, bold=bold), max(least, most / wide)
    anchor = ' text-anchor="middle"' if middle else ' text-anchor="end"' if end else ""
    weight = ' font-weight="bold"' if bold else ""
    slant = ' font-style="italic"' if italic else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size:.1f}" fill="{colour}"{anchor}{weight}{slant}>{escape(said)}</text>'


def _cut(text: str, most: float, *, bold: bool) -> str:
    if text_width(text, bold=bold) <= most:
        return text
    while text and text_width(text + "…", bold=bold) > most:
        text = text[:-1]
    return text.rstrip() + "…"


_NARROW, _WIDE = frozenset("iljtfrI.,;:'’|!()[] -"), frozenset("mwMW@%€●—…")


def text_width(text: str, *, bold: bool) -> float:
    """How wide a text is, in units of its size: no narrower than in the program's own typeface, and rather too wide than too
    narrow, as another font may be shown."""
    own = _widths()["bold" if bold else "regular"]
    return sum(max((1.09 if bold else 1.0) * _letter(letter), own.get(letter, 0) / 1000) for letter in text)


@functools.cache
def _widths() -> dict[str, dict[str, int]]:
    """Weight → letter → its width in thousandths of the size (`tools/typeface.py`)."""
    return msgspec.json.decode((asset("web/fonts") / "widths.json").read_bytes(), type=dict[str, dict[str, int]])


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE or ord(letter) > 0x1100:
        return 0.92
    return 0.7 if letter.isupper() else 0.56
