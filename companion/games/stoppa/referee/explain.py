"""What a sighting can mean: for one history of the hand, every legal continuation that could have looked like that.

Each continuation has a cost: the logarithm of the probability that the table plays it and the camera sees it in that way.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.stoppa.referee.history import BEAM_LIMITS, COSTS, History, dealt_again, dealt_between, dealt_within, log_of
from companion.games.stoppa.referee.lays import after_the_end, put, taken_back
from companion.games.stoppa.referee.phases import at_the_stoppata, in_phase, next_round
from companion.games.stoppa.referee.readings import done
from companion.games.stoppa.referee.turns import Act, Hole, Opened, Put
from companion.games.stoppa.rules import check
from companion.games.stoppa.rules.cards import INDEX, Card, kinds_in, mask_of
from companion.games.stoppa.rules.log import Show
from companion.games.stoppa.rules.state import Hand, Seat
from companion.games.stoppa.sightings import Dealt, Laid, Odds, Shown, TakenBack
from companion.referee.beam import left_out, prune
from companion.referee.sighting_model import Step
from companion.table.errors import Contradictory

C = COSTS
MIN_ALTERNATIVE_PROBABILITY = 0.02
"""Probability below which an alternative of a face is not tried at a showdown."""
SAME_PROBABILITY = 0.9
"""Probability that nothing was laid while nothing could be seen, where the pile seems to lie as before: its old top card is still
found under the new ones. A guess; in a filmed clip five cards had come meanwhile."""
MAX_READINGS = 12
"""Ways, at most, to read the faces that one player has laid open."""


def explain(history: History, step: Step, least: float = -math.inf) -> Iterator[History]:
    """Every history that ``history`` can become with ``step``; in the last one the step means nothing. Histories with a weight
    below ``least`` are not looked for where that takes time."""
    for now in caught_up(history):
        if now.pending:
            yield _waiting(now, step)
        else:
            yield from _explained(now, step, least)


def caught_up(history: History) -> tuple[History, ...]:
    """The history with the acts that had to wait for the phone, as far as they can have happened by now."""
    if not history.pending:
        return (history,)
    waiting = history.pending
    found: tuple[History, ...] = (replace(history, pending=(), weight=history.weight - C.waits * len(waiting)),)
    for at, step in enumerate(waiting):
        more = prune((later for one in found for later in _explained(one, step)), BEAM_LIMITS)
        if any(isinstance(one, History) and one.pending for one in more):
            rest = waiting[at:]
            return tuple(replace(one, pending=rest, weight=one.weight + C.waits * len(rest)) for one in found)
        found = tuple(one for one in more if isinstance(one, History))
    return found


def _explained(one: History, step: Act, least: float = -math.inf) -> Iterator[History]:
    hand = one.state.hand
    match step:
        case Opened():
            yield from _opened(one, step, least)
        case Put() if hand is None:
            yield one.costing(after_the_end(one.state.ended.on_pile if one.state.ended is not None else 0, step.cards))
        case Put() if hand is not None and not hand.declared:
            ready = at_the_stoppata(one, step.t)
            if ready is not None and ready.state.hand is not None:
                yield from put(ready, ready.state.hand, step.cards, step.t, least)
            elif not one.state.in_last_hand:
                yield _waiting(one, step)
            else:
                yield one.costing(C.unexplained)
        case TakenBack() if hand is not None and hand.lays:
            yield from taken_back(one, hand, step)
        case Dealt() if hand is not None:
            yield from _dealt(one, hand, step)
        case Hole() if hand is not None:
            yield from _hole(one, step, least)
        case _:
            yield one


def _waiting(one: History, step: Act) -> History:
    """The history with one more act that waits for the phone: in the meantime it costs as much as acts do."""
    return replace(one, pending=(*one.pending, step), weight=one.weight + C.waits)


def _dealt(one: History, hand: Hand, seen: Dealt) -> Iterator[History]:
    """A packet of this round, or the first of the next one; or the same backs once more."""
    if hand.begun:
        yield one.costing(C.twice)
        return
    here = one if one.round == hand.iteration else replace(one, round=hand.iteration, dealt=0)
    gap = seen.t - one.dealt_at if here.dealt else None
    seats, bit = len(one.state.table.names), 1 << seen.place
    if hand.iteration and not here.dealt & bit:
        cost = dealt_within(gap) if gap is not None else dealt_between(0.0)
        yield _served(here, hand, seen, cost + C.late * _is_compared(hand))
    elif hand.iteration:
        yield here.costing(C.twice + dealt_again(gap or 0.0))
    if not hand.iteration and seen.place == hand.dealer:
        yield here.costing(C.pack)
    if here.dealt or not hand.iteration:
        unseen = seats - 1 - _last_served(here, hand) if hand.iteration else 0
        betting = hand.betting is not None and bool(hand.betting.high and hand.betting.todo)
        cost = unseen * C.undealt + (dealt_between(gap) if gap is not None else 0.0) + C.mid_betting * betting
        begun = next_round(one, seen.t)
        if begun is not None and begun.state.hand is not None:
            now = begun.state.hand
            yield _served(replace(begun, round=now.iteration, dealt=0), now, seen, cost)
        elif begun is None and hand.iteration < len(one.state.table.deals) and unseen == 0:
            yield _waiting(one, seen)


def _is_compared(hand: Hand) -> bool:
    """Whether cards were shown for the punto in play, or it is somebody's: its cards had been dealt by then."""
    return hand.betting is not None and (hand.betting.decided or any(hand.betting.shown))


