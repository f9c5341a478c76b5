"""Strange decks: every family draws whole cards, the same for the same seed; what is kept out of training stays out."""

import numpy as np
import pytest

from workshop.deck.chimera import chimera
from workshop.deck.strange import courts
from workshop.deck.strange.decks import (
    BACKS,
    CHIMERA,
    FACES,
    HELD_OUT,
    LARGE,
    SIZES,
    TAUGHT_BACKS,
    TAUGHT_FACES,
    StrangeDeck,
    strange_textures,
)

PARTS = (StrangeDeck("pips-flat", "plain", 1), StrangeDeck("standing", "plain", 2))


def deck(faces: str = "print-badge", back: str = "lattice", seed: int = 5) -> StrangeDeck:
    return StrangeDeck(faces, back, seed, parts=PARTS if faces == CHIMERA else ())


def whole(texture: np.ndarray) -> bool:
    """Opaque but for at most the corners."""
    alpha = texture[..., 3]
    return bool(alpha[14:-14].min() == 255 and alpha[:, texture.shape[1] // 2].min() == 255)


@pytest.mark.parametrize("family", FACES)
def test_each_family_of_faces_draws_whole_cards_that_differ(family: str) -> None:
    made = deck(family)
    cards = [key for key in made if key[1] != "back"]
    first, last = made[cards[0]], made[cards[-1]]
    width = round(224 * made.size[0] / made.size[1])
    for texture in (first, last):
        assert (texture.shape, texture.dtype) == ((224, width, 4), np.uint8)
        assert whole(texture)
    if family != "print-blank":
        assert np.abs(first[..., :3].astype(int) - last[..., :3]).mean() > 2
    assert np.array_equal(first, deck(family)[cards[0]])
    assert len(cards) >= 12


@pytest.mark.parametrize("family", BACKS)
def test_each_family_of_backs_draws_whole_backs_the_same_for_the_same_seed(family: str) -> None:
    backs = [deck(back=family, seed=seed)["strange-print-badge", "back"] for seed in (1, 2, 1)]
    assert all(whole(back) for back in backs)
    assert np.array_equal(backs[0], backs[2])
    assert backs[0].shape != backs[1].shape or not np.array_equal(backs[0], backs[1])


@pytest.mark.parametrize("family", ["lattice", "weave", "floral", "striped", "dotted", "maze", "guilloche"])
def test_an_ornamental_back_looks_the_same_upside_down(family: str) -> None:
    for seed in range(4):
        back = deck(back=family, seed=seed)["strange-print-badge", "back"][..., :3].astype(int)
        upright, across = np.abs(back - back[::-1, ::-1]).mean(), np.abs(back - np.roll(back, 7, 0)).mean()
        assert upright < 12 or upright < across  # a pixel's shift of fine lines is allowed


@pytest.mark.parametrize("style", courts.STYLES)
def test_a_court_card_is_filled_with_print(style: str) -> None:
    printed = []
    for seed in range(5):
        made = deck(style, seed=seed)
        texture = made[made.name, "Ca1"][12:-12, 12:-12, :3].astype(int)
        values, counts = np.unique(texture.reshape(-1, 3) // 8, axis=0, return_counts=True)
        assert len(values) > 8
        printed.append(1 - counts.max() / counts.sum())
    assert np.mean(printed) > 0.5


def test_cards_come_in_the_sizes_that_are_sold() -> None:
    for seed in range(12):
        width, length = deck(seed=seed).size
        assert any(abs(width / w - 1) < 0.031 and abs(length / h - 1) < 0.021 for w, h in SIZES)


def test_corners_are_round_in_some_decks_and_square_in_others() -> None:
    corners = {deck(seed=seed)["strange-print-badge", "back"][0, 0, 3] == 255 for seed in range(12)}
    assert corners == {True, False}


@pytest.mark.parametrize(("faces", "back"), [("lava", "lattice"), ("standing", "lava")])
def test_a_family_that_there_is_not_is_refused(faces: str, back: str) -> None:
    with pytest.raises(ValueError, match=r"lava.*standing.*lattice"):
        StrangeDeck(faces, back, 1)


def test_a_chimera_needs_decks_to_be_made_of() -> None:
    with pytest.raises(ValueError, match="decks that it is made of"):
        StrangeDeck(CHIMERA, "plain", 1)


@pytest.mark.parametrize("seed", range(8))
def test_a_chimera_shows_parts_of_both_cards(seed: int) -> None:
    black, white = np.zeros((80, 50, 4), np.uint8), np.full((60, 44, 4), 255, np.uint8)
    made = chimera(black, white, np.random.default_rng(seed))
    assert made.shape == black.shape
    assert 0.02 < (made[..., 0] == 255).mean() < 0.98
    assert set(np.unique(made[..., :3])) == {0, 255}


def test_nothing_is_taught_of_what_is_kept_out() -> None:
    assert not HELD_OUT & {*TAUGHT_FACES, *TAUGHT_BACKS}
    assert len(HELD_OUT & set(courts.STYLES)) >= 2
    assert len(HELD_OUT & set(BACKS)) >= 2
    assert set(FACES) | set(BACKS) == HELD_OUT | {*TAUGHT_FACES, *TAUGHT_BACKS}


@pytest.mark.parametrize("family", LARGE)
def test_faces_in_two_parts_are_drawn_and_differ_by_seed(family: str) -> None:
    first, again, other = (StrangeDeck(family, "plain", seed, 96) for seed in (1, 1, 2))
    key = next(iter(first))
    assert first[key].shape[0] == 96
    assert np.array_equal(first[key], again[key])
    assert first[key].std() > 10
    assert first[key].shape != other[key].shape or np.abs(first[key].astype(int) - other[key]).mean() > 3


def test_strange_textures_are_faces_and_backs_of_taught_families_only() -> None:
    found = list(strange_textures((0, 3), tall=96, each=2))
    assert [name.rsplit("/", 1)[1] == "back" for name, _ in found] == [False, False, True] * 3
    assert all(texture.shape[0] == 96 and texture.shape[2] == 4 for _, texture in found)
    families = {name.split("/")[0].removeprefix("strange-") for name, _ in strange_textures((0, 40), tall=48, each=1)}
    assert not families & HELD_OUT
    assert CHIMERA not in families
    assert "pips-signs" not in families  # its hearts and spades look as those of ramino
