"""The drawn cards: what is committed, what stands in the SVG texts, and that nobody takes one card for another."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.assets import root
from companion.decks import italian as italian_deck
from companion.decks.stu import KINDS
from workshop.deck import Style, back, face, italian, ramino_back, ramino_face
from workshop.deck.publish import drawings, publish
from workshop.deck.ramino import FACES
from workshop.deck.raster import ITALIAN_KEYS, RAMINO_KEYS, STU_KEYS, DeckImages, Texture, drawn, raster

CARDS = root() / "web" / "cards"
DRAWINGS = dict(drawings())


def flat(texture: Texture) -> np.ndarray:
    """BGR as it lies on a grey table."""
    alpha = texture[..., 3:] / 255
    return texture[..., :3] * alpha + 128 * (1 - alpha)


@pytest.fixture(scope="module")
def small() -> DeckImages:
    """Every card 40 pixels high or a little more."""
    return drawn(Style.standard(), 40 / 88, STU_KEYS + RAMINO_KEYS + ITALIAN_KEYS)


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_committed_drawing_is_what_the_code_draws(name: str) -> None:
    assert (CARDS / name).read_text(encoding="utf-8") == DRAWINGS[name], "run: python -m workshop.deck.publish"


def test_nothing_else_lies_among_the_committed_drawings() -> None:
    assert {path.name for path in CARDS.iterdir()} == set(DRAWINGS)


def test_publish_writes_every_drawing(tmp_path) -> None:
    assert publish(tmp_path / "new") == len(DRAWINGS) == 20 + 1 + 54 + 2 + 40 + 1
    assert (tmp_path / "new" / "gnao.svg").read_text(encoding="utf-8") == face("gnao", Style.standard())


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_needs_no_font_and_nothing_from_outside(name: str) -> None:
    svg = DRAWINGS[name]
    assert set(re.findall(r"<([a-zA-Z]+)", svg)) <= {"svg", "g", "path", "clipPath", "defs", "use"}
    assert set(re.findall(r'href="([^"]*)"', svg)) <= {"#pip0", "#pip1", "#sprig"}
    assert "font" not in svg
    assert "style" not in svg
    assert re.findall(r"\w+://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"url\(([^)]*)\)", svg)) <= {"#card", "#frame", "#half"}
    assert len(svg) < 64_000


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_has_the_size_of_the_card(name: str) -> None:
    size = (
        'width="58mm" height="88mm" viewBox="0 0 580 880"'
        if name.startswith("ramino")
        else 'width="50mm" height="89.5mm" viewBox="0 0 500 895"'
    )
    assert size in DRAWINGS[name]


def test_the_italian_faces_are_the_forty_of_the_list_and_small() -> None:
    faces = {name.removesuffix(".svg"): svg for name, svg in DRAWINGS.items() if name.removesuffix(".svg") in italian_deck.KINDS}
    assert set(faces) == set(italian_deck.KINDS)
    assert max(map(len, faces.values())) < 24_000
    assert sum(map(len, faces.values())) < 400_000


def test_textures_are_round_cornered_and_opaque_inside() -> None:
    deck = drawn(Style.standard(), 2.0, STU_KEYS + RAMINO_KEYS + ITALIAN_KEYS)
    for key, texture in deck.items():
        height, width = texture.shape[:2]
        assert texture.dtype == np.uint8
        assert texture.shape[2] == 4
        assert max(int(texture[y, x, 3]) for y in (0, -1) for x in (0, -1)) < 10, key
        assert (texture[9:-9, 9:-9, 3] == 255).all(), key
        assert abs(width / height - deck.size_mm(key)[0] / deck.size_mm(key)[1]) < 0.02


@pytest.mark.parametrize("deck", ["stu", "ramino", "italian"])
def test_no_two_cards_look_alike_at_forty_pixels(small: DeckImages, deck: str) -> None:
    pictures = {key: flat(texture) for key, texture in small.items() if key[0] == deck}
    for (a, first), (b, second) in itertools.combinations(pictures.items(), 2):
        turned = second[::-1, ::-1]
        assert min(np.abs(first - second).mean(), np.abs(first - turned).mean()) > 1.5, (a, b)


def test_no_kind_looks_like_its_neighbours_in_numerals() -> None:
    pictures = [flat(texture) for texture in drawn(None, 64 / 89.5, STU_KEYS[5:15]).values()]
    assert all(np.abs(a - b).mean() > 3 for a, b in itertools.combinations(pictures, 2))


@pytest.mark.parametrize("seed", range(4))
def test_no_two_italian_cards_look_alike_at_sixty_pixels_in_any_printing(seed: int) -> None:
    """As they are told apart on a television and by a reader: grey, so that inks alone decide nothing, and either way up."""
    deck = drawn(Style.random(random.Random(seed)), 60 / 89.5, ITALIAN_KEYS)
    pictures = {key: flat(texture).mean(2) for key, texture in deck.items()}
    for (a, first), (b, second) in itertools.combinations(pictures.items(), 2):
        assert min(np.abs(first - second).mean(), np.abs(first - second[::-1, ::-1]).mean()) > 4, (a, b)


@pytest.mark.parametrize("pattern", ["stars", "scales", "tiles"])
def test_the_italian_back_is_the_same_upside_down(pattern: str) -> None:
    picture = flat(raster(italian.back(replace(Style.standard(), italian_back=pattern)), 200, 358))
    assert np.abs(picture - picture[::-1, ::-1]).mean() < 1


@pytest.mark.parametrize("suit", italian_deck.SUITS)
@pytest.mark.parametrize("number", range(2, 8))
@pytest.mark.parametrize("crossed", [(), ("spade", "bastoni")])
def test_an_italian_number_card_bears_its_number_of_pips(suit: str, number: int, crossed: tuple[str, ...]) -> None:
    svg = italian.face(f"{suit}-{number}", replace(Style.standard(), italian_crossed=crossed))
    assert len(re.findall(r'<use href="#pip', svg)) == number


def test_the_back_is_the_same_upside_down() -> None:
    picture = flat(drawn(None, 4.0, (("stu", "back"),))[("stu", "back")])
    assert np.abs(picture - picture[::-1, ::-1]).mean() < 6


@pytest.mark.parametrize("card", [card for card in FACES if card[:-1] in ("J", "Q", "K", "2", "4", "10")])
def test_a_ramino_face_with_two_heads_is_nearly_the_same_upside_down(card: str) -> None:
    picture = flat(drawn(None, 1.0, (("ramino", card),))[("ramino", card)])
    assert np.abs(picture - picture[::-1, ::-1]).mean() < 8


def test_red_suits_are_red_and_black_suits_are_not() -> None:
    for suit, red in (("h", True), ("d", True), ("c", False), ("s", False)):
        picture = flat(drawn(None, 2.0, (("ramino", f"A{suit}"),))[("ramino", f"A{suit}")])
        blue, _, hot = picture[picture.shape[0] // 2, picture.shape[1] // 2]
        assert bool(hot - blue > 100) == red


@given(st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_every_printing_can_be_drawn_and_is_repeatable(seed: int) -> None:
    style = Style.random(random.Random(seed))
    assert style == Style.random(random.Random(seed))
    rng = random.Random(seed)
    kind, card, napoli = rng.choice(KINDS), rng.choice(FACES), rng.choice(italian_deck.KINDS)
    for draw in (
        lambda: face(kind, style),
        lambda: back(style),
        lambda: ramino_face(card, style),
        lambda: ramino_back(style),
        lambda: italian.face(napoli, style),
        lambda: italian.back(style),
    ):
        svg = draw()
        assert svg == draw()
        assert raster(svg, 50, 80)[40, 25, 3] == 255


def test_printings_differ() -> None:
    rng = random.Random(1)
    assert len({Style.random(rng) for _ in range(50)}) == 50


@pytest.mark.parametrize("name", ["", "11", "GNAO", "back", "7h"])
def test_an_unknown_kind_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name!r}"):
        face(name, Style.standard())


@pytest.mark.parametrize("name", ["", "1h", "11c", "gnao", "back", "7x"])
def test_an_unknown_ramino_card_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name!r}"):
        ramino_face(name, Style.standard())


@pytest.mark.parametrize("name", ["", "denari", "denari-0", "denari-11", "ori-1", "back", "7h"])
def test_an_unknown_italian_card_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name!r}"):
        italian.face(name, Style.standard())
