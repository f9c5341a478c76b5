"""A table log of Stoper, taken apart: each hand with its money, who changed how many cards, and what was shown; and how it
differs from the true one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.decks.italian import Kind
from companion.decks.italian_sets import kinds_in
from companion.games.stoper import rules
from companion.games.stoper.rules import Hand, State
from companion.games.stoper.rules.state import HandRulings
from companion.table.log import Line
from workshop.bench.betting.scoring import Counted, hands_told, other_end
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
    """The errors where a player has changed another number of cards than the log says."""
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
