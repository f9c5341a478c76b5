"""The figures of the house stand on their page as the tool counts them."""

from __future__ import annotations

import re
from pathlib import Path

import house
import pytest

pytestmark = pytest.mark.house


def test_the_page_has_a_row_for_every_figure() -> None:
    found = house.MARKED.search(house.PAGE.read_text("utf-8"))
    assert found is not None
    rows = [row.split(" | ")[0].removeprefix("| ") for row in found[0].splitlines() if row.startswith("| ")]
    assert rows == ["figure", *(one.name for one in house.FIGURES)], "python tools/house.py --table"


NUMBER = re.compile(r"\d[\d,]*")


def test_no_figure_on_the_page_is_off_by_more_than_one_in_twenty() -> None:
    found = house.MARKED.search(house.PAGE.read_text("utf-8"))
    assert found is not None
    rows = [row.strip("| ").split(" | ") for row in found[0].splitlines() if row.startswith("| ")]
    for one, row in zip(house.FIGURES, rows[1:], strict=True):
        if one.measured:
            continue
        counted = one.now()
        pairs = zip(map(number, NUMBER.findall(counted)), map(number, NUMBER.findall(row[2])), strict=True)
        assert all(abs(now - then) <= now / 20 for now, then in pairs), f"{one.name}: {counted}; python tools/house.py --table"


def number(text: str) -> int:
    return int(text.replace(",", ""))


def test_a_look_s_time_is_that_of_the_command() -> None:
    """And not of a table whose looks were timed by hand, beside other work."""
    rows = house.PAGE.read_text("utf-8").splitlines()
    (told,) = (row.split(" | ")[2] for row in rows if "(`companion evaluate speed`)" in row and row.startswith("| a look"))
    looks = (house.ROOT / "docs" / "figures.md").read_text("utf-8").partition('<a id="a-look">')[2].partition("**Speed**")[0]
    assert house.time_of_a_look() == told
    assert f"| Stù | {told.removesuffix(' ms')} (" in looks


def test_only_what_stands_between_the_marks_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "architecture.md"
    page.write_text("Before.\n<!-- house: x -->\n| old |\n<!-- /house -->\nAfter.\n")
    monkeypatch.setattr(house, "PAGE", page)
    monkeypatch.setattr(house, "FIGURES", (house.Figure("files", "9", lambda: "5", "3"),))
    house.write_table()
    expected = f"| figure | before ({house.BEFORE}) | now | wanted |\n|---|---|---|---|\n| files | 9 | 5 | 3 |"
    assert page.read_text() == f"Before.\n<!-- house: x -->\n{expected}\n<!-- /house -->\nAfter.\n"
    page.write_text("Nothing marked.\n")
    with pytest.raises(SystemExit, match="expected a line that begins with"):
        house.write_table()


def test_lines_and_files_are_counted(tmp_path: Path) -> None:
    for name, count in (("a.py", 1), ("b.py", 2), ("c.py", 6)):
        (tmp_path / name).write_text("x = 1\n" * count)
    paths = sorted(tmp_path.glob("*.py"))
    assert house.size(paths) == "3 / 9"
    assert house.median_and_longest(paths) == "2 / 6"
