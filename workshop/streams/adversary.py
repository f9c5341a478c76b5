"""What an adversary of any game's eyes needs: faces read with honest doubts, places mistaken, hands taken apart, counts of rare
things; and how well what is said to be sure is right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Protocol, TypeVar

from companion.decks.italian import KINDS
from companion.eyes.sighting import Odds, PlaceOdds

S = TypeVar("S")


class Reading(Protocol):
    """How often faces are read wrongly. ``face_doubted``: share whose most likely kind has a probability between 0.4 and 0.98 (an
    honest one). ``face_misread``: another kind is reported as sure, and the true one is not among the alternatives."""

    @property
    def face_doubted(self) -> float: ...
    @property
    def face_misread(self) -> float: ...


def read(
    kind: str, kinds: Sequence[str], lookalike: Callable[[str, Random], str], noise: Reading, rng: Random
) -> tuple[tuple[str, float], ...]:
    """A face as it is read: its alternatives, with the true kind in first place as often as its probability says.

    ``lookalike``: another kind that it may be taken for.
    """
    if rng.random() < noise.face_misread:
        wrong = lookalike(kind, rng)
        others = [other for other in kinds if other not in (kind, wrong)]
        return (wrong, 0.985), (rng.choice(others), 0.015)
    if not noise.face_doubted:
        return ((kind, 1.0),)
    top = rng.uniform(0.4, 0.98) if rng.random() < noise.face_doubted else 1 - 10 ** rng.uniform(-4, -2.5)
    names = [kind, lookalike(kind, rng)]
    third = lookalike(kind, rng)
    shares = [top, 1 - top]
    if third not in names and 1 - top > 0.05:
        names.append(third)
        shares = [top, *sorted(((1 - top) * 0.7, (1 - top) * 0.3), reverse=True)]
    rank = rng.choices(range(len(names)), shares)[0]
    names.insert(rank, names.pop(0))
    return tuple(sorted(zip(names, shares, strict=True), key=lambda pair: -pair[1]))


def by_hand(stream: Sequence[S], over: type) -> Iterator[tuple[S, ...]]:
    """The sightings of each hand, with the one that says it is ``over`` as the last."""
    start = 0
    for index, sighting in enumerate(stream):
        if isinstance(sighting, over):
            yield tuple(stream[start : index + 1])
            start = index + 1
    if start < len(stream):
        yield tuple(stream[start:])


def poisson(mean: float, rng: Random) -> int:
    """A random number with the Poisson distribution of this mean (Knuth's method)."""
    count, product, limit = -1, 1.0, math.exp(-mean)
    while product >= limit:
        product *= rng.random()
        count += 1
    return count


BINS = 10


def calibration_error(judged: Iterable[tuple[float, bool]]) -> float:
    """Expected calibration error (0 to 1) of confidences, each with whether it was right, in ten bins of equal width."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in judged:
        bins.setdefault(min(int(confidence * BINS), BINS - 1), []).append((confidence, right))
    total = sum(map(len, bins.values()))
    gaps = (abs(sum(sure for sure, _ in group) - sum(right for _, right in group)) for group in bins.values())
    return sum(gaps) / total if total else 0.0


FRESH = 100_000
"""Episodes and motions from this number on are inventions."""


class Misreading(Reading, Protocol):
    """How often faces and places are wrong. ``face_unseen``: a card is seen, its face is not. ``place_doubted``: the likeliest
    place has a probability between 0.4 and 0.95 (an honest one). ``place_wrong``: a neighbour's is reported as sure."""

    @property
    def face_unseen(self) -> float: ...
    @property
    def place_doubted(self) -> float: ...
    @property
    def place_wrong(self) -> float: ...


def face(kind: str, noise: Misreading, rng: Random) -> Odds:
    """A face as it is read; () where it was not seen."""
    return () if rng.random() < noise.face_unseen else read(kind, KINDS, lookalike, noise, rng)


def lookalike(kind: str, rng: Random) -> str:
    """Another card that it may be taken for: a neighbour in number of the suit, or the same number of another; or any."""
    suit, _, number = kind.partition("-")
    near = [other for other in KINDS if other != kind and _near(other, suit, int(number))]
    return rng.choice(near) if rng.random() < 0.8 else rng.choice([other for other in KINDS if other != kind])


def _near(other: str, suit: str, number: int) -> bool:
    other_suit, _, other_number = other.partition("-")
    return (other_suit == suit and abs(int(other_number) - number) == 1) or other_number == str(number)


def place_odds(place: int, noise: Misreading, players: int, rng: Random) -> PlaceOdds:
    """The place that a card came from, as it is reported: the true one first as often as its probability says."""
    neighbours = [(place + 1) % players, (place - 1) % players]
    if rng.random() < noise.place_wrong:
        wrong = rng.choice(neighbours)
        return (wrong, 0.98), (next(other for other in range(players) if other not in (wrong, place)), 0.02)
    if not noise.place_doubted:
        return ((place, 1.0),)
    top = rng.uniform(0.4, 0.95) if rng.random() < noise.place_doubted else 1 - 10 ** rng.uniform(-4, -2.5)
    first, second = rng.sample(neighbours, 2)
    names, shares = [place, first, second], [top, (1 - top) * 0.8, (1 - top) * 0.2]
    rank = rng.choices(range(3), shares)[0]
    names.insert(rank, names.pop(0))
    return tuple(sorted(zip(names, shares, strict=True), key=lambda pair: -pair[1]))
