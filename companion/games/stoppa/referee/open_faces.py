"""For showing a hand of Stoppa once more: which lines decided who pays, and which faces lay open for everybody, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.decks.italian import Kind
from companion.games.betting.referee import ruled_history
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.referee.phases import waits
from companion.games.stoppa.rules import State, apply
from companion.games.stoppa.rules.cards import kinds_in
from companion.games.stoppa.rules.declarations import best_group
from companion.games.stoppa.rules.log import Declare, Lay, Show
from companion.games.stoppa.rules.state import Seat
from companion.referee.chapter import Chapter
from companion.table.log import Line


def deciding(before: State, lines: Sequence[Line]) -> tuple[int, ...]:
    """The lines (indices) that decided who pays: what was shown for each punto, a declaration, the card that stopped."""
    found, shown = list[int](), list[int]()
    state = before
    for index, line in enumerate(lines):
        was = state.hand
        state = apply(state, line.event)
        now = state.hand if state.hand is not None else state.ended
        if isinstance(line.event, Show) and was is not None:
            shown.append(index)
        if was is not None and now is not None and len(now.pots) > len(was.pots):
            found, shown = [*found, *shown], []
        stopped = isinstance(line.event, Lay) and was is not None and state.hand is None
        if stopped or isinstance(line.event, Declare):
            found.append(index)
    return tuple(found)


# What the TV and the phone can say at once: the best group that lies open, and money that nobody has told.


@dataclass(frozen=True, slots=True)
class Group:
    """A player's best group among the cards laid open before ``place``: its number of ``cards`` of one suit, worth ``score``."""

    place: Seat
    kinds: tuple[Kind, ...]
    cards: int
    score: int


def groups(chapter: Chapter) -> tuple[Group, ...]:
    """The groups that lie open in the phase in play, best first, equal ones in order of play; also where the phone has told of no
    bets. Only what everybody has seen is in them."""
    best = ruled_history(chapter, History)
    hand = best.state.hand if best is not None else None
    if best is None or hand is None or hand.betting is None or best.phase != hand.betting.phase:
        return ()
    order = best.state.table.round_from(best.state.table.after(hand.dealer))
    found = []
    for seat in order:
        if lying := best.open[seat]:
            suit = max((0, 10, 20, 30), key=lambda shift: best_group(lying & 1023 << shift))
            found.append(Group(seat, kinds_in(lying & 1023 << suit), *best_group(lying)))
    return tuple(sorted(found, key=lambda group: (-group.cards, -group.score)))


@dataclass(frozen=True, slots=True)
class MoneyUntold:
    """What only the phone can add. ``phases``: puntos at which several laid their cards open though nobody has told of a bet.

    ``comparison``: bets were told, and the comparison that they call for was neither seen nor told: the stoppata waits for it.
    """

    phases: tuple[str, ...]
    comparison: bool


def money_untold(chapter: Chapter) -> MoneyUntold | None:
    """What the phone has not told of the hand's money, once the stoppata has begun to be seen; None where nothing is missing."""
    best = ruled_history(chapter, History)
    if best is None:
        return None
    hand = best.state.hand if best.state.hand is not None else best.state.ended
    if hand is None or not (hand.begun or best.pending):
        return None
    silent = tuple(pot.phase for pot in hand.pots if pot.how in ("dealer", "carried") and pot.phase in best.compared)
    comparison = bool(best.pending) and waits(best)
    return MoneyUntold(silent, comparison) if silent or comparison else None
