"""The figures' SVG files: that a drawing program can open them, that the cards come from them, and what is refused."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.decks import italian
from workshop.deck import courts
from workshop.deck import figure as figures
from workshop.deck.figure import figure
from workshop.deck.raster import ITALIAN_KEYS, RAMINO_KEYS, STU_KEYS, CardKey, draw, raster
from workshop.deck.sheet import STU_SIZE, Sheet
from workshop.deck.style import Palette, Style
from workshop.deck.svg import Outline, outlines

FILES = sorted(figures.FOLDER.iterdir())

STU = {
    "matto": "fool", "leone": "lion", "mascherone": "mask", "secchia": "bucket", "nulla": "disc", "taverna": "tavern",
    "gnao": "cat", "salta": "horse", "bragon": "rose-bearer", "cucco": "owl",
}  # fmt: skip
COURTS = {"J": "jack", "Q": "queen", "K": "king"}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
PIPS = (("coin", "cup", "sword", "baton"), ("coin-sun", "cup-covered", "sword-curved", "baton-leafy"))
"""The figures of denari, coppe, spade and bastoni, as they are committed and in other printings."""
RANKS = {"1": "asso", "8": "fante", "9": "cavallo", "10": "re"}
BETWEEN = {"denari-4": {"presentosa"}, "bastoni-3": {"gatto-mammone"}} | {
    card: {"sprig"} for card in ("denari-2", "coppe-2", "coppe-4", "spade-2", "spade-4", "bastoni-2", "bastoni-4")
}
"""Italian card → what stands between its pips."""


def of_card(key: CardKey, pips: tuple[str, ...] = PIPS[0]) -> set[str]:
    """The figures on a card; ``pips``: those of the Italian suits."""
    deck, card = key
    if card == "back":
        return set()
    if deck == "italian":
        suit, number = card.split("-")
        pip = {pips[list(italian.SUITS).index(suit)]} if card != "coppe-1" else set()
        return pip | BETWEEN.get(card, set()) | ({f"{RANKS[number]}-{suit}"} if number in RANKS else set())
    if deck == "stu":
        return {STU[card]} | ({"landscape"} if card == "nulla" else set()) if card in STU else {"landscape"}
    if card.startswith("joker"):
        return {"fool"}
    return {SUITS[card[-1]], *(name for value, name in COURTS.items() if value == card[0])}


FACES = [key for key in STU_KEYS + RAMINO_KEYS if key[1] != "back"]
ITALIAN = [key for key in ITALIAN_KEYS if key[1] != "back"]


def forget() -> None:
    figures.read.cache_clear()
    courts._sign.cache_clear()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """A copy of the figures that the cards are drawn from instead; the call replaces what a file of it says."""
    folder = tmp_path / "figures"
    shutil.copytree(figures.FOLDER, folder)
    monkeypatch.setattr(figures, "FOLDER", folder)

    def write(name: str, text: str) -> None:
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")
        forget()

    forget()
    yield write
    forget()


def drawing(inside: str, definitions: str = "") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 895"><defs>{definitions}</defs>{inside}</svg>'


def printed(name: str, style: Style | None = None, part: str = "") -> str:
    """The figure alone on a sheet."""
    sheet = Sheet(style or Style.standard(), STU_SIZE, "test")
    figure(sheet, name, part)
    return sheet.svg(44)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_figure_opens_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    picture = raster(text, 200, 300)
    seen = picture[picture[..., 3] == 255][:, :3]
    assert len(seen) > 0.02 * picture[..., 3].size
    inks = {tuple(int(colour[i : i + 2], 16) for i in (5, 3, 1)) for colour in re.findall(r'fill="(#\w{6})"', text)}
    assert inks & {tuple(map(int, colour)) for colour in np.unique(seen, axis=0)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_figure_says_what_it_shows_and_names_each_part_once(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    assert len(root.findtext("{*}title") or "") > 10
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    known = {"data-shade", "data-turf", "data-ink", "data-sign", "data-held"}
    assert {name for element in root.iter() for name in element.attrib if name.startswith("data-")} <= known


def test_every_figure_is_on_a_card() -> None:
    shown = set().union(*map(of_card, FACES), *(of_card(key, pips) for key in ITALIAN for pips in PIPS))
    assert {path.stem for path in FILES} == shown
    assert {path.suffix for path in FILES} == {".svg"}


@pytest.fixture(scope="module")
def before() -> dict[CardKey, str]:
    """Every face as it is drawn from the figures as they are."""
    return {key: draw(key, Style.standard()) for key in FACES}


@pytest.mark.parametrize("name", sorted(set().union(*map(of_card, FACES))))
def test_a_figure_is_drawn_on_its_cards_and_on_no_other(
    before: dict[CardKey, str], desk: Callable[[str, str], None], name: str
) -> None:
    empty = '<path d="M0,0 9,9 9,0z" fill="#d3202e"/>'
    desk(name, drawing(empty if name in SUITS.values() else f'<g id="fool">{empty}</g>'))
    changed = {key for key, svg in before.items() if draw(key, Style.standard()) != svg}
    assert changed == {key for key in FACES if name in of_card(key)}


@pytest.mark.parametrize("pips", PIPS, ids=["committed", "another"])
def test_an_italian_card_is_drawn_from_its_own_figures(monkeypatch: pytest.MonkeyPatch, pips: tuple[str, ...]) -> None:
    used: set[str] = set()
    read = figures.read
    monkeypatch.setattr(figures, "read", lambda name: (used.add(name), read(name))[1])
    for key in ITALIAN_KEYS + STU_KEYS:
        used.clear()
        draw(key, replace(Style.standard(), italian_pips=pips))
        assert used == of_card(key, pips)


def test_a_figure_holds_the_pip_where_its_file_says(desk: Callable[[str, str], None]) -> None:
    hat = '<path d="M0,0 9,9 9,0z" fill="#d3202e"/>'
    here, there = (f'<ellipse data-held="sign" rx="100" ry="100" transform="translate({x} 200)"/>' for x in (100, 300))
    desk("re-coppe", drawing(hat))
    empty = draw(("italian", "coppe-10"), Style.standard())
    desk("re-coppe", drawing(here))
    left = draw(("italian", "coppe-10"), Style.standard())
    desk("re-coppe", drawing(there))
    right = draw(("italian", "coppe-10"), Style.standard())
    assert len(left) > len(empty) + 1000
    assert right == left.replace("translate(100 200)", "translate(300 200)")


@pytest.mark.parametrize("suit", SUITS)
def test_the_curves_of_a_suits_sign_follow_from_its_nodes(suit: str) -> None:
    """A sign is drawn through its nodes at every size: handles of one's own would be lost."""
    path = figures.read(SUITS[suit]).find("{*}path")
    [outline] = outlines(path.attrib["d"])
    smooth = Outline.through(outline.nodes())
    assert np.allclose(outline.curves, smooth.curves, atol=1e-5), "make its nodes auto-smooth, or cusps without handles"


