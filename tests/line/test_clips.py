"""The real line, end to end: a clip goes in, and the rulings that come out are those of the game that was filmed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import recorded_looks
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.games import find_game, stu
from companion.games.stu.rules.log import End, read_lines
from companion.line import trained
from companion.referee.evening import Evening, replay, reported
from companion.referee.record import decode
from companion.table.log import Line, write_lines


def run(*arguments: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output


def ruled(log: Path) -> list[tuple[str, list[object]]]:
    """Dealer and payments of each hand, as `companion rule --json` prints them."""
    result = CliRunner().invoke(main, ["rule", str(log), "--json"])
    assert result.exit_code == 0, result.output
    return [(hand["dealer"], hand["payments"]) for hand in json.loads(result.stdout)["hands"]]


def watched(clip: Path, table: Path, folder: Path) -> tuple[Path, Path]:
    """The table log and the record of sightings that `companion watch` writes of a clip."""
    log, sightings = folder / "watched.jsonl", folder / "watched.sightings.jsonl"
    run("watch", str(clip), "--table", str(table), "--log", str(log), "--sightings", str(sightings), "--quiet")
    return log, sightings


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """What `companion watch` writes of the bundled clip."""
    demo = asset("datasets/demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trained, "trained", recorded_looks.trained)
        yield watched(demo / "demo.mp4", demo / "table.json", tmp_path_factory.mktemp("bundled"))


@pytest.mark.slow
def test_the_bundled_clip_is_ruled_right(bundled: tuple[Path, Path]) -> None:
    log, _ = bundled
    assert ruled(log) == ruled(asset("datasets/demo") / "log.jsonl")


@pytest.mark.slow
def test_what_watch_records_tells_the_same_log_again(bundled: tuple[Path, Path]) -> None:
    log, sightings = bundled
    assert write_lines(replay(*decode(sightings.read_bytes(), find_game)).log) == log.read_bytes()


@pytest.mark.networks
def test_another_table_other_players_another_seed_are_ruled_right(tmp_path: Path) -> None:
    """A game of the simulator, filmed on a surface and with a seed of its own, watched without its truth."""
    pytest.importorskip("imageio_ffmpeg", reason="needs the extra `workshop`")
    true_log, clip, table = tmp_path / "true.jsonl", tmp_path / "clip.mp4", tmp_path / "table.json"
    run("simulate", "--seed", "5", "--players", "3", "--hands", "1", "--plain", "--log", str(true_log))
    run("render", str(true_log), "-o", str(clip), "--table", str(table), "--truth", str(tmp_path / "truth.jsonl"),
        "--seed", "11", "--surface", "marble")
    log, _ = watched(clip, table, tmp_path)
    assert ruled(log) == ruled(true_log)


@pytest.mark.slow
def test_a_clip_that_ends_in_mid_hand_leaves_a_log_that_can_be_ruled(bundled: tuple[Path, Path]) -> None:
    """Every prefix of what the line says while it watches is a log that could have happened."""
    game, record = decode(bundled[1].read_bytes(), find_game)
    evening, logs = Evening.of(game, record.game), list[tuple[Line, ...]]()
    for entry in record.entries:
        evening = reported(evening, entry)
        if evening.log not in logs[-1:]:
            logs.append(evening.log)
    assert len(logs) > 3
    for log in logs:
        stu.replay(log)


def test_the_bundled_game_shows_the_main_rules() -> None:
    """The demo is worth watching: somebody asks, somebody refuses, two hands are played out."""
    log = read_lines((asset("datasets/demo") / "log.jsonl").read_bytes())
    assert sum(isinstance(line.event, End) for line in log) == 2
    assert {line.event.__struct_config__.tag for line in log} >= {"passo", "swap", "reveal", "draw", "end"}
