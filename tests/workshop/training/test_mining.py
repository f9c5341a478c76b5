"""What the shipped refiner takes for cards in pictures without any comes more often; nothing else changes."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.assets import asset
from companion.decks.stu import KINDS
from workshop.deck.raster import draw, raster
from workshop.deck.style import Style
from workshop.evaluation.labels import LabelledPicture
from workshop.training import mining

QUAD = np.array([[100, 60], [164, 60], [164, 180], [100, 180]], np.float32)
BARE = np.array([[300, 60], [364, 60], [364, 180], [300, 180]], np.float32)


def labelled(path: Path, visible: tuple[float, ...]) -> LabelledPicture:
    n = len(visible)
    quads = np.array([QUAD] * n, np.float64).reshape(-1, 4, 2)
    return LabelledPicture(path, quads, np.zeros(n, np.int64), np.array(visible), np.ones(n, bool), (480, 240), ("stu",) * n,
                           (None,) * n)  # fmt: skip


@pytest.mark.networks
def test_what_looks_like_a_card_in_an_empty_picture_comes_more_often(tmp_path: Path) -> None:
    image = np.full((240, 480, 3), (60, 110, 40), np.uint8)
    image[60:180, 100:164] = raster(draw(("stu", KINDS[3]), Style.standard()), 64, 120)[..., :3]
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), image)
    proposals = {str(path): np.stack([QUAD, BARE])}
    model = asset("models") / "refiner.onnx"
    found = mining.mined(proposals, [labelled(path, ())], model)[str(path)]
    assert len(found) == 2 + 2 * mining.AGAIN
    assert np.array_equal(found[:2], proposals[str(path)])
    assert np.abs(found[2:].mean(1) - QUAD.mean(0)).max() < 5
    assert np.array_equal(mining.mined(proposals, [labelled(path, (1.0,))], model)[str(path)], proposals[str(path)])
