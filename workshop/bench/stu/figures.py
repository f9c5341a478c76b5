"""The scores of many hands of Lu Stù as figures, each rate with its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from companion.table.sure import SURE_FROM
from workshop.bench.figures import Rate, rate
from workshop.bench.scoring import causes_in_order
from workshop.bench.stu.scoring import ClipScore, HandScore


class LevelFigures(msgspec.Struct, frozen=True):
    """The figures of one difficulty. ``questions``: per hand. ``latency``: median seconds from the last face shown to the ruling,
    NaN where no hand was right.

    ``sure_and_wrong`` counts invented hands too. ``causes``: for each cause, how many wrong hands went wrong by it first.
    """

    clips: int
    right: Rate
    right_asked: Rate | None
    questions: float | None
    missing: Rate
    sure_and_wrong: Rate
    sure: Rate
    exchanges_recall: Rate
    exchanges_precision: Rate
    draws_recall: Rate
    draws_precision: Rate
    latency: float
    invented: int
    causes: dict[str, int]


def figures(clips: Sequence[ClipScore], asked: Sequence[ClipScore] = (), questions: int | None = None) -> LevelFigures:
    """Count over all hands of the clips; ``asked``: the scores of the same clips with this many ``questions`` answered."""
    hands = [hand for clip in clips for hand in clip.hands]
    invented = [confidence for clip in clips for confidence in clip.invented]

    def share(holds: Callable[[HandScore], bool]) -> Rate:
        return rate(sum(map(holds, hands)), len(hands))

    def ratio(found: str, of: str) -> Rate:
        return rate(sum(getattr(hand, found) for hand in hands), sum(getattr(hand, of) for hand in hands))

    waits = [hand.latency for hand in hands if hand.latency is not None]
    wrong = sum(hand.wrong_as_sure for hand in hands) + sum(confidence >= SURE_FROM for confidence in invented)
    return LevelFigures(
        clips=len(clips),
        right=share(lambda hand: hand.right),
        right_asked=rate(sum(hand.right for clip in asked for hand in clip.hands), len(hands)) if asked else None,
        questions=None if questions is None else questions / max(len(hands), 1),
        missing=share(lambda hand: not hand.found),
        sure_and_wrong=rate(wrong, max(len(hands), wrong)),
        sure=share(lambda hand: (hand.confidence or 0.0) >= SURE_FROM),
        exchanges_recall=ratio("exchanges_found", "exchanges"),
        exchanges_precision=ratio("exchanges_found", "exchanges_seen"),
        draws_recall=ratio("draws_found", "draws"),
        draws_precision=ratio("draws_found", "draws_seen"),
        latency=median(waits) if waits else math.nan,
        invented=len(invented),
        causes=causes_in_order(hands),
    )
