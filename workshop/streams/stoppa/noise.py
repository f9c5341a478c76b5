"""The adversary: spoils a stream of sightings of Stoppa as eyes do, at given rates, which may be worse than theirs.

Probabilities stay honest, except where a rate says so: of the faces and places reported with 0.8, one in five is another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.decks.italian import KINDS
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Resumed, Shown, Sighting, TakenBack
from workshop.streams.adversary import FRESH, ItalianNoise, by_hand, face, named_noises, place_odds, unseen_for_a_while


@dataclass(frozen=True, slots=True)
class Noise(ItalianNoise):
    """How often the eyes are wrong; ``Noise()`` makes them perfect.

    ``lay_missed``: a card laid is never reported; ``lay_twice``: again as another. ``reported_apart``: cards put down in one
    motion are reported as put down one after the other. ``gathered``: hands at whose end the player who gathers the pile seems to
    lay a card that cannot be read. ``back_missed``: cards taken back that are never reported.
    """

    lay_missed: float = 0.0
    lay_twice: float = 0.0
    reported_apart: float = 0.0
    gathered: float = 0.0
    back_missed: float = 0.0


UNREAD = 0.9
"""How probable all kinds of a card together are that cannot be read: it may be none."""
LEVELS = named_noises(
    Noise, lay_missed=(0.0003, 0.001, 0.003), lay_twice=(0.005, 0.01, 0.02), reported_apart=(0.05, 0.1, 0.2), gathered=(0.7, 0.7,
                                                                                                                        0.7),
    back_missed=(0.05, 0.1, 0.2),
)  # fmt: skip
"""The named adversaries. The rate of `gathered` is that of 41 filmed hands; all others are guesses before clips were watched."""


def corrupt(stream: Sequence[Sighting], noise: Noise, players: int, rng: Random) -> tuple[Sighting, ...]:
    """The stream as eyes with this noise report it, in the order in which it becomes sure."""
    spoilt: list[Sighting] = []
    for hand in by_hand(stream, Cleared):
        seen = unseen_for_a_while(list(hand), noise.blocked, rng, _resumed)
        spoilt += [found for sighting in seen for found in _spoilt(sighting, noise, players, rng)]
        spoilt += [*_gathered(hand, noise, players, rng), *_strays(hand, noise, players, rng)]
    return tuple(sorted(spoilt, key=_sure_at))


def _sure_at(seen: Sighting) -> float:
    """When a sighting is reported, seconds: several looks have to agree."""
    return float(seen.t) + (1.0 if isinstance(seen, Cleared) else 0.3)


def _resumed(start: float, end: float, before: Sequence[Sighting], within: Sequence[Sighting]) -> Iterator[Sighting]:
    """How the table lies after a time in which nothing could be seen."""
    pile = [one for one in (*before, *within) if isinstance(one, Laid)]
    changed = any(isinstance(one, Laid | TakenBack) for one in within)
    yield Resumed(start, end, bool(pile), not changed if pile else None, pile[-1].alternatives if pile else ())


def _spoilt(sighting: Sighting, noise: Noise, players: int, rng: Random) -> Iterator[Sighting]:
    """What is reported of one sighting: nothing, itself with doubts and at another time, or itself twice."""
    late = rng.expovariate(1 / noise.late) if noise.late else 0.0
    match sighting:
        case Laid():
            if rng.random() < noise.lay_missed:
                return
            seen = replace(sighting, alternatives=face(sighting.alternatives[0][0], noise, rng),
                           places=place_odds(sighting.places[0][0], noise, players, rng))  # fmt: skip
            if rng.random() < noise.reported_apart:
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
