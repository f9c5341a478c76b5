"""Figures over many hands of Stoppa: how a log made from sightings and words compares with the true one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.table.log import Line
from workshop.bench.stoppa.hands import PlayedHand, played, same_cards
from workshop.scoring import Verdict, verdicts_on
from workshop.streams.calibration import calibration_error


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict[PlayedHand], ...]:
    """The verdicts on the hands that are over in two logs of one evening, matched by the time that they share.

    Raises:
        companion.table.errors.GameError: one of the logs cannot have happened.
    """
    really, found = (tuple(hand for hand in played(lines) if hand.over) for lines in (true, seen))
    return verdicts_on(really, found, same_cards)


def stoppata_right(verdict: Verdict[PlayedHand]) -> bool:
    """Whether what the stoppata costs whom is right, whatever the phone has told of the rest."""
    return verdict.true is not None and verdict.seen is not None and verdict.true.amounts == verdict.seen.amounts


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """Shares 0 to 1, but for ``hands``, those played. ``right``: hands with all payments exactly right; ``stoppata``: with the
    stoppata's payments right. ``sure_but_wrong``: wrong rulings shown as sure, also on hands that nobody played, per hand played;
    ``unsure``:
    hands without a sure ruling, invented ones too, per hand played. ``laid``: cards laid that are told, with the right player.
    ``calibration``: expected calibration error of the rulings' confidence, in ten bins."""

    hands: int
    right: float
    stoppata: float
    sure_but_wrong: float
    unsure: float
    laid: float
    calibration: float


def figures(verdicts: Iterable[Verdict[PlayedHand]]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true is not None]
    hands = max(len(true), 1)
    cards = sum(len(hand.laid) for hand in true)
    ruled = ((verdict.confidence, verdict.right) for verdict in verdicts)
    return StreamFigures(
        hands=len(true),
        right=sum(verdict.right for verdict in verdicts) / hands,
        stoppata=sum(map(stoppata_right, verdicts)) / hands,
        sure_but_wrong=sum(verdict.sure and not verdict.right for verdict in verdicts) / hands,
        unsure=sum(not verdict.sure for verdict in verdicts) / hands,
        laid=sum(len(verdict.found) for verdict in verdicts) / cards if cards else 1.0,
        calibration=calibration_error((sure, right) for sure, right in ruled if sure is not None),
    )
