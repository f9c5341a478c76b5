"""What a log of Stoper has of true hands: exchanges, showdowns and the cards shown in them, and how it differs."""

from __future__ import annotations

from collections.abc import Mapping

from workshop.bench.betting.scoring import Counted, other_end
from workshop.bench.stoper.hands import PlayedHand, exactly
from workshop.scoring import Verdict


def counted(verdict: Verdict[PlayedHand]) -> Mapping[str, Counted]:
    """Exchanges of a card or two, each with its player; showdowns told to the card; cards laid open in them."""
    true, seen = verdict.true, verdict.seen
    changed, shown = (len(true.changed), _cards(true)) if true is not None else (0, set[tuple[str, str]]())
    told = _cards(seen) if seen is not None else set[tuple[str, str]]()
    return {
        "exchanges": Counted(changed, len(seen.changed) if seen is not None else 0, len(verdict.found)),
        "showdowns": Counted(
            int(true is not None and true.compared), int(seen is not None and seen.compared),
            int(true is not None and true.compared and exactly(verdict)),
        ),
        "shown": Counted(len(shown), len(told), len(shown & told)),
    }  # fmt: skip


def _cards(hand: PlayedHand) -> set[tuple[str, str]]:
    """(player, card) of each card laid open."""
    return {(player, card) for player, cards in hand.shown for card in cards}


def differences(true: PlayedHand, seen: PlayedHand) -> list[tuple[str, str]]:
    """(cause, what differs in words), in the order of a hand's phases."""
    found = _exchanges(dict(true.changed), dict(seen.changed))
    found += _shown(dict(true.shown), dict(seen.shown))
    winners, taken = [pot[2] for pot in true.pots], [pot[2] for pot in seen.pots]
    if len(winners) != len(taken):
        found.append(("other pots", f"{len(winners)} pots, {len(taken)} in the log"))
    elif winners != taken:
        found.append(("pot to another", f"{', '.join(winners)} won, {', '.join(taken)} in the log"))
    found += other_end(true, seen)
    return found or [("another amount", f"pays {true.payments}; in the log {seen.payments}")]


def _exchanges(true: dict[str, int], seen: dict[str, int]) -> list[tuple[str, str]]:
    """Who changed another number of cards than the log says."""
    players = dict.fromkeys([*true, *seen])
    return [
        ("exchange", f"{player} changed {true.get(player, 0)}, {seen.get(player, 0)} in the log")
        for player in players
        if true.get(player, 0) != seen.get(player, 0)
    ]


def _shown(true: dict[str, tuple[str, ...]], seen: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Hands that were not shown as the log says."""
    found = []
    for player in dict.fromkeys([*true, *seen]):
        cards, told = true.get(player), seen.get(player)
        if cards is None:
            found.append(("showed nothing", f"{player} showed nothing, {', '.join(told or ())} in the log"))
        elif told is None:
            found.append(("hand not seen open", f"{player} showed {', '.join(cards)}, nothing in the log"))
        elif cards != told:
            found.append(("card misread", f"{player} showed {', '.join(cards)}, {', '.join(told)} in the log"))
    return found
