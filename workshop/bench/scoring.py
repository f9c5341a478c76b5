"""What every bench's score has of a hand: whether it is ruled right, how sure, and why it is wrong."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.table.sure import SURE_FROM


class HandRuled(msgspec.Struct, frozen=True):
    """One true hand of any game (``number`` from 1, ``start`` seconds) and how the log has it.

    ``found``: a hand of the log overlaps it in time. ``right``: that one's payments are the true ones. ``confidence``: of its
    ruling, None where there is none. ``causes``: what went wrong, in order of time; ``differences``: the same in words; both are
    empty for right hands. ``latency``: of right hands, seconds of the source from the last thing that decides the ruling to the
    ruling that lasts. ``taken_back``: it was ruled otherwise for a while, and shown as sure.
    """

    number: int
    start: float
    found: bool
    right: bool
    confidence: float | None
    causes: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    latency: float | None = None
    taken_back: bool = False

    @property
    def wrong_as_sure(self) -> bool:
        """A wrong ruling that nobody would be asked about: the worst that can happen."""
        return self.found and not self.right and (self.confidence or 0.0) >= SURE_FROM


NOT_SEEN = ("hand not seen",), ("no hand of the log overlaps it in time",)
"""Causes and differences of a hand that was not found."""


def in_words(causes: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The causes, each once, and the differences of a hand, of (cause, difference)."""
    return tuple(dict.fromkeys(cause for cause, _ in causes)), tuple(said for _, said in causes)


def causes_in_order(scores: Sequence[HandRuled]) -> dict[str, int]:
    """Each first cause with the number of hands that went wrong by it, the commonest first."""
    counts: dict[str, int] = {}
    for one in scores:
        if not one.right and one.causes:
            counts[one.causes[0]] = counts.get(one.causes[0], 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
