"""Crops of single cards for the reader to learn from, made on the fly as the detector would cut them out.

A card's texture is drawn into a small picture with the size, angle and light of a bar table, degraded as by a camera, and cut out
again by `companion.eyes.geometry.straighten` along corners that are a little off, exactly as at run time. Others are cut out of
pictures of `companion dataset make`, with the light, blur, neighbours and size of a whole table.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.decks import italian
from companion.decks.stu import KINDS
from companion.eyes.detection import CLASSES
from companion.eyes.geometry import card_length, long_side_upright, straighten
from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.reader import CROP, legible
from workshop.deck.chimera import chimera
from workshop.deck.ramino import FACES
from workshop.deck.raster import draw, from_scans, raster
from workshop.deck.strange.decks import strange_textures
from workshop.deck.style import Style
from workshop.evaluation.labels import LabelledPicture

Image = NDArray[np.uint8]

NOTHING = -1
"""Label of a crop that shows no known card: bare table, half a card, a card of an invented deck."""

STRANGE = -2
"""Labels of strangers' cards begin here and go down. They are nobody's, but two crops with the same one show the same card."""

TEXTURE_HEIGHT = 280
"""Pixels. The largest card in a crop is 200 px long."""


@dataclass(frozen=True, eq=False)
class Classes:
    """The cards that the reader learns to tell apart: ``names`` as ``deck/card``, beginning with the 20 kinds of Stù by rank."""

    names: tuple[str, ...]
    textures: tuple[tuple[Image, ...], ...]
    """For each class its BGRA textures, in many styles."""
    strangers: tuple[Image, ...] = ()
    """BGRA textures of cards of no known deck, faces and backs, each another card."""


RAMINO_FACES = 26
"""Number of ramino faces that are drawn in each style."""

ITALIAN_FACES = 4
"""Number of faces of our Italian deck that each style but the standard one lends as strangers."""


def classes(
    styles: int, seed: int, scans: Path | None, others: Sequence[str] = ("piacentine",), strangers: int = 0, jobs: int = 1
) -> Classes:
    """The 20 kinds in ``styles`` drawn styles and from the scans; other decks' cards and all backs as classes of their own.

    ``scans``: a folder that may hold ``stu``, ``french`` and the ``others``; ``strangers``: how many strange decks lend a few
    cards, to which our Italian deck adds some where there are any. Styles are drawn from ``seed``, by ``jobs`` processes: one
    alone takes 2 s a style.
    """
    found: dict[str, list[Image]] = {f"stu/{kind}": [] for kind in KINDS}
    first = 10_000 + 1000 * seed
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) if jobs > 1 else nullcontext() as pool:
        mapped: Callable[..., Iterable[Any]] = pool.map if pool else map
        drawn = mapped(partial(_drawn, seed, strangers > 0), range(styles))
        invented = mapped(_invented, range(first, first + strangers))
        strange: list[Image] = []
        for own, lent in drawn:
            for name, texture in own:
                found.setdefault(name, []).append(texture)
            strange += lent
        foreign = [texture for textures in invented for texture in textures]
    for deck, folder in [("stu", "stu"), ("ramino", "french"), *((other, other) for other in others)]:
        if scans is None or not (scans / folder).is_dir():
            continue
        for (name, card), texture in from_scans(scans / folder, deck).items():
            height, width = texture.shape[:2]
            small = cv2.resize(texture, (round(width * TEXTURE_HEIGHT / height), TEXTURE_HEIGHT), interpolation=cv2.INTER_AREA)
            # The real deck has one texture, which must weigh as much as all drawn ones together.
            found.setdefault(f"{name}/{card}", []).extend([np.asarray(small, dtype=np.uint8)] * max(1, styles))
    return Classes(tuple(found), tuple(tuple(images) for images in found.values()), (*strange, *foreign))


def _drawn(seed: int, lends: bool, number: int) -> tuple[list[tuple[str, Image]], list[Image]]:
    """The textures of the ``number``-th style by class, and those that it ``lends`` as strangers."""
    # The dashboard and the bundled clip show the standard style: one in eight is that.
    style = Style.standard() if number % 8 == 0 else Style.random(random.Random(seed * 100_003 + number))
    rng = random.Random(seed * 7919 + number)
    keys = [("stu", kind) for kind in KINDS] + [("stu", "back"), ("ramino", "back")]
    keys += [("ramino", card) for card in rng.sample(list(FACES), RAMINO_FACES)]
    own = [
        ("/".join(key), raster(draw(key, style), round(TEXTURE_HEIGHT * (0.532 if key[0] == "stu" else 0.66)), TEXTURE_HEIGHT))
        for key in keys
    ]
    if not lends or style == Style.standard():
        return own, []
    lent = random.Random(f"italian {seed} {number}").sample(italian.KINDS, ITALIAN_FACES)
    width = round(TEXTURE_HEIGHT * 0.559)
    return own, [raster(draw(("italian", card), style), width, TEXTURE_HEIGHT) for card in lent]


def _invented(number: int) -> list[Image]:
    """The cards that the strange deck of that number lends."""
    return [image for _, image in strange_textures((number, number + 1), TEXTURE_HEIGHT)]


@dataclass(frozen=True, slots=True)
class Crop:
    """``image``: the reader's input, (112, 64, 3) uint8; ``label``: the class, or `NOTHING`; ``length``: the card's, px."""

    image: Image
    label: int
    length: float


def crop(
    known: Classes, label: int, rng: np.random.Generator, lengths: tuple[float, float] = (25, 200), backdrop: Image | None = None
) -> Crop:
    """A random crop of class ``label``; with `NOTHING`, one that shows no known card; from `STRANGE` on, that stranger's."""
    nothing = label == NOTHING
    unheard_of = nothing and rng.random() < 0.5
    if label <= STRANGE:
        texture = known.strangers[STRANGE - label]
    elif unheard_of:
        texture = _chimera(known, rng)
    else:
        texture = _pick(known, int(rng.integers(len(known.names))) if nothing else label, rng)
    length = float(np.exp(rng.uniform(*np.log(lengths))))
    side = int(length * 1.5) + 8
    picture = _table(rng, side, backdrop)
    quad = _pose(rng, length, texture.shape[1] / texture.shape[0], side)
    _lay(picture, texture, quad)
    if rng.random() < (0.35 if not nothing else 0.2):  # a neighbour, the foot of a glass or a hand over part of it
        _cover(picture, quad, rng, known)
    photo = _camera(picture, rng, length)
    return Crop(straighten(photo, askew(quad, length, rng, nothing and not unheard_of), *CROP), label, length)


