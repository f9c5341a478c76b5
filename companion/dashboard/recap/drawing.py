"""The pictures of a recap: its title, the words of a moment, the table, and the end, upright, in the TV's colours and typeface.

The players sit along the two long sides of a table, in their order round it: so twelve are as readable on a phone as two.
"""

from __future__ import annotations

import base64
import functools
import re
from collections.abc import Iterator, Sequence

import resvg_py

from companion.assets import asset
from companion.dashboard.drawing import COLOURS, png, text, text_width
from companion.pages.recap import Recap, RecapRow
from companion.pages.recap_scenes import Plate, Scene, Shot

WIDTH, HEIGHT = 720, 1280
"""Pixels of a picture. Messengers send videos on with 720 pixels on the shorter side or fewer: more would be thrown away."""
WIDE, HIGH = 1080, 1920
"""Width and height of a picture in the drawing's own units."""
MARGIN = 60
INNER = WIDE - 2 * MARGIN
PAY, GAIN = "#ff9a4d", "#9fe0c4"
"""As on the TV: who pays, who gains."""
_INK = COLOURS["dark"]
_CARD_PIXELS = 220
"""Width of a card's drawing in pixels, before it is made smaller."""
BACK = "back"
NO_BREAK = "\u00a0"
MOST_NAMES, MOST_PLATES = 6, 12
"""Number of names in the words of a moment, and of players at a table."""
MOST_ROWS, END_TOP = 10, 580
"""Number of players in the end that stand in one column, else in two; and where the first row begins."""
_SHAPE, _SHOWS, _LOW_PLATE = 0.57, 0.5, 190
"""A card's width as a share of its height; how much of it shows under the next one; how low a plate may be for three lines."""
_TWO_LINES = 140
"""How high a plate is where a name may stand in two lines."""
_LEAST_SIZE = 34
_DOT = " · "
_SUM = re.compile(r" (?=[€%])")
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
    return png(_framed((*_progress(recap, at), *_header(scene), *_table(shot, scene, recap), *_below(shot))))


def film(scene: Scene, recap: Recap, at: int, above: str) -> bytes:
    """What stands around the video of a moment, as PNG; the video takes the place of the table. ``above``: says what one sees."""
    said = text(WIDE / 2, 424, above, 40, _INK["soft"], most=INNER, middle=True)
    return png(_framed((*_progress(recap, at), *_header(scene), said, *_below(scene.shots[-1]))))


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


def _lines(said: str, size: float, most: float, *, bold: bool = False) -> list[str]:
    """The text in lines of this width, a sum never parted from its euro sign. Parts that a dot divides are kept whole where a
    line holds them, and no dot begins or ends a line."""
    lines = list[str]()
    for number, part in enumerate(said.split(_DOT)):
        joined = f"{lines[-1]}{_DOT}{part}" if number else part
        if number and text_width(joined, bold=bold) * size <= most:
            lines[-1] = joined
            continue
        begun = len(lines)
        for word in _SUM.sub(NO_BREAK, part).split(" "):
            if len(lines) > begun and text_width(f"{lines[-1]} {word}", bold=bold) * size <= most:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
    return lines


def _block(
    y: float, said: str, size: float, colour: str, many: int, *, most: float = INNER, bold: bool = False, italic: bool = False
) -> tuple[list[str], float]:
    """A text in the middle, the first line at ``y``, all of one size: smaller where else it needed more than ``many``; and where
    the next line would be."""
    if not said:
        return [], y
    while len(lines := _lines(said, size, most, bold=bold)) > many and size > _LEAST_SIZE:
        size *= 0.94
    drawn = []
    for line in [*lines[: many - 1], " ".join(lines[many - 1 :])]:
        if line:
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
    tall, most = min(92, 700 / rows), INNER / columns - 24
    size = max(44, min(64, tall * 0.72, *(most / text_width(name, bold=True) for name in recap.players)))
    for number, name in enumerate(recap.players):
        column, row = divmod(number, rows)
        x = WIDE / 2 if columns == 1 else WIDE / 4 + column * WIDE / 2
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
        fits = min(size, INNER / text_width(name, bold=True))
        yield text(WIDE / 2, y + size * 0.75, name, fits, _INK["act"], most=INNER + 1, bold=True, middle=True)
        y += size * 1.05
    y += 90
    for beneath in scene.beneath:
        drawn, y = _block(y, beneath, 60, _INK["ink"], 4)
        yield from drawn
        y += 14


def _header(scene: Scene) -> Iterator[str]:
    """The words of the moment, small, above its table."""
    yield text(WIDE / 2, 150, scene.title, 56, _INK["soft"], most=INNER, italic=True, middle=True)
    yield text(WIDE / 2, 250, _DOT.join(scene.names), 84, _INK["act"], most=INNER, bold=True, middle=True)


