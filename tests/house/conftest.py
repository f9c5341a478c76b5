"""What a file here may take of the processor, where it is more than usual."""

from __future__ import annotations

import pytest

MORE = {"test_demo.py": 30}
"""Seconds. It plays whole clips in the program itself; and as it is one of the files that the part `networks` depends on, a mark
in it would have the networks look at every clip again."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.name in MORE and item.path.parent.name == "house":
            item.add_marker(pytest.mark.processor(MORE[item.path.name]))
