"""The score of one clip of a game with betting: which hands are ruled right, what of them was found, why the others are wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from workshop.bench.scoring import NOT_SEEN, HandRuled, in_words
from workshop.scoring import HandTold, Verdict

H = TypeVar("H", bound=HandTold)


class Counted(msgspec.Struct, frozen=True):
    """Things of one kind in a hand: how many there ``were``, how many the log has, ``told``, and how many of these are true,
    ``found``."""

    were: int
    told: int
    found: int


class HandScore(HandRuled, frozen=True, kw_only=True):
    """One true hand and how the log has it. It is ``right`` where the log says who pays whom how much for what. ``counted``: by
    kind, such as laid cards or exchanges."""

    counted: Mapping[str, Counted]


class ClipScore(msgspec.Struct, frozen=True):
    """A clip's hands; ``invented``: the confidences of rulings on hands that were never played."""

    hands: tuple[HandScore, ...]
    invented: tuple[float, ...]


def scored(
    verdicts: Sequence[Verdict[H]],
    counted: Callable[[Verdict[H]], Mapping[str, Counted]],
    differences: Callable[[H, H], list[tuple[str, str]]],
) -> ClipScore:
    """The score of these verdicts. ``counted``: of one on a true hand; ``differences``: (cause, in words) of a true hand and the
    log's, in the order of a hand's phases."""
    true = [one for one in verdicts if one.true is not None]
    invented = (one for one in verdicts if one.true is None and one.seen is not None and one.seen.payments)
    return ClipScore(
        tuple(_score(number, verdict, counted(verdict), differences) for number, verdict in enumerate(true, start=1)),
        tuple(one.confidence for one in invented if one.confidence is not None),
    )


def _score(
    number: int,
    verdict: Verdict[H],
    counted: Mapping[str, Counted],
    differences: Callable[[H, H], list[tuple[str, str]]],
) -> HandScore:
    true, seen = verdict.true, verdict.seen
    assert true is not None
    if seen is None:
        return HandScore(number, true.start, False, False, None, *NOT_SEEN, counted=counted)
    causes = [] if verdict.right else differences(true, seen)
    return HandScore(number, true.start, True, verdict.right, verdict.confidence, *in_words(causes), counted=counted)


def other_end(true: HandTold, seen: HandTold) -> list[tuple[str, str]]:
    """The difference where one is void or the log's has no end; none where both are over."""
    if true.void != seen.void:
        return [("void", "void" if true.void else "void in the log")]
    return [] if seen.over else [("not ended", "the hand has no end in the log")]
