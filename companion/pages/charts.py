"""An evening in figures: what everybody had after every hand, and the charts of it as one drawing. Pure.

A chart has a row for every player, with columns of curves and bars: numbers in, SVG out. Nothing is told by colour alone: what
everybody has is a line of steps, all else a bar with its number beside it. It is drawn twice, and the style sheet shows one:
across a screen, and upright for a phone, where what stands side by side elsewhere is one below the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape as escape_html
from typing import NamedTuple

from companion.pages.moments import Moment, between_hands
from companion.table.game import Rules, State
from companion.table.money import Sum
from companion.table.text import short

escape = partial(escape_html, quote=False)

WIDTH, HEIGHT = 1600, 860
"""Size of the drawing in its own units; letters are 30 of them, 3 % of the screen whose width it fills."""

_HEAD = 64
_NAME = 20
_MAX_NAME_LETTERS = 16
"""Number of letters of a name that fit into its column; a longer one is written smaller."""


UPRIGHT_WIDTH = 600
"""Width of the upright drawing; its letters are 30 units of it, 19 pixels of a phone's 390."""
_UPRIGHT_NAME, _UPRIGHT_CURVE, _UPRIGHT_BAR = 46, 96, 44
"""Heights in the upright drawing: of a name, of a curve, of a bar."""
_UPRIGHT_LONGEST = 440
"""Width of its curves, at most."""
_UPRIGHT_BAR_X, _UPRIGHT_BAR_LONGEST, _UPRIGHT_BAR_LEAST = 332, 110, 12
"""Where its bars begin, and the longest one's width, at most; and the least of that and of a curve's."""
_UPRIGHT_LETTER, _UPRIGHT_CURVE_LETTER = 13, 17
"""Width of a letter beside its bars, and beside its curves, a little more than the average."""


SET_MARK, BOUGHT_MARK = "✎", "+"
"""Marks at a value that the table has set, and where somebody has bought in once more."""


class Curve(NamedTuple):
    """What somebody had: ``values`` at the beginning and after every hand; ``said``: the last of them, in words; ``sets``: those
    (indices) that the table has set, and no hand has made; ``bought``: those after which this player has bought in once more."""

    values: Sequence[int]
    said: str
    sets: Sequence[int] = ()
    bought: Sequence[int] = ()


class Bar(NamedTuple):
    """A number of somebody's, and how it is said."""

    value: int
    said: str


class Column(NamedTuple):
    """A column. ``x``: where it begins; ``width``: of its curves or longest bar; ``least``: its scale reaches up to this at
    least."""

    head: str
    x: int
    width: int
    least: int = 1


class Strip(NamedTuple):
    """One player's row: a cell for each column; ``dim``: of somebody who no longer plays."""

    name: str
    cells: Sequence[Curve | Bar]
    dim: bool = False


def chart(
    title: str, columns: Sequence[Column], strips: Sequence[Strip], hands: int, marked: str, bought: str = ""
) -> str:  # fmt: skip
    """Both drawings as `<svg>` elements, classes for the page's style sheet; names are escaped. "" where there is no game.

    ``hands``: how many are over, each a step of the curves; ``marked``, ``bought``: what the marks are called, at what the table
    has set and where somebody has bought in once more.
    """
    if not strips:
        return ""
    marked = _explained(strips, marked, bought)
    ranges = [_range([strip.cells[at] for strip in strips], column.least) for at, column in enumerate(columns)]
    return "\n".join([
        *_across(title, columns, strips, hands, marked, ranges), *_upright(title, columns, strips, hands, marked, ranges),
    ])  # fmt: skip


def _svg(kind: str, width: float, height: float, title: str) -> str:
    from xml.sax.saxutils import quoteattr  # loads the network's modules with it

    return f'<svg class="{kind}" viewBox="0 0 {width} {height}" role="img" aria-label={quoteattr(title)}>'


