"""The bench of full tables is frozen, its evenings are filmed from all sides at once, and it is said who had which hands
right."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from directed import GNAFFATA

from companion.assets import asset
from companion.cli import main
from companion.line.tablefile import read_table_file
from companion.line.views import check_same
from companion.table.errors import ClipError
from companion.table.log import write_lines
from workshop.bench.recipe import BadBench
from workshop.dataset.recipe import read_recipe
from workshop.full_tables.stu import watching
from workshop.full_tables.stu.filming import film_evening
from workshop.full_tables.stu.glimpsing import glimpsed_evening
from workshop.full_tables.stu.recipe import FullBench, has_views, read_full_bench

BENCH = asset("datasets/bench-full.yaml")
SMALL = {"name": "small", "part": "measuring", "level": "easy", "seed": 7, "players": 3, "hands": 1, "size": [320, 180], "fps": 5,
         "tempo": 4, "life": "easy", "surface": "wood", "cloth": 3000, "shape": "rect",
         "views": [[0, 50], [170, 50]]}  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> FullBench:
    return read_full_bench(BENCH)


def test_it_is_frozen(bench: FullBench) -> None:
    assert hashlib.sha256(msgspec.json.encode(bench.clips)).hexdigest()[:16] == "68c336bc31720471"


def test_it_is_of_full_tables_filmed_from_sides_that_see_different_backs(bench: FullBench) -> None:
    measuring = bench.chosen("measuring")
    assert len(measuring) == 12
    assert {clip.level for clip in measuring} == {"medium", "hard"}
    assert {clip.players for clip in measuring} >= {10, 12, 14, 16, 18, 20}
    for clip in bench.clips:
        assert clip.size == (1920, 1080)
        (first, _), *others = clip.views
        assert all(45 <= elevation <= 60 for _, elevation in clip.views)
        assert all(abs((azimuth - first + 180) % 360 - 180) >= 110 for azimuth, _ in others)


def test_what_is_fitted_on_is_not_what_is_measured_on(bench: FullBench) -> None:
    for field in ("seed", "style", "cloth"):
        drawn = [getattr(clip, field) for clip in bench.clips]
        assert len(set(drawn)) == len(drawn), field


def test_nothing_of_it_is_drawn_by_any_other_recipe(bench: FullBench) -> None:
    for path in asset("datasets").glob("*.yaml"):
        if b"\nstyles:" in path.read_bytes():
            recipe = read_recipe(path)
            for clip in bench.clips:
                assert not recipe.styles[0] <= clip.style < recipe.styles[1], path.name  # type: ignore[operator]
                assert not recipe.surfaces[0] <= clip.cloth < recipe.surfaces[1], path.name


def test_the_first_hands_of_an_evening_are_those_that_it_begins_with(bench: FullBench) -> None:
    (whole,), (first,) = (bench.chosen("measuring", 1, hands=hands) for hands in (None, 2))
    assert (whole.hands, first.hands) == (5, 2)
    log, begun = ([line.event for line in clip.played()] for clip in (whole, first))
    assert begun == log[: len(begun)]
    assert len(begun) < len(log)
    assert all(clip.hands == min(4, known.hands) for clip, known in zip(
        bench.chosen("fitting", hands=4), bench.chosen("fitting"), strict=True))  # fmt: skip


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bench of one small evening."""
    path = tmp_path_factory.mktemp("full") / "small.yaml"
    path.write_bytes(msgspec.yaml.encode({"about": "small", "clips": [SMALL]}))
    return path


def evaluated(small: Path, *options: str) -> str:
    done = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(small), "--cache", str(small.parent / "cache"), *options])
    assert done.exit_code == 0, done.output
    return done.output