def _seats(shot: Shot) -> Sequence[Plate]:
    """The players who are drawn: of more than `MOST_PLATES` those whom the moment is about, and who sit nearest to them of those
    who are not out."""
    if len(shot.plates) <= MOST_PLATES:
        return shot.plates
    plates = [plate for plate in shot.plates if plate.named or plate.change or not plate.out]
    many = len(plates)
    about = [at for at, plate in enumerate(plates) if plate.named or plate.change] or [0]

    def away(at: int) -> int:
        return min(min((at - one) % many, (one - at) % many) for one in about)

    return [plates[at] for at in sorted(sorted(range(many), key=away)[:MOST_PLATES])]


def _table(shot: Shot, scene: Scene, recap: Recap) -> Iterator[str]:
    many = len(shot.figures)
    for number, (label, told) in enumerate(shot.figures):
        x, wide = MARGIN + (number + 0.5) * INNER / many, INNER / many - 20
        yield text(x, 372, label, 34, _INK["soft"], most=wide, middle=True)
        yield text(x, 424, told, 44, _INK["ink"], most=wide, bold=True, middle=True)
    yield (
        f'<rect x="24" y="{TABLE_TOP - 24}" width="{WIDE - 48}" height="{TABLE_LOW - TABLE_TOP + 48}" rx="60"'
        f' fill="{_INK["felt"]}" stroke="{_INK["rim"]}" stroke-width="8"/>'
    )
    plates = _seats(shot)
    rows = -(-len(plates) // 2)
    tall = min(400, (TABLE_LOW - TABLE_TOP) / rows)
    top = (TABLE_TOP + TABLE_LOW - tall * rows) / 2
    every = [_Place(plate, tall - 12) for one in scene.shots for plate in _seats(one)]
    size = min((place.name_size for place in every), default=0.0)  # one for all of a scene
    has = min((place.has_size for place in every), default=0.0)
    for seat, plate in enumerate(plates):
        row = seat if seat < rows else 2 * rows - 1 - seat
        left = (seat < rows) != recap.clockwise  # they are named in the order of play
        x, y = 48 if left else WIDE / 2 + 10, top + row * tall + 6
        yield from _Place(plate, tall - 12).drawn(x, y, size, has)


class _Place:
    """How a player's box of this height is laid out. Where several cards lie in it the name stands above them."""

    WIDE = WIDE / 2 - 58

    def __init__(self, plate: Plate, tall: float) -> None:
        self._plate, self._tall = plate, tall
        many = len(plate.cards)
        self._low = tall < _LOW_PLATE
        self._above = many > 1 and not self._low
        high = tall * 0.58 if self._above else tall - 16
        share = 0.48 if self._above else 0.5
        self._broad = min(high * _SHAPE, self.WIDE * share / (1 + _SHOWS * (many - 1))) if many else 0.0
        self._cards = self._broad * (1 + _SHOWS * (many - 1)) if many else 0.0
        self._beside = self.WIDE - self._cards - (56 if many else 36)
        self._shift = 34 if plate.dealer else 0
        self._whole = self.WIDE - 36 if self._above else self._beside
        room = self._whole - self._shift
        whole = room / text_width(plate.name, bold=True)
        first, space, last = plate.name.rpartition(" ")
        split = room / max(text_width(first, bold=True), text_width(last, bold=True)) if space else 0.0
        split = 0.0 if tall < _TWO_LINES or self._above else split
        most = min(60.0, tall * (0.2 if self._above else 0.3))
        self._split = whole < split and whole < most
        most = tall * 0.25 if self._split and self._low else most
        self.name_size = max(_LEAST_SIZE, min(most, max(whole, split)))
        amount = text_width(plate.change, bold=True) * self._change + 16 if self._low and plate.change else 0.0
        wide = text_width(plate.has, bold=False)
        self.has_size = max(24.0, min(38.0, tall * 0.3, (self._whole - amount) / wide if wide else 38.0))

    @property
    def _change(self) -> float:
        return min(56, self._tall * (0.34 if self._low else 0.2))

    def drawn(self, x: float, y: float, size: float, has: float) -> Iterator[str]:
        """With its upper left corner at ``x``, ``y``; ``size``, ``has``: of the letters of its name and of what they have."""
        plate, tall, left = self._plate, self._tall, x + 20
        edge = (PAY if plate.pays else GAIN) if plate.change else _INK["act"] if plate.named else _INK["line"]
        dashed = ' stroke-dasharray="10 8"' if plate.out else ""
        yield (
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{self.WIDE:.0f}" height="{tall:.0f}" rx="20" fill="#26211d" stroke="{edge}"'
            f' stroke-width="{5 if plate.change or plate.named else 2}"{dashed}/>'
        )
        high = self._broad / _SHAPE
        right, above = x + self.WIDE - 12 - self._cards, y + (tall - high - 10 if self._above else (tall - high) / 2)
        for number, kind in enumerate(plate.cards):
            yield _card(kind or BACK, right + number * self._broad * _SHOWS, above, self._broad, high)
        room = self._whole - self._shift
        two = self._split and text_width(plate.name, bold=True) * size > room
        base = y + (12 + size if not self._low else 6 + size if two else tall * 0.42)
        if plate.dealer:
            yield f'<circle cx="{left + 10:.0f}" cy="{base - size * 0.32:.0f}" r="10" fill="{_INK["act"]}"/>'
        shade = _INK["soft"] if plate.out else _INK["ink"]
        first, _space, last = plate.name.rpartition(" ")
        for line in (first, last) if two else (plate.name,):
            yield text(left + self._shift, base, line, size, shade, most=room, bold=True)
            base += size * 0.98
        if self._low:
            yield text(left, y + tall * 0.88, plate.has, has, _INK["soft"], most=self._beside)
            yield text(x + 20 + self._beside, y + tall * 0.86, plate.change, self._change, edge, most=self._beside, bold=True,
                       end=True)  # fmt: skip
        else:
            yield text(left, base + has * 0.4, plate.has, has, _INK["soft"], most=self._whole)
            yield text(left, y + tall * 0.92, plate.change, self._change, edge, most=self._beside, bold=True)


def _below(shot: Shot) -> Iterator[str]:
    drawn, y = _block(TABLE_LOW + 104, shot.says, 48, _INK["ink"], 3)
    yield from drawn
    y += 24 if shot.says else 0
    pays = len(shot.ruling) - shot.gains
    size, many = (60, 3) if 0 in (pays, shot.gains) else (54, 2)
    for parts, colour in ((shot.ruling[:pays], PAY), (shot.ruling[pays:], GAIN)):
        drawn, y = _block(y, _DOT.join(parts), size, colour, many, bold=True)
        yield from drawn


def _end(recap: Recap) -> Iterator[str]:
    yield text(WIDE / 2, 120 if recap.part else 150, recap.title, 72, _INK["soft"], most=INNER, italic=True, middle=True)
    yield text(WIDE / 2, 180, recap.part, 34, _INK["soft"], most=INNER, middle=True)
    yield (
        f'<rect x="40" y="210" width="{WIDE - 80}" height="330" rx="40" fill="{_INK["felt"]}" stroke="{_INK["rim"]}"'
        ' stroke-width="8"/>'
    )
    if recap.winner:
        yield text(WIDE / 2, 310, recap.over, 56, _INK["ink"], most=INNER, middle=True)
        size = min(150, (INNER - 40) / text_width(recap.winner, bold=True))
        yield text(WIDE / 2, 410 + size / 3, recap.winner, size, _INK["act"], most=INNER, bold=True, middle=True)
    else:
        yield text(WIDE / 2, 400, recap.over, 84, _INK["ink"], most=INNER - 40, bold=True, middle=True)
    rows = -(-len(recap.standings) // (1 if len(recap.standings) <= MOST_ROWS else 2))
    tall = min(170, (HIGH - 130 - END_TOP) / rows) if rows else 0
    for number, one in enumerate(recap.standings):
        column, row = divmod(number, rows)
        if len(recap.standings) <= MOST_ROWS:
            yield from _row(one, MARGIN, END_TOP + row * tall, INNER, tall)
        else:
            yield from _cell(one, MARGIN + column * (INNER + 40) / 2, END_TOP + row * tall, (INNER - 40) / 2, tall)
    yield text(WIDE / 2, HIGH - 60, recap.note, 38, PAY, most=INNER, middle=True)


def _row(one: RecapRow, x: float, y: float, wide: float, tall: float) -> Iterator[str]:
    """A player in the end, and what they have."""
    size, colour = min(72, tall * 0.6), _INK["act"] if one.won else _INK["ink"]
    has = size if text_width(one.has, bold=True) * size < wide * 0.4 else min(44, size)
    told = min(wide * 0.5, text_width(one.has, bold=one.won) * has)
    room, lines = wide - told - 24, [_named(one)]
    if text_width(lines[0], bold=one.won) * size > room and " " in one.name:
        first, _space, last = lines[0].rpartition(" ")
        lines, size = [first, last], min(size, tall * 0.38)
    for number, line in enumerate(lines, 1 - len(lines)):
        yield text(x, y + tall * (0.66 if len(lines) == 1 else 0.84) + number * size, line, size, colour, most=room, bold=one.won)
    yield text(x + wide, y + tall * 0.66, one.has, has, colour, most=told + 1, end=True, bold=one.won)
    yield f'<path d="M{x:.0f},{y + tall:.0f}H{x + wide:.0f}" stroke="{_INK["line"]}" stroke-width="2"/>'


def _cell(one: RecapRow, x: float, y: float, wide: float, tall: float) -> Iterator[str]:
    """A player in the end in one of two columns: what they have stands below the name."""
    colour, alone = _INK["act"] if one.won else _INK["ink"], not one.has
    yield text(x, y + tall * (0.62 if alone else 0.46), _named(one), min(60, tall * 0.44), colour, most=wide, bold=True)
    yield text(x, y + tall * 0.84, one.has, min(48, tall * 0.34), _INK["soft"], most=wide)
    yield f'<path d="M{x:.0f},{y + tall:.0f}H{x + wide:.0f}" stroke="{_INK["line"]}" stroke-width="2"/>'


def _named(one: RecapRow) -> str:
    return f"{one.place} {one.name}".strip()


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
