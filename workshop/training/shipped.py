"""The decks that ship with the reader beside Stù, and the cohort that enrolled decks are calibrated against: no torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decks.lists import SHIPPED
from companion.eyes.enrol.deck import Cohort, enrol, points_in
from companion.eyes.enrol.photo import SIZE, CardPhoto
from companion.eyes.reader import Prototypes, Reader
from workshop.deck.raster import from_scans
from workshop.training.crops import NOTHING, STRANGE, classes, crop

Image = NDArray[np.uint8]

SCANNED: Final = ("napoletane", "piacentine")
"""Decks that ship only as what the reader makes of their scans."""
COHORT: Final = {"strange": 900, "stu": 300, "ramino": 300, "piacentine": 120, "nothing": 180}
"""How many crops of which cards the cohort has."""
LENGTHS: Final = (40.0, 200.0)
LEAST: Final = 0.675
"""The least cosine of a shipped deck's card: without it, cards of other Italian decks, which no cohort has, pass for these."""


def make_cohort(reader: Reader, scans: Path | None, scenes: Sequence[Image], seed: int) -> Cohort:
    """Embeddings of random crops of many decks' cards, and of no whole card; of styles that the reader may have learnt from."""
    rng = np.random.default_rng([seed, 11])
    known = classes(16, seed, scans, strangers=120)
    crops, decks = [], []
    for deck, count in COHORT.items():
        own = [n for n, name in enumerate(known.names) if name.startswith(f"{deck}/")]
        labels = (
            STRANGE - rng.integers(len(known.strangers), size=count) if deck == "strange"
            else np.full(count, NOTHING) if deck == "nothing"
            else rng.choice(own, size=count) if own else ()
        )  # fmt: skip
        for label in labels:
            backdrop = scenes[int(rng.integers(len(scenes)))] if scenes else None
            crops.append(crop(known, int(label), rng, LENGTHS, backdrop).image)
            decks.append(deck)
    return Cohort(reader.embed(crops), tuple(decks), reader.digest)


def ship(prototypes: Prototypes, reader: Reader, cohort: Cohort, scans: Path) -> Prototypes:
    """``prototypes`` with those of the scanned Italian decks, made as a user's own deck's are."""
    for deck in SCANNED:
        cards = {card: [_photo(texture)] for (_, card), texture in from_scans(scans / deck, deck).items()}
        made = enrol(cards, reader, cohort).deck
        assert made.list == SHIPPED[deck]
        prototypes = prototypes.without(deck).taught(*points_in(made, deck), made.sharpness, max(made.stranger, LEAST))
    return prototypes


def _photo(texture: Image) -> CardPhoto:
    """A scan ((H, W, 4) uint8 BGRA) as a straightened photo on a grey table."""
    height, width = texture.shape[:2]
    alpha = texture[..., 3:].astype(np.float32) / 255
    laid = texture[..., :3] * alpha + 110.0 * (1 - alpha)
    picture = np.asarray(cv2.resize(laid, SIZE, interpolation=cv2.INTER_AREA), np.uint8)
    return CardPhoto(np.zeros((4, 2)), picture, width / height)


