"""The pictures of a recap: its title, the words of a moment, the table, and the end, upright, in the TV's colours and typeface.

The players sit along the two long sides of a table, in their order round it: so twelve are as readable on a phone as two.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Iterator, Sequence

import resvg_py

from companion.assets import asset
from companion.dashboard.drawing import COLOURS, png, text, text_width
from companion.pages.recap import Plate, Recap, Scene, Shot

WIDTH, HEIGHT = 720, 1280
"""Pixels of a picture. Messengers send videos on with 720 pixels on the shorter side or fewer: more would be thrown away."""
WIDE, HIGH = 1080, 1920
"""The same in the drawing's own units."""
MARGIN = 60
INNER = WIDE - 2 * MARGIN
PAY, GAIN = "#ff9a4d", "#9fe0c4"
"""As on the TV: who pays, who gains."""
_INK = COLOURS["dark"]
_CARD_PIXELS = 220
"""Width of a card's drawing in pixels, before it is made smaller."""
BACK = "back"
NO_BREAK = "\u00a0"
MOST_BENEATH, MOST_NAMES = 3, 6
"""Number of lines below the names of a moment, and of names in its words."""
_SHAPE, _SHOWS, _LOW_PLATE = 0.57, 0.5, 190
"""A card's width as a share of its height; how much of it shows under the next one; how low a plate may be for three lines."""
TABLE_TOP, TABLE_LOW = 470, 1500
"""Where the players sit, in the drawing's units."""


def title(recap: Recap, night: str) -> bytes:
    """The first picture as PNG. ``night``: the day in words."""
    return png(_framed(_title(recap, night)))


def words(scene: Scene, recap: Recap, at: int) -> bytes:
    """The words of a moment, the one with the index ``at``, as PNG."""
    return png(_framed((*_progress(recap, at), *_words(scene))))


def table(shot: Shot, scene: Scene, recap: Recap, at: int) -> bytes:
    """The table in a moment as PNG."""
    return png(_framed((*_progress(recap, at), *_header(scene), *_table(shot, recap), *_below(shot))))


def film(scene: Scene, recap: Recap, at: int, beneath: str) -> bytes:
    """What stands around the video of a moment, as PNG; the video takes the place of the table. ``beneath``: says what one
    sees."""
    said = text(WIDE / 2, TABLE_LOW + 120, beneath, 40, _INK["soft"], most=INNER, middle=True)
    return png(_framed((*_progress(recap, at), *_header(scene), said)))


def end(recap: Recap) -> bytes:
    """The last picture as PNG."""
    return png(_framed(_end(recap)))


def _framed(parts: Iterator[str] | Sequence[str]) -> str:
    return "".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDE} {HIGH}">',
        f'<g fill="{_INK["ink"]}" font-family="Vollkorn, DejaVu Serif Condensed, Georgia, serif">',
        f'<rect width="{WIDE}" height="{HIGH}" fill="{_INK["room"]}"/>', *parts, "</g></svg>",
    ])  # fmt: skip


def _progress(recap: Recap, at: int) -> Iterator[str]:
    """A stroke for each moment at the top, bright up to this one."""
    many, gap = len(recap.scenes), 14
    wide = (INNER - gap * (many - 1)) / many
    for number in range(many):
        colour = _INK["act"] if number <= at else _INK["line"]
        yield f'<rect x="{MARGIN + number * (wide + gap):.0f}" y="44" width="{wide:.0f}" height="8" rx="4" fill="{colour}"/>'


def _lines(said: str, size: float, most: float, many: int, *, bold: bool = False) -> list[str]:
    """The text in at most ``many`` lines of this width; where it is too long the last one is cut when it is drawn."""
    lines, rest = [""], said.split(" ")  # a space that does not break stays
    for number, word in enumerate(rest):
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or text_width(longer, bold=bold) * size <= most:
            lines[-1] = longer
        elif len(lines) < many:
            lines.append(word)
        else:
            lines[-1] = " ".join((lines[-1], *rest[number:]))
            break
    return lines


def _block(
    y: float, said: str, size: float, colour: str, many: int, *, most: float = INNER, bold: bool = False, italic: bool = False
) -> tuple[list[str], float]:
    """A text in the middle, in as many lines as it needs, the first at ``y``; and where the next would be."""
    drawn = []
    for line in _lines(said, size, most, many, bold=bold) if said else ():
        drawn.append(text(WIDE / 2, y, line, size, colour, most=most, bold=bold, italic=italic, middle=True))
        y += size * 1.2
    return drawn, y


