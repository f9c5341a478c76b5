"""Ours beside pokerkit, the best-known pure-Python engine of another card game, in alternating runs of processor time.

A machine that does other work slows both runs of a pair about alike: the ratio says more than either rate, and its spread over
the pairs says how much to trust it. pokerkit is measured where it is installed (extra ``bench``).
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

try:
    import pokerkit
except ModuleNotFoundError:
    pokerkit = None

Play = Callable[[], int]
"""Does some work and says how many operations (or hands) it was."""


def poker_hand(chance: random.Random, players: int = 6) -> int:
    """A hand of no-limit hold'em, all automated but the players, who check, call, fold or raise by chance: its operations."""
    state: Any = pokerkit.NoLimitTexasHoldem.create_state(
        tuple(pokerkit.Automation), True, 0, (1, 2), 2, (200,) * players, players
    )
    while state.status:
        acts = [state.check_or_call] if state.can_check_or_call() else []
        if state.can_fold():
            acts.append(state.fold)
        if state.can_complete_bet_or_raise_to():
            acts.append(state.complete_bet_or_raise_to)
        chance.choice(acts)()
    return len(state.operations)


def poker_operations(hands: int = 100) -> int:
    """Play ``hands`` hands with 6 players; how many entries they made in their states' operations."""
    chance = random.Random(1)
    return sum(poker_hand(chance) for _ in range(hands))


def poker_hands(hands: int = 50) -> int:
    """Play ``hands`` hands with 6 players; how many they were."""
    chance = random.Random(1)
    for _ in range(hands):
        poker_hand(chance)
    return hands


def rate(play: Play) -> float:
    """How much of it is done in a second of processor time."""
    begun = time.process_time()
    count = play()
    return count / (time.process_time() - begun)


def compare(title: str, ours: Play, theirs: Play | None, pairs: int) -> None:
    """Print a row: our rate (median), and how many times theirs it is (least, median, most) over the pairs."""
    rates, ratios = [], []
    for _ in range(pairs):
        peer = rate(theirs) if theirs is not None and pokerkit is not None else None
        rates.append(rate(ours))
        if peer is not None:
            ratios.append(rates[-1] / peer)
    row = f"| {title} | {statistics.median(rates):,.0f} |"
    if ratios:
        row += f" {statistics.median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f}) |"
    print(row, flush=True)


def heading(what: str) -> None:
    """Print a table's head; ``what``: what is counted."""
    peer = f" times pokerkit {version('pokerkit')}: median (least to most) |" if pokerkit is not None else ""
    print(f"| {what} | per second |{peer}\n|---|---|{'---|' if peer else ''}")
