"""Ledgers to test: the same contract holds for a file and for memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.ledger import Ledger


@pytest.fixture(params=["file", "memory"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "evening.ledger") if request.param == "file" else Ledger.in_memory() as opened:
        yield opened
