"""The decks that are enrolled and measured, each in two prints: one is photographed, the other one is played with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from companion.decks import french
from companion.table.errors import CompanionError
from workshop.dataset.decks import SCANNED, Printed
from workshop.deck import raster
from workshop.deck.sheet import ITALIAN_SIZE, STU_SIZE
from workshop.deck.strange.decks import StrangeDeck
from workshop.deck.style import Style
from workshop.stage.scene import CARD_SIZES, Image, Key

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
