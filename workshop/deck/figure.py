"""The drawn figures: SVG files that a drawing program opens, drawn on a sheet in any style.

`docs/drawn-deck.md` says what a file may hold and what its attributes mean.
"""

from __future__ import annotations

import cmath
import math
import re
from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree  # nosec B405 # our own drawings
from xml.etree.ElementTree import Element  # nosec B405 # our own drawings

from workshop.deck.alphabet import lettering
from workshop.deck.sheet import NAMESPACE, Sheet
from workshop.deck.style import Palette
from workshop.deck.svg import ellipse, outlines

FOLDER = Path(__file__).parent / "figures"

Sign: TypeAlias = Callable[[float, float, float], str]
"""(x, y, height) to the path data of a suit's sign about (x, y)."""

_SVG = f"{{{NAMESPACE}}}"
_INKS = {getattr(Palette(), field.name): field.name for field in fields(Palette)}
"""Colour of the standard palette → its name."""
_UNSEEN = {_SVG + name for name in ("title", "desc", "defs", "metadata", "style")}
_CAPITALS = 2 / 3
"""Height of a capital as a share of the font size, as in most serif types."""


def figure(
    sheet: Sheet,
    name: str,
    part: str = "",
    inks: Mapping[str, str] | None = None,
    sign: Sign | None = None,
    held: Callable[[], None] | None = None,
) -> None:
    """Draws ``figures/NAME.svg`` in the sheet's style, or only the element of it whose id is ``part``.

    ``inks`` gives the ink of each role that elements name in ``data-ink``, ``sign`` draws what has a ``data-sign``, ``held``
    what stands in the place, and in the units, of an element with ``data-held``.
    Raises `ValueError` that names the file and the element where a file holds what cannot be printed.
    """
    root = read(name)
    elements = [element for element in root.iter() if element.get("id") == part] if part else list(root)
    if not elements:
        raise ValueError(f"figures/{name}.svg has no element with the id {part!r}")
    pen = _Pen(sheet, root, inks or {}, sign, held)
    for element in elements:
        pen.draw(element, f"figures/{name}.svg")


@cache
def read(name: str) -> Element:
    """The root element of ``figures/NAME.svg``; `FileNotFoundError` when there is none, `ValueError` when it is no XML."""
    try:
        return ElementTree.parse(FOLDER / f"{name}.svg").getroot()  # nosec B314 # our own drawings
    except ElementTree.ParseError as error:
        raise ValueError(f"figures/{name}.svg is not well-formed: {error}") from error


class _Pen:
    """Draws the elements of one figure in the order in which they stand."""

    def __init__(
        self, sheet: Sheet, root: Element, inks: Mapping[str, str], sign: Sign | None, held: Callable[[], None] | None
    ) -> None:
        self.sheet, self.root, self.inks, self.sign, self.held = sheet, root, inks, sign, held

    def draw(self, element: Element, where: str) -> None:
        """Draws an element and what it holds; ``where`` says in errors where it stands."""
        if element.tag in _UNSEEN or not element.tag.startswith(_SVG) or _look(element).get("display") == "none":
            return
        kind, transform = element.tag.removeprefix(_SVG), element.get("transform")
        where = f"{where}, {element.get('id', kind)}"
        if transform:
            self.sheet.opened(f'transform="{transform}"')
        if self.held and "data-held" in element.attrib:
            self.held()
        elif kind == "g":
            for child in element:
                self.draw(child, where)
        elif mark := {"path": self._path, "circle": self._ellipse, "ellipse": self._ellipse, "text": self._text}.get(kind):
            try:
                mark(element)
            except KeyError as error:
                raise ValueError(f"{where}: the attribute {error} is missing") from error
            except (IndexError, ValueError) as error:
                raise ValueError(f"{where}: {error}") from error
        else:
            raise ValueError(f"{where}: a <{kind}> cannot be printed; make it paths, circles, ellipses, texts or groups of them")
        if transform:
            self.sheet.closed()

    def _path(self, element: Element) -> None:
        d, look, shade = element.attrib["d"], _look(element), float(element.get("data-shade", 0))
        if look["fill"].startswith("url("):
            angle, gap, width = _pattern(self.root, look["fill"])
            for loop in outlines(d):
                self.sheet.hatch(loop, angle, gap, width)
        elif look.get("paint-order", "").startswith("stroke"):
            self.sheet.union(*outlines(d), fill=self._fill(element), line=_line(look), stroke=_stroke(look), shade=shade)
        elif shade:
            self.sheet.shape(*outlines(d), fill=self._fill(element), line=_line(look), stroke=_stroke(look), shade=shade)
        else:
            self._plain(element, d)
        if "data-turf" in element.attrib:
            (_, horizon), *_ = outlines(d)[0].curves[0]
            self.sheet.turf(horizon + float(element.attrib["data-turf"]))

    def _ellipse(self, element: Element) -> None:
        x, y = float(element.get("cx", 0)), float(element.get("cy", 0))
        rx, ry = (float(element.get(radius) or element.attrib["r"]) for radius in ("rx", "ry"))
        d = self.sign(x, y, 2 * ry) if self.sign and "data-sign" in element.attrib else ellipse(x, y, rx, ry)
        self._plain(element, d)

    def _text(self, element: Element) -> None:
        """Letters of the style's heavy caption alphabet."""
        text, cap = "".join(element.itertext()).strip(), float(_look(element)["font-size"].removesuffix("px")) * _CAPITALS
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        self._plain(element, lettering(text, self.sheet.style.caption_heavy, cap, x, y))

    def _plain(self, element: Element, d: str) -> None:
        look = _look(element)
        self.sheet.path(d, self._fill(element), _line(look), _stroke(look), look.get("fill-rule", ""))

    def _fill(self, element: Element) -> str:
        role = element.get("data-ink")
        if role and role not in self.inks:
            raise ValueError(f"data-ink {role!r} is no role of this card; its roles are {', '.join(self.inks) or 'none'}")
        return self.inks[role] if role else _ink(_look(element)["fill"])


