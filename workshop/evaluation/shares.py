"""How many cards are found by the share of them that is in view, a quarter and more: pairs, fans, half covered cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.eyes.detection import Detection
from workshop.evaluation.labels import LabelledPicture
from workshop.evaluation.matching import match

QUARTER = 0.25
"""The least share of a card in view that is looked for (docs/camera.md)."""

BANDS = ((25, 50), (50, 75), (75, 95), (95, 100))
"""Shares in view, per cent, that are told apart; the last goes up to all of it."""


@dataclass(slots=True)
class ShareTally:
    """What was found in a set of pictures, by the share in view.

    ``asked``: the shares in view of all cards that show a quarter or more. ``found``: for each detection that counts, its score
    and the share in view of its card; None where no card lies. A card of another side than is said counts as not found.
    """

    asked: list[float] = field(default_factory=list)
    found: list[tuple[float, float | None]] = field(default_factory=list)

    def extend(self, other: ShareTally) -> None:
        """Adds what was found in other pictures."""
        self.asked.extend(other.asked)
        self.found.extend(other.found)

    def add(self, found: Sequence[Detection], picture: LabelledPicture) -> None:
        """Adds what was found in one picture."""
        quads = np.array([one.quad for one in found]).reshape(-1, 4, 2)
        kinds = np.array([one.kind for one in found], dtype=np.int64)
        scores = np.array([one.score for one in found], dtype=np.float64)
        matches = match(quads, kinds, scores, picture.quads, picture.classes, picture.visible,
                        corners=picture.corners, size=picture.size, least=QUARTER)  # fmt: skip
        self.asked.extend(float(share) for share in picture.visible[matches.asked])
        for one, truth, ignored in zip(found, matches.truth_of, matches.ignored, strict=True):
            if not ignored:
                self.found.append((one.score * one.sure, float(picture.visible[truth]) if truth >= 0 else None))

    def figures(self, threshold: float) -> dict[str, float]:
        """At the calibrated ``threshold``: ``recall_quarter`` and ``precision_quarter`` of all cards that show a quarter or more,
        and the recall of those by the share that shows: shares 0..1."""
        shown = [share for score, share in self.found if score >= threshold]
        right = [share for share in shown if share is not None]
        out: dict[str, float] = {"cards_quarter": len(self.asked)}
        out["recall_quarter"] = len(right) / len(self.asked) if self.asked else float("nan")
        out["precision_quarter"] = len(right) / len(shown) if shown else float("nan")
        for low, high in BANDS:
            among = [sum(low <= 100 * share < high + (high == 100) for share in shares) for shares in (right, self.asked)]
            if among[1]:
                out[f"recall_{low}_{high}shown"] = among[0] / among[1]
        return out
