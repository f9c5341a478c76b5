"""The pen: letters without fonts, curves, shading."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from companion.workshop.deck.alphabet import GLYPHS, lettering, measure
from companion.workshop.deck.raster import raster
from companion.workshop.deck.style import DIDONE, INDEX, NUMERAL, SLAB
from companion.workshop.deck.svg import clockwise, curve, hatching, inside, mirrored, number, sample, shading, tube


def ink(d: str, size: int = 120) -> np.ndarray:
    """Coverage 0..255 of path data drawn on a sheet of size x size units, a pixel each."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 {size} {size}"><path d="{d}"/></svg>'
    return raster(svg, size, size)[..., 3]


@pytest.mark.parametrize("character", GLYPHS)
@pytest.mark.parametrize("form", [DIDONE, SLAB, NUMERAL, INDEX])
def test_each_letter_stands_on_its_line_and_fills_its_cap_height(character: str, form) -> None:
    picture = ink(lettering(character, form, 80, 60, 100)) > 127
    rows = np.flatnonzero(picture.any(axis=1))
    assert 18 <= rows[0] <= 22
    assert 97 <= rows[-1] <= (116 if character in "Q" else 102)


@pytest.mark.parametrize("character", "ABDOPQR0689")
def test_counters_are_open(character: str) -> None:
    picture = ink(lettering(character, DIDONE, 80, 60, 100)) > 127
    background = np.zeros_like(picture)
    background[0] = True
    for _ in range(400):  # flood from the top edge
        grown = background.copy()
        grown[1:] |= background[:-1]
        grown[:-1] |= background[1:]
        grown[:, 1:] |= background[:, :-1]
        grown[:, :-1] |= background[:, 1:]
        grown &= ~picture
        grown[0] = True
        if (grown == background).all():
            break
        background = grown
    assert (~picture & ~background).sum() > 40


def test_all_letters_differ() -> None:
    pictures = {c: ink(lettering(c, SLAB, 80, 60, 100)).astype(float) for c in GLYPHS}
    names = list(pictures)
    assert all(np.abs(pictures[a] - pictures[b]).mean() > 2 for i, a in enumerate(names) for b in names[:i])


def test_a_letter_that_the_alphabet_lacks_is_named() -> None:
    with pytest.raises(KeyError, match="é"):
        lettering("Caffé".upper().replace("É", "é"), DIDONE, 50, 0, 0)


def test_wider_letterforms_take_more_room() -> None:
    assert measure("MATTO", replace(DIDONE, width=1.3), 50) > measure("MATTO", DIDONE, 50) > measure("MATT", DIDONE, 50)


def test_text_is_anchored() -> None:
    columns = {a: np.flatnonzero((ink(lettering("I", DIDONE, 40, 60, 80, anchor=a)) > 0).any(axis=0)) for a in (0.0, 0.5, 1.0)}
    assert columns[1.0][-1] <= 61
    assert columns[0.0][0] >= 59
    assert abs(columns[0.5].mean() - 60) < 2


def test_numbers_are_short() -> None:
    assert [number(v) for v in (1.0, -0.01, 2.25, -3.149)] == ["1", "0", "2.2", "-3.1"]


def test_a_curve_runs_through_its_points_and_turns_sharply_where_marked() -> None:
    assert curve("0,0! 10,0! 10,10!") == "M0 0l10 0l0 10l-10-10z"
    assert curve("0,0 10,0 10,10", closed=False).endswith(" 0 10")
    assert "c" in curve("0,0 10,0 10,10")


def test_a_mirrored_line_is_its_own_mirror() -> None:
    line = "10,20 30,45! 50,20"
    assert mirrored(mirrored(line, 100), 100) == line


def test_clockwise_is_clockwise_either_way_given() -> None:
    square = "0,0! 10,0! 10,10! 0,10!"
    backwards = " ".join(square.split()[::-1])
    assert clockwise(square) == square
    assert clockwise(backwards) == square


def test_a_tube_is_as_wide_as_it_says() -> None:
    picture = ink(curve(tube("20,60,20 60,60,20 100,60,20"))) > 127
    assert abs(int(picture[:, 60].sum()) - 20) <= 1


def test_hatching_and_shading_stay_inside() -> None:
    line = "20,20! 100,20! 100,100! 20,100!"
    outline = ink(curve(line)) > 0
    for d in (hatching(sample(line), 30, 8, 2, random.Random(1)), shading(line, [], 20, 6, 3, random.Random(1))):
        marks = ink(d) > 127
        assert marks.sum() > 100
        assert not (marks & ~outline).any()


def test_shading_lies_on_the_side_away_from_the_light() -> None:
    marks = ink(shading("20,20! 100,20! 100,100! 20,100!", [], 20, 6, 3, random.Random(1))) > 127
    assert marks[60:, 60:].sum() > 4 * marks[:60, :60].sum()


def test_inside_a_polygon() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert inside((5, 5), square)
    assert not inside((15, 5), square)
