"""The drawing of an evening's figures."""

from __future__ import annotations

import re

import pytest

from companion.pages.charts import UPRIGHT_WIDTH, Bar, Column, Curve, Strip, chart

LETTER = 15.7
"""Width of a figure at the drawing's size of letters, measured in a browser."""


@pytest.mark.parametrize("said", ["0", "978,00 €", "1.051,40 €", "1.234.567,00 €"])
def test_what_stands_beside_a_curve_or_a_bar_ends_before_the_edge_of_a_phone(said: str) -> None:
    columns = [Column("Chips", 300, 700), Column("Pots", 1200, 200)]
    strips = [Strip("Ada", [Curve([5, 9], said), Bar(7, said)]), Strip("Bice", [Curve([1, 2], "2"), Bar(3, "3")])]
    drawn = chart("", columns, strips, 1, "")
    upright = drawn[drawn.index('class="upright"') :]
    beside = [float(x) for x, text in re.findall(r'<text x="([\d.]+)" y="[\d.]+">([^<]+)</text>', upright) if text == said]
    assert len(beside) == 2
    assert beside[0] + LETTER * len(said) <= UPRIGHT_WIDTH
    assert beside[1] + 13 * len(said) <= UPRIGHT_WIDTH
