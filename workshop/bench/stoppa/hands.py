"""A table log of Stoppa, taken apart: each hand with its times, its money, and who laid which card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.decks.italian import Kind
from companion.games.stoppa import rules
from companion.games.stoppa.rules import Hand, State
from companion.games.stoppa.rules.cards import kinds_in
from companion.games.stoppa.rules.state import HandRulings
from companion.table.log import Line
from workshop.bench.betting.told import hands_told
from workshop.scoring import Pairs


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """One hand of a log. ``start``, ``end``: seconds; ``end`` is that of its last line where it is not ``over``.

    ``pots``: (phase, prize, bets, winner) of each punto that is decided; ``payments``: these, and (from, to, amount, cause) of
    each payment. Cards left in a hand, and how a punto was won, are not in them. ``laid``: card and player of each card that
    stood on the pile in the end, in order. ``declared``: (player, what); ``ending``: what the hand was over with.
    ``confidence``: of the line with which it was over.
    """

    start: float
    end: float
    over: bool
    void: bool
    payments: tuple[Any, ...]
    confidence: float | None
    pots: tuple[tuple[str, int, int, str | None], ...]
    laid: tuple[tuple[Kind, str], ...]
    declared: tuple[tuple[str, str], ...]
    ending: str

    @property
    def amounts(self) -> tuple[Any, ...]:
        """The payments without the puntos."""
        return self.payments[len(self.pots) :]


def same_cards(true: PlayedHand, seen: PlayedHand) -> Pairs:
    """Cards that lie on the pile in both, from the same player."""
    return tuple((index, seen.laid.index(card)) for index, card in enumerate(true.laid) if card in seen.laid)


def played(lines: Sequence[Line]) -> tuple[PlayedHand, ...]:
    """The hands of a log; the last one may be in progress. A line without a time has that of the line before.

    Raises:
        companion.table.errors.GameError: the log cannot have happened.
    """
    return hands_told(lines, rules, _told)


def _told(state: State, hand: Hand, ruling: HandRulings, start: float, end: float, line: Line | None) -> PlayedHand:
    """The hand as it is over with this line; None: it is in progress."""
    pots = tuple((pot.phase, pot.prize, pot.bets, pot.winner) for pot in ruling.pots)
    paid = tuple((one.payer, one.to, one.amount, one.cause) for one in ruling.payments)
    laid = tuple((kind, state.table.names[lay.seat]) for lay in hand.lays for kind in kinds_in(lay.cards))
    declared = tuple((one.player, one.what) for one in ruling.declared or ())
    confidence = line.confidence if line is not None else None
    return PlayedHand(start, end, line is not None, ruling.void, (*pots, *paid), confidence, pots, laid, declared, hand.ending)

