"""How a hand ends: somebody has no cards left, or the table is cleared and what was missed must have been laid before."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa import rules
from companion.games.stoppa.referee.explain import caught_up
from companion.games.stoppa.referee.history import BEAM_LIMITS, COSTS, History
from companion.games.stoppa.referee.missed import one_missed, with_faces_missed
from companion.games.stoppa.referee.phases import in_phase
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.cards import kinds_in, number_of
from companion.games.stoppa.rules.log import End, Lay, Show, Void
from companion.games.stoppa.rules.state import to_lay
from companion.referee.beam import prune
from companion.referee.values import HandReports
from companion.table.log import Line
from companion.table.play import state_after

LAST_MISSED = 2
"""Cards, at most, that may have been missed at the end of a stoppata that nobody was seen to end."""
MAX_SEARCHED = 12
"""Histories, the likeliest, in which a card missed somewhere in the middle is looked for."""
MIN_SHOWN = 3
"""Faces before a place, at least, that are cards left which somebody shows; fewer may be cards that are gathered."""
MAX_ENDINGS = 600
"""Beam width for a hand that is over."""


def ended(beam: tuple[History, ...], t: float) -> tuple[History, ...]:
    """The histories with the hand ended at ``t`` seconds. Where nobody was seen to lay their last card, what was missed is looked
    for; where too little of the hand was seen, it ends void: there is nothing to rule on."""
    over = [_over(one.costing(_unshown(one)), t) for one in beam]
    found = _with_faces_missed([one for one in over if one is not None])
    open_yet = [one for one, end in zip(beam, over, strict=True) if end is None]
    for number, one in enumerate(open_yet):
        found += _completed(one, t, search=number < MAX_SEARCHED)
        void = one.after([Void()], COSTS.early_end, t)
        found += [void] if void is not None else []
    found = sorted(found, key=lambda one: -one.weight)[:MAX_ENDINGS]
    return tuple(one for one in found if one.weight > found[0].weight - BEAM_LIMITS.prune_below)


def over_if_seen(beam: tuple[History, ...]) -> tuple[History, ...]:
    """The histories with their ``end``, if the hand is over by itself in the likeliest one: no need to wait for the clearing."""
    if not beam or beam[0].state.hand is not None or beam[0].state.ended is None:
        return beam
    return tuple(_with_faces_missed([_over(one, one.acted) or one for one in beam]))


def _with_faces_missed(over: list[History]) -> list[History]:
    """As `with_faces_missed`, of the likeliest histories; the others as they are."""
    ranked = sorted(over, key=lambda one: -one.weight)
    return [more for one in ranked[:MAX_SEARCHED] for more in with_faces_missed(one)] + ranked[MAX_SEARCHED:]


def _over(one: History, t: float) -> History | None:
    """The history with its ``end``; None where it is not over."""
    state = one.state
    if state.hand is None:
        return one.after([End()], 0.0, t) if state.ended is not None and not state.ended_said else one
    return one.after([End()], 0.0, t)


def _unshown(one: History) -> float:
    """The logarithm of the probability that no more was seen of what players laid open after the stoppata: all that they had
    left."""
    hand = one.state.ended
    if one.state.hand is not None or hand is None or not hand.begun or one.phase:
        return 0.0
    found = 0.0
    for laid, lying in zip(hand.laid, one.open, strict=True):
        less = one.state.table.size - laid.bit_count() - lying.bit_count()
        if lying.bit_count() >= MIN_SHOWN and less > 0:
            found += max(less * COSTS.unshown, COSTS.part)
    return found


def _completed(one: History, t: float, *, search: bool) -> Iterator[History]:
    """The history with the cards that must have been missed for somebody to have none left."""
    hand = one.state.hand
    if hand is None or not hand.begun or hand.declared:
        return
    starts = [one]
    for _ in range(LAST_MISSED):
        starts = [more for start in starts for more in one_missed(start, t)]
        for start in starts:
            if start.state.hand is None and (end := _over(start, t)) is not None:
                yield end
    if search:
        for seat, laid in enumerate(hand.laid):
            if laid.bit_count() == one.state.table.size - 1:
                yield from _missed_before(one, seat, t)


def _missed_before(one: History, seat: int, t: float) -> Iterator[History]:
    """The history with one more card of this player's, laid unseen somewhere before the end."""
    if one.before is None:
        return
    states = [one.before]
    for line in one.lines:
        states.append(rules.apply(states[-1], line.event))
    for at, line in enumerate(one.lines):
        hand = states[at].hand
        if not isinstance(line.event, Lay) or hand is None:
            continue
        if hand.wants:
            numbers: tuple[int, ...] = (hand.wants,)
        elif to_lay(one.state.table, hand) == seat:
            numbers = tuple(range(1, number_of(KINDS.index(line.event.cards[0]))))
        else:
            continue
        for number in numbers:
            card = one.unseen_of(number, seat)
            if card is None or (one.state.hand is not None and one.state.hand.on_pile >> card & 1):
                continue
            missed = Line(Lay(by=one.name(seat), cards=(KINDS[card],)), line.t)
            found = _replayed(replace(one, read=(*one.read, (card, ()))), states[at], at, missed)
            if found is not None and (end := _over(found, t)) is not None:
                yield end


def _replayed(one: History, before: State, at: int, missed: Line) -> History | None:
    rest = (missed, *one.lines[at:])
    state = state_after(rules.apply, before, (line.event for line in rest))
    if state is None:
        return None
    ended = state.ended
    noted = 0
    if ended is not None and one.state.hand is not None:
        noted = len(ended.irregularities) - len(one.state.hand.irregularities)
    cost = COSTS.missed + COSTS.omitted * max(noted, 0)
    return replace(one, state=state, lines=(*one.lines[:at], *rest), weight=one.weight + cost)


def with_answers(beam: tuple[History, ...], reports: HandReports, before: State) -> tuple[History, ...]:
    """The histories with what had to wait for the phone, and with the faces that lay open before it told of the bets."""
    if not any(one.pending or any(one.open) for one in beam):
        return beam
    late = (_compared(now) for one in beam for now in caught_up(one))
    return tuple(one for one in prune(late, BEAM_LIMITS) if isinstance(one, History))


def _compared(one: History) -> History:
    """The history with all shown that lies open in this phase, where two who have bet are to show."""
    hand = one.state.hand
    if hand is None or hand.betting is None or not hand.betting.comparing or hand.betting.decided:
        return one
    now = in_phase(one)
    for seat in hand.betting.still_in():
        if now.open[seat] and not hand.betting.shown[seat]:
            now = now.after([Show(by=one.name(seat), cards=kinds_in(now.open[seat]))], 0.0, now.acted) or now
    return now


def situation(state: State, reports: HandReports, beam: tuple[History, ...]) -> Hashable:
    """What the play of a hand depends on: who deals, and whether it is the last of a called giro."""
    return state.table, state.dealer, bool(state.last_hand) and state.last_hand == state.counted + 1
