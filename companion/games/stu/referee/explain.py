"""What a sighting can mean: for one history of the hand, every legal continuation that could have looked like that.

Each continuation has a cost: the logarithm of the probability that the table plays it and the camera sees it in that way
(`costs`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import tee

from msgspec.structs import replace

from companion.decks.stu import as_kind
from companion.eyes.sighting import Unseen
from companion.games.stu.referee.costs import COSTS, thinking, turning
from companion.games.stu.referee.covered import PROMPT_SECONDS, Covered
from companion.games.stu.referee.history import History
from companion.games.stu.referee.holes import Behind, behind
from companion.games.stu.referee.moves import (
    deciders,
    drawn,
    exchanged,
    log_of,
    position_of,
    silent,
    unnoticed,
    unseen,
    with_missed,
)
from companion.games.stu.rules.log import Draw, Event, Passo, Reveal, Swap, Taverna
from companion.games.stu.rules.state import Ask, Hand, Position
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.sightings import Appeared, DeckExchanged, Exchanged, Shown, Sighting

C = COSTS
MIN_DEALT = 2
"""Players who are dealt a card before anybody shows one, at least: a face seen earlier is a card of the hand before, being
gathered."""

GATHERED_SECONDS = 3.0
"""Seconds after the first card seemed to be dealt in which it may turn out to have been one that was being gathered."""
MAX_GAIN = turning(0.0)
"""Logarithm: the most that an explanation adds to a history's weight, as the density of a time may be above 1 a second."""

DEALING_SECONDS = 3.0
"""Seconds from one card that is dealt to the next one, at most: one that is seen later had lain there, hidden."""

LAIN_SECONDS = 2.0
"""Seconds, at least, for which a card of a hand lies face down before it is shown; one that is being gathered lies for less."""


def explain(history: History, sighting: Sighting | Covered | Behind, least: float = -math.inf) -> Iterator[History]:
    """Every history that ``history`` can become with ``sighting``; in the last one the sighting means nothing. Of a face that is
    shown, those with a weight below ``least`` are not looked for: with many players these are most of them."""
    if history.state.hand is None:
        yield history
    elif isinstance(sighting, Shown):
        yield from _shown(history, history.state.hand, sighting, least)
    elif isinstance(sighting, Covered):
        yield from _covered(history, history.state.hand, sighting)
    elif isinstance(sighting, Exchanged):
        yield from exchanged(history, history.state.hand, sighting)
    elif isinstance(sighting, DeckExchanged):
        yield from drawn(history, history.state.hand, sighting)
    elif isinstance(sighting, Behind):
        yield from behind(history, history.state.hand, sighting)
    elif isinstance(sighting, Unseen):
        yield from unseen(history, history.state.hand, sighting)
    elif isinstance(sighting, Appeared) and sighting.place not in history.dealt:
        acted, goes_on = max(history.acted, sighting.t), sighting.t - history.dealing <= DEALING_SECONDS
        dealing = max(history.dealing, sighting.t) if goes_on or not history.dealt else history.dealing
        yield replace(history, dealt=history.dealt | {sighting.place}, acted=acted, dealing=dealing)
    else:
        yield history


def _shown(history: History, hand: Hand, seen: Shown, least: float) -> Iterator[History]:
    position = position_of(hand, seen.place)
    since = seen.t - history.acted
    lain = seen.place in history.dealt and since >= LAIN_SECONDS
    if 0 < len(history.dealt) < MIN_DEALT and not hand.touched and not lain and since < GATHERED_SECONDS:
        yield history
        history = replace(history, weight=history.weight + C.undealt)
    if history.showing and all(hand.face_of(other) is not None for other in hand.positions()):
        again = dict(seen.alternatives).get(hand.face_of(position) or "") if position is not None else None
        yield replace(history, weight=history.weight + max(C.gathered, log_of(again or 0.0)))
        return
    if position is not None:
        starts = with_missed(history, seen.t)
        for name, probability in seen.alternatives:
            cost = log_of(probability)
            if history.weight + cost + MAX_GAIN >= least:
                starts, same = tee(starts)  # each is thought of once, and only when a kind needs it
                yield from _shown_kind(same, position, seen, name, cost, least)
    yield replace(history, weight=history.weight + C.unexplained)


def _covered(history: History, hand: Hand, seen: Covered) -> Iterator[History]:
    """The card has just refused a passo under somebody's hand, and its face will be seen later; or nothing has happened."""
    yield history
    position = position_of(hand, seen.place)
    if position is None or history.showing or hand.face_of(position) is not None:
        return
    player = history.state.table.names[seen.place]
    for start in with_missed(history, seen.t):
        now = start.state.hand
        if now is None or not now.still_in(position):
            continue
        for kind in seen.kinds:
            reveal = Reveal(by=player, card=as_kind(kind))
            if now.asking and now.asking.asked == position:
                yield from _answers(start, reveal, C.covered, seen.t, now.asking)
            elif now.asking is None:
                yield from _asked(start, now, position, reveal, C.covered, seen.t, None, timed=False)


def _since(history: History, t: float) -> float | None:
    """Seconds since something was last done; None for cards that lay there when the table came back into view, as these are
    older."""
    return None if t <= history.unseen_until + PROMPT_SECONDS else t - history.acted


