"""The adversary: spoils a stream of sightings of Stoper as eyes do, at given rates, which may be worse than theirs.

Probabilities stay honest, except where a rate says so: of the faces, places and counts reported with 0.8, one in five is another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.eyes.sighting import Unseen
from companion.games.stoper.rules.cards import HAND
from companion.games.stoper.sightings import Cleared, CountOdds, Dealt, Resumed, Shown, Sighting, Thrown
from workshop.streams.adversary import FRESH, ItalianNoise, by_hand, face, named_noises, place_odds, unseen_for_a_while


@dataclass(frozen=True, slots=True)
class Noise(ItalianNoise):
    """How often the eyes are wrong; ``Noise()`` makes them perfect.

    ``count_doubted``: the likeliest number of cards has a probability between 0.4 and 0.95 (an honest one); ``count_wrong``:
    another number is reported as sure. ``thrown_missed``, ``thrown_twice``: never reported, or again as another.
    """

    count_doubted: float = 0.0
    count_wrong: float = 0.0
    thrown_missed: float = 0.0
    thrown_twice: float = 0.0


LEVELS = named_noises(
    Noise, count_doubted=(0.03, 0.08, 0.15), count_wrong=(0.002, 0.005, 0.01), thrown_missed=(0.005, 0.015, 0.04),
    thrown_twice=(0.005, 0.01, 0.02),
)  # fmt: skip
"""The named adversaries: rates that Stoppa's have are the same, the others are guesses before clips have been watched."""


def corrupt(stream: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> tuple[Sighting, ...]:
    """The stream as eyes with this noise report it, in the order in which it becomes sure."""
    spoilt: list[Sighting] = []
    for hand in by_hand(stream, Cleared):
        for sighting in unseen_for_a_while(list(hand), noise.blocked, rng, _resumed):
            spoilt += _spoilt(sighting, noise, players, rng)
        if isinstance(hand[-1], Cleared) and rng.random() < noise.stray:
            t = hand[-1].t + rng.uniform(0.2, 1.0)
            spoilt.append(Dealt(t, FRESH * 3 + len(spoilt), rng.randrange(players), ((HAND, 1.0),), t))
    return tuple(sorted(spoilt, key=sure_at))


def sure_at(seen: Sighting) -> float:
    """When a sighting is reported, seconds: several looks have to agree."""
    t = float(getattr(seen, "until", seen.t))
    return t + (1.0 if isinstance(seen, Cleared) else 0.0 if isinstance(seen, Unseen) else 0.3)


def _resumed(start: float, end: float, before: Sequence[Sighting], within: Sequence[Sighting]) -> Iterator[Sighting]:
    """How the table lies after a time in which nothing could be seen. Faces that still lie there are seen then."""
    faces = [replace(one, t=end) for one in within if isinstance(one, Shown)]
    open_now = tuple({one.place for one in (*before, *faces) if isinstance(one, Shown)})
    middle = any(isinstance(one, Thrown) for one in (*before, *within))
    yield Resumed(start, end, not within, middle, (), open_now)
    yield from faces


def _spoilt(sighting: Sighting, noise: Noise, players: int, rng: Random) -> Iterator[Sighting]:
    """What is reported of one sighting: nothing, itself with doubts and at another time, or itself twice."""
    late = rng.expovariate(1 / noise.late) if noise.late else 0.0
    missed, twice = {
        Shown: (noise.shown_missed, noise.shown_twice), Thrown: (noise.thrown_missed, noise.thrown_twice),
        Dealt: (noise.dealt_missed, noise.dealt_twice), Cleared: (noise.uncleared, 0.0),
    }.get(type(sighting), (0.0, 0.0))  # fmt: skip
    if rng.random() < missed:
        return
    match sighting:
        case Shown():
            read_as = face(sighting.alternatives[0][0], noise, rng)
            seen: Sighting = replace(sighting, t=sighting.t + late, alternatives=read_as or sighting.alternatives[:0])
        case Thrown():
            seen = replace(sighting, places=place_odds(sighting.places[0][0], noise, players, rng),
                           counts=count_odds(sighting.counts[0][0], noise, rng))  # fmt: skip
        case Dealt():
            seen = replace(sighting, counts=count_odds(sighting.counts[0][0], noise, rng))
        case _:
            seen = sighting
    yield seen
    if isinstance(seen, Shown | Thrown | Dealt) and rng.random() < twice:
        yield replace(seen, t=seen.t + rng.uniform(0.5, 1.5), episode=FRESH + seen.episode)


def count_odds(count: int, noise: Noise, rng: Random) -> CountOdds:
    """A number of cards as it is counted: the true one first as often as its probability says."""
    near = [other for other in (count - 1, count + 1) if 1 <= other <= HAND]
    if rng.random() < noise.count_wrong:
        return ((rng.choice(near), 0.98), (count, 0.02))
    if not noise.count_doubted:
        return ((count, 1.0),)
    top = rng.uniform(0.4, 0.95) if rng.random() < noise.count_doubted else 1 - 10 ** rng.uniform(-4, -2.5)
    numbers, shares = [count, rng.choice(near)], [top, 1 - top]
    rank = rng.choices(range(2), shares)[0]
    numbers.insert(rank, numbers.pop(0))
    return tuple(sorted(zip(numbers, shares, strict=True), key=lambda pair: -pair[1]))
