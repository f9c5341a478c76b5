"""The scores of many hands of Stoppa as figures, each rate with its confidence interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.table.sure import SURE_FROM
from companion.workshop.bench.figures import Rate, rate
from companion.workshop.bench.scoring import causes_in_order
from companion.workshop.bench.stoppa.scoring import ClipScore, HandScore


class LevelFigures(msgspec.Struct, frozen=True):
    """The figures of one difficulty.

    ``sure_and_wrong`` counts invented hands too. ``told``: of the lines that only a phone can tell, those that fitted what had
    been seen. ``causes``: for each cause, how many wrong hands went wrong by it first.
    """

    clips: int
    right: Rate
    missing: Rate
    sure: Rate
    sure_and_wrong: Rate
    laid_recall: Rate
    laid_precision: Rate
    told: Rate
    invented: int
    causes: dict[str, int]


def figures(clips: Sequence[ClipScore], told: Sequence[tuple[int, int]] = ()) -> LevelFigures:
    """Count over all hands of the clips; ``told``: of each clip, how many lines fitted, and how many were told."""
    hands = [hand for clip in clips for hand in clip.hands]
    invented = [confidence for clip in clips for confidence in clip.invented]

    def share(holds: Callable[[HandScore], bool]) -> Rate:
        return rate(sum(map(holds, hands)), len(hands))

    found = sum(hand.laid_found for hand in hands)
    wrong = sum(hand.wrong_as_sure for hand in hands) + sum(confidence >= SURE_FROM for confidence in invented)
    return LevelFigures(
        clips=len(clips),
        right=share(lambda hand: hand.right),
        missing=share(lambda hand: not hand.found),
        sure=share(lambda hand: (hand.confidence or 0.0) >= SURE_FROM),
        sure_and_wrong=rate(wrong, max(len(hands), wrong)),
        laid_recall=rate(found, sum(hand.laid for hand in hands)),
        laid_precision=rate(found, sum(hand.laid_seen for hand in hands)),
        told=rate(sum(fitted for fitted, _ in told), sum(of for _, of in told)),
        invented=len(invented),
        causes=causes_in_order(hands),
    )