def _across(
    title: str, columns: Sequence[Column], strips: Sequence[Strip], hands: int, marked: str, ranges: Sequence[tuple[int, int]]
) -> list[str]:
    """The drawing that is as wide as a screen: a row a player."""
    tall = (HEIGHT - _HEAD) / max(len(strips), 4)
    parts = [
        _svg("across", WIDTH, HEIGHT, title),
        *(f'<text class="head" x="{column.x}" y="40">{escape(column.head)}</text>' for column in columns),
    ]
    for index, strip in enumerate(strips):
        top = _HEAD + index * tall
        middle = top + tall / 2
        small = " long" * (len(strip.name) > _MAX_NAME_LETTERS)
        parts += [
            f'<g class="{"row out" if strip.dim else "row"}">',
            f'<line class="rule" x1="{_NAME}" x2="{WIDTH - _NAME}" y1="{top:.1f}" y2="{top:.1f}"/>',
            f'<text class="name{small}" x="{_NAME}" y="{middle + 9:.1f}">{escape(short(strip.name))}</text>',
        ]
        for column, cell, scale in zip(columns, strip.cells, ranges, strict=True):
            if isinstance(cell, Curve):
                parts += [
                    _steps(cell, hands, column, top, tall, scale),
                    f'<text x="{column.x + column.width + 12}" y="{middle + 9:.1f}">{escape(cell.said)}</text>',
                ]
            else:
                parts.append(_bar(column.x, middle, tall, column.width * cell.value / scale[1], cell.said))
        parts.append("</g>")
    if marked:
        parts.append(f'<text class="head" x="{_NAME}" y="{HEIGHT - 8}">{escape(marked)}</text>')
    return [*parts, "</svg>"]


def _upright(
    title: str, columns: Sequence[Column], strips: Sequence[Strip], hands: int, marked: str, ranges: Sequence[tuple[int, int]]
) -> list[str]:
    """The drawing that is as wide as a phone: below each name its curves, then its bars with what they are."""
    curved = [any(isinstance(strip.cells[at], Curve) for strip in strips) for at in range(len(columns))]
    heads = [column.head for column, is_curve in zip(columns, curved, strict=True) if is_curve]
    parts = [f'<text class="head" x="{_NAME}" y="{40 + 40 * line}">{escape(head)}</text>' for line, head in enumerate(heads)]
    top = 24.0 + 40 * len(heads)
    for strip in strips:
        small = " long" * (len(strip.name) > 2 * _MAX_NAME_LETTERS)
        parts += [
            f'<g class="{"row out" if strip.dim else "row"}">',
            f'<line class="rule" x1="{_NAME}" x2="{UPRIGHT_WIDTH - _NAME}" y1="{top:.1f}" y2="{top:.1f}"/>',
            f'<text class="name{small}" x="{_NAME}" y="{top + 38:.1f}">{escape(short(strip.name))}</text>',
        ]
        top += _UPRIGHT_NAME
        for at, (column, cell, scale) in enumerate(zip(columns, strip.cells, ranges, strict=True)):
            if isinstance(cell, Curve):
                wide = _upright_width(strips, at, _NAME, _UPRIGHT_LONGEST, _UPRIGHT_CURVE_LETTER)
                x, y = _NAME + wide + 12, top + _UPRIGHT_CURVE / 2 + 9
                parts += [
                    _steps(cell, hands, column._replace(x=_NAME, width=wide), top, _UPRIGHT_CURVE, scale),
                    f'<text x="{x}" y="{y:.1f}">{escape(cell.said)}</text>',
                ]
                top += _UPRIGHT_CURVE
            else:
                middle = top + _UPRIGHT_BAR / 2
                longest = _upright_width(strips, at, _UPRIGHT_BAR_X, _UPRIGHT_BAR_LONGEST, _UPRIGHT_LETTER)
                parts += [
                    f'<text class="what" x="{_NAME}" y="{middle + 9:.1f}">{escape(column.head)}</text>',
                    _bar(_UPRIGHT_BAR_X, middle, _UPRIGHT_BAR, longest * cell.value / scale[1], cell.said),
                ]
                top += _UPRIGHT_BAR
        top += 12
        parts.append("</g>")
    if marked:
        top += 40
        parts.append(f'<text class="head" x="{_NAME}" y="{top - 8:.1f}">{escape(marked)}</text>')
    return [_svg("upright", UPRIGHT_WIDTH, top, title), *parts, "</svg>"]


