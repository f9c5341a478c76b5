"""A table log of Stoper, taken apart: each hand with its times, its money, who changed how many cards, and what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.decks.italian import Kind
from companion.decks.italian_sets import kinds_in
from companion.games.stoper import rules
from companion.games.stoper.rules import Hand, State
from companion.games.stoper.rules.state import HandRulings
from companion.table.log import Line
from workshop.bench.betting.told import hands_told
from workshop.scoring import Pairs, Verdict


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a log. ``start``, ``end``: seconds; ``end`` is that of its last line where it is not ``over``.

    ``pots``: (amount, entitled, winner) of each; ``payments``: these, what went back, whether the pot stays and why, and by how
    much each stack has changed. ``changed``: (player, cards changed) of those who changed any. ``shown``: (player, cards, score)
    of each hand shown. ``confidence``: of the line with which it was over.
    """

    start: float
    end: float
    over: bool
    void: bool
    payments: tuple[Any, ...]
    confidence: float | None
    pots: tuple[tuple[int, tuple[str, ...], str], ...]
    changed: tuple[tuple[str, int], ...]
    shown: tuple[tuple[str, tuple[Kind, ...]], ...]

    @property
    def compared(self) -> bool:
        """Whether the hand came to a showdown in which somebody showed."""
        return bool(self.shown)


def same_changes(true: PlayedHand, seen: PlayedHand) -> Pairs:
    """Exchanges that are in both: the same player, as many cards."""
    return tuple((index, seen.changed.index(one)) for index, one in enumerate(true.changed) if one in seen.changed)


def exactly(verdict: Verdict[PlayedHand]) -> bool:
    """Whether a showdown is told to the card: each hand that was shown, and no other, and who is paid."""
    return verdict.right and verdict.true is not None and verdict.seen is not None and verdict.true.shown == verdict.seen.shown


def played(lines: Sequence[Line]) -> tuple[PlayedHand, ...]:
    """The hands of a log; the last one may be in progress. A line without a time has that of the line before.

    Raises:
        companion.table.errors.GameError: the log cannot have happened.
    """
    return hands_told(lines, rules, _told)


def _told(state: State, hand: Hand, ruling: HandRulings, start: float, end: float, line: Line | None) -> PlayedHand:
    """The hand as it is over with this line; None: it is in progress."""
    names = state.table.names
    pots = tuple((pot.amount, pot.entitled, pot.winner) for pot in ruling.pots)
    paid = tuple((one.player, one.delta) for one in ruling.payments)
    back = tuple((one.player, one.amount) for one in ruling.returned)
    changed = tuple((names[seat], hand.known[seat].changed) for seat in sorted(hand.order) if hand.known[seat].changed > 0)
    shown = tuple((names[seat], kinds_in(hand.known[seat].shown)) for seat in sorted(hand.order) if hand.known[seat].shown)
    confidence = line.confidence if line is not None else None
    stays = (ruling.unassigned,) if ruling.unassigned else ()
    return PlayedHand(
        start, end, line is not None, ruling.void, (*pots, *back, *stays, *paid), confidence, pots, changed, shown
    )  # fmt: skip
