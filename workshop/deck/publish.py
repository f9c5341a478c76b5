"""The committed drawings: which files web/cards holds, and what the code draws into each.

``python -m workshop.deck.publish [FOLDER]`` writes them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from companion.assets import root
from companion.decks import italian as italian_deck
from companion.decks.stu import KINDS
from workshop.deck import backs, italian, ramino, stu
from workshop.deck.style import Style

_BLUE = "#1c3f8f"


def drawings() -> Iterator[tuple[str, str]]:
    """(file name, SVG text) of every committed drawing, in the standard style."""
    style = Style.standard()
    for kind in KINDS:
        yield f"{kind}.svg", stu.face(kind, style)
    yield "back.svg", backs.back(style)
    for card in ramino.FACES:
        yield f"ramino-{card}.svg", ramino.face(card, style)
    yield "ramino-back.svg", ramino.back(style)
    for card in italian_deck.KINDS:
        yield f"{card}.svg", italian.face(card, style)
    yield "italian-back.svg", italian.back(style)
    yield "ramino-back-blue.svg", ramino.back(replace(style, ramino_back="rosettes", ramino_back_ink=_BLUE))


def publish(folder: Path) -> int:
    """Writes every drawing into ``folder``, made where it is missing; gives their number."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for name, svg in drawings():
        (folder / name).write_text(svg, encoding="utf-8", newline="\n")
        number += 1
    return number


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the committed drawings of cards.")
    parser.add_argument("folder", nargs="?", type=Path, default=root() / "web" / "cards", metavar="FOLDER",
                        help="where to; web/cards of the checkout by default")  # fmt: skip
    target = parser.parse_args().folder
    print(f"{publish(target)} drawings in {target}")
