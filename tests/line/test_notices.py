"""What the table is told while the eyes have trouble: nothing for a moment, and never without need."""

from __future__ import annotations

import pytest

from companion.eyes.sighting import Unseen
from companion.eyes.trouble import FrameQuality
from companion.games import GAMES
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, Shown, Sighting
from companion.line.notices import Notice, notices
from companion.referee import Evening, observe

DEALT: list[Sighting] = [Appeared(1 + 0.5 * place, place) for place in range(3)]
SEES = FrameQuality()


def evening(*sightings: Sighting) -> Evening:
    result = Evening.of(GAMES["stu"], new_game(("Anna", "Bruno", "Carla"), 200, "Carla"))
    for sighting in (*DEALT, *sightings):
        result = observe(result, sighting)
    return result


def shown(t: float, place: int, kind: str) -> Shown:
    return Shown(t, place, int(t * 100), ((kind, 0.99), ("3", 0.01)))


HIDDEN = Unseen(20.2, 24, (0, 2), "blocked")
SHOWN = [shown(20, 1, "7")]

CASES: dict[str, tuple[list[Sighting], FrameQuality, float, list[Notice]]] = {
    "all is well": ([], SEES, 10, []),
    "dark for a moment": ([], FrameQuality("dark", 10.0), 11, []),
    "dark for longer": ([], FrameQuality("dark", 10.0), 12, [Notice("dark", 10.0)]),
    "the camera lost": ([], FrameQuality("moved", 10.0), 100, [Notice("moved", 10.0)]),
    "hidden before the showdown": ([Unseen(6, 9, None, "blocked"), *SHOWN], SEES, 30, []),
    "hidden in the showdown, a moment ago": ([*SHOWN, HIDDEN], SEES, 25, []),
    "hidden in the showdown": ([*SHOWN, HIDDEN], SEES, 28, [Notice("show", 24, (2, 0))]),
    "hidden in the showdown, one seen since": ([*SHOWN, HIDDEN, shown(25, 0, "9")], SEES, 30, [Notice("show", 24, (2,))]),
    "all seen since": ([*SHOWN, HIDDEN, shown(25, 0, "9"), shown(25.4, 2, "10")], SEES, 30, []),
    "gathered since": ([*SHOWN, HIDDEN, Cleared(27)], SEES, 30, []),
    "out of sight for as long as a hand": ([Unseen(6, 40, None, "dark")], SEES, 41, [Notice("check", 6)]),
    "one place hidden for as long": ([Unseen(6, 40, (1,), "blocked")], SEES, 41, []),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_said(case: str) -> None:
    sightings, frame_quality, t, expected = CASES[case]
    found = notices(evening(*sightings), frame_quality, t)
    assert [(one.what, one.since, sorted(one.places or ())) for one in found] == [
        (one.what, one.since, sorted(one.places or ())) for one in expected
    ]
