"""Photos of the house's own drawn cards, rendered onto a green table: for tests of teaching a deck."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.assets import asset
from workshop.deck.raster import raster


def photo(card: str, size: tuple[int, int] = (1280, 720), length: float = 260, angle: float = 11, seed: int = 0) -> np.ndarray:
    """The drawn card ``length`` pixels long in the middle of a picture of ``size``, (H, W, 3) uint8 BGR."""
    width, height = size
    texture = raster((asset("web") / "cards" / f"{card}.svg").read_text("utf-8"), 192, 344).astype(np.float32)
    rng = np.random.default_rng(seed)
    cloth = cv2.resize(rng.normal(0, 8, (height // 8, width // 8, 3)), size).astype(np.float32) + (70, 110, 60)
    turn = cv2.getRotationMatrix2D((96, 172), angle, length / 344)
    turn[:, 2] += width / 2 - 96, height / 2 - 172
    laid = cv2.warpAffine(texture, turn, size, flags=cv2.INTER_AREA)
    share = laid[..., 3:] / 255
    seen = cloth * (1 - share) + laid[..., :3] * share + rng.normal(0, 2, (height, width, 3))
    return np.clip(seen, 0, 255).astype(np.uint8)


def written(folder: Path, name: str, image: np.ndarray) -> str:
    """The picture as a JPEG file in this folder; its path."""
    path = folder / f"{name}.jpg"
    assert cv2.imwrite(str(path), image)
    return str(path)