def _title(recap: Recap, night: str) -> Iterator[str]:
    if recap.symbol:
        yield _card(recap.symbol, WIDE / 2 - 150, 190, 300, 537)
    yield text(WIDE / 2, 920, recap.title, 150, _INK["act"], most=INNER, italic=True, middle=True)
    yield text(WIDE / 2, 1010, night, 52, _INK["ink"], most=INNER, middle=True)
    yield text(WIDE / 2, 1080, recap.hands, 44, _INK["soft"], most=INNER, middle=True)
    columns = 1 if len(recap.players) <= 6 else 2
    rows = -(-len(recap.players) // columns)
    tall = min(92, 700 / rows)
    for number, name in enumerate(recap.players):
        column, row = divmod(number, rows)
        x = WIDE / 2 if columns == 1 else WIDE / 4 + column * WIDE / 2
        size, most = min(64, tall * 0.72), INNER / columns - 24
        yield text(x, 1210 + row * tall, name, size, _INK["ink"], most=most, bold=True, middle=True)


def _words(scene: Scene) -> Iterator[str]:
    y = 700.0
    if scene.card:
        yield _card(scene.card, WIDE / 2 - 190, 180, 380, 680)
        y = 1000
    drawn, y = _block(y, scene.title, 84, _INK["ink"], 2, italic=True)
    yield from drawn
    size = 150 if len(scene.names) < 3 else 96
    for name in scene.names[:MOST_NAMES]:
        yield text(WIDE / 2, y + size * 0.75, name, size, _INK["act"], most=INNER, bold=True, middle=True)
        y += size * 1.05
    y += 90
    for beneath in scene.beneath[:MOST_BENEATH]:
        said = " · ".join(part.replace(" ", NO_BREAK) for part in beneath.split(" · ")) if " · " in beneath else beneath
        drawn, y = _block(y, said, 60, _INK["ink"], 4)
        yield from drawn
        y += 14


def _header(scene: Scene) -> Iterator[str]:
    """The words of the moment, small, above its table."""
    yield text(WIDE / 2, 150, scene.title, 56, _INK["soft"], most=INNER, italic=True, middle=True)
    yield text(WIDE / 2, 250, " · ".join(scene.names), 84, _INK["act"], most=INNER, bold=True, middle=True)


def _table(shot: Shot, recap: Recap) -> Iterator[str]:
    many = len(shot.figures)
    for number, (label, told) in enumerate(shot.figures):
        x, wide = MARGIN + (number + 0.5) * INNER / many, INNER / many - 20
        yield text(x, 372, label, 34, _INK["soft"], most=wide, middle=True)
        yield text(x, 424, told, 44, _INK["ink"], most=wide, bold=True, middle=True)
    yield (
        f'<rect x="24" y="{TABLE_TOP - 24}" width="{WIDE - 48}" height="{TABLE_LOW - TABLE_TOP + 48}" rx="60"'
        f' fill="{_INK["felt"]}" stroke="{_INK["rim"]}" stroke-width="8"/>'
    )
    rows = -(-len(shot.plates) // 2)
    tall = min(320, (TABLE_LOW - TABLE_TOP) / rows)
    top = (TABLE_TOP + TABLE_LOW - tall * rows) / 2
    for seat, plate in enumerate(shot.plates):
        row = seat if seat < rows else 2 * rows - 1 - seat
        left = (seat < rows) != recap.clockwise  # they are named in the order of play
        yield from _plate(plate, 48 if left else WIDE / 2 + 10, top + row * tall + 6, WIDE / 2 - 58, tall - 12)


def _plate(plate: Plate, x: float, y: float, wide: float, tall: float) -> Iterator[str]:
    edge = (PAY if plate.pays else GAIN) if plate.change else _INK["line"]
    dashed = ' stroke-dasharray="10 8"' if plate.out else ""
    yield (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{tall:.0f}" rx="20" fill="#26211d" stroke="{edge}"'
        f' stroke-width="{5 if plate.change else 2}"{dashed}/>'
    )
    many = len(plate.cards)
    broad = min((tall - 20) * _SHAPE, wide * 0.5 / (1 + _SHOWS * (many - 1))) if many else 0
    step, high = broad * _SHOWS, broad / _SHAPE
    right = x + wide - 12 - (broad + step * (many - 1) if many else 0)
    for number, kind in enumerate(plate.cards):
        yield _card(kind or BACK, right + number * step, y + (tall - high) / 2, broad, high)
    size, most, left = min(56, tall * 0.36), max(120, right - x - 32), x + 20
    if plate.dealer:
        yield f'<circle cx="{left + 10:.0f}" cy="{y + tall * 0.38 - size * 0.32:.0f}" r="10" fill="{_INK["act"]}"/>'
    shift = 34 if plate.dealer else 0
    shade = _INK["soft"] if plate.out else _INK["ink"]
    yield text(left + shift, y + tall * 0.38, plate.name, size, shade, most=most - shift, bold=True)
    if plate.change and tall < _LOW_PLATE:  # beside what they have, as there is no third line
        said = text_width(plate.change, bold=True) * tall * 0.32
        yield text(right - 14, y + tall * 0.8, plate.change, tall * 0.32, edge, most=most * 0.6, bold=True, end=True)
        yield text(left, y + tall * 0.76, plate.has, min(36, tall * 0.27), _INK["soft"], most=max(90, most - said - 10))
    else:
        yield text(left, y + tall * 0.62, plate.has, min(38, tall * 0.25), _INK["soft"], most=most)
        yield text(left, y + tall * 0.9, plate.change, min(56, tall * 0.3), edge, most=most, bold=True)


def _below(shot: Shot) -> Iterator[str]:
    drawn, y = _block(TABLE_LOW + 104, shot.says, 48, _INK["ink"], 3)
    yield from drawn
    if shot.ruling:
        ruling = " · ".join(part.replace(" ", NO_BREAK) for part in shot.ruling)
        drawn, _y = _block(y + 24 if shot.says else y, ruling, 60, PAY, 3, bold=True)
        yield from drawn


def _end(recap: Recap) -> Iterator[str]:
    yield text(WIDE / 2, 150, recap.title, 72, _INK["soft"], most=INNER, italic=True, middle=True)
    yield (
        f'<rect x="40" y="210" width="{WIDE - 80}" height="330" rx="40" fill="{_INK["felt"]}" stroke="{_INK["rim"]}"'
        ' stroke-width="8"/>'
    )
    if recap.winner:
        yield text(WIDE / 2, 310, recap.over, 56, _INK["ink"], most=INNER, middle=True)
        yield text(WIDE / 2, 460, recap.winner, 150, _INK["act"], most=INNER - 40, bold=True, middle=True)
    else:
        yield text(WIDE / 2, 400, recap.over, 84, _INK["ink"], most=INNER - 40, bold=True, middle=True)
    tall = min(110, 1160 / max(1, len(recap.standings)))
    size = min(60, tall * 0.66)
    for number, one in enumerate(recap.standings):
        y = 600 + number * tall
        colour = _INK["act"] if one.won else _INK["ink"]
        name = INNER if not one.has else INNER * 0.56
        yield text(MARGIN, y + tall * 0.66, one.name, size, colour, most=name, bold=one.won)
        yield text(WIDE - MARGIN, y + tall * 0.66, one.has, size, colour, most=INNER * 0.42, end=True, bold=one.won)
        yield f'<path d="M{MARGIN},{y + tall:.0f}H{WIDE - MARGIN}" stroke="{_INK["line"]}" stroke-width="2"/>'
    yield text(WIDE / 2, HIGH - 60, recap.note, 38, PAY, most=INNER, middle=True)


def _card(kind: str, x: float, y: float, wide: float, high: float) -> str:
    """A card's drawing with its upper left corner at ``x``, ``y``."""
    picture = _pixels(kind)
    if not picture:
        return ""
    return f'<image x="{x:.0f}" y="{y:.0f}" width="{wide:.0f}" height="{high:.0f}" href="data:image/png;base64,{picture}"/>'


@functools.lru_cache(maxsize=64)
def _pixels(kind: str) -> str:
    """A card's drawing as PNG in base64; "" where there is none. By itself, as the parts of several have the same names."""
    file = asset("web") / "cards" / f"{kind}.svg"
    if not file.is_file():
        return ""
    drawn = bytes(resvg_py.svg_to_bytes(svg_string=file.read_text("utf-8"), width=_CARD_PIXELS, dpi=96))
    return base64.b64encode(drawn).decode()
