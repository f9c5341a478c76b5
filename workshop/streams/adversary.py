"""What an adversary of any game's eyes needs: faces read with honest doubts, hands taken apart, counts of rare things."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol, TypeVar

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
