"""From one part of a hand to the next: where the phone has told nothing, players have passed; comparisons that were not told are
filled in.

Nothing is invented: no bet, no word, no declaration. Where the phone has told bets, and the comparison they call for has not been
seen, the hand waits for the phone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.games.stoppa.referee.history import COSTS, History
from companion.games.stoppa.rules.cards import kinds_in
from companion.games.stoppa.rules.log import Grosso, Muck, Piccolo, Show
from companion.table.log import Event

Play = Callable[[History], Iterator[History]]


def phase_of(one: History) -> str:
    """The punto in play: ``piccolo-1``, …, ``grosso``; "" before the first."""
    hand = one.state.hand
    return hand.betting.phase if hand is not None and hand.betting is not None else ""


def in_phase(one: History) -> History:
    """The history with the faces that lie open in this phase alone."""
    phase = phase_of(one)
    return one if one.phase == phase else replace(one, phase=phase, open=(0,) * len(one.state.table.names))


def compared(one: History, t: float) -> History | None:
    """The history with the comparison that the bets call for, of the faces that lay open; players who laid none open have
    conceded.

    None where nobody has shown: the phone must tell.
    """
    hand = one.state.hand
    if hand is None or hand.betting is None or hand.betting.decided:
        return one
    passed = set(hand.betting.todo) if hand.betting.high else set()
    still_in = [seat for seat, total in enumerate(hand.betting.totals)
                if total and not hand.betting.out >> seat & 1 and seat not in passed]  # fmt: skip
    if len(still_in) < 2:
        return one
    start = in_phase(one)
    open_now = start.open
    found: History | None = start
    for seat in (seat for seat in still_in if open_now[seat] and not hand.betting.shown[seat]):
        found = found.after([Show(by=one.name(seat), cards=kinds_in(open_now[seat]))], 0.0, t) if found else None
    for seat in still_in:
        now = found.state.hand.betting if found is not None and found.state.hand is not None else None
        if found is None or now is None or now.decided:
            break
        if not now.shown[seat] and not now.mucked >> seat & 1:
            found = found.after([Muck(by=one.name(seat))], COSTS.muck, t) if any(now.shown) else None
    return found


def next_round(one: History, t: float) -> History | None:
    """The next iteration begins; None where it cannot yet, or there is none."""
    found = compared(one, t)
    return found.after([Piccolo()], 0.0, t) if found is not None else None


def at_the_stoppata(one: History, t: float) -> History | None:
    """The history when the punto grosso is decided, so that cards may be laid; None where it cannot be yet.

    Rounds that were not seen to be dealt make the history less likely and leave the hand in doubt: there may have been bets in
    them that the phone has not told.
    """
    found: History | None = one
    while found is not None:
        hand = found.state.hand
        if hand is None:
            return None
        if hand.begun or hand.grosso_decided:
            return found
        if hand.betting is not None and hand.betting.phase == "grosso":
            return compared(found, t)
        found = compared(found, t)
        if found is None:
            return None
        more = hand.iteration < len(found.state.table.deals)
        event: Event = Piccolo() if more else Grosso()
        found = found.after([event], COSTS.undealt if more else 0.0, t)
        found = replace(found, baffled=True) if found is not None and more else found
    return None


def waits(one: History) -> bool:
    """Whether the phone must tell of a comparison before anything can be laid."""
    hand = one.state.hand
    return hand is not None and not hand.begun and not hand.declared and at_the_stoppata(one, one.acted) is None
