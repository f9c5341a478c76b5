"""The table as a picture, for notebooks: who sits where, with which card, and whom the hand waits for."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final
from xml.sax.saxutils import escape

from companion.decks.stu import NAMES, Kind
from companion.games.stu import words
from companion.games.stu.rules.report import report
from companion.games.stu.rules.state import NOBODY, State
from companion.games.stu.rules.waiting import awaited
from companion.table.language import Lang
from companion.table.money import exact
from companion.table.text import printable

WIDTH, HEIGHT = 760, 460
_CARD: Final = (52, 78)
_STYLE: Final = (
    "text{font:15px sans-serif;text-anchor:middle;fill:#222}.out{fill:#999}.said{fill:#f6f1e3}"
    ".card{fill:#fffdf6;stroke:#555}.back{fill:#8c2f2b}.held{fill:#d8d3c4}.waits{stroke:#e0a800;stroke-width:5}"
)


def table(state: State, language: Lang = "it") -> str:
    """The table as an `<svg>` element: seats anticlockwise, the first of the log at the bottom; names are escaped.

    A card shown is white with its name, one whose face only the log knows is grey, one unseen lies on its face. Whom the hand
    waits for has a yellow frame, the dealer a dot before the name.
    """
    hand, result = state.hand, report(state)
    wait = awaited(hand) if hand is not None else None
    middle = (WIDTH / 2, HEIGHT / 2)
    parts = [f"<style>{_STYLE}</style>", f'<ellipse cx="{middle[0]}" cy="{middle[1]}" rx="240" ry="120" fill="#2f6b46"/>']
    for line, said in enumerate((words.status(result, language), exact(result.pot, language))):
        parts.append(_text(middle[0], middle[1] - 4 + 22 * line, said, "said"))
    for seat, player in enumerate(result.players):
        angle = 2 * pi * seat / len(result.players) - pi / 2
        x, y = middle[0] + 300 * cos(angle), middle[1] - 165 * sin(angle)
        position = hand.places[seat] if hand is not None else NOBODY
        if hand is not None and position != NOBODY and hand.still_in(position):
            token = hand.holds[position]
            waits = wait is not None and wait.who == position
            parts.append(_card(x, y, hand.faces[token], shown=hand.is_shown(token), waits=waits))
        dealer = hand is not None and hand.dealer == seat
        parts.append(_text(x, y + 34, f"{'• ' if dealer else ''}{player.name}", "" if player.in_play else "out"))
        parts.append(_text(x, y + 52, "●" * min(player.pedine, 20), ""))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">{"".join(parts)}</svg>'


def _card(x: float, y: float, face: Kind | None, *, shown: bool, waits: bool) -> str:
    width, height = _CARD
    kind = "back" if face is None else "" if shown else "held"
    frame = (
        f'<rect class="card {kind}{" waits" if waits else ""}" x="{x - width / 2:.0f}" y="{y - height + 14:.0f}"'
        f' width="{width}" height="{height}" rx="5"/>'
    )
    return frame if face is None else frame + _text(x, y - 20, NAMES[face].it[:7], "")


def _text(x: float, y: float, said: str, kind: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}">{escape(printable(said))}</text>'