def askew(quad: NDArray[np.float64], length: float, rng: np.random.Generator, wrong: bool = False) -> NDArray[np.float64]:
    """``quad`` as the detector might give it, either way up: a little off, or ``wrong``, so that it holds no whole upright
    card."""
    if wrong:
        quad = _off(quad, length, rng)
    else:
        quad = quad + rng.normal(0, length * rng.uniform(0.003, 0.03), quad.shape) + rng.normal(0, 0.01 * length, 2)
    return np.roll(quad, 2, axis=0) if rng.random() < 0.5 else quad


def _pick(known: Classes, label: int, rng: np.random.Generator) -> Image:
    return known.textures[label][int(rng.integers(len(known.textures[label])))]


def _chimera(known: Classes, rng: np.random.Generator) -> Image:
    """A card of no deck: parts of two foreign ones."""
    foreign = [i for i, name in enumerate(known.names) if not name.startswith("stu/")]
    first, second = (_pick(known, int(rng.choice(foreign)), rng) for _ in range(2))
    return chimera(first, second, rng)


def _table(rng: np.random.Generator, side: int, backdrop: Image | None) -> NDArray[np.float32]:
    if backdrop is not None and rng.random() < 0.6:
        scale = rng.uniform(0.5, 1.0)
        part = max(8, int(min(backdrop.shape[:2]) * scale * 0.3))
        y, x = rng.integers(0, backdrop.shape[0] - part), rng.integers(0, backdrop.shape[1] - part)
        return np.asarray(cv2.resize(backdrop[y : y + part, x : x + part], (side, side)), dtype=np.float32)
    plain = np.full((side, side, 3), rng.uniform(10, 235, 3), dtype=np.float32)
    texture = cv2.resize(
        rng.normal(0, rng.uniform(0, 25), (6, 6)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC
    )
    return plain + texture[..., None]


def _pose(rng: np.random.Generator, length: float, ratio: float, side: int) -> NDArray[np.float64]:
    """The corners of a card seen from 32 to 90 degrees above the table, turned any way, with a long side of about ``length`` px;
    corner 0 is the printed top left."""
    ratio *= rng.uniform(0.94, 1.06)
    corners = np.array([[-ratio, -1], [ratio, -1], [ratio, 1], [-ratio, 1]]) / 2
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = corners @ turn.T * [1, np.sin(np.radians(rng.uniform(32, 90)))]
    flat = flat * (1 + rng.uniform(0, 0.12) * flat[:, 1:])  # nearer parts are larger
    long_side = (np.linalg.norm(flat[0] - flat[3]) + np.linalg.norm(flat[1] - flat[2])) / 2
    return np.asarray(flat * length / long_side + side / 2 + rng.uniform(-2, 2, 2))


def _lay(picture: NDArray[np.float32], texture: Image, quad: NDArray[np.float64]) -> None:
    """Draws a BGRA texture into ``picture`` at ``quad``, in place, averaging where it shrinks."""
    side = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    shrink = min(1.0, 1.3 * side / texture.shape[0])
    small = cv2.resize(texture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    laid = cv2.warpPerspective(np.asarray(small), warp, (picture.shape[1], picture.shape[0]), flags=cv2.INTER_LINEAR)
    alpha = laid[..., 3:].astype(np.float32) / 255
    picture *= 1 - alpha
    picture += laid[..., :3] * alpha


def _cover(picture: NDArray[np.float32], quad: NDArray[np.float64], rng: np.random.Generator, known: Classes) -> None:
    """Covers up to a third of the card at one of its edges: with another card, with skin, with something of one colour."""
    edge = int(rng.integers(4))
    middle = quad.mean(axis=0)
    rim = (quad[edge] + quad[(edge + 1) % 4]) / 2
    reach = rng.uniform(0.0, 0.3)
    size = float(np.linalg.norm(quad[0] - quad[3]))
    if rng.random() < 0.5:
        texture = _pick(known, int(rng.integers(len(known.names))), rng)
        other = _pose(rng, size, texture.shape[1] / texture.shape[0], 0)
        outwards = (rim - middle) / max(float(np.linalg.norm(rim - middle)), 1e-6)
        extent = float((other @ outwards).max() - (other @ outwards).min()) / 2
        _lay(picture, texture, other + rim + outwards * (extent - reach * size * 0.6))
        return
    colour = rng.uniform([90, 120, 170], [160, 190, 235]) if rng.random() < 0.5 else rng.uniform(10, 240, 3)
    centre = rim + (rim - middle) * (0.7 - reach * 2)
    axes = (max(2, int(size * rng.uniform(0.1, 0.3))), max(2, int(size * rng.uniform(0.1, 0.5))))
    where = (round(float(centre[0])), round(float(centre[1])))
    cv2.ellipse(picture, where, axes, float(rng.uniform(0, 180)), 0, 360, [float(c) for c in colour], -1, cv2.LINE_AA)


def _camera(picture: NDArray[np.float32], rng: np.random.Generator, length: float) -> Image:
    """Light across the card, glare, exposure, white balance, blur, noise, JPEG."""
    side = picture.shape[0]
    ramp = np.linspace(-1, 1, side, dtype=np.float32)
    light = 1 + rng.uniform(-0.25, 0.25) * ramp[None, :] + rng.uniform(-0.25, 0.25) * ramp[:, None]
    if rng.random() < 0.2:  # the shadow of a hand or an arm
        shade = (np.cos(rng.uniform(0, 6.3)) * ramp[None, :] + np.sin(rng.uniform(0, 6.3)) * ramp[:, None]) > rng.uniform(
            -0.4, 0.6
        )
        light = light * (1 - rng.uniform(0.2, 0.6) * cv2.GaussianBlur(shade.astype(np.float32), (0, 0), max(1.0, side * 0.03)))
    picture = np.asarray(picture * light[..., None], dtype=np.float32)
    if rng.random() < 0.25:
        x, y, spread = rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), rng.uniform(0.02, 0.15)
        spot = np.exp(-((ramp[None, :] - x) ** 2 + (ramp[:, None] - y) ** 2) / spread)
        picture = np.asarray(picture + rng.uniform(30, 190) * spot[..., None], dtype=np.float32)
    if rng.random() < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.9 + length / 120)), dtype=np.float32)
    if rng.random() < 0.2:
        reach = rng.uniform(1, 2 + length / 18)
        picture = _smear(picture, reach, rng.uniform(0, np.pi))
    gamma = rng.uniform(0.75, 1.35)
    exposed = 255 * (np.clip(picture, 0, 255) / 255) ** gamma * rng.uniform(0.35, 1.25) * rng.uniform(0.85, 1.15, 3)
    grain = rng.uniform(0, 9)
    spoilt = np.clip(exposed + rng.standard_normal(exposed.shape, dtype=np.float32) * grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        spoilt = decode_jpeg(encode_jpeg(spoilt, quality=int(rng.uniform(35, 96))))
    return spoilt


def _smear(picture: NDArray[np.float32], reach: float, angle: float) -> NDArray[np.float32]:
    """Motion blur of ``reach`` px along ``angle`` (radians)."""
    size = int(np.ceil(reach)) * 2 + 1
    kernel = np.zeros((size, size), dtype=np.float32)
    half = reach / 2 * np.array([np.cos(angle), np.sin(angle)])
    for step in np.linspace(-1, 1, 2 * size):
        x, y = np.round(half * step).astype(int) + size // 2
        kernel[y, x] += 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), dtype=np.float32)


