"""Figures of the eyes on cards of decks that they were never taught: found as cards, and not named as ones of ours.

What counts are the cards of strange decks with half or more in view. **Recall**: those that are found, whatever they are called,
face, back or stack. **Precision**: in the pictures with such a card, the found cards of any deck that lie on a card.
**Named as one of ours**: of the strange cards that are found, those that are given both a deck of ours and a card's name;
**called Stù**, and so on: those that are said to be of that deck, named or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from companion.eyes.look import Eyes
from companion.eyes.reader import Prototypes
from companion.eyes.sighting import CardSeen
from workshop.bench.report import rate
from workshop.evaluation.detection import InputSize, look_at
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import match

OURS = ("stu", "napoletane", "piacentine", "ramino")
"""The decks that ship. One that is asked for as a stranger is taken from the eyes: they are measured as if it did not."""

TRAINED = ("stu", "piacentine", "ramino")
"""The decks that the networks learnt from, and that are never strange."""

ALL = "all"
"""The name of all decks together."""


@dataclass(slots=True)
class Strangers:
    """What became of the strange cards in a set of pictures, and of what was found in these pictures (``right`` of ``shown``)."""

    pictures: int = 0
    asked: int = 0
    found: int = 0
    named_ours: int = 0
    called: dict[str, int] = field(default_factory=lambda: dict.fromkeys(OURS, 0))
    shown: int = 0
    right: int = 0

    def figures(self) -> dict[str, float]:
        """Shares 0..1 with the ends of their 95 % intervals (Wilson) that count, and counts."""
        recall, precision, named = rate(self.found, self.asked), rate(self.right, self.shown), rate(self.named_ours, self.found)
        out: dict[str, float] = {"pictures": self.pictures, "cards": self.asked}
        out |= {"recall": recall.share, "least_recall": recall.low}
        out |= {"precision": precision.share, "least_precision": precision.low}
        out |= {"named_ours": named.share, "most_named_ours": named.high}
        return out | {f"called_{deck}": rate(count, self.found).share for deck, count in self.called.items()}


def add(counts: Strangers, seen: Sequence[CardSeen], picture: LabelledPicture, decks: frozenset[str]) -> None:
    """Adds what was ``seen`` in one picture to the ``counts`` of the strange ``decks``, if it has cards of theirs."""
    strange = np.array([deck in decks for deck in picture.decks], dtype=np.bool_)
    quads = np.array([one.quad for one in seen], dtype=np.float64).reshape(-1, 4, 2)
    anyhow = np.zeros(len(seen), np.int64), np.zeros(len(picture.quads), np.int64)
    matches = match(quads, anyhow[0], np.array([one.score for one in seen]), picture.quads, anyhow[1], picture.visible,
                    corners=picture.corners, size=picture.size)  # fmt: skip
    if not (strange & matches.asked).any():
        return
    counts.pictures += 1
    counts.asked += int((strange & matches.asked).sum())
    for one, truth, ignored in zip(seen, matches.truth_of, matches.ignored, strict=True):
        if ignored:
            continue
        counts.shown += 1
        counts.right += int(truth >= 0)
        if truth >= 0 and strange[truth]:
            counts.found += 1
            counts.named_ours += int(one.deck in OURS and one.card is not None)
            if one.deck in counts.called:
                counts.called[one.deck] += 1


def measure(
    eyes: Eyes, pictures: Iterable[LabelledPicture], decks: Sequence[str] = (), size: InputSize = "game",
    progress: Callable[[int], object] = lambda done: None,
) -> dict[str, dict[str, float]]:  # fmt: skip
    """Figures by strange deck, and of ``all`` together, at the shipped threshold.

    ``decks``: which count as strange, and are taken from the ``eyes``; by default all but the trained
    ones. Pictures without a card of theirs are not looked at.
    """
    counts: dict[str, Strangers] = {}
    asked = decks or [deck for deck in OURS if deck not in TRAINED]
    eyes = Eyes(eyes.detector, eyes.reader.reading(reduce(Prototypes.without, asked, eyes.reader.prototypes)))
    for picture in pictures:
        strange = {deck for deck in picture.decks if (deck in decks if decks else deck not in TRAINED)}
        if strange:
            image = picture.read()
            seen = eyes.name(image, look_at(eyes.detector, image, size))
            add(counts.setdefault(ALL, Strangers()), seen, picture, frozenset(strange))
            for deck in strange:
                add(counts.setdefault(deck, Strangers()), seen, picture, frozenset({deck}))
        progress(1)
    return {name: counts[name].figures() for name in sorted(counts, key=lambda name: (name == ALL, name)) if counts[name].asked}
