"""The adversary: spoils a stream of sightings of Stoppa as eyes do, at given rates, which may be worse than theirs.

Probabilities stay honest, except where a rate says so: of the faces and places reported with 0.8, one in five is another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.decks.italian import KINDS
from companion.eyes.sighting import Unseen
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Resumed, Shown, Sighting, TakenBack
from workshop.streams.adversary import FRESH, by_hand, face, place_odds


@dataclass(frozen=True, slots=True)
class Noise:
    """How often the eyes are wrong; ``Noise()`` makes them perfect. Rates are shares of the sightings concerned, 0 to 1.

    ``face_doubted``, ``face_misread``: as `workshop.streams.adversary.Reading`. ``face_unseen``: a card is seen to be
    laid, its face is not. ``lay_missed``: never reported. ``lay_twice``: reported again as another card. ``place_doubted``: the
    likeliest place has a probability between 0.4 and 0.95 (an honest one). ``place_wrong``: a neighbour's is reported as sure.
    ``parted``: cards put down in one motion are reported as put down one after the other. ``shown_missed``, ``shown_twice``: of
    faces before a place. ``dealt_missed``, ``dealt_twice``: of packets. ``late``: mean of an exponential delay of what lies open,
    seconds. ``blocked``: hands in which nothing can be seen for a while. ``uncleared``: hands whose clearing is not reported.
    ``stray``: hands after which cards that are being gathered seem to be dealt before a place. ``gathered``: hands at whose end
    the player who gathers the pile seems to lay a card that cannot be read. ``back_missed``: of cards taken back.
    """

    face_doubted: float = 0.0
    face_misread: float = 0.0
    face_unseen: float = 0.0
    lay_missed: float = 0.0
    lay_twice: float = 0.0
    place_doubted: float = 0.0
    place_wrong: float = 0.0
    parted: float = 0.0
    shown_missed: float = 0.0
    shown_twice: float = 0.0
    dealt_missed: float = 0.0
    dealt_twice: float = 0.0
    late: float = 0.0
    blocked: float = 0.0
    uncleared: float = 0.0
    stray: float = 0.0
    gathered: float = 0.0
    back_missed: float = 0.0

    @classmethod
    def easy(cls) -> Noise:
        """A well-lit table of four, in a sharp picture."""
        return cls(face_doubted=0.01, face_misread=0.00005, face_unseen=0.0005, lay_missed=0.0003, lay_twice=0.005,
                   place_doubted=0.03, place_wrong=0.0003, parted=0.05, shown_missed=0.002, shown_twice=0.02,
                   dealt_missed=0.01, dealt_twice=0.01, late=0.1, blocked=0.005, stray=0.1, gathered=0.7,
                   back_missed=0.05)  # fmt: skip

    @classmethod
    def medium(cls) -> Noise:
        """A table in the evening, with glasses and sleeves."""
        return cls(face_doubted=0.03, face_misread=0.0002, face_unseen=0.002, lay_missed=0.001, lay_twice=0.01,
                   place_doubted=0.08, place_wrong=0.001, parted=0.1, shown_missed=0.005, shown_twice=0.05,
                   dealt_missed=0.03, dealt_twice=0.03, late=0.15, blocked=0.02, stray=0.2, gathered=0.7,
                   back_missed=0.1)  # fmt: skip

    @classmethod
    def hard(cls) -> Noise:
        """Small cards, and hands everywhere."""
        return cls(face_doubted=0.06, face_misread=0.0005, face_unseen=0.005, lay_missed=0.003, lay_twice=0.02,
                   place_doubted=0.15, place_wrong=0.002, parted=0.2, shown_missed=0.01, shown_twice=0.1,
                   dealt_missed=0.08, dealt_twice=0.05, late=0.2, blocked=0.05, uncleared=0.005, stray=0.3,
                   gathered=0.7, back_missed=0.2)  # fmt: skip


UNREAD = 0.9
"""How probable all kinds of a card together are that cannot be read: it may be none."""
LEVELS = {"none": Noise(), "easy": Noise.easy(), "medium": Noise.medium(), "hard": Noise.hard()}
"""The named adversaries. The rate of `gathered` is that of 41 filmed hands; all others are guesses before clips were watched."""


def corrupt(stream: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> tuple[Sighting, ...]:
    """The stream as eyes with this noise report it, in the order in which it becomes sure."""
    spoilt: list[Sighting] = []
    for hand in by_hand(stream, Cleared):
        seen = _blocked(list(hand), noise, rng)
        spoilt += [found for sighting in seen for found in _spoilt(sighting, noise, players, rng)]
        spoilt += [*_gathered(hand, noise, players, rng), *_strays(hand, noise, players, rng)]
    return tuple(sorted(spoilt, key=_sure_at))


def _sure_at(seen: Sighting) -> float:
    """When a sighting is reported, seconds: several looks have to agree."""
    return float(seen.t) + (1.0 if isinstance(seen, Cleared) else 0.3)


def _blocked(seen: list[Sighting], noise: Noise, rng: Random) -> list[Sighting]:
    """Nothing can be seen for 2 to 6 seconds; then it is told how the table lies."""
    if rng.random() >= noise.blocked or len(seen) < 2:
        return seen
    start = rng.uniform(seen[0].t, seen[-1].t)
    end = min(start + rng.uniform(2, 6), seen[-1].t - 0.1)
    if end <= start:
        return seen
    before, within, after = ([one for one in seen if low <= one.t < high] for low, high in
                             ((-1.0, start), (start, end), (end, float("inf"))))  # fmt: skip
    pile = [one for one in (*before, *within) if isinstance(one, Laid)]
    changed = any(isinstance(one, Laid | TakenBack) for one in within)
    resumed = Resumed(start, end, bool(pile), not changed if pile else None, pile[-1].alternatives if pile else ())
    return [*before, Unseen(start, end, None, "blocked"), resumed, *after]


def _spoilt(sighting: Sighting, noise: Noise, players: int, rng: Random) -> Iterator[Sighting]:
    """What is reported of one sighting: nothing, itself with doubts and at another time, or itself twice."""
    late = rng.expovariate(1 / noise.late) if noise.late else 0.0
    match sighting:
        case Laid():
            if rng.random() < noise.lay_missed:
                return
            seen = replace(sighting, alternatives=face(sighting.alternatives[0][0], noise, rng),
                           places=place_odds(sighting.places[0][0], noise, players, rng))  # fmt: skip
            if rng.random() < noise.parted:
                seen = replace(seen, motion=FRESH + seen.episode)
            yield seen
            if rng.random() < noise.lay_twice:
                again = replace(seen, t=seen.t + rng.uniform(0.3, 1.5), episode=FRESH + seen.episode)
                yield replace(again, motion=2 * FRESH + seen.episode)
        case Shown():
            if rng.random() < noise.shown_missed:
                return
            read_as = face(sighting.alternatives[0][0], noise, rng)
            yield replace(sighting, t=sighting.t + late, alternatives=read_as or sighting.alternatives)
            if rng.random() < noise.shown_twice:
                yield replace(sighting, t=sighting.t + late + rng.uniform(0.5, 1.5), episode=FRESH + sighting.episode)
        case Dealt():
            if rng.random() >= noise.dealt_missed:
                yield sighting
            if rng.random() < noise.dealt_twice:
                yield replace(sighting, t=sighting.t + rng.uniform(0.5, 4))
        case TakenBack():
            if rng.random() >= noise.back_missed:
                yield sighting
        case Cleared():
            if rng.random() >= noise.uncleared:
                yield sighting
        case _:
            yield sighting


def _gathered(hand: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> Iterator[Sighting]:
    """Before the clearing, a hand is over the pile, and what it seems to lay there may be any card."""
    laid = [one for one in hand if isinstance(one, Laid)]
    if laid and isinstance(hand[-1], Cleared) and rng.random() < noise.gathered:
        unread = tuple((kind, UNREAD / len(KINDS)) for kind in KINDS)
        t = rng.uniform(laid[-1].t, hand[-1].t)
        yield Laid(t, 3 * FRESH + laid[-1].episode, unread, ((rng.randrange(players), 1.0),), 3 * FRESH + laid[-1].episode)


def _strays(hand: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> Iterator[Sighting]:
    """After the clearing, backs that are being gathered seem to be dealt before a place."""
    if isinstance(hand[-1], Cleared) and rng.random() < noise.stray:
        yield Dealt(hand[-1].t + rng.uniform(0.2, 1.0), rng.randrange(players), 3)
