"""Figures over many hands of Stoper: how a log made from sightings and words compares with the true one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.table.log import Line
from workshop.bench.stoper.hands import PlayedHand, exactly, played, same_changes
from workshop.scoring import Verdict, verdicts_on
from workshop.streams.calibration import calibration_error


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict[PlayedHand], ...]:
    """The verdicts on the hands that are over in two logs of one evening, matched by the time that they share.

    Raises:
        companion.table.errors.GameError: one of the logs cannot have happened.
    """
    really, found = (tuple(hand for hand in played(lines) if hand.over) for lines in (true, seen))
    return verdicts_on(really, found, same_changes)


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """Shares 0 to 1, but for ``hands``, those played, and ``showdowns``, those of them in which somebody showed.

    ``right``: hands with all payments exactly right; ``compared``: showdowns with all payments right; ``exact``: those told to
    the card, too. ``sure_but_wrong``: wrong rulings shown as sure, also on hands that nobody played, per hand played; ``unsure``:
    hands without a sure ruling, invented ones too, per hand played.
    ``exchanges``: exchanges of a card or two that are told, with the right number. ``calibration``: expected calibration error of
    the rulings' confidence, in ten bins.
    """

    hands: int
    showdowns: int
    right: float
    compared: float
    exact: float
    sure_but_wrong: float
    unsure: float
    exchanges: float
    calibration: float


def figures(verdicts: Iterable[Verdict[PlayedHand]]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true is not None]
    hands = max(len(true), 1)
    compared = [verdict for verdict in verdicts if verdict.true is not None and verdict.true.compared]
    changes = sum(len(hand.changed) for hand in true)
    ruled = ((verdict.confidence, verdict.right) for verdict in verdicts)
    return StreamFigures(
        hands=len(true),
        showdowns=len(compared),
        right=sum(verdict.right for verdict in verdicts) / hands,
        compared=sum(verdict.right for verdict in compared) / len(compared) if compared else 1.0,
        exact=sum(map(exactly, compared)) / len(compared) if compared else 1.0,
        sure_but_wrong=sum(verdict.sure and not verdict.right for verdict in verdicts) / hands,
        unsure=sum(not verdict.sure for verdict in verdicts) / hands,
        exchanges=sum(len(verdict.found) for verdict in verdicts) / changes if changes else 1.0,
        calibration=calibration_error((sure, right) for sure, right in ruled if sure is not None),
    )
