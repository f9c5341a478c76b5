"""Adapts the reader to one enrolled deck: a matrix that its embeddings go through, learnt on views of its photos.

The network stays as it is, so a deck file holds numbers alone. The matrix begins as the identity, and is learnt as the reader
was: by a cosine softmax with a margin over the deck's cards, with "nobody's" as one more answer, which crops of other decks give.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from companion.decks.deckfile import DeckFile
from companion.decks.lists import SHIPPED
from companion.eyes.enrol.deck import VIEWS_A_PHOTO, Cohort, adapter_of, means, thresholds
from companion.eyes.enrol.views import views
from companion.eyes.image import Image, decode_jpeg
from companion.eyes.reader import Reader, adapted_by

Points = NDArray[np.float32]

SHARPNESS, MARGIN = 16.0, 0.15
"""Of the softmax, as in `workshop.training.reader`."""
NEAR: Final = 0.02
"""How much it costs for the matrix to be far from the identity."""
ROUND: Final = 16
"""Views of each photo that a round adds."""
STEPS: Final = 150
"""Steps of a round, of `BATCH` views."""
BATCH: Final = 256
MOST: Final = 60_000
"""Views that are kept to learn from."""
HELD_OUT: Final = 48
"""Views of each photo to choose by, and as many to measure on."""
BETTER: Final = 0.002
"""What a tuned deck has to gain in `Figures.score`, or it is not kept: half a view more of a hundred is chance."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a deck is read. ``right``: the share that is named rightly of harder views of its photos, which nothing was learnt
    from; ``strangers``: the share of other decks' crops that are taken for its cards."""

    right: float
    strangers: float

    @property
    def score(self) -> float:
        """Both in one: as many strangers as own cards are expected."""
        return self.right - self.strangers


@dataclass(frozen=True, slots=True)
class Tuned:
    """The ``deck``, tuned where that is better, and the figures ``before`` and ``after``. ``rounds``: how many were learnt."""

    deck: DeckFile
    before: Figures
    after: Figures
    rounds: int

    @property
    def better(self) -> bool:
        """Whether the deck was changed."""
        return self.after.score >= self.before.score + BETTER


@dataclass(frozen=True, eq=False)
class _Material:
    """Embeddings: of harder views by card, and of other decks' cards."""

    own: Mapping[str, Points]
    others: Points

    def through(self, matrix: Points | None) -> _Material:
        """The material after the matrix (d, d); unchanged for None."""
        if matrix is None:
            return self
        return _Material({card: adapted_by(matrix, points) for card, points in self.own.items()}, adapted_by(matrix, self.others))


def tune(
    deck: DeckFile, reader: Reader, cohort: Cohort, minutes: float, progress: Callable[[float], object] = lambda share: None,
    seed: int = 0,
) -> Tuned:  # fmt: skip
    """The ``deck``, adapted for ``minutes``. ``progress``: which share of that is over."""
    began, rounds = time.monotonic(), 0
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # matrices this small: threads would only wait for one another
    rng = np.random.default_rng([seed, 3])
    pictures = {one.card: [decode_jpeg(data) for data in one.pictures] for one in deck.cards}
    others = cohort.without([name for name, of in SHIPPED.items() if of == deck.list])
    others = others[rng.permutation(len(others))]
    third = len(others) // 3
    choose, measure = (_Material(_seen(pictures, reader, rng, HELD_OUT), others[n * third : (n + 1) * third]) for n in (0, 1))
    learner = _Learner(deck, list(pictures), reader, others[2 * third :])
    plain = {card: [reader.embed(views(picture, VIEWS_A_PHOTO, rng)) for picture in own] for card, own in pictures.items()}
    start = _deck_with(deck, plain, choose, None)
    best, chosen = (_figures(start, choose).score, start)
    while (spent := time.monotonic() - began) < 60 * minutes:
        progress(spent / (60 * minutes))
        learner.learn(_seen(pictures, reader, rng, ROUND))
        rounds += 1
        made = _deck_with(deck, plain, choose, learner.matrix)
        if (score := _figures(made, choose).score) > best:
            best, chosen = score, made
    progress(1.0)
    before, after = _figures(start, measure), _figures(chosen, measure)
    tuned = Tuned(chosen, before, after, rounds)
    return tuned if tuned.better else Tuned(deck, before, after, rounds)


