"""What a look costs is told by stage, as far as a stage is no other's; a rival looks in turn; rulings are late by their waits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.eyes.source import Picture
from companion.line.tablefile import read_table_file
from workshop.bench.recipe import ClipRecipe
from workshop.bench.scoring import HandRuled
from workshop.evaluation import looks
from workshop.evaluation.stages import REST, STAGES, Stages
from workshop.games import BenchRun, GameWorkshop, workshop_of


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_stage_is_not_charged_for_what_it_calls() -> None:
    clock = Clock()
    stages = Stages(clock)

    def read() -> None:
        clock.now += 2

    reading = stages.timed("reader", read)

    def compare() -> Iterator[int]:
        for number in range(3):
            clock.now += 1
            reading()
            yield number
            clock.now += 10  # behind the yield, it is the next step's

    assert list(stages.timed("templates", compare)()) == [0, 1, 2]
    assert stages.take() == {"reader": 6, "templates": 33}
    assert stages.take() == {}


def test_who_asks_for_the_next_step_of_a_stage_is_not_charged_to_it() -> None:
    clock = Clock()
    stages = Stages(clock)

    def steps() -> Iterator[int]:
        clock.now += 1
        yield 1
        clock.now += 1

    for _ in stages.timed("arrivals", steps)():
        clock.now += 5
    assert stages.take() == {"arrivals": 2}


def test_every_stage_is_a_method_that_is_put_back() -> None:
    def methods() -> list[object]:
        found = []
        for names in STAGES.values():
            for module, owner, method in (name.split(".") for name in names):
                found.append(getattr(import_module(f"companion.eyes.{module}"), owner).__dict__[method])
        return found

    before = methods()
    with Stages().watching():
        assert not set(map(id, methods())) & set(map(id, before))
    assert methods() == before


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    video = pytest.importorskip("workshop.clip.video", reason="needs the extra `workshop`")
    rng = np.random.default_rng(3)
    table = np.kron(rng.integers(60, 200, (12, 16, 3)), np.ones((8, 8, 1)))
    frames = (np.asarray(table + rng.normal(0, 2, table.shape), np.uint8) for _ in range(90))
    video.write_clip(tmp_path / "clip.mp4", frames, (128, 96), 15.0)
    return tmp_path / "clip.mp4"


def test_looks_are_charged_and_left_out_by_their_own_time_beside_a_rival(clip: Path) -> None:
    """A look takes 0.1 s, the rival three times that: one of three pictures comes too early, and the rival's time is nobody's."""
    clock, seen = Clock(), list[object]()

    def look(picture: Picture) -> tuple[()]:
        clock.now += 0.1
        return ()

    def rival(image: object) -> None:
        clock.now += 0.3
        seen.append(image)

    table = read_table_file(asset("datasets/demo/table.json")).table
    found = looks.looks_at(clip, table, look, rival, clock)
    figures = found.figures()
    assert len(found.stages) + found.left_out == 90
    assert figures["left_out"] == pytest.approx(1 / 3, abs=0.02)
    assert [one[REST] for one in found.stages] == pytest.approx([0.1] * len(found.stages)), "the look is in no stage of its own"
    assert (figures["look_mean_ms"], figures["look_most_ms"]) == pytest.approx((100, 100))
    assert found.times == pytest.approx([3.0] * (len(found.stages) // looks.BLOCK), rel=0.1)
    assert len(seen) == looks.BLOCK * len(found.times)


def test_lateness_is_that_of_rulings_that_are_right() -> None:
    hands = [HandRuled(n, 0.0, True, n < 20, 1.0, latency=n / 10 if n < 20 else None) for n in range(22)]
    result = SimpleNamespace(score=SimpleNamespace(hands=hands), looks=99, left_out=1)
    found = looks.rulings([result])
    assert (found["hands"], found["rulings"], found["left_out"]) == (22, 20, 0.01)
    assert (found["late_p50_s"], found["late_p95_s"], found["late_most_s"]) == pytest.approx((0.95, 1.805, 1.9))
    assert math.isnan(looks.rulings([])["late_p95_s"])


def test_a_clip_without_its_table_is_refused(clip: Path) -> None:
    said = CliRunner().invoke(main, ["evaluate", "speed", "--play", str(clip)])
    assert said.exit_code == 2
    assert "--play and --table go together" in said.output


@pytest.mark.parametrize(("given", "of"), [
    (["--clips", "2"], "bench"), (["--cache", "."], "bench"), (["--still", "20"], "play"), (["--frames", "9"], "play"),
])  # fmt: skip
def test_an_option_of_one_that_is_not_there_is_refused(given: list[str], of: str) -> None:
    said = CliRunner().invoke(main, ["evaluate", "speed", *given])
    assert said.exit_code == 2
    assert f"{given[0]}: of --{of}, which is not there" in said.output


@pytest.mark.parametrize(("bench", "more", "why"), [
    ("bench-full", (), "a bench of full tables; how it is ruled, companion evaluate game says"),
    ("bench-stoper", ("--width", "640"), "--width: of --game and --play"),
])  # fmt: skip
def test_what_no_bench_is_measured_with_is_refused(bench: str, more: tuple[str, ...], why: str) -> None:
    said = CliRunner().invoke(main, ["evaluate", "speed", "--bench", str(asset(f"datasets/{bench}.yaml")), *more])
    assert said.exit_code == 2
    assert why in said.output


def test_a_game_s_looks_are_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(looks, "demo_looks", lambda game, rival: looks.Looks([{"reader": 0.02, REST: 0.01}] * 3, 1))
    said = CliRunner().invoke(main, ["evaluate", "speed", "--game", "stoper", "--report", str(tmp_path / "REPORT.md")])
    assert said.exit_code == 0, said.output
    assert "| look mean | 30.0 ms |" in said.output
    assert "| pictures left out, as there is no time for them | 25.0% |" in said.output
    assert "`companion evaluate speed --game stoper`" in (tmp_path / "REPORT.md").read_text()


def test_a_bench_s_rulings_are_those_of_clips_followed_in_real_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of Stoper's bench, whose clips with scans are left out."""
    asked: list[tuple[BenchRun, Sequence[ClipRecipe]]] = []

    def followed(self: GameWorkshop, run: BenchRun, clips: Sequence[ClipRecipe]) -> Iterator[SimpleNamespace]:
        asked.append((run, clips))
        hands = [HandRuled(n, 0.0, True, n > 0, 1.0, latency=n / 10 if n else None) for n in range(3)]
        yield SimpleNamespace(score=SimpleNamespace(hands=hands), looks=90, left_out=10)

    monkeypatch.setattr(type(workshop_of("stoper")), "followed", followed)
    bench = ["--bench", str(asset("datasets/bench-stoper.yaml")), "--clips", "2", "--cache", str(tmp_path)]
    said = CliRunner().invoke(main, ["evaluate", "speed", *bench])
    assert said.exit_code == 0, said.output
    ((run, clips),) = asked
    assert (run.real_time, run.without_pictures, run.cache) == (True, False, tmp_path)
    assert [clip.name for clip in clips] == [clip.name for clip in run.chosen["bench-stoper"]]
    assert len(clips) == 5
    assert all(clip.scans is None for clip in clips)
    assert "## Rulings in time: bench-stoper" in said.output
    assert "| rulings | 2 |" in said.output
    assert "10.0%" in said.output
