"""Who came in where in a tournament of Stoper. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.stoper.rules import State


def places(state: State) -> dict[str, int]:
    """Player → place, from 1: those with chips before those without, the larger stack first; who was out later before who was
    out earlier, and of those whom one hand put out who had more when it began. Equal ones share a place, as poker has it."""
    stacks = dict(zip(state.table.names, _first_stacks(state), strict=True))
    stood = {name: (0, stack) for name, stack in stacks.items()}
    for n, player, delta in _moves(state):
        before = stacks[player]
        stacks[player] += delta
        if not stacks[player]:
            stood[player] = (n, before)
    last = len(state.hands) + 1
    stood |= {name: (last, stack) for name, stack in stacks.items() if stack}
    return {name: 1 + sum(other > one for other in stood.values()) for name, one in stood.items()}


def _first_stacks(state: State) -> tuple[int, ...]:
    """What everybody had in the beginning."""
    found = dict(zip(state.table.names, state.hand.stacks_before if state.hand is not None else state.stacks, strict=True))
    for _, player, delta in _moves(state):
        found[player] -= delta
    return tuple(found.values())


def _moves(state: State) -> Iterator[tuple[int, str, int]]:
    """How a tournament's chips moved, in order: by a hand (its number), or as the table has said after it."""
    for n in range(len(state.hands) + 1):
        for paid in state.hands[n - 1].payments if n else ():
            yield n, paid.player, paid.delta
        for setting in state.settings:
            if setting.after == n:
                yield from ((n, name, by) for name, by in zip(state.table.names, setting.moved, strict=True) if by)
