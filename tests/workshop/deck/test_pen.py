"""The pen: letters without fonts, curves, shading."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workshop.deck.alphabet import GLYPHS, lettering, measure
from workshop.deck.raster import raster
from workshop.deck.sheet import hatching, inside, shading
from workshop.deck.style import DIDONE, INDEX, NUMERAL, SLAB
from workshop.deck.svg import Outline, curve, mirrored, number, outlines


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


SAME_PATHS = {
    "relative": ("m10,10 l10,0 0,10z", "M10,10 L20,10 20,20 10,10"),
    "across and down": ("M10,10H20V20h-10v-10", "M10,10L20,10L20,20L10,20L10,10"),
    "not closed": ("M10,10 20,10 20,20", "M10,10 20,10 20,20 10,10"),
    "mirrored handle": ("M0,0c0,5 5,10 10,10s10,5 10,10", "M0,0C0,5 5,10 10,10 15,10 20,15 20,20z"),
    "quadratic": ("M0,0q15,30 30,0t30,0", "M0,0C10,20 20,20 30,0 40,-20 50,-20 60,0z"),
    "handles on the ends": ("M0,0C0,0 9,9 9,9 9,9 9,0 9,0z", "M0,0 9,9 9,0z"),
    "two loops": ("m1,1h5v5zm10,0h5v5z", "M1,1 6,1 6,6zM11,1 16,1 16,6z"),
    "a lone point": ("M5,5 M0,0 9,9 9,0z", "M0,0 9,9 9,0z"),
}


@pytest.mark.parametrize(("short", "long"), SAME_PATHS.values(), ids=SAME_PATHS)
def test_path_data_is_read_however_it_is_written(short: str, long: str) -> None:
    assert outlines(short) == outlines(long)


def test_an_arc_is_read_as_curves() -> None:
    [circle] = outlines("M-10,0a10,10 0 1 1 20,0a10,10 0 1 1 -20,0z")
    assert all(abs(math.hypot(x, y) - 10) < 0.05 for x, y in circle.polygon())


loops = st.lists(
    st.tuples(st.integers(-90, 600), st.integers(-90, 960), st.booleans()), min_size=3, max_size=12, unique_by=lambda p: p[:2]
).map(lambda line: Outline.through(" ".join(f"{x},{y}{'!' * sharp}" for x, y, sharp in line)))


@given(loops)
def test_an_outline_written_in_full_is_read_again(loop: Outline) -> None:
    [start, *_] = loop.curves[0]
    bends = (" ".join(f"{x},{y}" for x, y in bend[1:]) for bend in loop.curves)
    assert outlines(f"M{start[0]},{start[1]}C{' '.join(bends)}z") == (loop,)


@given(loops)
def test_an_outline_is_found_again_from_its_nodes(loop: Outline) -> None:
    assert Outline.through(loop.nodes()) == loop


@given(loops)
def test_turned_clockwise_an_outline_keeps_its_points(loop: Outline) -> None:
    turned = loop.clockwise()
    corners = [bend[0] for bend in turned.curves]
    assert sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True)) >= 0
    for way in (loop, turned):
        assert all(a[3] == b[0] for a, b in zip(way.curves, way.curves[1:] + way.curves[:1], strict=True))
    assert np.allclose(*(sorted((round(x, 6), round(y, 6)) for x, y in way.polygon(2)) for way in (loop, turned)))


def test_clockwise_is_clockwise_either_way_given() -> None:
    square = Outline.through("0,0! 10,0! 10,10! 0,10!")
    backwards = Outline.through("0,10! 10,10! 10,0! 0,0!")
    assert square.clockwise() == square
    assert backwards.clockwise() == square


def test_hatching_and_shading_stay_inside() -> None:
    square = Outline.through("20,20! 100,20! 100,100! 20,100!")
    outline = ink(square.data()) > 0
    for d in (hatching(square.polygon(), 30, 8, 2, random.Random(1)), shading(square, [], 20, 6, 3, random.Random(1))):
        marks = ink(d) > 127
        assert marks.sum() > 100
        assert not (marks & ~outline).any()


def test_shading_lies_on_the_side_away_from_the_light() -> None:
    square = Outline.through("20,20! 100,20! 100,100! 20,100!")
    marks = ink(shading(square, [], 20, 6, 3, random.Random(1))) > 127
    assert marks[60:, 60:].sum() > 4 * marks[:60, :60].sum()


def test_inside_a_polygon() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert inside((5, 5), square)
    assert not inside((15, 5), square)
