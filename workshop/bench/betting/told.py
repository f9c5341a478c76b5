"""A table log, taken apart into its hands, for games that the phone keeps with the camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from companion.table.game import Rules
from companion.table.log import Line, tag

H = TypeVar("H", bound=Any)

Told = Callable[[Any, Any, Any, float, float, Line | None], H]
"""The state after a hand, the engine's hand, its ruling, when it began and ended (seconds) and the line with which it was over
(None: it is in progress) → the hand as it is scored."""


def hands_told(lines: Sequence[Line], rules: Rules, told: Told[H]) -> tuple[H, ...]:
    """The hands of a log; the last one may be in progress. A line without a time has that of the line before.

    Raises:
        companion.table.errors.GameError: the log cannot have happened.
    """
    state: Any = rules.begin(lines[0].event)
    hands: list[Any] = []
    start = t = 0.0
    for line in lines[1:]:
        t = line.t if line.t is not None else t
        before, state = state, rules.apply(state, line.event)
        if before.hand is not None and (state.hand is None or state.hand.n != before.hand.n):
            ended = state.ended if state.ended is not None and state.ended.n == before.hand.n else before.hand
            hands.append(told(state, ended, state.hands[before.hand.n - 1], start, t, line))
        elif tag(line.event) == "end" and hands:  # it says how sure what was over by itself is
            hands[-1] = replace(hands[-1], confidence=line.confidence)
        if tag(line.event) == "hand":
            start = t
    if state.hand is not None:
        hands.append(told(state, state.hand, rules.ruling(state, state.hand.n), start, t, None))
    return tuple(hands)
