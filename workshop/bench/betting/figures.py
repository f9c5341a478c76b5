"""The scores of many hands of a game with betting as figures, each rate with its confidence interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from companion.table.sure import SURE_FROM
from workshop.bench.betting.scoring import ClipScore, HandScore
from workshop.bench.figures import Rate, rate
from workshop.bench.scoring import causes_in_order


class LevelFigures(msgspec.Struct, frozen=True):
    """The figures of one difficulty.

    ``sure_and_wrong`` counts invented hands too. ``recall``, ``precision``: of each kind of things, how many of the true ones
    were found, and how many of the log's are true. ``told``: of the lines that only a phone can tell, those that fitted what had
    been seen. ``causes``: for each cause, how many wrong hands went wrong by it first.
    """

    clips: int
    right: Rate
    missing: Rate
    sure: Rate
    sure_and_wrong: Rate
    recall: dict[str, Rate]
    precision: dict[str, Rate]
    told: Rate
    invented: int
    causes: dict[str, int]


def figures(clips: Sequence[ClipScore], fitted: Sequence[tuple[int, int]] = ()) -> LevelFigures:
    """Count over all hands of the clips; ``fitted``: of each clip, how many lines that were told fitted, and of how many."""
    hands = [hand for clip in clips for hand in clip.hands]
    invented = [confidence for clip in clips for confidence in clip.invented]

    def share(holds: Callable[[HandScore], bool]) -> Rate:
        return rate(sum(map(holds, hands)), len(hands))

    def counted(kind: str) -> tuple[int, int, int]:
        some = [hand.counted[kind] for hand in hands]
        return sum(one.found for one in some), sum(one.were for one in some), sum(one.told for one in some)

    kinds = {kind: counted(kind) for kind in (hands[0].counted if hands else ())}
    wrong = sum(hand.wrong_as_sure for hand in hands) + sum(confidence >= SURE_FROM for confidence in invented)
    return LevelFigures(
        clips=len(clips),
        right=share(lambda hand: hand.right),
        missing=share(lambda hand: not hand.found),
        sure=share(lambda hand: (hand.confidence or 0.0) >= SURE_FROM),
        sure_and_wrong=rate(wrong, max(len(hands), wrong)),
        recall={kind: rate(found, were) for kind, (found, were, _) in kinds.items()},
        precision={kind: rate(found, told) for kind, (found, _, told) in kinds.items()},
        told=rate(sum(good for good, _ in fitted), sum(of for _, of in fitted)),
        invented=len(invented),
        causes=causes_in_order(hands),
    )
