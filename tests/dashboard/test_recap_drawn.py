"""What the video of an evening draws: no text leaves its box, no sum is broken, and all that counts is large enough."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from fontTools.ttLib import TTFont
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from test_recap import told

from companion.assets import asset
from companion.dashboard.drawing import text_width
from companion.dashboard.recap import drawing
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.pages.moments import follow
from companion.pages.recap import Recap, RecapRow, recap
from companion.pages.recap_scenes import Plate, Scene, Shot

WORD = st.text("abcdefMWi", min_size=1, max_size=12) | st.sampled_from(["4,00 €", "1.200,50 €", "50 %", "PAGA", "−12,00 €"])
PARTS = st.lists(st.lists(WORD, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=6)


@given(parts=PARTS, most=st.integers(100, 1000), bold=st.booleans())
def test_a_line_begins_and_ends_with_a_word_and_no_sum_is_broken(parts: list[str], most: int, bold: bool) -> None:
    lines = drawing._lines(" · ".join(parts), 60, most, bold=bold)
    assert " ".join(" ".join(lines).replace("\u00a0", " ").split(" ")).replace(" · ", " ") == " ".join(parts)
    for line in lines:
        assert line.strip() == line
        assert line
        assert not line.startswith(("·", "€", "%"))
        assert not line.endswith("·")
        words = line.replace(" · ", " ").split(" ")
        assert len(words) == 1 or text_width(line, bold=bold) * 60 <= most


def drawn(told: Recap) -> Iterator[list[tuple[str, float, str, bool]]]:
    """The texts of each picture of the moments: what it says, the size, the colour, whether it is bold."""
    for at, scene in enumerate(told.scenes):
        pictures = [drawing._words(scene)]
        for shot in scene.shots:
            pictures += [drawing._header(scene), drawing._table(shot, scene, told), drawing._below(shot)]
        for parts in pictures:
            found = re.findall(r'<text .*?font-size="([\d.]+)" fill="(\S+?)"(.*?)>(.*?)</text>', "".join(parts))
            yield [(html.unescape(said), float(size), colour, "bold" in more) for size, colour, more, said in found]
        assert at < 5


@pytest.mark.parametrize("game", ["stu", "stoppa", "stoper"])
@pytest.mark.parametrize("money", [True, False])
def test_what_is_drawn_has_no_lone_dot_no_broken_sum_and_one_size_of_names(game: str, money: bool) -> None:
    bots = {"stu": stu, "stoppa": stoppa, "stoper": stoper}[game]
    for many, seed in ((4, 1), (5, 2), (12 if game == "stu" else 6, 3)):
        names = ("Maria Antonietta", "Ugo", "Giuseppe Di Bartolomeo", *bots.seated(many)[3:])
        log = bots.simulate(bots.Settings(players=names), hands=12, seed=seed)  # type: ignore[attr-defined]
        rules = GAMES[game]
        value = recap(rules.rules, rules.pages, list(follow(rules.rules, rules.pages, log)), "it", DEFAULTS.view, money=money)
        assert value is not None
        for texts in drawn(value):
            for said, size, _colour, _bold in texts:
                assert not said.startswith(("·", "€")), said
                assert not said.endswith("·")
                assert size >= 24
            named = {size for said, size, _colour, bold in texts if bold and said in ("Ugo", *names[3:]) and size < 64}
            assert len(named) <= 1, "one size for all names of a table"


def test_gains_stand_in_another_colour_than_payments() -> None:
    shot = Shot(1, 3.0, "", (), (), ("PAGA Ciro 6,00 €", "incassa Anna 6,00 €"), 1)
    both = "".join(drawing._below(shot))
    assert f'fill="{drawing.PAY}"' in both.split("incassa")[0].rsplit("<text", 2)[1]
    assert f'fill="{drawing.GAIN}"' in both.split("incassa")[0].rsplit("<text", 1)[1]


def test_of_twenty_players_those_are_drawn_whom_it_is_about_and_who_sit_beside_them() -> None:
    plates = tuple(Plate(f"P{at}", "2 pedine", named=at == 19, out=at == 1) for at in range(20))
    seats = drawing._seats(Shot(1, 3.0, "", plates, (), ()))
    assert [plate.name for plate in seats] == ["P0", *(f"P{at}" for at in (2, 3, 4, 5, 6)), *(f"P{at}" for at in range(14, 20))]


@functools.cache
def _advances(bold: bool) -> dict[str, float]:
    """Letter → its width in units of its size, in the typeface that ships."""
    font = TTFont(asset("web/fonts") / f"Vollkorn-{'Bold' if bold else 'Regular'}.ttf")
    unit, glyphs = font["head"].unitsPerEm, font["hmtx"]
    return {chr(code): glyphs[glyph][0] / unit for code, glyph in font.getBestCmap().items()}


@pytest.mark.parametrize("bold", [True, False])
def test_no_letter_is_wider_than_it_is_measured(bold: bool) -> None:
    assert [letter for letter, wide in _advances(bold).items() if wide > text_width(letter, bold=bold) + 0.001] == []


class Box(NamedTuple):
    left: float
    top: float
    right: float
    low: float


def boxes(parts: str) -> list[Box]:
    """The rectangles of a picture, and the whole picture."""
    found = [Box(0, 0, drawing.WIDE, drawing.HIGH)]
    for x, y, wide, high in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', parts):
        found.append(Box(float(x), float(y), float(x) + float(wide), float(y) + float(high)))
    return found


def texts_outside(parts: str) -> list[str]:
    """The texts of a picture that do not lie in the smallest of its boxes in which they begin."""
    out = []
    for x, y, size, more, said in re.findall(r'<text x="([\d.-]+)" y="([\d.-]+)" font-size="([\d.]+)"(.*?)>(.*?)</text>', parts):
        widths = _advances("bold" in more)
        wide = float(size) * sum(widths.get(letter, 0.6) for letter in html.unescape(said))
        share = 0.5 if "middle" in more else 1.0 if '"end"' in more else 0.0
        left, base = float(x) - share * wide, float(y)
        anchor = float(x) - (1 if share == 1 else 0)
        around = [box for box in boxes(parts) if box.left <= anchor <= box.right and box.top <= base <= box.low]
        box = min(around, key=lambda box: (box.right - box.left) * (box.low - box.top))
        if left < box.left + 4 or left + wide > box.right - 4 or base - 0.6 * float(size) < box.top:
            out.append(html.unescape(said))
    return out


LONG = st.text("MWmwnhdirtà ", min_size=24, max_size=24).map(lambda name: f"W{name[1:-1].strip()}W")


@given(
    names=st.lists(LONG, min_size=2, max_size=20), cards=st.integers(0, 4), dealer=st.integers(0, 19),
    change=st.sampled_from(["", "−1", "+1.200,50 €", "−12,00 €?"]), has=st.sampled_from(["", "2 pedine · vergine", "1.234,50 €"]),
)  # fmt: skip
@example(names=["Maria Antonietta", "Ugo", "Ezio", "Gabriele"], cards=3, dealer=0, change="", has="")
@example(names=["WMMMMMMMMMMMMMMMMMMMMMMW"] * 11, cards=2, dealer=0, change="+1.200,50 €", has="")
def test_no_text_leaves_its_box(names: list[str], cards: int, dealer: int, change: str, has: str) -> None:
    open_cards = ("spade-1", "", "coppe-7", "denari-10")[:cards]
    plates = tuple(
        Plate(name, has, open_cards, change, change.startswith("−"), at == dealer % len(names), False, at == 0)
        for at, name in enumerate(names)
    )
    shot = Shot(1, 3.0, "Punto grosso, 55: sette, sei e asso", plates, (("Giro 2", "mano 3 di 4"),), (f"PAGA {names[0]}",), 0)
    scene = Scene(3, "rare", 1.8, names[-1], tuple(names[:3]), (f"{names[0]}: {names[1]}",), "", (shot,))
    standings = tuple(RecapRow(name, has, at == 0, f"{at + 1}.") for at, name in enumerate(names))
    value = replace(told(), players=tuple(names), scenes=(scene,), winner=names[0], standings=standings, note="1 non sicura")
    for parts in (
        drawing._title(value, "domenica 29 novembre 2026"), drawing._words(scene), drawing._header(scene),
        drawing._table(shot, scene, value), drawing._below(shot), drawing._end(value),
    ):  # fmt: skip
        assert texts_outside("".join(parts)) == []
    for name in names[:3]:
        assert f">{name}</text>" in "".join(drawing._words(scene)), "whole, where a name fills the picture"
    assert f">{names[0]}</text>" in "".join(drawing._end(value))


@pytest.mark.parametrize("many", [2, 10, 11, 12, 20])
def test_the_end_is_as_large_for_everybody_as_there_is_room(many: int) -> None:
    """Seen on a phone of 390 pixels a name has letters of at least 18 of them, and what they have at least 13."""
    rows = tuple(RecapRow(f"P{at}", "−5,00 €", at == 0) for at in range(many))
    parts = "".join(drawing._end(replace(told(), standings=rows, winner="P0")))
    size = {said: float(found) for found, said in re.findall(r'y="[\d.]+" font-size="([\d.]+)"[^>]*>(.*?)</text>', parts)}
    names = {size[one.name] for one in rows[1:]}
    assert len(names) == 1, "nobody is large who does not lead"
    assert min(names) * 390 / drawing.WIDE >= 18
    assert size["−5,00 €"] * 390 / drawing.WIDE >= 13
    lowest = max(float(y) for y in re.findall(r'<path d="M\d+,([\d.]+)', parts))
    assert lowest <= drawing.HIGH - 110
    assert many in (2, 11) or lowest >= 1500, "the picture is used"


@pytest.mark.parametrize("weight", ["Regular", "Bold", "Italic"])
def test_a_letter_that_nobody_has_is_an_empty_box_and_no_qr_code_as_the_typeface_draws_it(weight: str) -> None:
    assert TTFont(asset("web/fonts") / f"Vollkorn-{weight}.ttf")["glyf"][".notdef"].numberOfContours == 2
    browsers = asset("web/static/fonts") / f"vollkorn-{weight.lower()}.woff2"
    assert browsers.stat().st_size < {"Regular": 39_000, "Bold": 42_500, "Italic": 42_500}[weight]  # the code took 800 bytes
