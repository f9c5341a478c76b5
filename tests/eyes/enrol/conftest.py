"""The command is run again and again in one process, mostly on the same photos: networks and photos are read once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.decks.deckfile import DeckFile
from companion.decks.lists import ListId
from companion.eyes.detector import Detector
from companion.eyes.enrol import Looked, folder, read_photo
from companion.eyes.enrol.deck import Cohort
from companion.eyes.look import Eyes

really_load = cache(Eyes.load)
looked_at: dict[bytes, Looked] = {}


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(models: Path, threads: int = 1, decks: Sequence[tuple[str, DeckFile]] = (), cards: ListId | None = None) -> Eyes:
        return really_load(models, threads).taught(decks, Cohort.load(models / "cohort.npz") if decks else None, cards)

    def read(image: np.ndarray, detector: Detector) -> Looked:
        this = hashlib.sha256(image.tobytes()).digest()
        if this not in looked_at:
            looked_at[this] = read_photo(image, detector)
        return looked_at[this]

    monkeypatch.setattr(Eyes, "load", staticmethod(load))
    monkeypatch.setattr(folder, "read_photo", read)
