"""Hands of Lu Stù beside those that were really played: which exchanges and draws are the same."""

from __future__ import annotations

from collections.abc import Sequence

from workshop.bench.stu.hands import Deed, PlayedHand
from workshop.scoring import Pairs, Verdict, verdicts_on


def compared(
    true: Sequence[PlayedHand], seen: Sequence[PlayedHand], seconds: float
) -> tuple[Verdict[PlayedHand], ...]:
    """The `verdicts_on` these hands; ``seconds``: how far apart in time a move may be told and still be the same one."""
    return verdicts_on(true, seen, lambda one, other: common(moves(one), moves(other), seconds))


def moves(hand: PlayedHand) -> list[Deed]:
    """What changes who holds which card: the hand's exchanges and draws."""
    return [deed for deed in hand.deeds if deed.kind in ("exchange", "draw")]


def common(true: Sequence[Deed], seen: Sequence[Deed], seconds: float) -> Pairs:
    """(index in ``true``, index in ``seen``) of deeds of one kind by the same players at most ``seconds`` apart.

    Of several that may be the same the nearest in time are.
    """
    near = sorted(
        (abs(a.t - b.t), i, j)
        for i, a in enumerate(true) for j, b in enumerate(seen)
        if a.kind == b.kind and a.who == b.who and abs(a.t - b.t) <= seconds
    )  # fmt: skip
    pairs: dict[int, int] = {}
    for _, i, j in near:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return tuple(sorted(pairs.items()))
