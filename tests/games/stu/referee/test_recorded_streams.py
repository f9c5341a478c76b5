"""What the eyes reported of filmed clips, ruled again without a picture: the payments are those of the games that were filmed.

``streams/NAME.sightings.jsonl`` is what ``companion watch --sightings`` writes of a clip of drawn cards with two or three hands,
and ``NAME.true.jsonl`` the clip's true log. Record them again when what the eyes report changes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.games import find_game, stu
from companion.games.stu.rules.log import End, read_lines
from companion.referee.evening import replay
from companion.referee.record import decode
from companion.table.log import write_lines

STREAMS = Path(__file__).parent / "streams"
NAMES = sorted(path.name.removesuffix(".sightings.jsonl") for path in STREAMS.glob("*.sightings.jsonl"))


def test_there_are_recorded_streams() -> None:
    assert len(NAMES) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_stream_is_ruled_right(name: str) -> None:
    evening = replay(*decode((STREAMS / f"{name}.sightings.jsonl").read_bytes(), find_game))
    true = stu.replay(read_lines((STREAMS / f"{name}.true.jsonl").read_bytes()))
    told = stu.replay(evening.log)
    assert [hand.payments for hand in told.hands] == [hand.payments for hand in true.hands]
    assert [player.pedine for player in told.players] == [player.pedine for player in true.players]
    sure = [line.confidence or 0.0 for line in evening.log if isinstance(line.event, End)]
    assert min(sure) >= 0.95


@pytest.mark.slow
def test_what_watch_records_tells_the_same_log_again(tmp_path: Path) -> None:
    demo, log, recorded = asset("datasets/demo"), tmp_path / "log.jsonl", tmp_path / "sightings.jsonl"
    arguments = ["watch", str(demo / "demo.mp4"), "--table", str(demo / "table.json"), "--looks", "4", "--quiet"]
    result = CliRunner().invoke(main, [*arguments, "--log", str(log), "--sightings", str(recorded)])
    assert result.exit_code == 0, result.output
    assert write_lines(replay(*decode(recorded.read_bytes(), find_game)).log) == log.read_bytes()
