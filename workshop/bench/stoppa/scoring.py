"""A table log of Stoppa, taken apart: each hand with its money and who laid which card; and how it differs from the true one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.decks.italian import Kind
from companion.games.stoppa import rules
from companion.games.stoppa.rules import Hand, State
from companion.games.stoppa.rules.cards import kinds_in
from companion.games.stoppa.rules.state import HandRulings
from companion.table.log import Line
from workshop.bench.betting.scoring import Counted, hands_told, other_end
from workshop.scoring import Pairs, Verdict


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

def counted(verdict: Verdict[PlayedHand]) -> Mapping[str, Counted]:
    """Cards put on the pile, each with its player."""
    true, seen = (one.laid if one is not None else () for one in (verdict.true, verdict.seen))
    return {"laid": Counted(len(true), len(seen), len(verdict.found))}


def differences(true: PlayedHand, seen: PlayedHand) -> list[tuple[str, str]]:
    """(cause, what differs in words), in the order of a hand's phases."""
    found: list[tuple[str, str]] = []
    taken = {phase: (prize, bets, winner) for phase, prize, bets, winner in seen.pots}
    for phase, *won in true.pots:
        other = taken.get(phase)
        if other is None:
            found.append(("punto not decided", f"{phase}: {won[2]}'s, not decided in the log"))
        elif other[2] != won[2]:
            found.append(("punto to another", f"{phase}: {won[2]}'s, taken for {other[2]}'s"))
        elif other != tuple(won):
            found.append(("another amount", f"{phase}: {won[1]} bet, {other[1]} in the log"))
    if true.declared != seen.declared:
        found.append(("declaration", f"declared {_said(true)}, in the log {_said(seen)}"))
    found += _laid(true, seen)
    found += (end := other_end(true, seen))
    if not end and true.ending != seen.ending:
        found.append(("another end", f"over with {true.ending}, with {seen.ending} in the log"))
    if not found:
        found.append(("other payments", f"pays {true.payments}; in the log {seen.payments}"))
    return found


def _said(hand: PlayedHand) -> str:
    return ", ".join(f"{what} by {player}" for player, what in hand.declared) or "nothing"


def _laid(true: PlayedHand, seen: PlayedHand) -> list[tuple[str, str]]:
    """Cards of the pile that are missing, somebody else's, or never lay there."""
    players, told = dict(true.laid), dict(seen.laid)
    found = [("card missed", f"{player}'s {card} not seen") for card, player in true.laid if card not in told]
    found += [
        ("card from another", f"{card} from {player}, taken for {told[card]}'s")
        for card, player in true.laid
        if card in told and told[card] != player
    ]
    return found + [("card invented", f"{player}'s {card} was never laid") for card, player in seen.laid if card not in players]
