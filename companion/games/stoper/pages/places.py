"""Who came in where in a tournament of Stoper. Pure."""

from __future__ import annotations

from companion.games.stoper.rules import State


def places(state: State) -> dict[str, int]:
    """Player → place, from 1: those with chips before those without, the larger stack first; who was out later before who was
    out earlier, and of those whom one hand put out who had more when it began. Equal ones share a place, as poker has it."""
    stacks = dict(zip(state.table.names, _first_stacks(state), strict=True))
    stood = {name: (0, stack) for name, stack in stacks.items()}
    for n, hand in enumerate(state.hands, start=1):
        for paid in hand.payments:
            before = stacks[paid.player]
            stacks[paid.player] += paid.delta
            if not stacks[paid.player]:
                stood[paid.player] = (n, before)
    last = len(state.hands) + 1
    stood |= {name: (last, stack) for name, stack in stacks.items() if stack}
    return {name: 1 + sum(other > one for other in stood.values()) for name, one in stood.items()}


def _first_stacks(state: State) -> tuple[int, ...]:
    """What everybody had before the first hand: a tournament's chips move by its hands alone."""
    found = dict(zip(state.table.names, state.hand.stacks_before if state.hand is not None else state.stacks, strict=True))
    for hand in state.hands:
        for paid in hand.payments:
            found[paid.player] -= paid.delta
    return tuple(found.values())
