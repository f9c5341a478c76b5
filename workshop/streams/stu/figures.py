"""Figures over many hands of how a log made from sightings compares with the true one: payments, exchanges, confidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.table.log import Line
from workshop.bench.stu.hands import PlayedHand, played
from workshop.bench.stu.matching import compared, moves
from workshop.scoring import Verdict
from workshop.streams.calibration import calibration_error

NEAR_SECONDS = 3.0
"""An exchange is found when one between the same two is told at most this long before or after it."""


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict[PlayedHand], ...]:
    """The verdicts on the hands that are over in two logs of one evening, the true one and the one to be judged."""
    return compared(_over(true), _over(seen), NEAR_SECONDS)


def _over(log: Sequence[Line]) -> list[PlayedHand]:
    return [hand for hand in played(log) if hand.over]


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """Shares 0 to 1, but for ``hands``, those played. ``right``: hands whose payments are exactly right. ``sure_but_wrong``:
    wrong rulings shown as sure, also on hands that nobody played, per hand played; ``unsure``: hands without a sure ruling,
    invented ones too, per hand played. ``recall``, ``precision``: of exchanges and draws. ``calibration``: expected calibration
    error of the ``end``
    lines' confidence, in ten bins."""

    hands: int
    right: float
    sure_but_wrong: float
    unsure: float
    recall: float
    precision: float
    calibration: float


def figures(verdicts: Iterable[Verdict[PlayedHand]]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true]
    seen = [verdict.seen for verdict in verdicts if verdict.seen]
    found = sum(len(verdict.found) for verdict in verdicts)
    made, reported = sum(len(moves(hand)) for hand in true), sum(len(moves(hand)) for hand in seen)
    hands = max(len(true), 1)
    return StreamFigures(
        hands=len(true),
        right=sum(verdict.right for verdict in verdicts) / hands,
        sure_but_wrong=sum(verdict.sure and not verdict.right for verdict in verdicts) / hands,
        unsure=sum(not verdict.sure for verdict in verdicts) / hands,
        recall=found / made if made else 1.0,
        precision=found / reported if reported else 1.0,
        calibration=calibration_error(
            (verdict.confidence, verdict.right) for verdict in verdicts if verdict.confidence is not None
        ),
    )
