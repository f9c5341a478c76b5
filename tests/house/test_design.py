"""One palette: docs/design.md tells the colours that the pages and the evening's picture have."""

from __future__ import annotations

import re

import pytest

from companion.assets import asset, root
from companion.dashboard.drawing import COLOURS

STATIC = asset("web") / "static"


def colours(sheet: str) -> dict[str, str]:
    """Name of a colour → its value, in the first rule of the sheet that has any."""
    first = next(rule for rule in re.findall(r"\{([^{}]*)\}", (STATIC / sheet).read_text("utf-8")) if "--room" in rule)
    return dict(re.findall(r"(--[\w-]+): (#\w+);", first))


@pytest.mark.parametrize(("sheet", "column"), [("face.css", 0), ("light.css", 1)], ids=["dark", "light"])
def test_the_page_of_the_design_tells_the_colours_of_the_pages(sheet: str, column: int) -> None:
    rows = re.findall(r"^\| (`--.+?) \| (.+?) \| (.+?) \|", (root() / "docs" / "design.md").read_text("utf-8"), re.M)
    told = {
        name: value
        for names, *values in rows
        for name, value in zip(re.findall(r"--[\w-]+", names), re.findall(r"#\w+", values[column]), strict=False)
    }
    assert len(told) >= 8
    assert told == {name: value for name, value in colours(sheet).items() if name in told}


def test_the_light_theme_is_the_same_by_the_device_and_by_the_address() -> None:
    rules = [rule.strip() for rule in re.findall(r"\{([^{}]*)\}", (STATIC / "light.css").read_text("utf-8"))]
    assert len(rules) == 2
    assert rules[0] == rules[1]


def test_the_evenings_picture_has_the_same_colours() -> None:
    palette = colours("face.css")
    names = {"room": "--room", "felt": "--felt", "ink": "--ink", "soft": "--ink-soft",
             "act": "--act", "line": "--line", "warn": "--pay"}  # fmt: skip
    assert {one: COLOURS["dark"][one] for one in names} == {one: palette[name] for one, name in names.items()}


def test_no_sheet_has_a_palette_of_its_own() -> None:
    """The TV's light theme, with its paler grounds, is the only other one; what is printed is black on white."""
    sheets = {path.relative_to(STATIC).as_posix(): path.read_text("utf-8") for path in STATIC.rglob("*.css")}
    shown = {name: sheet.partition("@media print")[0] for name, sheet in sheets.items()}
    own = {name for name, sheet in shown.items() if re.search(r"--ink: *#", sheet)}
    assert own == {"face.css", "light.css", "tv.css"}


def test_the_typeface_is_shipped_with_its_licence() -> None:
    named = re.findall(r'url\("(fonts/[\w.-]+)"\)', (STATIC / "face.css").read_text("utf-8"))
    assert len(named) == 3
    assert all((STATIC / name).read_bytes().startswith(b"wOF2") for name in named)
    assert "SIL OPEN FONT LICENSE" in (asset("web") / "fonts" / "LICENSE").read_text("utf-8")
