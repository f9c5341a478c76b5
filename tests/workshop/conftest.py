"""The workshop draws, films, trains and measures; at a table nothing of it runs. Its tests are a part of `make test-all`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
REFEREES = HERE / "streams"
"""What the referees make of streams of sightings is tried in `make test`, too."""


LEFT_OUT = re.compile(r"not \([^()]*\bworkshop\b[^()]*\)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where `make test` leaves the workshop out, its files are not even imported: that alone would take seconds."""
    left_out = LEFT_OUT.fullmatch(config.getoption("markexpr") or "")
    return True if left_out and collection_path != HERE and not collection_path.is_relative_to(REFEREES) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE) and not item.path.is_relative_to(REFEREES) and not item.get_closest_marker("train"):
            item.add_marker(pytest.mark.workshop)
