"""The one scorer of hands: the hands of a log beside those that were really played, matched by the time that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from companion.table.sure import SURE_FROM

Pairs = tuple[tuple[int, int], ...]


class HandTold(Protocol):
    """A hand of a log of any game, as far as it is scored.

    ``start``, ``end``: seconds; ``payments``: all that was paid, in a form that can be compared; ``confidence``: the probability
    that it is right, None where the log does not say.
    """

    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def over(self) -> bool: ...
    @property
    def void(self) -> bool: ...
    @property
    def payments(self) -> tuple[Any, ...]: ...
    @property
    def confidence(self) -> float | None: ...


H = TypeVar("H", bound=HandTold)


@dataclass(frozen=True, slots=True)
class Verdict(Generic[H]):
    """What a log made of one hand. ``true`` is None where the hand was never played, ``seen`` where no hand of the log fits.

    ``index``: of ``seen`` among the hands of its log. ``found``: which of the true moves are told, as pairs (index among those of
    ``true``, index among those of ``seen``).
    """

    true: H | None
    seen: H | None
    index: int | None = None
    found: Pairs = ()

    @property
    def right(self) -> bool:
        """The hand was played, is over in the log, and pays what it really paid, to the last key."""
        return self.true is not None and self.seen is not None and alike(self.true, self.seen)

    @property
    def confidence(self) -> float | None:
        """How sure the log is of its payments, 0 to 1: 1 where it does not say, None where it rules nothing."""
        if self.seen is None or not self.seen.over:
            return None
        return 1.0 if self.seen.confidence is None else self.seen.confidence

    @property
    def sure(self) -> bool:
        """Nobody would be asked about this ruling."""
        return (self.confidence or 0.0) >= SURE_FROM


def verdicts_on(true: Sequence[H], seen: Sequence[H], common: Callable[[H, H], Pairs]) -> tuple[Verdict[H], ...]:
    """A verdict on each true hand, in their order; then one on each seen hand that was never played.

    ``common``: which moves of a true hand and of a seen one are the same.
    """
    partner = matched(true, seen)
    verdicts: list[Verdict[H]] = []
    for number, hand in enumerate(true):
        if number in partner:
            other = seen[partner[number]]
            verdicts.append(Verdict(hand, other, partner[number], common(hand, other)))
        else:
            verdicts.append(Verdict(hand, None))
    invented = sorted(set(range(len(seen))) - set(partner.values()))
    return (*verdicts, *(Verdict(None, seen[index], index) for index in invented))


def matched(true: Sequence[HandTold], seen: Sequence[HandTold]) -> dict[int, int]:
    """Index of a true hand → index of the seen hand that overlaps it longest in time; each seen hand is given once."""
    overlaps = [(min(a.end, b.end) - max(a.start, b.start), i, j) for i, a in enumerate(true) for j, b in enumerate(seen)]
    pairs: dict[int, int] = {}
    for overlap, i, j in sorted(overlaps, key=lambda entry: (-entry[0], entry[1], entry[2])):
        if overlap > 0 and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def alike(true: HandTold, seen: HandTold) -> bool:
    """Whether the seen hand is over and its payments are the true ones to the last key; one void hand is like another."""
    return seen.over and true.void == seen.void and true.payments == seen.payments
