"""The drawn deck of a clip, taught before it is played with, from one rendered photo of each card, as `companion enrol` does."""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.decks.deckfile import DeckFile, read_deck, write_deck
from companion.eyes.enrol.cohort import Cohort
from companion.eyes.look import Eyes
from companion.workshop.bench import keys
from companion.workshop.enrolment.measure import Album, Say, enrolled
from companion.workshop.enrolment.prints import drawn


def taught(style: int | None, cache: Path, models: Path, say: Say = lambda what, share: None) -> DeckFile:
    """The Italian deck printed in this style (None: the shipped printing), from the cache, or taught first.

    Raises:
        CompanionError: a card's photos are refused again and again.
    """
    prints = drawn("italian", style)
    kept = cache / f"{prints.name}-{keys.eyes_key(models)}.deck"
    if not kept.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            album = Album(prints, Path(scratch))
            write_deck(kept, enrolled(album, Eyes.load(models, threads=1), Cohort.load(models / "cohort.npz"), 1, say).deck)
    return read_deck(kept)
