"""Whole strange decks by family and seed, and which families are kept out of training, to measure on."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np

from workshop.deck.chimera import chimera
from workshop.deck.strange import backs, courts, kit, large, pips, prints
from workshop.deck.strange.canvas import TALL, Canvas, Image, Rng
from workshop.deck.strange.inks import Inks, inks

Key = tuple[str, str]

SIZES = ((51.0, 83.0), (52.0, 93.0), (56.0, 87.0), (63.0, 88.0), (50.0, 95.0), (70.0, 120.0), (58.0, 89.0), (57.0, 102.0))
"""Widths and lengths in mm of cards that are sold."""

CHIMERA = "chimera"
FACES = (*courts.STYLES, *(f"pips-{manner}" for manner in pips.MANNERS), *(f"print-{kind}" for kind in prints.PRINTS), CHIMERA)
"""Families of faces."""
LARGE = tuple(large.LARGE)
"""Families of faces in two parts, which recipes ask for."""
BACKS = tuple(backs.FAMILIES)
"""Families of backs."""
HELD_OUT = frozenset({"mounted", "enamelled", "leaded", "pips-cut", "print-collected", "medallion", "guilloche"})
"""Families of faces and of backs that nothing is trained on."""
TAUGHT_FACES = tuple(family for family in FACES if family not in HELD_OUT)
TAUGHT_BACKS = tuple(family for family in BACKS if family not in HELD_OUT)


class StrangeDeck(Mapping[Key, Image]):
    """The cards of an invented deck, each drawn when it is first asked for: BGRA, ``tall`` pixels high.

    ``faces``: family of the faces (`FACES`, `LARGE`), ``back``: of the back (`BACKS`); equal arguments, equal deck. ``parts``:
    decks that a chimera is made from. ``size``: width and length in mm. Raises `ValueError` for a family that there is not.
    """

    def __init__(self, faces: str, back: str, seed: int, tall: int = 224, parts: Sequence[Mapping[Key, Image]] = ()) -> None:
        if faces not in (*FACES, *LARGE) or back not in BACKS:
            there = f"faces are {', '.join((*FACES, *LARGE))}; backs {', '.join(BACKS)}"
            raise ValueError(f"no strange deck has {faces} faces and {back} backs: {there}")
        self.name, self._family, self._back, self._seed, self._tall = f"strange-{faces}", faces, back, seed, tall
        rng = self._rng("deck")
        width, length = SIZES[int(rng.integers(len(SIZES)))]
        self.size = (float(width * rng.uniform(0.97, 1.03)), float(length * rng.uniform(0.98, 1.02)))
        self._corner = float(rng.choice([0.0, rng.uniform(1, 3), rng.uniform(2.5, 5)]))
        self._inks: Inks = inks(rng)
        self._kit = kit.Kit.random(self._canvas(), rng, self._inks)
        self._manner = faces.removeprefix("pips-") if faces.startswith("pips-") else str(rng.choice(["signs", "bright", "flat"]))
        self._style = faces if faces in courts.STYLES else str(rng.choice(["standing", "twofold", "cartoon"]))
        self._keys = [(self.name, card) for card in (*self._cards(rng), "back")]
        self._parts = [(deck, [key for key in deck if key[1] != "back"]) for deck in parts]
        if faces == CHIMERA and not parts:
            raise ValueError("a chimera needs the decks that it is made of")

    def _rng(self, what: str) -> Rng:
        return np.random.default_rng([self._seed, zlib.crc32(f"{self._family}/{self._back}/{what}".encode())])

    def _cards(self, rng: Rng) -> list[str]:
        """Courts are C, numbers N, prints P; suits a to d."""
        if self._family == CHIMERA or self._family.startswith("print-"):
            return [f"P{n}" for n in range(24)]
        people = [f"C{suit}{rank}" for suit in "abcd" for rank in range(3)]
        numbers = [f"N{suit}{number}" for suit in "abcd" for number in range(1, int(rng.choice([8, 11])))]
        if self._family in LARGE:
            return people
        if self._family in courts.STYLES:
            return [*people, *numbers[::3]] if rng.random() < 0.4 else people
        return [*numbers, *people] if rng.random() < 0.3 else numbers

    def _canvas(self) -> Canvas:
        return Canvas(self.size[0] / self.size[1], self._inks.paper)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __getitem__(self, key: Key) -> Image:
        if key not in self._keys:
            raise KeyError(key)
        card, rng, c = key[1], self._rng(key[1]), self._canvas()
        if card == "back":
            backs.back(c, self._back, self._inks, rng)
        elif self._family == CHIMERA:
            first, second = (self._part(rng) for _ in range(2))
            made = chimera(first, second, rng)
            return np.asarray(cv2.resize(made, (self._width, self._tall), interpolation=cv2.INTER_AREA), np.uint8)
        elif card[0] == "P":
            prints.PRINTS[self._family.removeprefix("print-")](c, self._kit, rng)
        elif card[0] == "N":
            pips.MANNERS[self._manner](c, self._kit, rng, int(card[2:]), "abcd".index(card[1]))
        elif self._family in LARGE:
            large.LARGE[self._family](c, self._kit, rng, int(card[2:]), "abcd".index(card[1]))
        else:
            courts.STYLES[self._style](c, self._kit, rng, int(card[2:]), "abcd".index(card[1]))
        return self._cut(c)

    @property
    def _width(self) -> int:
        return round(self._tall * self.size[0] / self.size[1])

    def _part(self, rng: Rng) -> Image:
        deck, keys = self._parts[int(rng.integers(len(self._parts)))]
        return deck[keys[int(rng.integers(len(keys)))]]

    def _cut(self, c: Canvas) -> Image:
        """The card in its size, with its corners, round or square, cut."""
        alpha = np.full(c.shape, 255, np.uint8)
        radius = round(TALL * self._corner / self.size[1])
        if radius:
            disc = np.zeros((2 * radius, 2 * radius), np.uint8)
            cv2.circle(disc, (radius, radius), radius, 255, -1)
            for y in (slice(0, radius), slice(-radius, None)):
                for x in (slice(0, radius), slice(-radius, None)):
                    alpha[y, x] = disc[y, x]
        return np.asarray(
            cv2.resize(np.dstack([c.image, alpha]), (self._width, self._tall), interpolation=cv2.INTER_AREA), np.uint8
        )


def strange_textures(
    seeds: tuple[int, int],
    tall: int = 280,
    faces: Sequence[str] = TAUGHT_FACES,
    backs: Sequence[str] = TAUGHT_BACKS,
    each: int = 4,
) -> Iterator[tuple[str, Image]]:
    """Many strange cards to learn from that they are nobody's: (``deck/card``, BGRA texture ``tall`` pixels high).

    ``seeds``: the first, and the first one after the last; of every seed one deck of a family in turn, with ``each`` faces and
    its back. Chimeras are left out, which need the decks that they are made of, and number cards of flat signs, among which are
    hearts and spades as ramino's.
    """
    drawn = [family for family in faces if family not in (CHIMERA, "pips-signs")]
    for seed in range(*seeds):
        deck = StrangeDeck(drawn[seed % len(drawn)], backs[seed // 3 % len(backs)], seed, tall)
        flat = deck._manner == "signs"
        cards = [key for key in deck if key[1] != "back" and not (flat and key[1].startswith("N"))]
        rng = np.random.default_rng([seed, 9])
        for n in rng.permutation(len(cards))[:each]:
            yield "/".join(cards[int(n)]), deck[cards[int(n)]]
        yield f"strange-{backs[seed // 3 % len(backs)]}/back", deck[deck.name, "back"]
