"""Faces that lay under a hand, or were held: it is not known when they were turned, only since when no back was seen there.

A trump that refused a passo while a hand lay on it looks, once the hand is gone, like one shown late. So for everything that
happened in that time, histories are also tried in which the card had been shown just then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.decks.stu import as_kind
from companion.games.stu.referee.holes import holes_within, parts
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.sightings import Appeared, DeckExchanged, Exchanged, Shown, Sighting

PROMPT_SECONDS = 0.6
"""Seconds from the last look at a card's back to its face, at most, where nothing covers it: 0.07 to 0.4 s were measured for 93
of 101 faces."""
MAX_MOMENTS = 4
"""Moments, the latest ones, at which the card may have been shown and that are tried: each may double the histories."""
MIN_ALTERNATIVE_PROBABILITY = 0.02
"""Probability below which an alternative is not tried."""


@dataclass(frozen=True, slots=True)
class Covered:
    """From ``t`` seconds on one of these trumps (``kinds``) may have lain open in ``place``, seen as ``episode`` only later."""

    t: float
    place: int
    episode: int
    kinds: tuple[str, ...]


def covered(sightings: Iterable[Sighting]) -> Iterator[Covered]:
    """The moments at which a face seen later may have been shown: when its back was last seen, and after each act since then.

    Where no card was ever seen to appear, a hand may have lain on it since the deal.
    """
    sightings = tuple(sightings)
    came = {seen.place for seen in sightings if isinstance(seen, Appeared)}
    begun = min((seen.t for seen in sightings), default=0.0)
    gaps = holes_within(sightings)
    acts = [seen.t for seen in sightings if _may_be_asked_after(seen)] + [part.t for hole in gaps for part in parts(hole)]
    for seen in sightings:
        if not isinstance(seen, Shown):
            continue
        since = begun if seen.not_before is None and seen.place not in came else seen.not_before
        if since is None:  # a program that has just been started has seen no back
            since = next((hole.unseen.t for hole in reversed(gaps) if hole.unseen.until <= seen.t + PROMPT_SECONDS), None)
        if since is None or seen.t - since <= PROMPT_SECONDS:
            continue
        if kinds := _trumps(seen):
            hidden = any(since <= hole.unseen.until <= seen.t + PROMPT_SECONDS for hole in gaps)
            most = MAX_MOMENTS + 2 if hidden else MAX_MOMENTS
            for t in sorted({since, *(act for act in acts if since < act < seen.t)})[-most:]:
                yield Covered(t, seen.place, seen.episode, kinds)


def _may_be_asked_after(seen: Sighting) -> bool:
    """Whether players may still pass after this: an exchange, a draw, a trump that may have refused a passo."""
    return isinstance(seen, Exchanged | DeckExchanged) or (isinstance(seen, Shown) and bool(_trumps(seen)))


def _trumps(seen: Shown) -> tuple[str, ...]:
    """The trumps among the face's likely kinds."""
    return tuple(kind for kind, odds in seen.alternatives if odds >= MIN_ALTERNATIVE_PROBABILITY and is_trump(as_kind(kind)))