def _off(quad: NDArray[np.float64], length: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """A quad that holds no whole upright card: it lies across, is shifted by half a card or more, or is far too large."""
    kind = rng.random()
    if kind < 0.25:
        return np.roll(quad, 1, axis=0)
    if kind < 0.45:
        middle = quad.mean(axis=0)
        return np.asarray((quad - middle) * rng.uniform(1.7, 2.5) + middle)
    angle = rng.uniform(0, 2 * np.pi)
    return np.asarray(quad + length * rng.uniform(0.55, 1.0) * np.array([np.cos(angle), np.sin(angle)]))


def backdrops(folder: Path | None) -> list[Image]:
    """The pictures in ``folder`` for what lies around the card; none without a folder."""
    paths: Sequence[Path] = sorted(folder.glob("*.jpg")) if folder else ()
    return [np.asarray(image, dtype=np.uint8) for path in paths if (image := cv2.imread(str(path))) is not None]


READ = 0.6
"""Share of a card that must be in view for its face to be learnt."""
HIDDEN = 0.25
"""A face with less than this share in view is learnt as no known card."""
LONGEST = 160.0
"""Pixels. Longer cards are rare in pictures, and `crops` has sharp ones enough."""


def teachable(pictures: Sequence[LabelledPicture], names: Mapping[str, int]) -> list[LabelledPicture]:
    """The pictures that show a card that can be learnt. ``names``: the reader's classes, name → index."""
    return [picture for picture in pictures if any(label is not None and label >= 0 for label in _labels(picture, names))]


def crops_of(picture: LabelledPicture, names: Mapping[str, int], rng: np.random.Generator, most: int) -> list[Crop]:
    """At most ``most`` crops of ``picture``, every second one of a Stù face where it has as many, cut out along corners that
    are a little off.

    ``names``: the reader's classes, name → index. One crop in eight shows half a card, or one that lies across.
    """
    labels = _labels(picture, names)
    order = [int(i) for i in rng.permutation(len(labels)) if labels[i] is not None]
    own = [i for i in order if _is_own(picture, i)]
    others = [i for i in order if i not in own]
    chosen = (own[: most // 2] + others + own[most // 2 :])[:most]
    image = picture.read()
    return [_cut(image, picture.quads[i], label, rng) for i in chosen if (label := labels[i]) is not None]


def _is_own(picture: LabelledPicture, card: int) -> bool:
    return picture.decks[card] == "stu" and picture.cards[card] is not None


def _cut(image: NDArray[np.uint8], quad: NDArray[np.float64], label: int, rng: np.random.Generator) -> Crop:
    length = float(card_length(quad))
    wrong = label != NOTHING and rng.random() < 1 / 8
    given = askew(long_side_upright(quad[None])[0], length, rng, wrong)
    return Crop(straighten(image, given, *CROP), NOTHING if wrong else label, length)


def _labels(picture: LabelledPicture, names: Mapping[str, int]) -> list[int | None]:
    """For each card the reader's class, `NOTHING` for a hidden face and for strangers, None where nothing can be learnt."""
    found: list[int | None] = []
    decks = {name.split("/")[0] for name in names}
    for i, quad in enumerate(picture.quads):
        side = CLASSES[picture.classes[i]]
        name = f"{picture.decks[i]}/{picture.cards[i] if side == 'face' else side}"
        inside = bool(((quad > -4) & (quad < np.array(picture.size) + 4)).all())
        if not (inside and picture.corners[i] and legible(quad) and card_length(quad) < LONGEST):
            found.append(None)
        elif picture.visible[i] < HIDDEN and side == "face":
            found.append(NOTHING)
        else:
            strange = picture.decks[i] not in decks and side != "stack"
            found.append((NOTHING if strange else names.get(name)) if picture.visible[i] >= READ else None)
    return found
