"""What a log made of sightings is worth beside the true one: hands matched by time, payments, exchanges, confidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.stu import apply, begin
from companion.stu import log as tl
from companion.stu.log import Line
from companion.stu.table import Payment, State

SURE = 0.95
"""A ruling is shown as sure from this confidence on."""
BINS = 10
NEAR_SECONDS = 3.0
"""An exchange is found when one between the same two is told within so many seconds."""

Exchange = tuple[float, frozenset[str]]
"""When it was over, and between whom; of a draw, the one player."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand of a log. ``since``, ``until``: seconds. ``confidence``: of its payments. ``payments`` is None for a void hand."""

    since: float
    until: float
    payments: tuple[Payment, ...] | None
    exchanges: tuple[Exchange, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was made of one hand. ``true`` is None where a hand was told that never was; ``told`` where one was not found.

    ``found``: how many exchanges the two have in common.
    """

    true: PlayedHand | None
    told: PlayedHand | None
    found: int

    @property
    def right(self) -> bool:
        """The payments are equal to the last key."""
        return self.true is not None and self.told is not None and self.true.payments == self.told.payments

    @property
    def sure(self) -> bool:
        return self.told is not None and self.told.confidence >= SURE


def hands_of(lines: Sequence[Line]) -> tuple[PlayedHand, ...]:
    """The hands of a timed log that are over, in order."""
    game = lines[0].event
    assert isinstance(game, tl.Game)
    state = begin(game)
    found: list[PlayedHand] = []
    since, exchanges, latest = 0.0, list[Exchange](), 0.0
    for line in lines[1:]:
        t = latest if line.t is None else line.t
        latest = max(latest, t)
        if isinstance(line.event, tl.Hand):
            since, exchanges, latest = t, [], t
        exchanges += _exchange(line.event, t, state)
        before, state = state, apply(state, line.event)
        if before.hand is not None and state.hand is None:
            ruled = state.hands[-1]
            sure = 1.0 if line.confidence is None else line.confidence
            found.append(PlayedHand(since, latest, None if ruled.void else ruled.payments, tuple(exchanges), sure))
        elif isinstance(line.event, tl.End) and found and line.confidence is not None:  # after a final won outright
            last = found[-1]
            found[-1] = PlayedHand(last.since, last.until, last.payments, last.exchanges, line.confidence)
    return tuple(found)


def _exchange(event: tl.Event, t: float, state: State) -> list[Exchange]:
    hand = state.hand
    if hand is None:
        return []
    if isinstance(event, tl.Draw):
        return [(t, frozenset({event.by}))]
    if isinstance(event, tl.Swap | tl.Taverna) and hand.asking:
        names = state.table.names
        return [(t, frozenset({names[hand.order[hand.asking.asker]], names[hand.order[hand.asking.asked]]}))]
    return []


def compare(true: Sequence[Line], told: Sequence[Line]) -> tuple[Verdict, ...]:
    """Match the hands of two logs of the same evening by time, those that share most of it first."""
    mine, theirs = hands_of(true), hands_of(told)
    pairs = sorted(
        ((min(a.until, b.until) - max(a.since, b.since), i, j) for i, a in enumerate(mine) for j, b in enumerate(theirs)),
        reverse=True,
    )
    partner: dict[int, int] = {}
    for shared, i, j in pairs:
        if shared > 0 and i not in partner and j not in partner.values():
            partner[i] = j
    verdicts = []
    for i, hand in enumerate(mine):
        other = theirs[partner[i]] if i in partner else None
        verdicts.append(Verdict(hand, other, _common(hand, other)))
    alone = [hand for j, hand in enumerate(theirs) if j not in partner.values()]
    return (*verdicts, *(Verdict(None, hand, 0) for hand in alone))


def _common(true: PlayedHand, told: PlayedHand | None) -> int:
    left = list(told.exchanges) if told else []
    for t, between in true.exchanges:
        near = [other for other in left if other[1] == between and abs(other[0] - t) <= NEAR_SECONDS]
        if near:
            left.remove(min(near, key=lambda other: abs(other[0] - t)))
    return (len(told.exchanges) if told else 0) - len(left)


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares 0 to 1. ``right``: hands whose payments are exactly right. ``sure_but_wrong``: wrong rulings shown as sure, also of
    hands that never were, per hand played. ``unsure``: hands ruled with less. ``recall``, ``precision``: of exchanges, draws
    among them. ``calibration``: expected calibration error of the ``end`` lines' confidence, ten bins."""

    hands: int
    right: float
    sure_but_wrong: float
    unsure: float
    recall: float
    precision: float
    calibration: float


def figures(verdicts: Iterable[Verdict]) -> Figures:
    """Add up what was made of many hands (at least one)."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true]
    told = [verdict.told for verdict in verdicts if verdict.told]
    found = sum(verdict.found for verdict in verdicts)
    played, reported = sum(len(hand.exchanges) for hand in true), sum(len(hand.exchanges) for hand in told)
    hands = max(len(true), 1)
    return Figures(
        hands=len(true),
        right=sum(verdict.right for verdict in verdicts) / hands,
        sure_but_wrong=sum(verdict.sure and not verdict.right for verdict in verdicts) / hands,
        unsure=sum(not verdict.sure for verdict in verdicts) / hands,
        recall=found / played if played else 1.0,
        precision=found / reported if reported else 1.0,
        calibration=_calibration(verdicts),
    )


def _calibration(verdicts: tuple[Verdict, ...]) -> float:
    bins: dict[int, list[tuple[float, bool]]] = {}
    for verdict in verdicts:
        if verdict.told:
            sure = verdict.told.confidence
            bins.setdefault(min(int(sure * BINS), BINS - 1), []).append((sure, verdict.right))
    total = sum(map(len, bins.values()))
    gaps = (abs(sum(sure for sure, _ in group) - sum(right for _, right in group)) for group in bins.values())
    return sum(gaps) / total if total else 0.0
