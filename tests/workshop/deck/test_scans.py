"""Folders of scanned cards: what is taken from them and what is said when one lacks something."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.decks.stu import KINDS
from companion.table.errors import CompanionError
from workshop.deck.ramino import FACES
from workshop.deck.raster import STU_KEYS, drawn, from_scans


def write(folder: Path, names: list[str], alpha: bool = False) -> Path:
    """A folder of flat pictures, each of its own grey."""
    folder.mkdir(exist_ok=True)
    for i, name in enumerate(names):
        picture = np.full((90, 60, 4 if alpha else 3), 60 + i, np.uint8)
        assert cv2.imwrite(str(folder / name), picture)
    return folder


def test_scans_with_alpha_are_taken_as_they_are(tmp_path: Path) -> None:
    deck = drawn(None, 2.0, STU_KEYS)
    for (_, card), texture in deck.items():
        cv2.imwrite(str(tmp_path / f"{card}.png"), texture)
    again = from_scans(tmp_path, "stu")
    assert set(again) == set(STU_KEYS)
    assert all(np.array_equal(again[key], deck[key]) for key in deck)
    assert again.size_mm(("stu", "gnao")) == pytest.approx((50, 89.5), abs=0.1)


def test_scans_without_alpha_lose_their_corners(tmp_path: Path) -> None:
    deck = from_scans(write(tmp_path / "d", ["coppe-1.jpg", "back.jpg"]), "napoletane")
    texture = deck[("napoletane", "coppe-1")]
    assert texture.shape == (86, 56, 4)
    assert texture[0, 0, 3] == 0
    assert texture[43, 0, 3] == 255
    assert deck.size_mm(("napoletane", "back"))[1] == 84


def test_french_cards_named_the_italian_way(tmp_path: Path) -> None:
    names = [f"poker-{v}{s}.png" for s in "bcds" for v in range(1, 11)] + [
        f"poker_figures-{v}{s}.png" for s in "bcds" for v in range(1, 11)
    ]
    deck = from_scans(write(tmp_path / "f", [*names, "back.png"], alpha=True), "ramino")
    assert set(deck) == {("ramino", card) for card in (*FACES[:52], "back")}
    # Each file has its own grey: find which one stands for the king of clubs (figures-10b) and the ten of hearts (poker-10c).
    assert deck[("ramino", "Kc")][45, 30, 0] == 60 + names.index("poker_figures-10b.png")
    assert deck[("ramino", "10h")][45, 30, 0] == 60 + names.index("poker-10c.png")


def test_missing_cards_are_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", [f"{kind}.png" for kind in KINDS if kind != "gnao"])
    with pytest.raises(CompanionError, match=r"lacks pictures of back, gnao"):
        from_scans(folder, "stu")


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="is no folder"):
        from_scans(tmp_path / "nowhere", "stu")


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "d", ["coppe-1.jpg", "back.jpg"])
    (folder / "coppe-2.jpg").write_bytes(b"no picture")
    with pytest.raises(CompanionError, match=r"coppe-2\.jpg cannot be read"):
        from_scans(folder, "napoletane")


def test_a_back_alone_is_no_deck(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="lacks pictures of faces"):
        from_scans(write(tmp_path / "d", ["back.jpg"]), "napoletane")


def test_textures_cannot_be_written(tmp_path: Path) -> None:
    deck = from_scans(write(tmp_path / "d", ["coppe-1.jpg", "back.jpg"]), "napoletane")
    with pytest.raises(ValueError, match="read-only"):
        deck[("napoletane", "back")][0, 0] = 0


def test_decks_can_be_laid_together(tmp_path: Path) -> None:
    scans = from_scans(write(tmp_path / "d", ["coppe-1.jpg", "back.jpg"]), "napoletane")
    both = drawn(None, 1.0, STU_KEYS[:2]).merged(scans)
    assert len(both) == 4
    assert both.size_mm(("stu", "matto")) == (50.0, 89.5)
    assert both.size_mm(("napoletane", "back"))[1] == 84
