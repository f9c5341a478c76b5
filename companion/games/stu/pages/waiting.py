"""What the table waits for: `companion.table.game.Waiting`, of Lu Stù."""

from __future__ import annotations

from companion.games.stu.rules import State
from companion.table.game import Between, Over, Turn, Waiting


def waiting(state: State) -> Waiting:
    """What the table waits for. Once somebody has shown a card unasked, that is the showdown: nobody has a turn."""
    hand = state.hand
    if hand is None:
        return Over() if state.won else Between()
    names = tuple(state.table.names[seat] for seat in hand.order)
    if hand.asking is not None:
        return Turn("answer", names[hand.asking.asked], names[hand.asking.asker])
    if hand.drawing >= 0:
        return Turn("draw", names[hand.drawing])
    if hand.back >= 0:
        return Turn("keep", names[hand.back])
    if hand.turn < len(hand.order) and not hand.early:
        return Turn("decide", names[hand.turn])
    return Turn("show", None)