def _served(one: History, hand: Hand, seen: Dealt, cost: float) -> History:
    """The history with a packet dealt in this round. Packets are dealt in order of play: a player who is left out was not seen to
    be dealt one; if they are dealt one later, it is out of order."""
    at, last = _position(one, hand, seen.place), _last_served(one, hand)
    order = C.served if at < last else (at - last - 1) * C.undealt
    return replace(one.costing(cost + order), dealt=one.dealt | 1 << seen.place, dealt_at=seen.t)


def _last_served(one: History, hand: Hand) -> int:
    """The position in the order of play of the last who was dealt a packet of this round; -1: nobody was."""
    seats = range(len(one.state.table.names))
    return max((_position(one, hand, seat) for seat in seats if one.dealt >> seat & 1), default=-1)


def _position(one: History, hand: Hand, seat: Seat) -> int:
    return (seat - hand.dealer - 1) % len(one.state.table.names)


def _hole(one: History, hole: Hole, least: float) -> Iterator[History]:
    """Cards may have been laid while nothing could be seen, less probably where the pile looks as before. If it does not, at
    least its top card was."""
    lies = hole.resumed
    if lies is None or lies.same is None or not lies.pile:
        yield replace(one, hole=lies is None or lies.pile)
    elif lies.same:
        yield one.costing(log_of(SAME_PROBABILITY))
        yield replace(one.costing(log_of(1.0 - SAME_PROBABILITY)), hole=True)
    else:
        top = Laid(lies.until, -1, lies.top, (), -1)
        yield from _explained(replace(one, hole=True), Put(lies.until, (top,)), least)


def _opened(one: History, step: Opened, least: float) -> Iterator[History]:
    """Faces laid open: at a comparison, as cards left when the stoppata is over, or before the phone has told of any bets."""
    seat = step.place
    for read, cost in _readings(one, step.faces):
        now, cards = in_phase(one), [card for card, _ in read]
        mask = mask_of(cards)
        held = tuple(own | (mask if other == seat else 0) for other, own in enumerate(now.held))
        lying = tuple(own | (mask if other == seat else 0) for other, own in enumerate(now.open))
        both = sum(bool(own) for own in lying) > 1
        compared = now.compared | {now.phase} if both else now.compared
        noted = replace(now, held=held, open=lying, compared=compared)
        prune_below = one.weight + cost < least
        ways = _shown(noted, seat, mask, now.open[seat], cost, step.t, least if prune_below else -math.inf)
        shown = [replace(found, read=(*found.read, *read)) for found in ways]
        yield from shown
        if prune_below:
            continue
        speaks_against = isinstance(check(one.state, Show(by=one.name(seat), cards=kinds_in(mask))), Contradictory)
        if not shown and one.state.hand is not None and not speaks_against:
            yield replace(noted.costing(cost), read=(*noted.read, *read))
    yield one.costing(sum(left_out(face.alternatives) for face in step.faces))  # none of them is theirs


def _shown(one: History, seat: Seat, mask: int, before: int, cost: float, t: float, least: float) -> Iterator[History]:
    """The history with these cards shown, where that is possible by what the phone has told. ``before``: those that lay open."""
    hand = one.state.hand
    if hand is not None and hand.declared:
        return
    if hand is not None and hand.grosso_decided and (mask | before).bit_count() == one.state.table.size:
        return  # the whole hand laid open is a declaration: which one, the phone tells
    new = mask & ~(hand.betting.shown[seat] if hand is not None and hand.betting is not None else before)
    if new:
        yield from done(one, [Show(by=one.name(seat), cards=kinds_in(new))], cost, t, least=least)
    else:
        yield one.costing(cost)


def _readings(one: History, faces: tuple[Shown, ...]) -> Iterator[tuple[tuple[tuple[Card, Odds], ...], float]]:
    """The cards that faces may be, each with what else it may be, likeliest first; and how likely they are (logarithm).

    Each card once; some of the faces may be none of the player's.
    """
    deck = one.state.table.deck
    ways: list[tuple[dict[Card, Odds], float]] = [({}, 0.0)]
    for face in faces:
        odds = face.alternatives
        cards = [(INDEX[kind], log_of(p)) for kind, p in odds if p >= MIN_ALTERNATIVE_PROBABILITY and deck >> INDEX[kind] & 1][:3]
        read = [({**way, card: odds}, cost + odd) for way, cost in ways for card, odd in cards]
        ways = sorted([*read, *((way, cost + left_out(odds)) for way, cost in ways)], key=lambda way: -way[1])[:MAX_READINGS]
    yield from ((tuple(way.items()), cost) for way, cost in ways if way)
