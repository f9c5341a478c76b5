"""What the eyes reported of filmed clips, ruled again without a picture: the payments are those of the games that were filmed.

``streams/NAME.sightings.jsonl`` is what ``companion watch --sightings`` writes of a clip of drawn cards with two or three hands,
and ``NAME.true.jsonl`` the clip's true log. Record them again when what the eyes report changes. That such a record tells what
the command told is tried in `tests/line/test_clips.py`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import find_game, stu
from companion.games.stu.rules.log import End, read_lines
from companion.referee.evening import replay
from companion.referee.record import decode

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
