"""An arm that reaches out between two places is taken for the neighbour's, and again: what the rules tell once counts later."""

from __future__ import annotations

import math

import pytest
from stoppa_table import BET, Table

from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import PlaceOdds


def annas(places: PlaceOdds) -> float:
    """The probability that coppe-5, which seems to come from Bruno's place, is Anna's. She has shown spade-3, and when she laid
    it, it seemed to come from ``places``."""
    table = Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-3", "spade-8", "spade-10").shows(1, "denari-1", "denari-7")
    table.lays(0, "bastoni-2").doubtful((("spade-3", 1.0),), places).lays(2, "coppe-4")
    table.doubtful((("coppe-5", 1.0),), ((1, 0.95), (0, 0.02), (2, 0.02), (3, 0.01)))
    assert table.laid()[:3] == ["A bastoni-2", "A spade-3", "C coppe-4"]
    hers = total = 0.0
    for one in table.chapter.outcome:
        share = math.exp(one.weight)
        total += share
        hers += share * any(line.event == tl.Lay(by="Anna", cards=("coppe-5",)) for line in one.lines)
    return hers / total


@pytest.mark.parametrize(
    ("places", "low", "high"),
    [
        pytest.param(((0, 0.99), (1, 0.002)), 0.0, 0.05, id="her own"),
        pytest.param(((1, 0.99), (0, 0.002)), 0.15, 0.4, id="her neighbour's"),
        pytest.param(((2, 0.99), (0, 0.002)), 0.0, 0.05, id="that of somebody opposite: something else was wrong"),
    ],
)
def test_who_was_taken_for_a_neighbour_may_be_so_again(places: PlaceOdds, low: float, high: float) -> None:
    assert low < annas(places) < high
