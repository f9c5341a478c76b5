"""Ledgers to test: the same holds for a file and for memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import log_format
from companion.ledger import Ledger


@pytest.fixture(params=["file", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    file = tmp_path / "evening.ledger"
    with Ledger.open(file, log_format) if request.param == "file" else Ledger.in_memory(log_format) as opened:
        yield opened
