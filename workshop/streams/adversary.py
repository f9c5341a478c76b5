"""What an adversary of any game's eyes needs: faces read with honest doubts, places mistaken, hands taken apart, counts of rare
things; and how well what is said to be sure is right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypedDict, TypeVar

from companion.decks.italian import KINDS
from companion.eyes.sighting import Odds, PlaceOdds, Unseen
from workshop.scoring import Verdict

S = TypeVar("S", bound=Any)
E = TypeVar("E")


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


def numbered(hands: int, most: int, make: Callable[[int, int], E], count: Callable[[E], int]) -> Iterator[E]:
    """Evenings with ``hands`` hands in all, each of at most ``most``. ``make``: of its number and its hands, an evening;
    ``count``: the hands that were played in it, fewer where a game was won before."""
    number = 0
    while hands > 0:
        made = make(number, min(most, hands))
        hands -= count(made)
        number += 1
        yield made


def unseen_for_a_while(
    seen: list[S], share: float, rng: Random, resumed: Callable[[float, float, Sequence[S], Sequence[S]], Iterable[S | Unseen]]
) -> list[S | Unseen]:  # fmt: skip
    """The sightings of a hand in which, in this ``share`` of all hands, nothing can be seen for 2 to 6 seconds.

    ``resumed``: how the table lies then, of when that began and ended (seconds), what was seen before and what happened
    meanwhile.
    """
    everything: list[S | Unseen] = [*seen]
    if rng.random() >= share or len(seen) < 2:
        return everything
    first, last = float(seen[0].t), float(seen[-1].t)
    start = rng.uniform(first, last)
    end = min(start + rng.uniform(2, 6), last - 0.1)
    if end <= start:
        return everything
    before, within, after = ([one for one in seen if low <= one.t < high] for low, high in
                             ((-1.0, start), (start, end), (end, math.inf)))  # fmt: skip
    return [*before, Unseen(start, end, None, "blocked"), *resumed(start, end, before, within), *after]


class Ruled(TypedDict):
    """What is counted of any game's hands. Shares 0 to 1, but for ``hands``, those played.

    ``right``: hands whose payments are exactly right. ``sure_but_wrong``: wrong rulings shown as sure, also on hands that nobody
    played, per hand played; ``unsure``: hands without a sure ruling, counted in the same way. ``calibration``: expected
    calibration error of the rulings' confidence, in ten bins.
    """

    hands: int
    right: float
    sure_but_wrong: float
    unsure: float
    calibration: float


def ruled(verdicts: Sequence[Verdict[Any]]) -> Ruled:
    """The figures that every game has."""
    hands = sum(verdict.true is not None for verdict in verdicts)
    judged = ((verdict.confidence, verdict.right) for verdict in verdicts)
    return {
        "hands": hands,
        "right": sum(verdict.right for verdict in verdicts) / max(hands, 1),
        "sure_but_wrong": sum(verdict.sure and not verdict.right for verdict in verdicts) / max(hands, 1),
        "unsure": sum(not verdict.sure for verdict in verdicts) / max(hands, 1),
        "calibration": calibration_error((sure, right) for sure, right in judged if sure is not None),
    }


@dataclass(frozen=True, slots=True)
class ItalianNoise:
    """How often eyes that read Italian cards are wrong, in any game; without arguments they are perfect. Rates are shares of the
    sightings concerned, 0 to 1.

    ``face_doubted``, ``face_misread``: as of `Reading`. ``face_unseen``, ``place_doubted``, ``place_wrong``: as of `Misreading`.
    ``shown_missed``, ``shown_twice``: faces before a place that are never reported, or again as another; ``dealt_missed``,
    ``dealt_twice``: packets in the same way. ``late``: mean of an exponential delay of what lies open, seconds. ``blocked``:
    hands in which nothing can be seen for a while. ``uncleared``: hands whose clearing is not reported. ``stray``: hands after
    which cards that are being gathered seem to be dealt before a place.
    """

    face_doubted: float = 0.0
    face_misread: float = 0.0
    face_unseen: float = 0.0
    place_doubted: float = 0.0
    place_wrong: float = 0.0
    shown_missed: float = 0.0
    shown_twice: float = 0.0
    dealt_missed: float = 0.0
    dealt_twice: float = 0.0
    late: float = 0.0
    blocked: float = 0.0
    uncleared: float = 0.0
    stray: float = 0.0


N = TypeVar("N", bound=ItalianNoise)
_RATES: Mapping[str, tuple[float, float, float]] = {
    "face_doubted": (0.01, 0.03, 0.06), "face_misread": (0.00005, 0.0002, 0.0005), "face_unseen": (0.0005, 0.002, 0.005),
    "place_doubted": (0.03, 0.08, 0.15), "place_wrong": (0.0003, 0.001, 0.002), "shown_missed": (0.002, 0.005, 0.01),
    "shown_twice": (0.02, 0.05, 0.1), "dealt_missed": (0.01, 0.03, 0.08), "dealt_twice": (0.01, 0.03, 0.05),
    "late": (0.1, 0.15, 0.2), "blocked": (0.005, 0.02, 0.05), "uncleared": (0.0, 0.0, 0.005), "stray": (0.1, 0.2, 0.3),
}  # fmt: skip
"""Each rate at a well-lit table of four in a sharp picture; at a table in the evening with glasses and sleeves; and with small
cards and hands everywhere."""


def named_noises(kind: type[N], **rates: tuple[float, float, float]) -> dict[str, N]:
    """The adversaries by name: none, easy, medium, hard. ``rates``: those that only this game has, from easy to hard."""
    every = {**_RATES, **rates}
    levels = {name: {rate: values[at] for rate, values in every.items()} for at, name in enumerate(("easy", "medium", "hard"))}
    return {"none": kind(), **{name: kind(**values) for name, values in levels.items()}}
