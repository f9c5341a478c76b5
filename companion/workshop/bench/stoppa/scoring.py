"""The score of one clip of Stoppa: which hands are ruled right, which laid cards were found, and why the others are wrong."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.table.log import Line
from companion.workshop.bench.scoring import NOT_SEEN, HandRuled, in_words
from companion.workshop.bench.stoppa.hands import PlayedHand, played, same_cards
from companion.workshop.scoring import Verdict, verdicts_on


class HandScore(HandRuled, frozen=True, kw_only=True):
    """One true hand of Stoppa and how the log has it.

    It is ``right`` where the log says who won how much with which punto, and who pays whom how much. ``laid``, ``laid_seen``,
    ``laid_found``: cards put on the pile, those of the log, and how many of these are true, each with its player.
    """

    laid: int = 0
    laid_seen: int = 0
    laid_found: int = 0


class ClipScore(msgspec.Struct, frozen=True):
    """A clip's hands; ``invented``: the confidences of rulings on hands that were never played."""

    hands: tuple[HandScore, ...]
    invented: tuple[float, ...]


def score(truth: Sequence[Line], log: Sequence[Line]) -> ClipScore:
    """Compare a log with the true one, each line of which has its time."""
    verdicts = verdicts_on(played(truth), played(log), same_cards)
    true = [one for one in verdicts if one.true is not None]
    invented = (one for one in verdicts if one.true is None and one.seen is not None and one.seen.payments)
    return ClipScore(
        tuple(_score(number, verdict) for number, verdict in enumerate(true, start=1)),
        tuple(one.confidence for one in invented if one.confidence is not None),
    )


def _score(number: int, verdict: Verdict[PlayedHand]) -> HandScore:
    true, seen = verdict.true, verdict.seen
    assert true is not None
    if seen is None:
        return HandScore(number, true.start, False, False, None, *NOT_SEEN, laid=len(true.laid))
    causes = [] if verdict.right else differences(true, seen)
    return HandScore(
        number, true.start, True, verdict.right, verdict.confidence, *in_words(causes),
        laid=len(true.laid), laid_seen=len(seen.laid), laid_found=len(verdict.found),
    )  # fmt: skip


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
    if true.void != seen.void:
        found.append(("void", "void" if true.void else "void in the log"))
    elif not seen.over:
        found.append(("not ended", "the hand has no end in the log"))
    elif true.ending != seen.ending:
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