class _Learner:
    """The matrix, and a point for each card either way up, which begins as the deck's own."""

    def __init__(self, deck: DeckFile, cards: Sequence[str], reader: Reader, others: Points) -> None:
        size = deck.size
        self._cards = {card: n for n, card in enumerate(cards)}
        self._matrix = torch.nn.Parameter(torch.eye(size))
        own = [np.frombuffer(one.points, "<f4").reshape(-1, size) for one in deck.cards]
        self._of = torch.tensor([n for n, points in enumerate(own) for _ in points])
        self._points = torch.nn.Parameter(torch.from_numpy(np.concatenate(own).astype(np.float32)))
        self._stranger = deck.stranger
        self._others = torch.from_numpy(others.copy())
        self._views, self._labels = torch.zeros((0, size)), torch.zeros(0, dtype=torch.long)
        self._optimiser = torch.optim.AdamW([self._matrix, self._points], lr=2e-3, weight_decay=0.0)

    @property
    def matrix(self) -> Points:
        return np.asarray(self._matrix.detach().numpy().copy(), np.float32)

    def learn(self, seen: Mapping[str, Points]) -> None:
        """One round, with further views of each card."""
        fresh = torch.from_numpy(np.concatenate(list(seen.values())))
        labels = torch.tensor([self._cards[card] for card, points in seen.items() for _ in points])
        self._views = torch.cat([self._views, fresh])[-MOST:]
        self._labels = torch.cat([self._labels, labels])[-MOST:]
        for _ in range(STEPS):
            pick = torch.randint(len(self._views), (BATCH,))
            strange = torch.randint(max(len(self._others), 1), (BATCH // 2 if len(self._others) else 0,))
            self._step(torch.cat([self._views[pick], self._others[strange]]), self._labels[pick])

    def _step(self, seen: torch.Tensor, labels: torch.Tensor) -> None:
        turned = functional.normalize(seen @ self._matrix.T, dim=1)
        cosines = turned @ functional.normalize(self._points, dim=1).T
        cards = len(self._cards)
        closest = torch.full((len(seen), cards), -1.0).scatter_reduce(1, self._of.expand(len(seen), -1), cosines, "amax")
        truth = torch.cat([labels, torch.full((len(seen) - len(labels),), cards)])
        logits = torch.cat([closest, torch.full((len(seen), 1), self._stranger)], dim=1)
        logits = logits - MARGIN * functional.one_hot(truth, cards + 1)
        cost = functional.cross_entropy(SHARPNESS * logits, truth)
        cost = cost + NEAR * (self._matrix - torch.eye(len(self._matrix))).pow(2).sum()
        self._optimiser.zero_grad()
        cost.backward()  # type: ignore[no-untyped-call,unused-ignore]
        self._optimiser.step()


def _seen(pictures: Mapping[str, Sequence[Image]], reader: Reader, rng: np.random.Generator, count: int) -> dict[str, Points]:
    """Embeddings of harder views of each card, ``count`` for each of its pictures."""
    return {
        card: reader.embed([view for picture in own for view in views(picture, count, rng, harder=True)])
        for card, own in pictures.items()
    }


def _deck_with(
    deck: DeckFile, plain: Mapping[str, Sequence[Points]], seen: _Material, matrix: Points | None
) -> DeckFile:
    """The deck with points and thresholds made through this ``matrix``; ``plain``: embeddings of each picture's plain views."""
    points = {
        card: np.concatenate([means(one if matrix is None else adapted_by(matrix, one)) for one in own])
        for card, own in plain.items()
    }
    checks = seen.through(matrix)
    sharpness, stranger = thresholds(points, checks.own, checks.others)
    cards = tuple(msgspec.structs.replace(one, points=points[one.card].astype("<f4").tobytes()) for one in deck.cards)
    adapter = b"" if matrix is None else matrix.astype("<f4").tobytes()
    return msgspec.structs.replace(deck, cards=cards, sharpness=sharpness, stranger=stranger, adapter=adapter)


def _figures(deck: DeckFile, seen: _Material) -> Figures:
    """What a reader that knows this deck alone makes of these views."""
    checks = seen.through(adapter_of(deck))
    points = [np.frombuffer(one.points, "<f4").reshape(-1, deck.size).astype(np.float64) for one in deck.cards]

    def named(embeddings: Points) -> NDArray[np.int64]:
        """The number of the card that each is named as, -1: nobody's."""
        grown = [np.exp(deck.sharpness * (embeddings @ its.T - deck.stranger)).sum(axis=1) for its in points]
        shares = np.stack(grown, axis=1)
        return np.where(shares.sum(axis=1) >= 1.0, shares.argmax(axis=1), -1)

    right = [named(checks.own[one.card]) == n for n, one in enumerate(deck.cards)]
    return Figures(float(np.concatenate(right).mean()), float((named(checks.others) >= 0).mean()) if len(checks.others) else 0.0)
