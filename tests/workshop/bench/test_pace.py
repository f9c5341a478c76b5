"""In real time those pictures are left out that come while an earlier one is looked at, by a clock that only work moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.assets import asset
from companion.eyes.seeing import Seen
from companion.eyes.source import Picture
from companion.eyes.table import TableMap
from companion.eyes.trouble import FrameQuality
from companion.games.stu.rules import log
from companion.games.stu.sightings import Appeared
from companion.line.tablefile import read_table_file
from companion.table.log import Line
from workshop.bench import watching
from workshop.bench.latency import LogVersion, latencies
from workshop.bench.pace import Core, Pace
from workshop.bench.stu import ruling
from workshop.bench.stu.hands import played
from workshop.scoring import Verdict

BLACK = np.zeros((72, 128, 3), np.uint8)
TOLD = read_table_file(asset("datasets/demo/table.json"))
TABLE, GAME = TOLD.table, TOLD.first


class Clock:
    """Processor time that passes when it is told to, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def film(*times: float) -> Iterator[Picture]:
    return (Picture(t, BLACK) for t in times)


def looked_at(times: list[float], costs: list[float]) -> tuple[list[tuple[float, float]], Pace]:
    """When the pictures that were looked at came, and when the look at each was done. ``costs``: of one look after the other."""
    clock = Clock()
    pace, found = Pace(Core(clock)), []
    for at, picture in enumerate(pace.pictures(film(*times))):
        clock.now += costs[at % len(costs)]
        found.append((picture.t, pace.core.now))
    return found, pace


@pytest.mark.parametrize(
    ("costs", "looks", "left_out"),
    [
        ([0.5], [(0, 0.5), (1, 1.5), (2, 2.5), (3, 3.5), (4, 4.5)], 0),
        ([2.5], [(0, 2.5), (2, 5.0), (4, 7.5)], 2),
        ([3.5, 0.1], [(0, 3.5), (3, 3.6), (4, 7.5)], 2),
        ([9.0], [(0, 9.0), (4, 18.0)], 3),
    ],
    ids=["fast", "slow", "one slow look", "a single long look"],
)
def test_the_newest_picture_is_looked_at_once_there_is_time(
    costs: list[float], looks: list[tuple[float, float]], left_out: int
) -> None:
    found, pace = looked_at([0, 1, 2, 3, 4], costs)
    assert [t for t, _ in found] == [t for t, _ in looks]
    assert [ready for _, ready in found] == pytest.approx([ready for _, ready in looks])
    assert (pace.given, pace.left_out) == (len(looks), left_out)
    assert pace.core.spent == pytest.approx(sum(costs[at % len(costs)] for at in range(len(looks))))


@given(st.lists(st.floats(0, 0.3), min_size=1, max_size=20), st.integers(1, 60))
def test_every_picture_is_looked_at_or_left_out_and_no_look_begins_before_the_last_ends(costs: list[float], count: int) -> None:
    times = [at / 15 for at in range(count)]
    found, pace = looked_at(times, costs)
    assert pace.given + pace.left_out == count
    assert found[-1][0] == times[-1], "the last picture is never left out"
    for (_, done), (t, ready), cost in zip(found, found[1:], [costs[at % len(costs)] for at in range(1, count)], strict=False):
        assert ready == pytest.approx(max(done, t) + cost)


def test_what_is_read_between_two_looks_is_no_work() -> None:
    clock = Clock()

    def slowly() -> Iterator[Picture]:
        for picture in film(0, 1, 2):
            clock.now += 100
            yield picture

    pace = Pace(Core(clock))
    assert [picture.t for picture in pace.pictures(slowly())] == [0, 1, 2]
    assert pace.core.spent == 0


def test_a_stream_in_real_time_knows_when_each_look_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, top = Clock(), TableMap(TABLE, (128, 72))

    def slow_see(pictures: Iterator[Picture], *_: object) -> Iterator[Seen]:
        for picture in pictures:
            clock.now += 1.5
            yield Seen(picture, (), FrameQuality(), top, None)

    monkeypatch.setattr(watching, "see", slow_see)
    pace = Pace(Core(clock))
    footage = watching.look_through(pace.pictures(film(0, 1, 2, 3)), TABLE, Path(asset("models")), pace=pace)
    stream = watching.stream_of(footage, TABLE)
    assert [(look.t, look.ready) for look in stream.looks] == [(0, 1.5), (1, 3.0), (3, 4.5)]
    assert stream.left_out == 1
    everything = watching.look_through(film(0, 1, 2, 3), TABLE, Path(asset("models")))
    assert [look.ready for look in watching.stream_of(everything, TABLE).looks] == [None] * 4


def test_a_ruling_is_as_late_as_the_look_that_it_waits_for() -> None:
    truth = (Line(GAME), *(Line(event, float(t)) for t, event in enumerate((
        log.Hand(), log.Reveal(by="Rocco", card="3"), log.Reveal(by="Assunta", card="8"), log.Reveal(by="Nicola", card="gnao"),
        log.Reveal(by="Filomena", card="7"), log.Reveal(by="Donato", card="9"), log.End(),
    ))))  # fmt: skip
    (hand,) = played(truth)
    versions = [LogVersion(0.0, truth[:1]), LogVersion(5.1, truth[:-1]), LogVersion(6.4, truth)]
    assert latencies([Verdict(hand, hand, 0)], versions, played, lambda one: one.last_face) == {0: pytest.approx(1.4)}
    assert latencies([Verdict(hand, hand, 0)], versions, played, lambda one: None) == {}


def test_the_referee_s_own_work_makes_a_ruling_later(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()

    def thinks(evening: object, sighting: object) -> object:
        clock.now += 0.25
        return real(evening, sighting)  # type: ignore[arg-type]

    real = ruling.observe
    monkeypatch.setattr(ruling, "observe", thinks)
    monkeypatch.setattr(ruling, "Core", lambda: Core(clock))
    said = tuple(watching.encode_sighting(Appeared(1.0, place)) for place in range(5))
    for ready, there in ((1.1, 1.1 + 5 * 0.25), (None, 1.0)):
        seen = watching.Stream((1280, 720), (watching.Look(1.0, (), said, ready),), 0.0)
        assert [version.t for version in ruling.log_versions(GAME, seen)][:2] == pytest.approx([0.0, there])
