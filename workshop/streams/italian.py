"""What an adversary of eyes that read Italian cards needs: faces taken for one another, a neighbour's place."""

from __future__ import annotations

from random import Random
from typing import Protocol

from companion.decks.italian import KINDS
from companion.eyes.sighting import Odds, PlaceOdds
from workshop.streams.adversary import Reading, read

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