def _upright_width(strips: Sequence[Strip], at: int, x: int, most: int, letter: int) -> int:
    """Width upright of a column's curves, or of its longest bar, that begin at ``x``: what is said beside them ends before the
    edge."""
    letters = max(len(strip.cells[at].said) for strip in strips)
    return max(_UPRIGHT_BAR_LEAST, min(most, UPRIGHT_WIDTH - _NAME - x - 12 - letter * letters))


def _explained(strips: Sequence[Strip], marked: str, bought: str) -> str:
    """The marks that are drawn, and what they are called; "" where there are none."""
    curves = [cell for strip in strips for cell in strip.cells if isinstance(cell, Curve)]
    said = [f"{SET_MARK} {marked}"] if any(curve.sets for curve in curves) else []
    return "   ".join([*said, f"{BOUGHT_MARK} {bought}"] if any(curve.bought for curve in curves) else said)


def _range(cells: Sequence[Curve | Bar], least: int) -> tuple[int, int]:
    """From where to where a column's values go: 0 is among them."""
    values = [value for cell in cells for value in (cell.values if isinstance(cell, Curve) else (cell.value,))]
    return min(0, *values), max(least, *values)


def _steps(curve: Curve, hands: int, column: Column, top: float, tall: float, scale: tuple[int, int]) -> str:
    """What somebody had over the hands as a line of steps between the lowest value and the highest, with the ground at 0."""
    values = curve.values
    wide = column.width / (hands + 1)
    low, room = top + tall * 0.85, tall * 0.7
    least, most = scale

    def level(value: int) -> float:
        return low - room * (value - least) / (most - least)

    path = f"M{column.x},{level(values[0]):.1f}"
    for index, value in enumerate(values):
        path += f"V{level(value):.1f}H{column.x + wide * (index + 1):.1f}"
    right, ground = column.x + wide * len(values), level(0)

    def marks(mark: str, said_at: Sequence[int]) -> str:
        places = ((column.x + wide * (at + 0.5), level(values[at]) - 4) for at in dict.fromkeys(said_at))
        return "".join(f'<text class="set" text-anchor="middle" x="{x:.1f}" y="{y:.1f}">{mark}</text>' for x, y in places)

    return marks(SET_MARK, curve.sets) + marks(BOUGHT_MARK, curve.bought) + (
        f'<path class="area" d="{path}V{ground:.1f}H{column.x}Z"/><path class="steps" d="{path}"/>'
        f'<line class="ground" x1="{column.x}" x2="{right:.1f}" y1="{ground:.1f}" y2="{ground:.1f}"/>'
    )


def _bar(x: float, middle: float, tall: float, length: float, said: str) -> str:
    high = min(tall * 0.55, 40)
    bar = f'<rect class="bar" x="{x}" y="{middle - high / 2:.1f}" width="{length:.1f}" height="{high:.1f}"/>' if length else ""
    return f'{bar}<text x="{x + length + 10:.1f}" y="{middle + 9:.1f}">{escape(said)}</text>'


class Series(NamedTuple):
    """What one player has had, in minor units. ``values``: at the beginning and after every hand; ``said``: the same in words;
    ``now``: the last of them."""

    values: tuple[int, ...]
    said: tuple[str, ...]
    now: Sum


def series_of(
    rules: Rules, moments: Sequence[Moment], value: Callable[[State], Sequence[int]], say: Callable[[int], str]
) -> list[Series]:
    """Every player's, in seat order. ``value``: what everybody has in a state; ``say``: a sum in words."""
    found = []
    for values in zip(*between_hands(rules, moments, value), strict=True):
        said = tuple(map(say, values))
        found.append(Series(values, said, Sum(values[-1], said[-1])))
    return found
