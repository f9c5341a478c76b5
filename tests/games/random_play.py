"""Random play of any game: acts are drawn by their kind, and may be made less plain by the game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from companion.table.log import EventBase, tag

E = TypeVar("E", bound=EventBase)
S = TypeVar("S")


def by_kind(acts: Iterable[E]) -> dict[str, list[E]]:
    """The acts by their tags, in their order."""
    found: dict[str, list[E]] = {}
    for act in acts:
        found.setdefault(tag(act), []).append(act)
    return found


def drawn(acts: Mapping[str, list[E]], weights: Mapping[str, float], chance: random.Random) -> E:
    """One of the acts: first its kind is drawn, with the weight given or 1, then one of that kind, all alike."""
    kinds = list(acts)
    return chance.choice(acts[chance.choices(kinds, [weights.get(kind, 1.0) for kind in kinds])[0]])


def played(
    begin: Callable[[E], S], apply: Callable[[S, E], S], choose: Callable[[S, random.Random], E | None], first: E, seed: int,
    most: int,
) -> Iterator[tuple[E, S]]:  # fmt: skip
    """A game at random, of at most ``most`` events after the ``first``: each event with the state after it. ``begin``, ``apply``:
    of the game's rules; ``choose``: the next event, None once there is none."""
    chance = random.Random(seed)
    state = begin(first)
    yield first, state
    for _ in range(most):
        event = choose(state, chance)
        if event is None:
            return
        state = apply(state, event)
        yield event, state
