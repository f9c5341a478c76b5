"""Teaches the reader a deck that it has never seen, from a photo or two of each card, without a GPU and without training.

`read_photo` reads a photo, `enrol` makes a deck of cards, `enrol_folder` makes one of a folder of photos.
"""

from companion.eyes.enrol.deck import Enrolled, enrol, points_of, renewed
from companion.eyes.enrol.folder import Findings, enrol_folder
from companion.eyes.enrol.photo import CardPhoto, Looked, Refusal, read_photo

__all__ = [
    "CardPhoto", "Enrolled", "Findings", "Looked", "Refusal", "enrol", "enrol_folder", "points_of", "read_photo", "renewed",
]  # fmt: skip