def _shown_kind(
    starts: Iterator[History], position: Position, seen: Shown, name: str, cost: float, least: float
) -> Iterator[History]:
    for start in starts:
        hand = start.state.hand
        if hand is None or not hand.still_in(position):
            continue
        if start.weight + cost + MAX_GAIN < least:
            return  # what is missed further on makes it no likelier
        kind, player = as_kind(name), start.player(position)
        known, gap = hand.face_of(position), _since(start, seen.t)
        face_up = known == kind and hand.is_shown(hand.holds[position])
        if face_up and not (hand.asking and hand.asking.asked == position):
            yield replace(start, weight=start.weight + cost)
            continue
        if known is not None and known != kind:
            yield from _after_missed_exchange(start, position, Reveal(by=player, card=kind), cost, seen.t, least)
            continue
        reveal = Reveal(by=player, card=kind)
        if hand.asking and hand.asking.asked == position:
            yield from _answers(start, reveal, cost + thinking(gap, 1), seen.t, hand.asking)
        else:
            yield from _unasked(start, hand, position, reveal, cost, seen.t, least)
            if is_trump(kind) and not start.showing:
                yield from _asked(start, hand, position, reveal, cost, seen.t, gap, least=least)
            if kind == "taverna" and not start.showing:
                yield from _given_away(start, hand, position, cost, seen.t, gap)


def _unasked(
    start: History, hand: Hand, position: Position, reveal: Reveal, cost: float, t: float, least: float
) -> Iterator[History]:
    """The showdown, in progress or just begun, or a card shown too early: anybody who has not shown may be the next to do so."""
    gap = _since(start, t)
    cost -= math.log(max(1, hand.unshown))
    if start.showing:
        shown = start.after([reveal], cost + turning(gap), t, least=least)
    else:
        everybody = len(hand.order)
        slow = thinking(gap, deciders(hand, everybody)) + silent(hand, everybody)
        shown = start.after([reveal], cost + slow, t, least=least)
        early = start.after([reveal], cost + thinking(gap, 1) + C.early, t, least=least)
        if early and hand.turn < len(hand.order):
            yield early
    if shown:
        yield replace(shown, showing=True)
    dealer = hand.dealer_position
    if position == dealer and not start.showing and hand.turn <= dealer:
        name = reveal.by
        draw: list[Event] = [Passo(by=name), Draw(by=name), reveal]
        slow = thinking(gap, deciders(hand, dealer) + 2)
        drawn = start.after(draw, cost + slow + silent(hand, dealer) + C.passo + C.missed, t, least=least)
        if drawn:
            yield replace(drawn, showing=True)


def _asked(
    start: History, hand: Hand, position: Position, reveal: Reveal, cost: float, t: float, gap: float | None, timed: bool = True,
    least: float = -math.inf,
) -> Iterator[History]:  # fmt: skip
    """The card refuses a passo that cannot be seen: the player before has asked, or sends the travelling card back.

    ``gap``: seconds since something was last done; None where that is not known, and not ``timed`` where it says nothing.
    """
    for asker in hand.positions():
        if not hand.turn <= asker < position and not position < asker == hand.back:
            continue
        slow = thinking(gap, deciders(hand, asker) + 1) if timed else 0.0
        passo = start.after([Passo(by=start.player(asker))], cost + slow + silent(hand, asker) + C.passo, t, least=least)
        asking = passo.state.hand.asking if passo and passo.state.hand else None
        if passo and asking and asking.asked == position:
            yield from _answers(passo, reveal, 0.0, t, asking)


def refusals(history: History, hand: Hand, position: Position, reveal: Reveal, t: float) -> list[History]:
    """The histories in which this card was shown, at a time that nobody knows, to refuse a passo."""
    if hand.asking and hand.asking.asked == position:
        return list(_answers(history, reveal, 0.0, t, hand.asking))
    return list(_asked(history, hand, position, reveal, 0.0, t, None, timed=False)) if hand.asking is None else []


def _given_away(start: History, hand: Hand, position: Position, cost: float, t: float, gap: float | None) -> Iterator[History]:
    """The Taverna was given away, and is seen only where it lies now: the passo and the exchange were missed."""
    giver = hand.after(position)
    if giver >= len(hand.order):
        return
    act: list[Event] = [Passo(by=start.player(position)), Taverna(by=start.player(giver))]
    seats = hand.order[position], hand.order[giver]
    slow = thinking(gap, deciders(hand, position) + 1) + silent(hand, position)
    given = start.after(act, cost + slow + C.passo + C.ceded + unnoticed(start, seats), t)
    if given:
        yield given


def _answers(start: History, reveal: Reveal, cost: float, t: float, ask: Ask) -> Iterator[History]:
    refused = start.after([reveal], cost, t)
    if refused:
        yield refused
    if reveal.card == "taverna":
        ceded = start.after([Taverna(by=reveal.by)], cost + C.ceded, t)
        if ceded and ceded.state.hand:
            yield replace(ceded, exchange_expected=frozenset({ceded.player(ask.asker), ceded.player(ask.asked)}))


def _after_missed_exchange(
    start: History, position: Position, shown: Reveal, cost: float, t: float, least: float
) -> Iterator[History]:
    """A face that contradicts a known one: one of this player's exchanges was missed."""
    hand, name = start.state.hand, start.player
    if hand is None:
        return
    ways: list[list[Event]] = [[Passo(by=name(position)), Draw(by=name(position))]]
    for a, b in ((position, hand.after(position)), (hand.before(position), position)):
        if a >= 0 and b < len(hand.order):
            ways += [[Passo(by=name(a)), Swap(with_=name(b))], [Passo(by=name(b)), Swap(with_=name(a))]]
    for way in ways:
        found = start.after([*way, shown], cost + C.passo + C.missed + thinking(_since(start, t), 2), t, least=least)
        if found:
            yield found
