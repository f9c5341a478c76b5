"""What a log said on the way to its last version: how long after the last thing that decides a ruling it stands, and which
rulings were shown as sure and taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from companion.table.log import Line
from companion.table.sure import SURE_FROM
from workshop.scoring import HandTold, Verdict

H = TypeVar("H", bound=HandTold)


class LogVersion(msgspec.Struct, frozen=True):
    """The log as it stood from ``t`` on, seconds of the source."""

    t: float
    log: tuple[Line, ...]


def latencies(
    verdicts: Sequence[Verdict[H]], versions: Sequence[LogVersion], played: Callable[[Sequence[Line]], Sequence[H]],
    decided: Callable[[H], float | None], ruled: Callable[[H], bool] = lambda hand: hand.over,
) -> dict[int, float]:  # fmt: skip
    """Index of a seen hand → seconds from when the true one was decided until the log ruled as in the end, and kept to it.

    Only of hands that are right in the end. ``played``: the hands of a log. ``decided``: when the last thing happened that
    decides a true hand, seconds; None: there is none, and the hand is left out. ``ruled``: whether a hand of the log has come to
    its ruling.
    """
    since: dict[int, float] = {}
    wanted = {one.index: one for one in verdicts if one.right and one.index is not None}
    for version in versions:
        now = played(version.log)
        for index, one in wanted.items():
            assert one.seen is not None
            same = index < len(now) and ruled(now[index]) and now[index].payments == one.seen.payments
            if not same:
                since.pop(index, None)
            elif index not in since:
                since[index] = version.t
    began = {index: decided(one.true) for index, one in wanted.items() if one.true is not None}
    return {index: round(t - at, 3) for index, t in since.items() if (at := began[index]) is not None}


def taken_back(
    verdicts: Sequence[Verdict[H]], versions: Sequence[LogVersion], played: Callable[[Sequence[Line]], Sequence[H]]
) -> frozenset[int]:
    """Indices of the seen hands that were over and sure for a while, and paid otherwise in the end: somebody has read that."""
    last = {one.index: one.seen for one in verdicts if one.index is not None and one.seen is not None}
    return frozenset(
        index
        for version in versions
        for index, hand in enumerate(played(version.log))
        if index in last and hand.over and (hand.confidence or 0.0) >= SURE_FROM and hand.payments != last[index].payments
    )