OURS = drawing(
    """
    <g id="field">
      <path fill="#f9d31c" stroke="#17161a" stroke-width="5" data-shade="20"
        d="M 100,100 L 300,100 C 320,200 320,300 300,400 L 100,400 Z"/>
      <path fill="url(#hatch-20-6-3)" d="M 120,120 L 280,120 280,380 120,380 Z"/>
      <path fill="#d3202e" stroke="#17161a" stroke-width="10" paint-order="stroke"
        d="M 50,500 h 100 v 60 h -100 z M 120,520 h 90 v 10 h -90 z"/>
    </g>
    <circle fill="none" stroke="#1c62b0" stroke-width="4.5" cx="250" cy="700" r="40"/>
    <text fill="#17161a" font-size="48" x="312" y="526">VINO</text>""",
    """<pattern id="hatch-20-6-3" patternUnits="userSpaceOnUse" width="24" height="6" patternTransform="rotate(20)">
      <path fill="none" stroke="#17161a" stroke-width="3" d="M0,3H24"/></pattern>""",
)

INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg viewBox="0 0 500 895" version="1.1" id="svg178" sodipodi:docname="e0.svg"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview180" pagecolor="#ffffff" inkscape:document-units="mm" />
  <defs id="defs16">
    <pattern inkscape:collect="always" xlink:href="#pattern182" id="pattern190"
       patternTransform="rotate(20,2.6497543,31.932265)" />
    <pattern inkscape:collect="always" xlink:href="#hatch-20-6-3" id="pattern182" patternTransform="matrix(0,1,-1,0,3,4)" />
    <pattern id="hatch-20-6-3" patternUnits="userSpaceOnUse" width="24" height="6" patternTransform="rotate(8)">
      <path d="M0,3H24" id="path7" style="fill:none;stroke:#17161a;stroke-width:3px" />
    </pattern>
  </defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1">
    <g id="field">
      <path style="fill:#F9D31C;fill-opacity:1;stroke:#17161a;stroke-width:5;stroke-linejoin:round" fill="#17793f" data-shade="20"
         d="m 100,100 h 200 c 20,100 20,200 0,300 H 100 Z" id="path57" sodipodi:nodetypes="ccccc" />
      <path d="m 120,120 h 160 v 260 H 120 Z" id="path59" style="fill:url(#pattern190)" />
      <path style="fill:#d3202e;stroke:#17161a;stroke-width:10px;paint-order:stroke fill markers" id="path60"
         d="m 50,500 h 100 v 60 H 50 Z m 70,20 h 90 v 10 h -90 z" />
    </g>
    <ellipse style="fill:none;stroke:#1c62b0;stroke-width:4.5" id="path61" cx="250" cy="700" rx="40" ry="40" />
    <text xml:space="preserve" style="font-size:48px;fill:#17161a" x="312" y="526" id="text1"><tspan
         sodipodi:role="line" id="tspan1" x="312" y="526">VINO</tspan></text>
  </g>
