"""The evening's end as a picture to send round: who won, how everybody stands, the evening's funniest figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from companion.dashboard.drawing import COLOURS, INNER, MARGIN, WIDTH, Theme, framed, text

_CARD = 150
"""Width of the card beside the winner, in the drawing's units."""


class PictureRow(Struct, frozen=True):
    """One player: what they have in the end (``has``), their money (``sum``, "" for none), and whether they have won."""

    name: str
    has: str
    sum: str
    won: bool


class Ending(Struct, frozen=True):
    """The texts of the picture, each "" where there is none. ``over``: the line above the ``winner``; ``note``: a warning below;
    ``lacks``: that nobody has sums yet; ``part``: says that the sums are of one part of the game; ``sets``: how often the table
    has set how it stands; ``card``: the drawing (SVG) of a card beside the winner; ``left``: what was left in the pot, which has
    a place of its own."""

    title: str
    date: str
    over: str
    winner: str
    players: tuple[PictureRow, ...]
    facts: tuple[str, ...]
    foot: str
    note: str = ""
    sets: str = ""
    card: str = ""
    left: str = ""
    part: str = ""
    lacks: str = ""


def svg(ending: Ending, theme: Theme = "dark") -> str:
    """The picture as an SVG document. Names are escaped; characters that cannot be printed become spaces."""
    label = "; ".join([f"{ending.title}, {ending.date}", f"{ending.over} {ending.winner}".strip(), *ending.facts])
    return framed(_parts(ending, COLOURS[theme]), _bottom(ending), label, ending.foot, theme)


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
    said = sum(map(bool, (ending.lacks, ending.part, ending.note, ending.sets)))
    return _ROWS + len(ending.players) * _row(ending) + facts + 56 * said + 50


def _parts(ending: Ending, colours: dict[str, str]) -> Iterator[str]:
    yield text(MARGIN, 122, ending.title, 68, colours["ink"], most=INNER, italic=True)
    yield text(MARGIN, 176, ending.date, 34, colours["soft"], most=INNER)
    yield (
        f'<rect x="{MARGIN - 16}" y="{_TOP}" width="{INNER + 32}" height="{_PANEL}" rx="28" fill="{colours["felt"]}"'
        f' stroke="{colours["rim"]}" stroke-width="4"/>'
    )
    beside = _CARD + 48 if ending.card else 0
    if ending.card:
        yield _card(ending.card, WIDTH - MARGIN - _CARD, _TOP + 12)
    if ending.winner:
        yield text(MARGIN + 16, _TOP + 92, ending.over, 40, colours["ink"], most=INNER - beside - 32)
        yield text(MARGIN + 16, _TOP + 200, ending.winner, 104, colours["act"], most=INNER - beside - 32, bold=True)
    else:
        yield text(MARGIN + 16, _TOP + 165, ending.over, 60, colours["ink"], most=INNER - beside - 32, bold=True)
    tall, size = _row(ending), 36 if len(ending.players) <= 10 else 29
    y: float = _ROWS
    for place in ending.players:
        middle, ink = y + tall / 2 + size * 0.35, colours["act"] if place.won else colours["ink"]
        yield text(MARGIN, middle, place.name, size, ink, most=450, bold=place.won)
        yield text(MARGIN + 480, middle, place.has, size, colours["soft"], most=230)
        yield text(WIDTH - MARGIN, middle, place.sum, size, ink, most=220 if place.has else 450, end=True, bold=place.won)
        y += tall
        yield f'<path d="M{MARGIN},{y:.0f}H{WIDTH - MARGIN}" stroke="{colours["line"]}" stroke-width="2"/>'
    if ending.facts:
        y += 24
        for fact in ending.facts:
            y += _FACT
            yield f'<circle cx="{MARGIN + 8}" cy="{y - 11:.0f}" r="7" fill="{colours["act"]}"/>'
            yield text(MARGIN + 36, y, fact, 34, colours["ink"], most=INNER - 36)
    for said, colour in ((ending.lacks, "soft"), (ending.part, "soft"), (ending.note, "warn"), (ending.sets, "warn")):
        if not said:
            continue
        yield text(MARGIN, y + 70, said, 28, colours[colour], most=INNER)
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
