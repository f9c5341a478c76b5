"""Crops of cards in whole pictures: the reader learns from the same views that it gets at a table.

`workshop.training.crops` puts single cards on a backdrop. Here they are cut out of pictures of `companion dataset
make`, with the light, blur, neighbours and size of a whole table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.eyes.detection import CLASSES
from companion.eyes.geometry import card_length, long_side_upright, straighten
from companion.eyes.reader import CROP, legible
from workshop.evaluation.labels import LabelledPicture
from workshop.training.crops import NOTHING, Crop, askew

READ = 0.6
"""Share of a card that must be in view for its face to be learnt."""
HIDDEN = 0.25
"""A face with less than this share in view is learnt as no known card."""
LONGEST = 160.0
"""Pixels. Longer cards are rare in pictures, and `crops` has sharp ones enough."""


def teachable(pictures: Sequence[LabelledPicture], names: Mapping[str, int]) -> list[LabelledPicture]:
    """Those of the pictures that show a card that can be learnt. ``names``: the reader's classes, name → index."""
    return [picture for picture in pictures if any(label is not None and label >= 0 for label in _labels(picture, names))]


def crops_of(picture: LabelledPicture, names: Mapping[str, int], rng: np.random.Generator, most: int) -> list[Crop]:
    """At most ``most`` crops of ``picture``, every second one of a Stù face where it has as many, cut out along corners that
    are a little off.

    ``names``: the reader's classes, name → index. One crop in eight shows half a card, or one that lies across.
    """
    labels = _labels(picture, names)
    order = [int(i) for i in rng.permutation(len(labels)) if labels[i] is not None]
    own = [i for i in order if _is_own(picture, i)]
    others = [i for i in order if i not in own]
    chosen = (own[: most // 2] + others + own[most // 2 :])[:most]
    image = picture.read()
    return [_cut(image, picture.quads[i], label, rng) for i in chosen if (label := labels[i]) is not None]


def _is_own(picture: LabelledPicture, card: int) -> bool:
    return picture.decks[card] == "stu" and picture.cards[card] is not None


def _cut(image: NDArray[np.uint8], quad: NDArray[np.float64], label: int, rng: np.random.Generator) -> Crop:
    length = float(card_length(quad))
    wrong = label != NOTHING and rng.random() < 1 / 8
    given = askew(long_side_upright(quad[None])[0], length, rng, wrong)
    return Crop(straighten(image, given, *CROP), NOTHING if wrong else label, length)


def _labels(picture: LabelledPicture, names: Mapping[str, int]) -> list[int | None]:
    """For each card the reader's class, `NOTHING` for a hidden face and for strangers, None where nothing can be learnt."""
    found: list[int | None] = []
    decks = {name.split("/")[0] for name in names}
    for i, quad in enumerate(picture.quads):
        side = CLASSES[picture.classes[i]]
        name = f"{picture.decks[i]}/{picture.cards[i] if side == 'face' else side}"
        inside = bool(((quad > -4) & (quad < np.array(picture.size) + 4)).all())
        if not (inside and picture.corners[i] and legible(quad) and card_length(quad) < LONGEST):
            found.append(None)
        elif picture.visible[i] < HIDDEN and side == "face":
            found.append(NOTHING)
        else:
            strange = picture.decks[i] not in decks and side != "stack"
            found.append((NOTHING if strange else names.get(name)) if picture.visible[i] >= READ else None)
    return found
