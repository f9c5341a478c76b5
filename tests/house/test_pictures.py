"""`make pictures` still runs, and what it makes is what stands in docs/pictures."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pictures
import pytest

from companion.hall.cluster import installed

pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

SIZES = {
    "italian-deck": (806, 558), "tv": (1280, 720), "tv-light": (1280, 720), "phone": (390, 844), "setup": (390, 844),
    "start": (1280, 720), "copies": (390, 844), "hall": (1280, 720), "hall-phone": (390, 844),
}  # fmt: skip
OF_A_HALL = {"hall", "hall-phone"}
"""They need PostgreSQL."""
CELL = 40
"""Pixels: pictures are compared by the mean colours of cells of this size, so that a letter's edge counts for nothing."""
ALIKE = 60
"""Levels of 255 that a cell may differ by: a line of a ruling, a seat or a card that is gone makes 90 and more."""


pytestmark = [
    pytest.mark.browser,
    pytest.mark.thorough,
    pytest.mark.skipif(pictures.CHROMIUM is None, reason="needs Chromium: apt-get install chromium-headless-shell"),
]


def font() -> str:
    """The serif font of this machine, "" where that cannot be said."""
    if shutil.which("fc-match") is None:
        return ""
    return subprocess.run(["fc-match", "-f", "%{family}", "serif"], capture_output=True, text=True, check=True).stdout


def cells(path: Path) -> np.ndarray:
    image = cv2.imread(str(path))
    assert image is not None
    height, width = image.shape[:2]
    return cv2.resize(image, (width // CELL, height // CELL), interpolation=cv2.INTER_AREA).astype(np.float64)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pictures, by a process of their own: this one may have a browser running for other tests."""
    folder = tmp_path_factory.mktemp("pictures")
    subprocess.run([sys.executable, pictures.__file__, "--out", str(folder)], check=True)
    return {path.stem: path for path in folder.iterdir()}


def test_every_picture_is_made_in_its_size_and_small(made: dict[str, Path]) -> None:
    left = set() if installed() or os.environ.get("CI") else OF_A_HALL
    assert set(made) | left == set(SIZES) == {path.stem for path in pictures.OUT.iterdir()}
    for name, path in made.items():
        image = cv2.imread(str(path))
        assert image is not None
        assert (image.shape[1], image.shape[0]) == SIZES[name]
        assert image.std() > 20, f"{name} is blank"
        assert path.stat().st_size <= pictures.MOST_BYTES


@pytest.mark.parametrize("name", SIZES)
def test_the_pictures_of_the_documents_show_the_pages_of_now(name: str, made: dict[str, Path]) -> None:
    if "DejaVu Serif" not in font():
        pytest.skip("the pictures were taken with DejaVu, which this machine lacks")
    apart = np.abs(cells(made[name]) - cells(pictures.OUT / f"{name}.png")).max()
    assert apart < ALIKE, f"docs/pictures/{name}.png is not what the page shows now (cells differ by {apart:.0f}): make pictures"
