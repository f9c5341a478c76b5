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
from workshop.streams.adversary import FRESH, by_hand, face, place_odds


@dataclass(frozen=True, slots=True)
class Noise:
    """How often the eyes are wrong; ``Noise()`` makes them perfect. Rates are shares of the sightings concerned, 0 to 1.

    ``face_doubted``, ``face_misread``: as `workshop.streams.adversary.Reading`. ``face_unseen``, ``place_doubted``,
    ``place_wrong``: as `workshop.streams.adversary.Misreading`. ``count_doubted``: the likeliest number of cards has a
    probability between 0.4 and 0.95 (an honest one). ``count_wrong``: another number is reported as sure. ``shown_missed``,
    ``shown_twice``, ``thrown_missed``, ``thrown_twice``, ``dealt_missed``, ``dealt_twice``: never reported, or again as another.
    ``late``: mean of an exponential delay of what lies open, seconds. ``blocked``: hands in which nothing can be seen for
    a while. ``uncleared``: hands whose clearing is not reported. ``stray``: hands after which cards that are being gathered seem
    to be dealt before a place.
    """

    face_doubted: float = 0.0
    face_misread: float = 0.0
    face_unseen: float = 0.0
    place_doubted: float = 0.0
    place_wrong: float = 0.0
    count_doubted: float = 0.0
    count_wrong: float = 0.0
    shown_missed: float = 0.0
    shown_twice: float = 0.0
    thrown_missed: float = 0.0
    thrown_twice: float = 0.0
    dealt_missed: float = 0.0
    dealt_twice: float = 0.0
    late: float = 0.0
    blocked: float = 0.0
    uncleared: float = 0.0
    stray: float = 0.0

    @classmethod
    def easy(cls) -> Noise:
        """A well-lit table of four, in a sharp picture."""
        return cls(face_doubted=0.01, face_misread=0.00005, face_unseen=0.0005, place_doubted=0.03, place_wrong=0.0003,
                   count_doubted=0.03, count_wrong=0.002, shown_missed=0.002, shown_twice=0.02, thrown_missed=0.005,
                   thrown_twice=0.005, dealt_missed=0.01, dealt_twice=0.01, late=0.1, blocked=0.005, stray=0.1)  # fmt: skip

    @classmethod
    def medium(cls) -> Noise:
        """A table in the evening, with glasses and sleeves."""
        return cls(face_doubted=0.03, face_misread=0.0002, face_unseen=0.002, place_doubted=0.08, place_wrong=0.001,
                   count_doubted=0.08, count_wrong=0.005, shown_missed=0.005, shown_twice=0.05, thrown_missed=0.015,
                   thrown_twice=0.01, dealt_missed=0.03, dealt_twice=0.03, late=0.15, blocked=0.02, stray=0.2)  # fmt: skip

    @classmethod
    def hard(cls) -> Noise:
        """Small cards, and hands everywhere."""
        return cls(face_doubted=0.06, face_misread=0.0005, face_unseen=0.005, place_doubted=0.15, place_wrong=0.002,
                   count_doubted=0.15, count_wrong=0.01, shown_missed=0.01, shown_twice=0.1, thrown_missed=0.04,
                   thrown_twice=0.02, dealt_missed=0.08, dealt_twice=0.05, late=0.2, blocked=0.05, uncleared=0.005,
                   stray=0.3)  # fmt: skip


LEVELS = {"none": Noise(), "easy": Noise.easy(), "medium": Noise.medium(), "hard": Noise.hard()}
"""The named adversaries: rates that Stoppa's have are the same, the others are guesses before clips have been watched."""


def corrupt(stream: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> tuple[Sighting, ...]:
    """The stream as eyes with this noise report it, in the order in which it becomes sure."""
    spoilt: list[Sighting] = []
    for hand in by_hand(stream, Cleared):
        for sighting in _blocked(list(hand), noise, rng):
            spoilt += _spoilt(sighting, noise, players, rng)
        if isinstance(hand[-1], Cleared) and rng.random() < noise.stray:
            t = hand[-1].t + rng.uniform(0.2, 1.0)
            spoilt.append(Dealt(t, FRESH * 3 + len(spoilt), rng.randrange(players), ((HAND, 1.0),), t))
    return tuple(sorted(spoilt, key=sure_at))


def sure_at(seen: Sighting) -> float:
    """When a sighting is reported, seconds: several looks have to agree."""
    t = float(getattr(seen, "until", seen.t))
    return t + (1.0 if isinstance(seen, Cleared) else 0.0 if isinstance(seen, Unseen) else 0.3)


def _blocked(seen: list[Sighting], noise: Noise, rng: Random) -> list[Sighting]:
    """Nothing can be seen for 2 to 6 seconds; then it is told how the table lies. Faces that still lie there are seen then."""
    if rng.random() >= noise.blocked or len(seen) < 2:
        return seen
    start = rng.uniform(seen[0].t, seen[-1].t)
    end = min(start + rng.uniform(2, 6), seen[-1].t - 0.1)
    if end <= start:
        return seen
    before, within, after = ([one for one in seen if low <= one.t < high] for low, high in
                             ((-1.0, start), (start, end), (end, float("inf"))))  # fmt: skip
    faces = [replace(one, t=end) for one in within if isinstance(one, Shown)]
    open_now = tuple({one.place for one in (*before, *faces) if isinstance(one, Shown)})
    middle = any(isinstance(one, Thrown) for one in (*before, *within))
    resumed = Resumed(start, end, not within, middle, (), open_now)
    return [*before, Unseen(start, end, None, "blocked"), resumed, *faces, *after]


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
