"""What a log of Stoppa has of true hands: the cards that were laid, and how it differs."""

from __future__ import annotations

from collections.abc import Mapping

from workshop.bench.betting.scoring import Counted, other_end
from workshop.bench.stoppa.hands import PlayedHand
from workshop.scoring import Verdict


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
