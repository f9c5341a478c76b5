"""Photos of one card as somebody takes them with a phone, good ones and spoilt ones, rendered from drawn decks."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from workshop.stage.light import random_look
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, Key, Scene, Surface

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Spoilt = Literal["blurred", "glared", "cut_off", "several_cards", "too_small", "dark", "no_card"]

SURFACES = ("wood", "felt", "linen", "laminate", "stone", "upholstery", "marble", "checks", "print", "flowers")
"""Plain ones, and some with a pattern."""
PLAIN = 7
WIDTH, HEIGHT = 1600, 1200


def photo(
    decks: Mapping[Key, Image], key: Key, mm: tuple[float, float], seed: int, spoilt: Spoilt | None = None, kind: str = "",
    surface_seed: int | None = None, turn: float | None = None,
) -> tuple[Image, Floats]:  # fmt: skip
    """A picture (1200, 1600, 3) of the card ``key`` on a surface, and its quad (4, 2)."""
    rng = np.random.default_rng(seed)
    surface = Surface(kind or SURFACES[int(rng.integers(PLAIN))], int(rng.integers(10_000)), "rect", 3000.0, 3000.0)
    surface = surface if surface_seed is None else replace(surface, seed=surface_seed)
    length = float(rng.uniform(34, 54)) if spoilt == "too_small" else float(np.exp(rng.uniform(*np.log([320, 800]))))
    camera = Camera(WIDTH, HEIGHT, float(rng.uniform(58, 90)), float(rng.uniform(0, 360)), roll=float(rng.uniform(-180, 180)))
    camera = replace(camera, distance=camera.focal * WIDTH * mm[1] / length)
    look = replace(
        random_look(rng, 0.0), exposure=float(rng.uniform(0.85, 1.25)), jpeg=int(rng.integers(70, 96)),
        noise=float(rng.uniform(0.5, 3)), blur=float(rng.uniform(0.2, 0.9)), glare=float(rng.uniform(0, 0.25)),
    )  # fmt: skip
    if spoilt == "glared":  # on paper as bright as the camera can take, a reflection cannot be seen
        look = replace(look, exposure=float(rng.uniform(0.8, 1.0)))
    if spoilt == "dark":
        look = replace(look, exposure=float(rng.uniform(0.04, 0.08)), noise=1.5)
    x, y = (float(v) for v in rng.normal(0, 6, 2))
    cards = [CardPose("card", key, x, y, float(rng.uniform(0, 360)) if turn is None else turn, size=mm, gloss=0.4,
                      face_up=key[1] != "back")]  # fmt: skip
    if spoilt == "several_cards":
        gap = mm[1] * (1.1 if rng.random() < 0.7 else 0.55)  # beside it, or half on it
        where = np.array([x, y]) + gap * np.array([np.cos(seed), np.sin(seed)])
        other = next(one for one in decks if one[0] == key[0] and one not in (key, (key[0], "back")))
        cards.append(CardPose("other", other, float(where[0]), float(where[1]), float(rng.uniform(0, 360)), size=mm))
        camera = replace(camera, distance=camera.distance * 1.6)
    frame = Renderer(camera, surface, decks, look, seed).frame(Scene(() if spoilt == "no_card" else tuple(cards)))
    image, quad = frame.image, frame.truth[0].quad if frame.truth else np.zeros((4, 2))
    if spoilt == "blurred":
        image = blurred(image, length * float(rng.uniform(0.018, 0.03)))
    elif spoilt == "glared":
        image = glared(image, quad, rng)
    elif spoilt == "cut_off":
        image, quad = cut_off(image, quad, rng)
    return image, quad


def blurred(image: Image, sigma: float) -> Image:
    """Out of focus."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def glared(image: Image, quad: Floats, rng: np.random.Generator) -> Image:
    """A lamp's reflection on a third to half of the card's width, wholly white in its middle."""
    side = float(np.linalg.norm(quad[1] - quad[0]))
    at = quad.mean(axis=0) + rng.normal(0, 0.2 * side, 2)
    spot = np.zeros(image.shape[:2], np.float32)
    axes = (round(side * rng.uniform(0.25, 0.4)), round(side * rng.uniform(0.25, 0.4)))
    cv2.ellipse(spot, (round(at[0]), round(at[1])), axes, 30, 0, 360, 1.0, -1, cv2.LINE_AA)
    spot = np.asarray(cv2.GaussianBlur(spot, (0, 0), 0.04 * side), np.float32)
    return np.clip(image + 400 * spot[..., None], 0, 255).astype(np.uint8)


def cut_off(image: Image, quad: Floats, rng: np.random.Generator) -> tuple[Image, Floats]:
    """The photo trimmed on one side so that it ends within the card, by an eighth to two fifths of the card's extent."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    share = float(rng.uniform(0.12, 0.4))
    axis, first = int(rng.integers(2)), bool(rng.integers(2))
    at = round(low[axis] + share * (high - low)[axis]) if first else round(high[axis] - share * (high - low)[axis])
    part = [slice(None), slice(None)]
    part[1 - axis] = slice(at, None) if first else slice(None, at)
    moved = quad.copy()
    moved[:, axis] -= at if first else 0
    return np.ascontiguousarray(image[part[0], part[1]]), moved
