"""The typeface of all pages and pictures, from the files of Debian's `fonts-vollkorn`: fewer letters, larger ones, another line.

    apt-get install fonts-vollkorn
    pip install fonttools brotli
    python tools/typeface.py /usr/share/fonts/truetype/vollkorn

Writes `web/static/fonts/*.woff2`, which browsers load, `web/fonts/*.ttf`, with which the evening's picture is drawn, and
`web/fonts/widths.json`: how wide each letter is. `python tools/typeface.py --widths` writes that alone, from `web/fonts/*.ttf`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
WEIGHTS = ("Regular", "Bold", "Italic")
LETTERS = (
    "U+20-7E", "U+A0-17F", "U+192", "U+218-21B", "U+2BC", "U+2C6", "U+2DA", "U+2DC", "U+300-304", "U+370-3FF", "U+400-45F",
    "U+490-491", "U+1E80-1E85", "U+1E9E", "U+2010-2027", "U+2030", "U+2032-2033", "U+2039-203A", "U+2044", "U+2070-2089",
    "U+20AC", "U+2116", "U+2122", "U+2153-215E", "U+2190-2193", "U+2212", "U+2248", "U+2260", "U+2264-2265", "U+25CA", "U+25CF",
    "U+FB00-FB04",
)  # fmt: skip
"""Latin, Greek and Cyrillic names, figures, signs. What is missing comes from the machine's own fonts."""
FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "lnum", "tnum", "pnum", "frac"]
UNITS_PER_EM = 900
"""Of 1000 in the original: letters are a ninth larger at the same size: an x-height of 0.51, as televisions
have it."""
ASCENT, DESCENT = 740, 210
"""Units above and below the baseline, little more than letters take: lines of a plate stand close. The original's 952 and 441 set
capitals above the middle of their line."""

BOX_BESIDE, BOX_TALL, BOX_LINE = 50, 640, 44
"""Of the box for a letter that is missing, in units: the room on either side, its height, how thick its line is."""


def main(folder: Path) -> None:
    try:
        from fontTools import subset
    except ImportError:
        sys.exit("tools/typeface.py needs fonttools and brotli: pip install fonttools brotli")
    for weight in WEIGHTS:
        source = folder / f"Vollkorn-{weight}.ttf"
        if not source.is_file():
            sys.exit(f"{source} is not there: apt-get install fonts-vollkorn")
        options = subset.Options(layout_features=FEATURES, hinting=False, name_IDs=["*"], notdef_outline=True)
        font = subset.load_font(str(source), options)
        kept = subset.Subsetter(options)
        kept.populate(unicodes=subset.parse_unicodes(",".join(LETTERS)))
        kept.subset(font)
        with_plain_gap(font)
        font["head"].unitsPerEm = UNITS_PER_EM
        horizontal, metrics = font["hhea"], font["OS/2"]
        horizontal.ascent, horizontal.descent, horizontal.lineGap = ASCENT, -DESCENT, 0
        metrics.sTypoAscender, metrics.sTypoDescender, metrics.sTypoLineGap = ASCENT, -DESCENT, 0
        metrics.usWinAscent, metrics.usWinDescent = ASCENT, DESCENT
        font["head"].modified = font["head"].created  # the same files from the same sources
        font.recalcTimestamp = False
        font.flavor = "woff2"
        font.save(ROOT / "web" / "static" / "fonts" / f"vollkorn-{weight.lower()}.woff2")
        font.flavor = None
        with_plain_figures(font)
        font.save(ROOT / "web" / "fonts" / f"Vollkorn-{weight}.ttf")


def with_plain_gap(font: Any) -> None:
    """An empty box for a letter that neither this typeface nor the machine has, such as a face in a name: the original draws a QR
    code, which a table would take for one of the page's own. ``font``: a `fontTools.ttLib.TTFont`, changed in place."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen, wide = TTGlyphPen(None), font["hmtx"][".notdef"][0]
    for inset in (0, BOX_LINE):  # the inner one runs the other way round, and is a hole
        left, low, right, high = BOX_BESIDE + inset, inset, wide - BOX_BESIDE - inset, BOX_TALL - inset
        corners = [(left, low), (left, high), (right, high), (right, low)]
        pen.moveTo(corners[0])
        for corner in corners[:0:-1] if inset else corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    font["glyf"][".notdef"] = pen.glyph()
    font["hmtx"][".notdef"] = (wide, BOX_BESIDE)


def with_plain_figures(font: Any) -> None:
    """Figures as high as capitals, and of equal width, without being asked for: what draws the pictures asks for no features, and
    the typeface's own 1 looks like a capital I. ``font``: a `fontTools.ttLib.TTFont`, changed in place."""
    rules = font["GSUB"].table

    def replaced(feature: str, glyph: str) -> str:
        for found in (one.Feature for one in rules.FeatureList.FeatureRecord if one.FeatureTag == feature):
            for table in (table for index in found.LookupListIndex for table in rules.LookupList.Lookup[index].SubTable):
                glyph = getattr(table, "ExtSubTable", table).mapping.get(glyph, glyph)
        return glyph

    figures = {ord(figure): replaced("tnum", replaced("lnum", font.getBestCmap()[ord(figure)])) for figure in "0123456789"}
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap.update(figures)


def widths() -> dict[str, dict[str, int]]:
    """Weight → letter → its width in thousandths of the size, for the weights that texts are measured in."""
    from fontTools.ttLib import TTFont

    found = {}
    for weight in ("Regular", "Bold"):
        font = TTFont(ROOT / "web" / "fonts" / f"Vollkorn-{weight}.ttf")
        glyphs, unit = font["hmtx"], font["head"].unitsPerEm
        found[weight.lower()] = {
            chr(code): round(1000 * glyphs[glyph][0] / unit) for code, glyph in sorted(font.getBestCmap().items())
        }
    return found


def write_widths() -> None:
    (ROOT / "web" / "fonts" / "widths.json").write_text(json.dumps(widths(), separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("/usr/share/fonts/truetype/vollkorn"))
    parser.add_argument("--widths", action="store_true", help="write widths.json alone")
    given = parser.parse_args()
    if not given.widths:
        main(given.folder)
    write_widths()
