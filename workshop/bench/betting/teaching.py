"""The deck of a clip, taught before it is played with, from one rendered photo of each card, as `companion enrol` does.

A bar teaches the deck that it plays with: what shows of a card under others is told by the pictures of a taught deck alone.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from companion.decks.deckfile import DeckFile, read_deck, write_deck
from companion.eyes.enrol.deck import Cohort
from companion.eyes.look import Eyes
from workshop.bench import keys
from workshop.enrolment.measure import Album, Say, enrolled
from workshop.enrolment.prints import drawn, scanned


def taught(style: int | None, scans: Path | None, cache: Path, models: Path, say: Say = lambda what, share: None) -> DeckFile:
    """The Italian deck of these ``scans`` (a folder, named as the deck), or else the one printed in this style (None: the shipped
    printing), from the cache, or taught first. Scans are inked again for the photos.

    Raises:
        CompanionError: a card's photos are refused again and again; the folder of scans lacks a card.
    """
    prints = drawn("italian", style) if scans is None else scanned(scans.parent, scans.name, f"italian-{scans.name}", seen=True)
    kept = cache / f"{prints.name}-{keys.eyes_key(models)}.deck"
    if not kept.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            album = Album(prints, Path(scratch))
            write_deck(kept, enrolled(album, Eyes.load(models, threads=1), Cohort.load(models / "cohort.npz"), 1, say).deck)
    return read_deck(kept)
