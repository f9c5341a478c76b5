"""Every row of the failure table says which tests hold it (that those are there, `tests/house/test_docs.py` looks)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "hall.md").read_text("utf-8")
TABLE = PAGE.partition("| failure | what happens | held by |\n")[2].partition("\n\n")[0].splitlines()[1:]
PROMISED = ("network away", "an answer lost", "two programs send one ledger", "clocks a day off", "a table's machine lost",
            "a copy of its ledger", "only a table's memory", "restored from a copy", "killed", "newer than the hall")  # fmt: skip
"""What the design promises."""


@pytest.mark.parametrize("row", TABLE)
def test_a_row_of_the_failure_table_is_held_by_tests(row: str) -> None:
    failure, happens, held = (part.strip() for part in row.strip("|").split("|"))
    assert failure
    assert happens
    assert re.fullmatch(r"`pytest tests/hall/test_\w+\.py -k \w+`(, `pytest tests/hall/test_\w+\.py -k \w+`)*", held), failure


@pytest.mark.parametrize("promised", PROMISED)
def test_every_failure_that_the_design_promises_is_a_row(promised: str) -> None:
    assert len([row for row in TABLE if promised in row.split("|")[1]]) == 1
