"""The decks that are enrolled and measured, each in two prints: one is photographed, the other one is played with.

Photos are as people take them to enrol a deck: one card, whole, on a table top, from above with a hand-held phone.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.decks import french
from companion.eyes.geometry import card_length
from companion.table.errors import CompanionError
from workshop.dataset.decks import SCANNED, Printed
from workshop.deck import raster
from workshop.deck.sheet import ITALIAN_SIZE, STU_SIZE
from workshop.deck.strange.decks import StrangeDeck
from workshop.deck.style import Style
from workshop.stage import camera as cam
from workshop.stage.cards import Textures
from workshop.stage.light import random_look
from workshop.stage.renderer import Renderer
from workshop.stage.scene import CARD_SIZES, Camera, CardPose, Image, Key, Look, Scene, Surface

TALL = 700
"""Height in px of a texture that is photographed."""
FIRST = 7000
"""Seed of the first style; training and every other measurement have others."""
STYLES = 2
"""How many held-out styles of the drawn Stù deck are measured."""
SIZES = {"stu": STU_SIZE, "italian": ITALIAN_SIZE}
KEYS = {"stu": raster.STU_KEYS, "italian": raster.ITALIAN_KEYS}
STRANGE = ("mounted", "enamelled", "leaded", "pips-cut", "print-collected")
"""Families of drawn decks that nothing was trained on (`strange.decks.HELD_OUT`)."""
SCANS = {
    "neapolitan": ("napoletane", "neapolitan", False, "napoletane"),
    "stu-scans": ("stu", "stu-scans", True, "stu"),
}
"""Name → deck of scans, its name again, whether the reader's training saw it, and the shipped deck that it is."""
DEFAULT = (
    "neapolitan", "stu-scans", "stu-7000", "stu-7001", "italian-committed", "italian-7000", "mounted", "enamelled", "leaded",
    "pips-cut",
)  # fmt: skip
"""What is measured where nothing is chosen. Trading cards (``print-collected``) are no playing cards: they have one frame, and
differ in a small picture only."""


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """One deck to be enrolled. ``name``: as it is enrolled; ``about``: what its prints are, in a few words.

    ``photos`` and ``play``: (name, card id) → BGRA texture, of two prints where that could be had; the back is ``back``.
    ``size``: of its cards, mm. ``seen``: the reader's training saw its pictures. ``like``: the shipped deck of whose cards it has
    another print, which is taken away while it is measured.
    """

    name: str
    about: str
    photos: Mapping[Key, Image]
    play: Mapping[Key, Image]
    size: tuple[float, float]
    seen: bool = False
    like: str = ""

    @property
    def faces(self) -> tuple[str, ...]:
        """The ids of its faces."""
        return tuple(card for _, card in self.photos if card != "back")


class Renamed(Mapping[Key, Image]):
    """A deck under another name, each card under the id that ``ids`` gives it (card of ``images`` → id); kept when drawn."""

    def __init__(self, images: Mapping[Key, Image], name: str, ids: Mapping[str, str]) -> None:
        self._images, self._kept = images, dict[Key, Image]()
        self._of = {(name, ids[card]): (deck, card) for deck, card in images if card in ids}

    def __getitem__(self, key: Key) -> Image:
        if key not in self._kept:
            self._kept[key] = self._images[self._of[key]]
        return self._kept[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)


class _Drawn(Mapping[Key, Image]):
    """A drawn deck in one style, each card drawn when it is first asked for."""

    def __init__(self, deck: str, style: Style) -> None:
        self._keys, self._style = KEYS[deck], style
        self._wide = round(TALL * SIZES[deck][0] / SIZES[deck][1])

    def __getitem__(self, key: Key) -> Image:
        return raster.raster(raster.draw(key, self._style), self._wide, TALL)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def inked(images: Mapping[Key, Image], seed: int) -> Mapping[Key, Image]:
    """Another inking of the same pictures: tone, tint, saturation and sharpness differ."""
    return Printed(images, np.random.default_rng([seed, 17]))


