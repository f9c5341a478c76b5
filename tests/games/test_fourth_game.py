"""A game that is new in `GAMES` passes the tests that run over every game, with what `docs/contributing.md` asks for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OVER_GAMES = (
    "games/test_contract_command.py", "eyes/following/test_aside.py", "house/test_bad_input.py", "line/test_renaming.py",
    "workshop/test_soak.py", "dashboard/test_every_legal_log.py", "dashboard/test_how_sure.py", "dashboard/test_two_phones.py",
    "dashboard/test_said.py", "dashboard/test_no_leak.py",
)  # fmt: skip
"""Tests with a case for each game of `GAMES`."""


@pytest.mark.thorough
@pytest.mark.parametrize("path", OVER_GAMES)
def test_a_fourth_game_passes_what_every_game_is_tried_with(path: str) -> None:
    found = [str(ROOT / "tests" / place) for place in ("games", "dashboard")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*found, os.environ.get("PYTHONPATH", "")]), "PYTEST_ADDOPTS": ""}
    words = [
        sys.executable, "-m", "pytest", "-p", "fourth_game", "-p", "no:cacheprovider", "-p", "no:schemathesis", "-q", "-n", "0",
        "-k", "bassa or in_every_game or whole_before", f"tests/{path}",
    ]  # fmt: skip
    ran = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
