"""A table log of Lu Stù, taken apart: each hand with its times, its ruling and what was done in it; and which moves of two hands
are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

from companion.games.stu.rules import State, apply, begin
from companion.games.stu.rules import log as tl
from companion.table.log import Line
from workshop.scoring import Pairs, Verdict, verdicts_on

DeedKind = Literal["exchange", "draw", "refusal", "face"]


@dataclass(frozen=True, slots=True)
class Deed:
    """Something done with cards at ``t`` seconds. ``who``: the player; of an exchange both, in order of their names.

    A ``refusal`` is a card shown in answer to a passo, a ``face`` any other card shown; ``card`` is its kind.
    """

    kind: DeedKind
    t: float
    who: tuple[str, ...]
    card: str | None = None


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a log. ``start`` and ``end`` in seconds; ``end`` is that of the last deed where the hand is not ``over``.

    ``order``: who played, the dealer last. ``payments``: as `companion rule --json` prints them. ``last_face``: when the last
    card was shown, seconds. ``confidence``: the ``end`` line's, the probability that the payments are right.
    """

    dealer: str
    order: tuple[str, ...]
    start: float
    end: float
    over: bool
    void: bool
    payments: tuple[dict[str, Any], ...]
    deeds: tuple[Deed, ...]
    last_face: float | None
    confidence: float | None


@dataclass(slots=True)
class _Open:
    order: tuple[str, ...]
    start: float
    deeds: list[Deed] = field(default_factory=list)
    latest: float = 0.0


def played(lines: Sequence[Line]) -> tuple[PlayedHand, ...]:
    """The hands of a log; the last one may be in progress. A line without a time has that of the line before.

    Raises:
        companion.table.errors.GameError: the log cannot have happened.
    """
    first = lines[0].event
    assert isinstance(first, tl.Game)
    state = begin(first)
    hands: list[PlayedHand] = []
    opened: _Open | None = None
    t = 0.0
    for line in lines[1:]:
        t = line.t if line.t is not None else t
        before, state = state, apply(state, line.event)
        if before.hand is None and state.hand is not None:
            opened = _Open(tuple(state.table.names[seat] for seat in state.hand.order), t, latest=t)
        elif isinstance(line.event, tl.End) and before.hand is None and hands:  # after a final that was won outright
            hands[-1] = replace(hands[-1], confidence=line.confidence)
        elif opened is not None and before.hand is not None:
            opened.latest = max(opened.latest, t)
            opened.deeds += _deeds(before, line.event, t)
            if state.hand is None:
                hands.append(_closed(opened, state, line, t))
                opened = None
    if opened is not None and state.hand is not None:
        hands.append(_running(opened, state))
    return tuple(hands)


def _deeds(state: State, event: tl.Event, t: float) -> list[Deed]:
    hand, names = state.hand, state.table.names
    assert hand is not None
    match event:
        case tl.Swap() | tl.Taverna() if hand.asking is not None:
            pair = sorted(names[hand.order[position]] for position in (hand.asking.asker, hand.asking.asked))
            shown = [Deed("refusal", t, (event.by,), "taverna")] if isinstance(event, tl.Taverna) else []
            return [*shown, Deed("exchange", t, tuple(pair))]
        case tl.Draw():
            return [Deed("draw", t, (event.by,))]
        case tl.Reveal():
            asked = hand.asking is not None and names[hand.order[hand.asking.asked]] == event.by
            return [Deed("refusal" if asked else "face", t, (event.by,), event.card)]
    return []


def _closed(opened: _Open, state: State, line: Line, t: float) -> PlayedHand:
    ruling = state.hands[-1]
    return _hand(opened, ruling.dealer, ruling.payments, max(t, opened.latest), True, ruling.void, line.confidence)


def _running(opened: _Open, state: State) -> PlayedHand:
    assert state.hand is not None
    dealer = state.table.names[state.hand.dealer]
    return _hand(opened, dealer, state.hand.payments, opened.latest, False, False, None)


def _hand(
    opened: _Open, dealer: str, payments: Sequence[Any], end: float, over: bool, void: bool, confidence: float | None
) -> PlayedHand:
    faces = [deed.t for deed in opened.deeds if deed.card is not None]
    plain = tuple(msgspec.to_builtins(payment) for payment in payments)
    return PlayedHand(
        dealer, opened.order, opened.start, end, over, void, plain, tuple(opened.deeds), max(faces, default=None), confidence
    )


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
