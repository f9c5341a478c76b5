"""What a line of Stoper says in its place, beyond its words: what somebody sees with a vedo, whether who passes is out. Pure."""

from __future__ import annotations

from collections.abc import Hashable

from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Event, Muck, Show, Void
from companion.games.stoper.rules.waiting import waiting
from companion.table.game import Turn


def sense(before: State, event: Event, after: State) -> Hashable:
    """What the table waited for, whose chips then are more or fewer, whether somebody is out; who deals the hand that it
    begins."""
    hand, waits = before.hand, waiting(before)
    if isinstance(event, Void | Show | Muck):
        return None  # several show at once: who is told last decides it, and means no more by it
    chips = tuple([now - was for was, now in zip(before.stacks, after.stacks, strict=True)])
    if hand is None:
        return chips, after.table.names[after.hand.dealer] if after.hand is not None else None
    out = hand.live & ~after.hand.live if after.hand is not None else 0
    return waits.step if isinstance(waits, Turn) else "", hand.phase, chips, out
