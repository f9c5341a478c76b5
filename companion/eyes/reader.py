"""The reader: which card a straightened crop shows, and of which deck. An embedding network and prototypes; no torch.

The network maps a crop to a point on the unit sphere, where each known card, and each known back, has a prototype. A card is
named after the closest prototypes. One that is close to none, or closest to another deck's, belongs to no known deck.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.decks.lists import BACK
from companion.eyes.beside import Lying, moved
from companion.eyes.covered import Shows, read_covered
from companion.eyes.geometry import card_length, long_side_upright, sides, straighten
from companion.eyes.hesitation import Hesitation
from companion.eyes.modelfile import open_session
from companion.eyes.plane import Plane
from companion.eyes.reading import Reading, ranked, supposed
from companion.eyes.remembered import Remembered
from companion.eyes.sheets import Sheets
from companion.eyes.templates import Templates
from companion.table.errors import BadModel

CROP: Final = (64, 112)
"""Width and height of the reader's input, pixels."""

SQUARISH_RATIO = 1.45
"""Least length / width of a quad with a certain long side: one below it may be a card seen from 23 degrees above the table whose
long side points away."""

Floats = NDArray[np.float64]
NONE: Final[Mapping[str, Collection[str]]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Prototypes:
    """Points on the unit sphere for known cards.

    ``names``: ``deck/card`` (n,), a back's card is ``back``; a card may have several points; ``points`` float32 (n, d). ``read``:
    decks whose cards are named; ``unnamed``: decks that are recognised, but whose cards are not named; points of all other decks
    only show what strangers' cards look like. ``sharpness``: inverse temperature of the cosines; ``stranger``: the cosine of the
    answer "nobody's"; ``own``: both of these for each point (n, 2), where decks differ in them. ``adapters``: matrices (d, d) of
    decks that were tuned; ``through`` (n,): the number of the one that embeddings go through before they are compared with a
    point, -1: none.
    """

    names: tuple[str, ...]
    points: NDArray[np.float32]
    read: tuple[str, ...]
    sharpness: float
    stranger: float
    unnamed: tuple[str, ...] = ("ramino",)
    own: Floats | None = None
    adapters: tuple[NDArray[np.float32], ...] = ()
    through: NDArray[np.int64] | None = None

    @property
    def adapted(self) -> NDArray[np.int64]:
        """For each point the number of its adapter, (n,); -1: none."""
        return np.full(len(self.names), -1) if self.through is None else self.through

    @property
    def calibration(self) -> Floats:
        """For each point its sharpness, and the cosine from which on a card is likelier this one than nobody's, (n, 2)."""
        return np.tile([self.sharpness, self.stranger], (len(self.names), 1)) if self.own is None else self.own

    def of(self, deck: str) -> NDArray[np.bool_]:
        """Which of the points (n,) belong to this deck's cards."""
        return np.array([name.partition("/")[0] == deck for name in self.names], dtype=np.bool_)

    def without(self, deck: str) -> Prototypes:
        """These prototypes without those of ``deck``."""
        kept = ~self.of(deck)
        return replace(
            self, names=tuple(name for name, keep in zip(self.names, kept, strict=True) if keep), points=self.points[kept],
            read=tuple(name for name in self.read if name != deck), own=self.calibration[kept],
            unnamed=tuple(name for name in self.unnamed if name != deck), through=self.adapted[kept],
        )  # fmt: skip

    def taught(
        self, names: Sequence[str], points: NDArray[np.float32], sharpness: float, stranger: float,
        adapter: NDArray[np.float32] | None = None,
    ) -> Prototypes:  # fmt: skip
        """These prototypes and further ``points`` (m, d) of the cards ``names`` (m,), as ``deck/card``, whose decks' cards are
        then named.

        ``adapter``: see `adapted_by`; the points have gone through it already.
        """
        fresh = dict.fromkeys(name.partition("/")[0] for name in names)
        return replace(
            self, names=(*self.names, *names), points=np.concatenate([self.points, points]).astype(np.float32),
            read=(*self.read, *(deck for deck in fresh if deck not in self.read)),
            unnamed=tuple(deck for deck in self.unnamed if deck not in fresh),
            own=np.concatenate([self.calibration, np.tile([sharpness, stranger], (len(names), 1))]),
            adapters=self.adapters if adapter is None else (*self.adapters, adapter),
            through=np.concatenate([self.adapted, np.full(len(names), -1 if adapter is None else len(self.adapters))]),
        )  # fmt: skip

    def less_likely(self, decks: Collection[str], factor: float) -> Prototypes:
        """These prototypes, where cards of ``decks`` are ``factor`` times less likely to lie on the table."""
        own = self.calibration.copy()
        own[:, 1] += np.any([self.of(deck) for deck in decks], axis=0) * math.log(factor) / own[:, 0] if decks else 0.0
        return replace(self, own=own)

    def for_game(self, game: str, decks: Collection[str], known: Mapping[str, Collection[str]] = NONE) -> Prototypes:
        """These prototypes for a game that is played with any of the ``decks``, whose cards then count as those of one deck
        called ``game``.

        ``known``: further decks that may lie there, under a common name → the decks; their cards are not named. All other decks
        are strangers'.
        """
        called = {deck: name for name, these in known.items() for deck in these} | dict.fromkeys(decks, game)
        parts = (name.partition("/") for name in self.names)
        names = tuple(f"{called.get(deck, deck)}/{card}" for deck, _, card in parts)
        return replace(self, names=names, read=(game,), unnamed=tuple(known))

    @staticmethod
    def load(path: Path) -> Prototypes:
        """Reads what `save` wrote. Raises `BadModel`."""
        try:
            with np.load(path, allow_pickle=False) as stored:
                return Prototypes(
                    tuple(str(name) for name in stored["names"]), np.asarray(stored["points"], dtype=np.float32),
                    tuple(str(deck) for deck in stored["read"]), float(stored["sharpness"]), float(stored["stranger"]),
                    tuple(str(deck) for deck in stored["unnamed"]), np.asarray(stored["own"]) if "own" in stored else None,
                )  # fmt: skip
        except OSError as error:
            raise BadModel(f"{path}: {error.strerror or error}: prototypes come with companion's models") from error
        except (ValueError, KeyError) as error:
            raise BadModel(f"{path}: not prototypes of companion: {error}") from error

    def save(self, path: Path) -> None:
        """Writes them as an .npz file."""
        np.savez(
            path,
            names=np.array(self.names),
            points=self.points,
            read=np.array(self.read),
            unnamed=np.array(self.unnamed),
            sharpness=self.sharpness,
            stranger=self.stranger,
            own=self.calibration,
        )

    def readings(self, embeddings: NDArray[np.float32]) -> list[Reading]:
        """The readings of the ``embeddings`` (n, d), each of length 1.

        ``supposed`` of a reading: the kinds' probabilities if the game implies that a card of a named deck lies there, however
        strange it looks, as a hand may lie on it.
        """
        cosines = np.asarray(embeddings, dtype=np.float64) @ self.points.T.astype(np.float64)
        for number, adapter in enumerate(self.adapters):
            own = self.adapted == number
            cosines[:, own] = adapted_by(adapter, embeddings).astype(np.float64) @ self.points[own].T.astype(np.float64)
        sharpness, stranger = self.calibration.T
        logits = np.concatenate([(cosines - stranger) * sharpness, np.zeros((len(cosines), 1))], axis=1)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        slots, cards = self._cards
        return [self._reading(np.bincount(slots, row, len(cards)).tolist()) for row in shares[:, :-1]]  # the last is nobody's

    @cached_property
    def _cards(self) -> tuple[NDArray[np.int64], dict[tuple[str, str], int]]:
        """For each point the number of its card, (n,), and for each card, by deck and name, its number: a card may have several
        points."""
        parts = [(deck, card) for deck, _, card in (name.partition("/") for name in self.names)]
        numbers = {part: number for number, part in enumerate(dict.fromkeys(parts))}
        return np.array([numbers[part] for part in parts], np.int64), numbers

    def _reading(self, shares: Sequence[float]) -> Reading:
        """The reading from the ``shares`` of the cards, as they are numbered in `_cards`."""
        ours = *self.read, *self.unnamed
        faces: dict[str, dict[str, float]] = {deck: {} for deck in ours}
        backs: dict[str, float] = dict.fromkeys(ours, 0.0)
        for deck, card, number in self._own:
            if card == BACK:
                backs[deck] = shares[number]
            else:
                faces[deck][card] = shares[number]
        weights = {deck: sum(kinds.values()) for deck, kinds in faces.items()}
        deck, read = (max(decks, key=lambda name: weights[name]) for decks in (ours, self.read))
        back = max(ours, key=lambda name: backs[name])
        return Reading(
            deck, weights[deck], ranked(faces[deck]) if deck in self.read else (), (back, backs[back]),
            supposed(ranked(faces[read]), weights[read]),
        )  # fmt: skip

    @cached_property
    def _own(self) -> tuple[tuple[str, str, int], ...]:
        """Deck, name and number (`_cards`) of each card of the decks in ``read`` and ``unnamed``."""
        ours = *self.read, *self.unnamed
        return tuple((deck, card, number) for (deck, card), number in self._cards[1].items() if deck in ours)


def adapted_by(adapter: NDArray[np.float32], embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
    """The ``embeddings`` (n, d) after the matrix (d, d) of a tuned deck, brought to length 1 again."""
    turned = np.asarray(embeddings, np.float32) @ adapter.T
    return np.asarray(turned / np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-9), np.float32)


class Reader:
    """The trained embedding network and the prototypes of the decks that it reads."""

    def __init__(self, model: Path, prototypes: Prototypes, threads: int = 1) -> None:
        """Raises `BadModel`."""
        self._session = open_session(model, threads)
        self.digest = hashlib.sha256(model.read_bytes()).hexdigest()
        """SHA-256 of the network: points of another one mean nothing to it."""
        self._input = self._session.get_inputs()[0].name
        self.prototypes = prototypes
        self.templates: Mapping[str, Templates] = {}
        """By deck: pictures of its cards, with which a card is compared where this network hesitates."""
        self._sheets: Mapping[str, Sheets] = {}
        self._hesitations: Mapping[str, Hesitation] = {}
        self._heaps: Remembered[Shows | None] = Remembered()
        self._places: Remembered[Floats] = Remembered()
        if self._session.get_outputs()[0].shape[1] != prototypes.points.shape[1]:
            raise BadModel(f"{model}: its embeddings and the prototypes differ in length: they do not belong together")

    def reading(self, prototypes: Prototypes, templates: Mapping[str, Templates] | None = None) -> Reader:
        """A reader with the same network and other ``prototypes``, and other ``templates`` where they are given."""
        other = copy(self)
        other.prototypes = prototypes
        other._heaps, other._places = Remembered(), Remembered()
        if templates is not None:
            other.templates = templates
            sheets = {deck: Sheets.of(its) for deck, its in templates.items()}
            other._sheets = {deck: its for deck, its in sheets.items() if its is not None}
        other._hesitations = {deck: Hesitation(its) for deck, its in other._sheets.items()}
        return other

    def embed(self, crops: Sequence[NDArray[np.uint8]]) -> NDArray[np.float32]:
        """The embeddings, (n, d) float32 of length 1, of crops (112, 64, 3) uint8 BGR."""
        if not crops:
            return np.zeros((0, self.prototypes.points.shape[1]), dtype=np.float32)
        blob = np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2), dtype=np.float32) / np.float32(255)
        (embeddings,) = self._session.run(None, {self._input: blob})
        return np.asarray(embeddings, dtype=np.float32)

    def read(self, image: NDArray[np.uint8], quads: ArrayLike) -> list[Reading]:
        """The readings of the cards at ``quads`` (n, 4, 2), pixels of ``image`` ((H, W, 3) uint8 BGR), either way up.

        A card that is seen at so flat an angle that its long side may look the shorter one is read both ways. The surer reading
        is taken, separately for the face and the back.
        """
        points = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
        if not len(points):
            return []
        upright = long_side_upright(points)
        length = sides(upright)
        squarish = np.flatnonzero(length[:, 1] + length[:, 3] < SQUARISH_RATIO * (length[:, 0] + length[:, 2]))
        tried = np.concatenate([upright, np.roll(upright[squarish], -1, axis=1)])
        read = self.prototypes.readings(self.embed([straighten(image, quad, *CROP) for quad in tried]))
        readings = [self._compared(image, quad, reading) for quad, reading in zip(tried, read, strict=True)]
        best = readings[: len(points)]
        for i, other in zip(squarish, readings[len(points) :], strict=True):
            back = max(best[i].back, other.back, key=lambda entry: entry[1])
            best[i] = replace(max(best[i], other, key=lambda reading: reading.known * reading.probability), back=back)
        return best

    def told(self, image: NDArray[np.uint8], quads: ArrayLike, plane: Plane | None = None) -> list[Lying]:
        """As `read`, with each card's place: cards of taught decks that were found a little beside their true place are moved
        there. ``plane``: as in `uncovered`."""
        points = np.asarray(quads, np.float64).reshape(-1, 4, 2)
        return moved(image, points, self.read(image, points), self._sheets, partial(self.read, image), self._places, plane)

    def uncovered(
        self, image: NDArray[np.uint8], quads: ArrayLike, readings: Sequence[Reading], plane: Plane | None = None
    ) -> list[Lying]:
        """The faces at ``quads`` (n, 4, 2), pixels of ``image``, with their ``readings``, after a second look at those of taught
        decks that were found a little beside their true place (`companion.eyes.beside.moved`) or that lie under others
        (`companion.eyes.covered.read_covered`). ``plane``: the table's; None: each heap's own."""
        points = np.asarray(quads, np.float64).reshape(-1, 4, 2)
        found = moved(image, points, readings, self._sheets, partial(self.read, image), self._places, plane)
        where = np.array([one.quad for one in found]).reshape(-1, 4, 2)
        return read_covered(image, where, [one.reading for one in found], self._sheets, self._heaps, plane)

    def _compared(self, image: NDArray[np.uint8], quad: Floats, reading: Reading) -> Reading:
        softened, own = reading.softened(float(card_length(quad))), self._hesitations.get(reading.deck)
        return softened if own is None else own.settled(image, quad, softened)


def legible(quad: ArrayLike) -> bool:
    """Whether a card is long enough in the picture to be named at all."""
    return float(card_length(quad)) >= 16.0