</svg>
"""


@pytest.mark.parametrize("style", [Style.standard(), Style.random(random.Random(4)), replace(Style.standard(), hatch=0.0)])
def test_what_inkscape_saves_is_drawn_the_same(desk: Callable[[str, str], None], style: Style) -> None:
    desk("cat", OURS)
    ours = printed("cat", style)
    desk("cat", INKSCAPE)
    assert printed("cat", style) == ours


def test_what_is_moved_in_a_drawing_program_is_moved_on_the_card(desk: Callable[[str, str], None]) -> None:
    desk("cat", OURS)
    still = raster(printed("cat"), 500, 895)[450:600]
    desk("cat", OURS.replace('<g id="field">', '<g id="field" transform="translate(40)">'))
    moved = raster(printed("cat"), 500, 895)[450:600]
    red = [np.flatnonzero((picture[..., :3] == (46, 32, 211)).all(axis=2).any(axis=0)) for picture in (still, moved)]
    assert (red[1] - red[0] == 40).all()
    assert len(red[0]) > 100


def test_what_is_hidden_in_a_drawing_program_is_not_printed(desk: Callable[[str, str], None]) -> None:
    desk("cat", OURS.replace('<g id="field">', '<g id="field" style="display:none">'))
    assert "#d3202e" not in printed("cat")


def test_turf_grows_below_its_ground_wherever_that_is_moved(desk: Callable[[str, str], None]) -> None:
    tops = []
    for y in (600, 700):
        desk("cat", drawing(f'<path fill="#17793f" data-turf="12" d="M 0,{y} H 500 V 900 H 0 Z"/>'))
        picture = raster(printed("cat"), 500, 895)
        dark = (picture[..., :3] < (40, 40, 40)).all(axis=2)[20:875, 60:440]
        tops.append(int(np.flatnonzero(dark.any(axis=1))[0]) + 20)
    assert tops[1] - tops[0] == pytest.approx(100, abs=5)
    assert 605 < tops[0] < 625


def test_a_style_prints_its_own_inks_lines_and_shade(desk: Callable[[str, str], None]) -> None:
    desk("cat", OURS)
    plain = printed("cat")
    inks = Palette(yellow="#abcdef")
    assert "#abcdef" in (other := printed("cat", replace(Style.standard(), palette=inks)))
    assert "#f9d31c" not in other
    assert other.replace("#abcdef", "#f9d31c") == plain
    assert 'stroke-width="10"' in printed("cat", replace(Style.standard(), line=2.0))
    assert len(printed("cat", replace(Style.standard(), hatch=0.0))) < len(plain) / 2
    shifted = printed("cat", replace(Style.standard(), register=(3.0, -2.0)))
    assert '<path transform="translate(3 -2)" fill="#f9d31c"' in shifted


def test_a_part_is_drawn_alone(desk: Callable[[str, str], None]) -> None:
    desk("cat", OURS)
    part = printed("cat", part="field")
    assert "#d3202e" in part
    assert "#1c62b0" not in part


REFUSED = {
    "a rectangle": ('<rect width="9" height="9"/>', "cat.svg, rect: a <rect> cannot be printed"),
    "a clone": ('<g id="eyes"><use href="#x"/></g>', "cat.svg, eyes, use: a <use> cannot be printed"),
    "another colour": ('<path id="nose" d="M0,0 9,9z" fill="#123456"/>', "cat.svg, nose: #123456 is no ink of the deck"),
    "no colour, which is black": ('<path d="M0,0 9,9z"/>', "#000000 is no ink of the deck"),
    "an outline of another colour": ('<path d="M0,0 9,9z" fill="none" stroke="red"/>', "red is no ink of the deck"),
    "a gradient": ('<path d="M0,0 9,9z" fill="url(#linear1)"/>', "the fill #linear1 is no pattern of this file"),
    "a pattern without a line": ('<path d="M0,0 9,9z" fill="url(#bare)"/>', "holds no path"),
    "a role that the card lacks": ('<path d="M0,0 9,9z" data-ink="robe"/>', "data-ink 'robe' is no role of this card"),
    "no path data": ('<path id="nose" fill="#17161a"/>', "cat.svg, nose: the attribute 'd' is missing"),
    "a number that is none": ('<circle id="eye" fill="#17161a" cx="a" r="4"/>', "cat.svg, eye: could not convert"),
    "half a file": ('<g id="eyes">', "figures/cat.svg is not well-formed"),
}


@pytest.mark.parametrize(("inside", "says"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_printed_is_refused_by_name(desk: Callable[[str, str], None], inside: str, says: str) -> None:
    desk("cat", drawing(inside, '<pattern id="bare" height="6" width="6"/>'))
    with pytest.raises(ValueError, match=re.escape(says)):
        draw(("stu", "gnao"), Style.standard())


def test_a_part_that_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match=r"cat\.svg has no element with the id 'hat'"):
        printed("cat", part="hat")
