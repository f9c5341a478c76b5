"""The command is run again and again in one process: the networks are read once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from companion.decks.deckfile import DeckFile
from companion.decks.lists import ListId
from companion.eyes.enrol.cohort import Cohort
from companion.eyes.look import Eyes

really_load = cache(Eyes.load)


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(models: Path, threads: int = 1, decks: Sequence[tuple[str, DeckFile]] = (), cards: ListId | None = None) -> Eyes:
        return really_load(models, threads).taught(decks, Cohort.load(models / "cohort.npz") if decks else None, cards)

    monkeypatch.setattr(Eyes, "load", staticmethod(load))
