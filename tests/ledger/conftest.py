"""Ledgers to test: the same holds for a file and for memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import log_format
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.table.log import Line


@pytest.fixture(params=["file", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    file = tmp_path / "evening.ledger"
    with Ledger.open(file, log_format) if request.param == "file" else Ledger.in_memory(log_format) as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger with one game."""
    with Ledger.open(tmp_path / "a.ledger", log_format) as ledger:
        ledger.begin([Line(new_game(["Anna", "Bruno"], 200, "Bruno"))], source="by hand")
    return tmp_path / "a.ledger"