def test_one_command_films_a_pair_follows_it_and_says_which_hands_are_right(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The eyes are left out: what follows the film gives the true log, or for one camera a log that ends before its hand."""
    commands = []

    def told(command: Sequence[str]) -> tuple[float, int]:
        commands.append(command)
        clip, log = Path(command[4]), Path(command[command.index("--log") + 1])
        truth = clip.with_name("true.jsonl")
        if clip.name == "B.mp4":
            log.write_bytes(truth.read_bytes().splitlines()[0] + b"\n")
        else:
            shutil.copy(truth, log)
        return 1.0, 100_000_000

    monkeypatch.setattr(watching, "_run", told)
    told_of = json.loads(evaluated(small, "--views", "2", "--json").splitlines()[-1])
    assert {who: (one["hands"], one["right"], one["wrong_as_sure"]) for who, one in told_of.items()} == {
        "A": (1, 1, 0), "B": (1, 0, 0), "A and B": (1, 1, 0)}  # fmt: skip
    assert told_of["A and B"]["places_seen"] >= max(told_of["A"]["places_seen"], told_of["B"]["places_seen"])
    assert [command.count("--view") for command in commands] == [0, 0, 1]
    text = evaluated(small, "--views", "1")
    assert len(commands) == 3, "what is in the cache was watched again"
    assert "| B | 0 of 1 |" in text
    assert "A and B" not in text


def test_simulated_eyes_see_it_from_each_side(small: Path) -> None:
    found = json.loads(evaluated(small, "--views", "2", "--without-pictures", "--json").splitlines()[-1])
    counted = {who: (one["hands"], one["right"], one["wrong_as_sure"]) for who, one in found.items()}
    assert counted == dict.fromkeys(("A", "B", "A and B"), (1, 1, 0))
    assert found["A and B"]["places_seen"] >= max(found["A"]["places_seen"], found["B"]["places_seen"])
    assert found["A and B"]["right_asked"] == 1


def test_a_clock_that_is_behind_is_that_of_simulated_eyes(small: Path) -> None:
    done = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(small), "--late", "0.3"])
    assert done.exit_code == 2
    assert "--without-pictures" in done.output


def test_simulated_eyes_lose_what_a_drawn_camera_loses_to_bodies(small: Path) -> None:
    """The films' own truth, in which hands and glasses hide places, too, has at most as much in view."""
    (recipe,) = read_full_bench(small).clips
    evening, seen = film_evening(recipe, small.parent / "cache"), glimpsed_evening(recipe, 1).shares
    for view in (0, 1):
        drawn, simulated = (np.array(one.places).mean(0) for one in (evening.shares(view), seen[view]))
        assert (simulated > drawn - 0.08).all()
        assert np.abs(simulated - drawn).mean() < 0.15
        assert seen[view].card == pytest.approx(evening.shares(view).card, rel=0.15)


def test_both_cameras_see_one_evening(small: Path) -> None:
    (recipe,) = read_full_bench(small).clips
    evening = film_evening(recipe, small.parent / "cache")
    tables = [read_table_file(evening.table(view)) for view in (0, 1)]
    check_same(tables, ["A", "B"])
    assert tables[0].table.players[0].place != tables[1].table.players[0].place
    a, b = (evening.shares(view) for view in (0, 1))
    assert len(a.places) == len(b.places)
    assert a.places != b.places


def test_watch_that_fails_is_told_with_what_it_said() -> None:
    with pytest.raises(ClipError, match="status 5: no such thing"):
        watching._run(["sh", "-c", "echo no such thing >&2; exit 5"])


@pytest.mark.parametrize(("change", "said"), [
    ({"views": [[0, 50]]}, "views"), ({"views": [[0, 50], [170, 90]]}, "views"), ({"part": "training"}, "part"),
    ({"surface": "ice"}, "surface 'ice'"), ({"game": "stoper"}, "game 'stoper'"), ({"look": "fog"}, "look 'fog'"),
])  # fmt: skip
def test_a_bench_that_cannot_be_says_why(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(msgspec.yaml.encode({"about": "bad", "clips": [SMALL | change]}))
    with pytest.raises(BadBench, match=said):
        read_full_bench(path)


def test_only_a_bench_of_views_has_views(tmp_path: Path) -> None:
    assert has_views(BENCH)
    assert not has_views(asset("datasets/bench.yaml"))
    assert not has_views(tmp_path / "missing.yaml")


@pytest.mark.parametrize("options", [["--views", "2"], ["--part", "fitting"], ["--hands", "1"],
                                     ["--bench", str(BENCH), "--only", "hard"],
                                     ["--late", "0.3"]])  # fmt: skip
def test_what_does_not_go_with_the_other_bench_is_refused(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["evaluate", "game", *options])
    assert done.exit_code == 2
    assert "full tables" in done.output


def test_render_films_people_from_two_sides_with_the_truth_of_each(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(write_lines(GNAFFATA))
    done = CliRunner().invoke(main, [
        "render", str(tmp_path / "log.jsonl"), "-o", str(tmp_path / "a.mp4"), "--table", str(tmp_path / "a.json"), "--truth",
        str(tmp_path / "a.truth.jsonl"), "--view", str(tmp_path / "b.mp4"), str(tmp_path / "b.json"), "--size", "320x180",
        "--fps", "5", "--tempo", "4", "--people", "--azimuth", "10", "--elevation", "50", "--level", "easy",
    ])  # fmt: skip
    assert done.exit_code == 0, done.output
    truths = [[json.loads(line) for line in (tmp_path / f"{name}.truth.jsonl").read_bytes().splitlines()] for name in "ab"]
    assert truths[0][0]["meta"]["log"] == truths[1][0]["meta"]["log"]
    frames = [[line for line in truth if "frame" in line] for truth in truths]
    assert [line["t"] for line in frames[0]] == [line["t"] for line in frames[1]]
    assert all(len(line["places"]) == 4 for both in frames for line in both)
    shares = np.array([[line["places"] for line in both] for both in frames])
    assert shares.max(0).mean() > 0.75, "what neither camera sees of the places"
    assert shares.mean((1, 2)).max() < shares.max(0).mean() - 0.1
    check_same([read_table_file(tmp_path / f"{name}.json") for name in "ab"], ["a", "b"])


def test_render_writes_no_file_twice(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("{}")
    same = str(tmp_path / "a.mp4")
    done = CliRunner().invoke(main, ["render", str(tmp_path / "log.jsonl"), "-o", same, "--view", same, str(tmp_path / "b.json")])
    assert done.exit_code == 2
    assert "written twice" in done.output
