"""What the docstrings show at a prompt is what happens there."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import companion

HOUSE = Path(companion.__file__).parent


def module_of(path: Path) -> str:
    return ".".join(("companion", *path.relative_to(HOUSE).with_suffix("").parts)).removesuffix(".__init__")


SHOWN = [module_of(path) for path in sorted(HOUSE.rglob("*.py")) if ">>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("module", SHOWN)
def test_what_a_docstring_shows(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0


def test_the_games_at_a_prompt_are_shown() -> None:
    assert {"companion.games.stu", "companion.games.stu.rules.money", "companion.table.money"} <= set(SHOWN)
