"""A log of a game with betting taken apart into its hands, and the score of one clip: which hands are ruled right, what of them
was found, why the others are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from companion.table.game import Rules
from companion.table.log import Line, tag
from workshop.bench.scoring import NOT_SEEN, HandRuled, in_words
from workshop.scoring import HandTold, Verdict

H = TypeVar("H", bound=HandTold)
NONE: Mapping[int, float] = MappingProxyType({})


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
    latencies: Mapping[int, float] = NONE,
    taken_back: Collection[int] = (),
) -> ClipScore:
    """The score of these verdicts. ``counted``: of one on a true hand; ``differences``: (cause, in words) of a true hand and the
    log's, in the order of a hand's phases; ``latencies``, ``taken_back``: as of `workshop.bench.latency`."""
    true = [one for one in verdicts if one.true is not None]
    invented = (one for one in verdicts if one.true is None and one.seen is not None and one.seen.payments)
    return ClipScore(
        tuple(
            _score(number, verdict, counted(verdict), differences, latencies, taken_back)
            for number, verdict in enumerate(true, start=1)
        ),
        tuple(one.confidence for one in invented if one.confidence is not None),
    )


def _score(
    number: int,
    verdict: Verdict[H],
    counted: Mapping[str, Counted],
    differences: Callable[[H, H], list[tuple[str, str]]],
    latencies: Mapping[int, float],
    taken_back: Collection[int],
) -> HandScore:
    true, seen = verdict.true, verdict.seen
    assert true is not None
    if seen is None:
        return HandScore(number, true.start, False, False, None, *NOT_SEEN, counted=counted)
    causes = [] if verdict.right else differences(true, seen)
    latency = latencies.get(verdict.index) if verdict.index is not None else None
    return HandScore(
        number, true.start, True, verdict.right, verdict.confidence, *in_words(causes), latency, verdict.index in taken_back,
        counted=counted,
    )  # fmt: skip


def other_end(true: HandTold, seen: HandTold) -> list[tuple[str, str]]:
    """The difference where one is void or the log's has no end; none where both are over."""
    if true.void != seen.void:
        return [("void", "void" if true.void else "void in the log")]
    return [] if seen.over else [("not ended", "the hand has no end in the log")]


Hand = TypeVar("Hand", bound=Any)

Told = Callable[[Any, Any, Any, float, float, Line | None], Hand]
"""The state after a hand, the engine's hand, its ruling, when it began and ended (seconds) and the line with which it was over
(None: it is in progress) → the hand as it is scored."""


def hands_told(lines: Sequence[Line], rules: Rules, told: Told[Hand]) -> tuple[Hand, ...]:
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
