"""A ledger survives what is done to it at random: killed in play and while evenings begin, two programs on one ledger, a full
disk, flipped bits. `tools/faults.py` does it more often, and prints its figures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "faults.py"


def survived(*times: str) -> list[list[str]]:
    """The tool's rows: what, how often, how much was acknowledged, what besides, what was lost."""
    done = subprocess.run([sys.executable, str(TOOL), *times], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()[2:]]


def test_nothing_that_was_acknowledged_is_lost_or_doubled_and_the_game_can_be_played_on() -> None:
    rows = survived("--kills", "4", "--begins", "4", "--full", "2", "--races", "2", "--flips", "4", "--seed", "3")
    assert [(row[1], row[4]) for row in rows] == [("4", "0"), ("4", "0"), ("2", "0"), ("2", "0"), ("4", "0")]
    assert int(rows[0][2]) > 0
    assert re.search(r"[1-9]\d* taps in memory", rows[2][3])
    assert rows[3][3] == "2 refused"
    assert "salvaged whole" in rows[4][3]


@pytest.mark.kills
def test_two_hundred_kills_lose_nothing() -> None:
    rows = survived("--kills", "200", "--seed", "4")
    assert (rows[0][1], rows[0][4]) == ("200", "0")


@pytest.mark.kills
def test_the_program_is_killed_while_it_follows_a_clip_and_goes_on_from_there() -> None:
    (row,) = survived("--clips", "3", "--seed", "2")
    assert (row[1], row[4]) == ("3", "0")
    assert int(row[2]) > 0


def test_a_tool_that_finds_a_loss_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import faults

    path, tried = faults.fresh(tmp_path), faults.Tried(tried=1)
    faults.sound(path, {1: 5}, tried)
    assert tried.wrong == ["try 1: of 5 acknowledged taps of game 1, 0 are there"]
