"""Photos as people take them to enrol a deck: one card, whole, on a table top, from above with a hand-held phone."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.eyes.geometry import card_length
from workshop.stage import camera as cam
from workshop.stage.cards import Textures
from workshop.stage.looks import random_look
from workshop.stage.renderer import Renderer
from workshop.stage.scene import Camera, CardPose, Image, Key, Look, Scene, Surface

SIZE = (1280, 960)
"""Width and height of a photo held level, pixels; every third is held upright."""
LENGTHS = (300.0, 700.0)
"""Lengths of a card in a photo, pixels."""
PLACES = ("wood", "felt", "laminate", "marble", "weave", "stone")
"""Table tops that a card is laid on."""
SEEDS = (7000, 7100)
"""Seeds of table tops, apart from those of training and of every other measurement."""
MARGIN = 12.0
"""Pixels that a card stays away from the picture's rim: it is whole."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class CardPhoto:
    """One photo. ``image``: uint8 HxWx3 BGR; ``quad``: the card's corners, float64 (4, 2) pixels, clockwise as seen, beginning
    with its printed top left."""

    card: str
    image: Image
    quad: NDArray[np.float64]


def photographed(
    deck: Mapping[Key, Image] | Textures, name: str, cards: Sequence[str], size: tuple[float, float], seed: int, number: int = 1
) -> Iterator[CardPhoto]:
    """The ``number``-th photo of each of the ``cards`` (one may be ``back``) of the deck ``name``; equal arguments,
    equal photos.

    ``deck``: its textures; ``size``: width and length of its cards, mm. Somebody lays one card after the other on the same spot,
    so table top and light stay the same for a deck's ``number``-th photos, and angle, height and aim change with each.
    """
    textures = deck if isinstance(deck, Textures) else Textures(deck)
    evening = np.random.default_rng([seed, number, zlib.crc32(name.encode())])
    kind, top = str(evening.choice(PLACES)), int(evening.integers(*SEEDS))
    look = _light(evening)
    for card in cards:
        rng = np.random.default_rng([seed, number, zlib.crc32(f"{name}/{card}".encode())])
        pose = CardPose("c", (name, card), 0.0, 0.0, float(rng.uniform(0, 360)), face_up=card != "back", size=size,
                        bend=float(rng.normal(0, 0.8)), gloss=float(rng.uniform(0, 0.8)))  # fmt: skip
        camera = _camera(pose, rng)
        there = Surface(kind, top, "rect", 1100.0, 900.0)
        here = replace(look, blur=float(rng.uniform(0.3, 1.1)), jpeg=int(rng.integers(70, 96)))
        renderer = Renderer(camera, there, textures, here, int(rng.integers(1 << 30)))
        frame = renderer.frame(Scene((pose,), t=float(rng.uniform(0, 60))))
        yield CardPhoto(card, frame.image, frame.truth[0].quad)


def _light(rng: Rng) -> Look:
    """A light in which one would take photos: neither dark nor glaring, often from one side."""
    look = random_look(rng, 0.1)
    while look.exposure < 0.75:
        look = random_look(rng, 0.1)
    return replace(look, glare=min(look.glare, 0.3))


def _camera(card: CardPose, rng: Rng) -> Camera:
    """A phone above the card: not quite straight down, turned any way, and the card whole in the picture."""
    size = SIZE if rng.random() < 2 / 3 else SIZE[::-1]
    width, length = card.mm
    corners = np.array([[-width, -length], [width, -length], [width, length], [-width, length]]) / 2
    while True:
        elevation, focal = 90 - abs(float(rng.normal(0, 11))), float(rng.uniform(0.68, 1.0))
        wanted = float(np.exp(rng.uniform(*np.log(LENGTHS))))
        camera = Camera(*size, max(60.0, elevation), float(rng.uniform(-180, 180)), focal * size[0] * length / wanted,
                        float(rng.normal(0, 8)), focal, (float(rng.normal(0, 12)), float(rng.normal(0, 12))))  # fmt: skip
        turn = np.radians(card.angle)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        seen = cam.project(camera, corners @ spin.T)
        inside = (seen > MARGIN).all() and (seen < np.array(size) - MARGIN).all()
        if inside and LENGTHS[0] <= float(card_length(seen)) <= LENGTHS[1]:
            return camera
