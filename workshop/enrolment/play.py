"""Pictures of an enrolled deck in play: whole tables as in a game, with strangers' cards among its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.eyes.detection import CLASSES
from workshop.dataset import compose
from workshop.dataset.decks import Deck, Together, deck, strange
from workshop.dataset.recipe import Recipe
from workshop.deck.strange.decks import BACKS, FACES, HELD_OUT
from workshop.enrolment.prints import Prints
from workshop.enrolment.tally import NOBODY_CAN_TELL
from workshop.evaluation.labels import LabelledPicture
from workshop.stage.cards import Textures
from workshop.stage.light import random_look
from workshop.stage.renderer import Renderer
from workshop.stage.scene import CardTruth, Image, Surface

PLAY = Recipe(
    count=1, seed=0, size=(960, 576), elevation=(40, 90), length=(42, 170), usual_length=(50, 120), hard=0.2, cover=0.15,
    cards=30, styles=(7200, 7300), surfaces=(7200, 7300),
)  # fmt: skip
"""What the pictures look like: between the holdouts `easy` and `hard`, with table tops and strangers of their own."""
STRANGERS = ("piacentine", *sorted(HELD_OUT & set(FACES)))
"""Decks of which cards lie among the enrolled one's, beside pedine: one of scans, and drawn families that training never saw."""
GAMES = 0.3
"""Share of the pictures that are laid as a game; in the others the cards are scattered."""
LAYS = 4
"""Layouts that are tried for a picture: the one with the most of the deck's own cards is drawn, as drawing takes long."""
FACE_UP = 0.75
"""Share of the single cards that lie face up."""

SAME_PATTERN = 0.99
"""Correlation of two backs' grey levels from which on they show one pattern."""
SAME_TINT = 30.0
"""Levels by which the colours of two inkings of one print differ less: by more, and it is the same pattern in another colour."""


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """One picture, uint8 HxWx3 BGR, and what lies where in it."""

    image: Image
    truth: LabelledPicture


def played(prints: Prints, count: int, seed: int, scans: Path | None = None) -> Iterator[Played]:
    """``count`` pictures of the deck in play, the same for the same arguments. ``scans``: the folder of scanned decks: cards of
    some lie among its own; a drawn deck does without."""
    own = Deck(prints.name, prints.faces, prints.size, Textures(prints.play), False, strange=True, role="stu")
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        pedine = deck("ramino", int(rng.integers(*PLAY.styles)), scans if rng.random() < 0.5 else None, rng)
        others = [one for one in (pedine, *_strangers(prints, scans, rng)) if one][:: int(rng.choice([-1, 1]))]
        # A deck lies about by the role that it plays: the first of the others is in everybody's way, and scattered cards are
        # the measured deck's twice as often.
        decks = [own, replace(others[0], role="ramino"), *(replace(one, role="") for one in others[1:])]
        surface = Surface(str(rng.choice(PLAY.surface_kinds)), int(rng.integers(*PLAY.surfaces)),
                          "round" if rng.random() < 0.35 else "rect")  # fmt: skip
        lay = compose.game if rng.random() < GAMES else compose.scattered
        tries = [lay(PLAY, [*decks, replace(own, role="more")], surface, rng) for _ in range(LAYS)]
        laid = max(tries, key=lambda one: sum(card.key[0] == own.name for card in one.scene.cards))
        up = {card.id: bool(rng.random() < FACE_UP) for card in laid.scene.cards}
        scene, before = (replace(one, cards=tuple(replace(card, face_up=up[card.id]) for card in one.cards))
                         for one in (laid.scene, laid.before))  # fmt: skip
        look, noise = random_look(rng, PLAY.hard), int(rng.integers(1 << 30))
        frame = Renderer(laid.camera, laid.surface, Together(decks), look, noise).frame(scene, before)
        printed = {one.name for one in others if same_print(_back(own), _back(one))}
        yield Played(frame.image, _labelled(frame.truth, PLAY.size, printed))


def same_print(one: Image, other: Image) -> bool:
    """Whether two backs ((H, W, 3 or 4) uint8 BGR of any size) are copies of one print: some makers put one on several decks."""
    small = [cv2.resize(back[..., :3], (60, 100), interpolation=cv2.INTER_AREA).astype(np.float64) for back in (one, other)]
    tints, grey = [back.mean(axis=(0, 1)) for back in small], [back.mean(axis=2).ravel() for back in small]
    patterned = min(float(levels.std()) for levels in grey) > 1
    return patterned and float(np.ptp(tints[0] - tints[1])) < SAME_TINT and bool(np.corrcoef(*grey)[0, 1] > SAME_PATTERN)


def _back(deck: Deck) -> Image:
    return deck.textures.level((deck.name, "back"), 200)[1:-1, 1:-1]  # without the clear rim


def _strangers(prints: Prints, scans: Path | None, rng: np.random.Generator) -> list[Deck]:
    """Two of `STRANGERS`, where they can be had."""
    among = [name for name in STRANGERS if name != prints.name and (scans is not None or name in FACES)]
    names = rng.choice(among, 2, replace=False)
    return [made for name in names if (made := strange(str(name), sorted(BACKS), PLAY.styles, scans, rng)) is not None]


def _labelled(truth: tuple[CardTruth, ...], size: tuple[int, int], printed: Collection[str]) -> LabelledPicture:
    """The truth of a picture. ``printed``: decks with the enrolled one's back; theirs are `NOBODY_CAN_TELL`'s."""
    return LabelledPicture(
        path=Path(), quads=np.array([card.quad for card in truth]).reshape(-1, 4, 2),
        classes=np.array([CLASSES.index(card.side) for card in truth], dtype=np.int64),
        visible=np.array([card.visible for card in truth]), corners=np.ones(len(truth), dtype=np.bool_), size=size,
        decks=tuple(NOBODY_CAN_TELL if card.side == "back" and card.key[0] in printed else card.key[0] for card in truth),
        cards=tuple(card.key[1] if card.side == "face" else None for card in truth),
    )  # fmt: skip
