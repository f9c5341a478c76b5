"""companion enrol: teach the reader a deck from photos of its cards."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli import of_workshop
from companion.cli.common import POSITIVE

if TYPE_CHECKING:
    from companion.decks.deckfile import DeckFile
    from companion.eyes.enrol.deck import Cohort
    from companion.eyes.reader import Reader


@click.command()
@click.argument("photos", type=click.Path(path_type=Path), metavar="PHOTOS")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="The deck file to write.")
@click.option("--tune", "tuned", is_flag=True, help="Then adapt the reader to the deck; needs the extra train.")
@click.option("--minutes", type=POSITIVE, default=10.0, show_default=True,
              help="Minutes that --tune takes.")
def command(photos: Path, out: Path, tuned: bool, minutes: float) -> None:
    """Teach the reader a deck from the photos in the folder PHOTOS, in seconds and without training.

    The photos are named by the card that they show (gnao.jpg, gnao~2.jpg, denari-7.jpg, hearts-12.jpg, back.jpg), one card in
    each, whole, on a plain surface. The ids tell which list the deck is of; a few cards alone are a deck, too. A photo that
    cannot be used is named with the reason. Where a card is left without a photo, nothing is written, and the exit code is 2.

    With --tune the reader is then adapted to the deck, and that is kept only where it is better on views that it was not adapted
    to; Ctrl-C keeps the deck as it was before.
    """
    from companion.assets import asset
    from companion.decks.deckfile import encode_deck
    from companion.decks.lists import LISTS
    from companion.eyes.enrol.deck import Cohort
    from companion.eyes.look import Eyes
    from companion.files import written_whole
    from companion.line.teaching.folder import enrol_photos
    from companion.table.errors import CannotEnrol

    if tuned:
        of_workshop("training.tune", "companion enrol --tune")  # before the work begins: it needs torch
    models = asset("models")
    eyes = Eyes.load(models, threads=2)
    cohort = Cohort.load(models / "cohort.npz")
    try:
        with written_whole(out) as scratch:
            with click.progressbar(length=1, label="Reading photos", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

                def progress(done: int, of: int) -> None:
                    bar.length = of
                    bar.update(done - bar.pos)

                findings = enrol_photos(photos, eyes.detector, eyes.reader, cohort, progress)
            for line in findings.lines:
                click.echo(line, err=True)
            if findings.deck is None:
                without = len(findings.left_out) or "all"
                raise CannotEnrol(f"{out} is not written: {without} of the cards have no photo that can be used")
            scratch.write_bytes(encode_deck(findings.deck))
    except OSError as error:
        raise CannotEnrol(f"{out}: {error.strerror or error}: the deck cannot be written there") from error
    deck = findings.deck
    size = len(LISTS[deck.list].KINDS)
    faces = sum(card != "back" for card in deck.ids)
    click.echo(
        f"{out}: {faces} of the {size} cards of the list {deck.list}{'' if faces == len(deck.ids) else ' and the back'}; "
        f"{findings.right:.1%} of harder views of its own photos are named right ({out.stat().st_size / 1e6:.1f} MB)"
    )
    if tuned:
        click.echo(_tuned(deck, out, eyes.reader, cohort, minutes))


def _tuned(deck: DeckFile, out: Path, reader: Reader, cohort: Cohort, minutes: float) -> str:
    """Adapt the deck in the file ``out``, and keep that where it is better. Returns a sentence about it."""
    from companion.decks.deckfile import write_deck

    tune = of_workshop("training.tune", "companion enrol --tune").tune
    try:
        with click.progressbar(length=1000, label="Tuning", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            found = tune(deck, reader, cohort, minutes, lambda share: bar.update(round(1000 * min(share, 1.0)) - bar.pos))
    except KeyboardInterrupt:
        return f"stopped: {out} stays as it was before tuning"
    if found.better:
        write_deck(out, found.deck)
    before, after = found.before, found.after
    return (
        f"{'tuned' if found.better else 'tuning does not help, and is left out'}: of other views {before.right:.1%} are named "
        f"right without it, {after.right:.1%} with it; of other decks' cards {before.strangers:.1%} and {after.strangers:.1%} "
        "are taken for this deck's"
    )


def given(decks: Sequence[Path]) -> list[tuple[str, DeckFile]]:
    """The decks in the files of ``--deck``, each with its name, which is the file's stem.

    Raises:
        BadDeck: a file cannot be used, or two decks have the same name.
    """
    from companion.decks.checked import read_deck
    from companion.table.errors import BadDeck

    found: dict[str, DeckFile] = {}
    for path in decks:
        name = path.stem
        if name == "unknown" or "/" in name:
            raise BadDeck(f"{path}: a deck cannot be called {name!r}: rename the file")
        if name in found:
            raise BadDeck(f"{path}: a second deck called {name}: rename one of the files")
        found[name] = read_deck(path)
    return list(found.items())
