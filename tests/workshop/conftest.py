"""The workshop draws, films, trains and measures; at a table nothing of it runs. Its tests are a part of `make test-all`."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent
REFEREES = HERE / "streams"
"""What the referees make of streams of sightings is tried in `make test`, too."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE) and not item.path.is_relative_to(REFEREES) and not item.get_closest_marker("train"):
            item.add_marker(pytest.mark.workshop)
