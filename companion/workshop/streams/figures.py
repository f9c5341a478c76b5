"""What a log made of sightings is worth beside the true one: payments, exchanges, confidence of hands matched by time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.table.log import Line
from companion.table.sure import SURE_FROM
from companion.workshop.hands import Deed, PlayedHand, alike, common, matched, played

BINS = 10
NEAR_SECONDS = 3.0
"""An exchange is found when one between the same two is told within so many seconds."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was made of one hand. ``true`` is None where a hand was told that never was; ``told`` where one was not found.

    ``found``: how many exchanges and draws the two have in common.
    """

    true: PlayedHand | None
    told: PlayedHand | None
    found: int

    @property
    def right(self) -> bool:
        """The payments are equal to the last key."""
        return self.true is not None and self.told is not None and alike(self.true, self.told)

    @property
    def confidence(self) -> float:
        """Of the payments told, 0..1; 1 where the log says nothing about it."""
        return 1.0 if self.told is None or self.told.confidence is None else self.told.confidence

    @property
    def sure(self) -> bool:
        return self.told is not None and self.confidence >= SURE_FROM


def compare(true: Sequence[Line], told: Sequence[Line]) -> tuple[Verdict, ...]:
    """The hands of two logs of the same evening that are over, matched by time."""
    mine, theirs = ([hand for hand in played(lines) if hand.over] for lines in (true, told))
    partner = matched(mine, theirs)
    verdicts = []
    for i, hand in enumerate(mine):
        other = theirs[partner[i]] if i in partner else None
        verdicts.append(Verdict(hand, other, len(common(_moves(hand), _moves(other), NEAR_SECONDS)) if other else 0))
    alone = [hand for j, hand in enumerate(theirs) if j not in partner.values()]
    return (*verdicts, *(Verdict(None, hand, 0) for hand in alone))


def _moves(hand: PlayedHand) -> list[Deed]:
    return [deed for deed in hand.deeds if deed.kind in ("exchange", "draw")]


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares 0 to 1. ``right``: hands whose payments are exactly right. ``sure_but_wrong``: wrong rulings shown as sure, also of
    hands that never were, per hand played. ``unsure``: hands ruled with less. ``recall``, ``precision``: of exchanges, draws
    among them. ``calibration``: expected calibration error of the ``end`` lines' confidence, ten bins."""

    hands: int
    right: float
    sure_but_wrong: float
    unsure: float
    recall: float
    precision: float
    calibration: float


def figures(verdicts: Iterable[Verdict]) -> Figures:
    """Add up what was made of many hands (at least one)."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true]
    told = [verdict.told for verdict in verdicts if verdict.told]
    found = sum(verdict.found for verdict in verdicts)
    played, reported = sum(len(_moves(hand)) for hand in true), sum(len(_moves(hand)) for hand in told)
    hands = max(len(true), 1)
    return Figures(
        hands=len(true),
        right=sum(verdict.right for verdict in verdicts) / hands,
        sure_but_wrong=sum(verdict.sure and not verdict.right for verdict in verdicts) / hands,
        unsure=sum(not verdict.sure for verdict in verdicts) / hands,
        recall=found / played if played else 1.0,
        precision=found / reported if reported else 1.0,
        calibration=_calibration(verdicts),
    )


def _calibration(verdicts: tuple[Verdict, ...]) -> float:
    bins: dict[int, list[tuple[float, bool]]] = {}
    for verdict in verdicts:
        if verdict.told:
            sure = verdict.confidence
            bins.setdefault(min(int(sure * BINS), BINS - 1), []).append((sure, verdict.right))
    total = sum(map(len, bins.values()))
    gaps = (abs(sum(sure for sure, _ in group) - sum(right for _, right in group)) for group in bins.values())
    return sum(gaps) / total if total else 0.0
