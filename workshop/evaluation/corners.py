"""How exactly the table top is found, in pictures of rendered evenings whose corners are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.eyes.corners import FoundTable, find_table
from companion.games import first_game
from companion.games.simulation import Evening
from workshop.clip.film import FilmRecipe, filmed_at, prepare, textures
from workshop.stage import camera as cam
from workshop.stage.scene import Image

Floats = NDArray[np.float64]
PLAYERS = (2, 3, 4, 5, 6, 8, 12)


@dataclass(frozen=True, slots=True, eq=False)
class Staged:
    """A picture (BGR), the table's shape and surface, and its true corners: 4 x 2 pixels, of a round one those of the square
    around it."""

    image: Image
    shape: str
    surface: str
    corners: Floats


def staged(seeds: range, size: tuple[int, int] = (1280, 720), backgrounds: Path | None = None) -> Iterator[Staged]:
    """One picture per seed, from a rendered evening: table, shape, camera, light, people and moment are drawn by the seed.

    ``size``: width and height in pixels. ``backgrounds``: a folder of panoramas for the room.
    """
    pictures, bots = textures(FilmRecipe()), first_game().simulation
    assert bots is not None
    assert bots.house_rules is not None
    for seed in seeds:
        players = PLAYERS[seed % len(PLAYERS)]
        recipe = FilmRecipe(seed=seed, size=size, backgrounds=backgrounds)
        evening = Evening(bots.seated(players), 1, seed, stake=100, house_rules=bots.house_rules(), plain=False)
        made = prepare(bots.simulate(evening), recipe)
        t = made.timeline.duration * Random(seed).choice([0.0, 0.3, 0.6])
        image = filmed_at(made, pictures, t)
        yield Staged(image, made.surface.shape, made.surface.kind, cam.corners(made.camera, made.surface))


def error(found: FoundTable, true: Staged) -> float:
    """How far off the found table is, pixels.

    For a rectangular one this is the mean distance of the corners. A round one may have any square around it: there it is the
    mean distance of its rim or the distance of its middle, whichever is greater.
    """
    if true.shape == "rect":
        turned = [np.roll(found.quad, shift, axis=0) for shift in range(4)]
        return float(min(np.linalg.norm(quad - true.corners, axis=1).mean() for quad in turned))
    mine, wanted = _circle(found.quad), _circle(true.corners)
    rim = np.linalg.norm(mine[1:, None] - wanted[None, 1:], axis=2).min(axis=0).mean()
    return float(max(rim, np.linalg.norm(mine[0] - wanted[0])))


def figures(pictures: Iterator[Staged]) -> dict[str, float]:
    """The share of tables found, and how exactly; errors in pixels of a picture 1280 wide."""
    errors, count = [], 0
    for true in pictures:
        count += 1
        found = find_table(true.image)
        if found is not None:
            errors.append(error(found, true) * 1280 / true.image.shape[1])
    off = np.array(errors)
    return {
        "pictures": count,
        "found": len(errors) / max(1, count),
        "median_error_px": round(float(np.median(off)), 1),
        "p90_error_px": round(float(np.percentile(off, 90)), 1),
        "within_20_px": round(float((off <= 20).mean()), 3),
    }


def _circle(quad: Floats) -> Floats:
    """The middle, and 180 points of the rim, of the circle inscribed in the square that is seen as ``quad``."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
    angles = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    points = np.vstack([[0.0, 0.0], np.column_stack([np.cos(angles), np.sin(angles)])])
    seen = cv2.perspectiveTransform(points[None], cv2.getPerspectiveTransform(square, quad.astype(np.float32)).astype(np.float64))
    return np.asarray(seen[0], np.float64)
