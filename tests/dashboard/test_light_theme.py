"""Pages in the hand follow the light theme of the device: each that has the organisers' colours has the light ones, too."""

from __future__ import annotations

from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "web" / "templates"
COLOURED = sorted(one for one in TEMPLATES.rglob("*.html") if "filename='organiser.css'" in one.read_text())


@pytest.mark.parametrize("template", COLOURED, ids=lambda one: str(one.relative_to(TEMPLATES)))
def test_a_page_of_organisers_has_the_light_theme(template: Path) -> None:
    assert "filename='light.css'" in template.read_text()