def scanned(folder: Path, deck: str, name: str, seen: bool, like: str = "") -> Prints:
    """A deck of scans in ``folder``/``deck``. Raises `CompanionError` where there is none."""
    images = raster.from_scans(folder / SCANNED.get(deck, deck), deck)
    kept = Renamed(images, name, {card: card for _, card in images})
    return Prints(name, "one scan, inked again for the photos and for the play", inked(kept, FIRST), inked(kept, FIRST + 1),
                  CARD_SIZES.get(deck, images.size_mm((deck, "back"))), seen, like)  # fmt: skip


def drawn(deck: str, seed: int | None) -> Prints:
    """A drawn ``deck``, stu or italian, in the style ``seed`` or, for None, the committed one; played with are worn cards of
    another printing run of it."""
    name = f"{deck}-{'committed' if seed is None else seed}"
    style = Style.standard() if seed is None else Style.random(Random(seed))
    rng, ink = Random(f"worn {seed}"), FIRST if seed is None else seed
    worn = replace(style, wear=rng.uniform(0.1, 0.6), register=(rng.uniform(-3, 3), rng.uniform(-3, 3)),
                   line=style.line * rng.uniform(0.85, 1.15), seed=rng.randrange(2**31))  # fmt: skip

    def printed(one: Style, ink: int) -> Mapping[Key, Image]:
        images = _Drawn(deck, one)
        return inked(Renamed(images, name, {card: card for _, card in images}), ink)

    kind = "the committed" if seed is None else "a held-out"
    about = f"drawn, {kind} style; played with is a worn copy of another run, inked again"
    return Prints(name, about, printed(style, ink), printed(worn, ink + 1), SIZES[deck], like="stu" if deck == "stu" else "")


def drawn_strange(family: str, seed: int) -> Prints:
    """A drawn deck of no list, of a family of `strange.decks.HELD_OUT`, whose cards are given ids of the French list."""
    drawn = StrangeDeck(family, "medallion", seed, TALL)
    ids = strange_ids([card for _, card in drawn if card != "back"]) | {"back": "back"}
    kept = Renamed(drawn, family, ids)
    return Prints(family, "drawn, a held-out family; inked again for the photos and for the play", inked(kept, seed),
                  inked(kept, seed + 1), drawn.size)  # fmt: skip


def strange_ids(cards: list[str]) -> dict[str, str]:
    """Ids of the French list for the cards of a strange deck: N(suit)(number) and C(suit)(rank) as what they are, any others in
    the list's order."""
    suits = dict(zip("abcd", french.SUITS, strict=True))
    return {
        card: (f"{suits[card[1]]}-{card[2:]}" if card[0] == "N"
               else f"{suits[card[1]]}-{11 + int(card[2:])}" if card[0] == "C" else french.KINDS[number])
        for number, card in enumerate(cards)
    }  # fmt: skip


def prints(scans: Path | None, names: Sequence[str] = ()) -> Iterator[Prints]:
    """The decks to measure: those with these ``names`` in their order, by default `DEFAULT`; those that are made of scans only
    where there are ``scans``.

    Raises:
        CompanionError: no deck has one of the names, or it needs scans.
    """
    made = makers(scans)
    for name in names or [name for name in DEFAULT if name in made]:
        if name not in made:
            there = ", ".join(made)
            raise CompanionError(f"no deck to measure is called {name}: there are {there}"
                                 + (f", and with --scans {', '.join(SCANS)}" if scans is None else ""))  # fmt: skip
        yield made[name]()


def makers(scans: Path | None) -> dict[str, Callable[[], Prints]]:
    """Name → what makes the deck, which takes seconds."""
    made: dict[str, Callable[[], Prints]] = {}
    if scans is not None:
        made |= {name: partial(scanned, scans, *what) for name, what in SCANS.items()}
    made |= {f"stu-{seed}": partial(drawn, "stu", seed) for seed in range(FIRST, FIRST + STYLES)}
    made |= {"italian-committed": partial(drawn, "italian", None), f"italian-{FIRST}": partial(drawn, "italian", FIRST)}
    return made | {family: partial(drawn_strange, family, FIRST) for family in STRANGE}


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
