"""companion detect: which cards lie where in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

if TYPE_CHECKING:
    from companion.eyes.sighting import CardSeen


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE…")
@click.option(
    "--deck",
    "decks",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DECK",
    help="An enrolled deck's file; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per picture on a line.")
def command(images: tuple[Path, ...], decks: tuple[Path, ...], as_json: bool) -> None:
    """Say which cards lie where in the pictures IMAGE….

    A file that cannot be read is named on standard error, the others are still done, and the exit code is 2.
    """
    from companion.assets import asset
    from companion.cli.enrol import given
    from companion.eyes.look import Eyes
    from companion.photos.reading import read_photo
    from companion.table.errors import UnreadablePicture

    eyes = Eyes.load(asset("models"), threads=2, decks=given(decks))
    failed = False
    for path in images:
        try:
            image = read_photo(path)
        except UnreadablePicture as error:
            click.echo(str(error), err=True)
            failed = True
            continue
        height, width = image.shape[:2]
        seen = eyes.look_closely(image)
        click.echo(json_line(str(path), width, height, seen) if as_json else table(str(path), width, height, seen))
    if failed:
        raise click.exceptions.Exit(2)


def json_line(image: str, width: int, height: int, seen: Sequence[CardSeen]) -> str:
    """One picture's line: quads in pixels to two places, scores to four."""
    cards = [
        {
            "quad": [[round(x, 2), round(y, 2)] for x, y in card.quad],
            "deck": card.deck,
            "side": card.side,
            "card": card.card,
            "score": round(card.score, 4),
            "alternatives": [[kind, round(share, 4)] for kind, share in card.alternatives if card.deck != "unknown"],
        }
        for card in seen
    ]
    return msgspec.json.encode({"image": image, "width": width, "height": height, "cards": cards}).decode()


def table(image: str, width: int, height: int, seen: Sequence[CardSeen]) -> str:
    """One picture's cards as a table for people: name, score, middle and length (pixels)."""
    from companion.eyes.geometry import card_length

    lines = [f"{image} ({width} x {height}): {len(seen)} card{'' if len(seen) == 1 else 's'}"]
    for card in seen:
        x, y = (sum(point[i] for point in card.quad) / 4 for i in (0, 1))
        what = card.card or {"stack": "stack"}.get(card.side, f"a {card.side}" if card.side == "back" else "a face")
        lines.append(
            f"  {card.score:4.0%}  {card.deck:8} {what:12} at {x:6.0f}, {y:5.0f}  {float(card_length(card.quad)):4.0f} px long"
        )
    return "\n".join(lines)