def _look(element: Element) -> dict[str, str]:
    """Fill, stroke and so on: what the style attribute says, else the attributes themselves."""
    pairs = (declaration.split(":", 1) for declaration in element.get("style", "").split(";") if ":" in declaration)
    return {"fill": "#000000", **element.attrib, **{name.strip(): value.strip() for name, value in pairs}}


def _line(look: Mapping[str, str]) -> float:
    return 0.0 if look.get("stroke", "none") == "none" else float(look.get("stroke-width", "1").removesuffix("px"))


def _stroke(look: Mapping[str, str]) -> str:
    return _ink(look.get("stroke", "none"))


def _ink(colour: str) -> str:
    """The name of a colour of the standard palette, or ``none``."""
    if colour != "none" and colour.lower() not in _INKS:
        raise ValueError(f"{colour} is no ink of the deck; they are {', '.join(f'{ink} {hue}' for hue, ink in _INKS.items())}")
    return _INKS.get(colour.lower(), "none")


def _pattern(root: Element, url: str) -> tuple[float, float, float]:
    """Angle in degrees, gap and cut of the hatching that a pattern shows: how it is turned, how high it is, how wide its line.

    What a pattern lacks stands in the one that it refers to.
    """
    patterns = {f"#{pattern.get('id')}": pattern for pattern in root.iter(f"{_SVG}pattern")}
    chain: list[Element] = []
    name: str | None = url.removeprefix("url(").rstrip(")").strip("\"'")
    while name:
        if name not in patterns:
            raise ValueError(f"the fill {name} is no pattern of this file, and only plain inks and hatching can be printed")
        chain.append(patterns.pop(name))
        name = next((value for key, value in chain[-1].attrib.items() if key.endswith("href")), None)
    attributes = ChainMap(*(pattern.attrib for pattern in chain))
    cuts = [_line(_look(line)) for pattern in chain for line in pattern.iter(f"{_SVG}path")]
    if not cuts:
        raise ValueError(f"the pattern {url} holds no path, whose width says how wide the hatching's cuts are")
    turn = _linear(attributes.get("patternTransform", ""))
    angle, gap, cut = math.degrees(cmath.phase(turn)), float(attributes["height"]) * abs(turn), cuts[0] * abs(turn)
    return round(angle, 6), round(gap, 6), round(cut, 6)


def _linear(transform: str) -> complex:
    """How a list of transforms turns and scales, as a complex factor; for those that keep shapes as they are."""
    factor = complex(1)
    for name, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", transform):
        numbers = [float(value) for value in re.split(r"[\s,]+", inner.strip())]
        if name == "rotate":
            factor *= cmath.exp(1j * math.radians(numbers[0]))
        elif name == "scale":
            factor *= numbers[0]
        elif name == "matrix":
            factor *= complex(numbers[0], numbers[1])
    return factor
