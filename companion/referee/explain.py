"""What a sighting can mean: for one history of the hand, every legal way to go on that could have looked like that.

Each way has a cost, the logarithm of how likely the table plays it and the camera sees it so (`companion.referee.costs`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from companion.eyes.sighting import Appeared, DeckExchanged, Exchanged, Shown, Sighting, Unseen
from companion.referee.costs import COSTS, thinking, turning
from companion.referee.hypothesis import Hypothesis
from companion.stu.cards import as_kind, is_trump
from companion.stu.log import Draw, Event, Passo, Reveal, Swap, Taverna
from companion.stu.table import Ask, Hand, Position

C = COSTS
ACT_SECONDS = 4.0
"""Mean time in which somebody does something, of which there may be nothing to see while the table is out of sight."""
DEALT = 2
"""Before so many are dealt a card nobody shows one: a face seen then is a card of the hand before, being gathered."""
UNSEEN_STEPS = 3
"""So many exchanges of a backward run in a row may have been missed."""


def explain(history: Hypothesis, sighting: Sighting) -> Iterator[Hypothesis]:
    """Every history that ``history`` can become by ``sighting``; the last one holds that it means nothing."""
    if history.state.hand is None:
        yield history
    elif isinstance(sighting, Shown):
        yield from _shown(history, history.state.hand, sighting)
    elif isinstance(sighting, Exchanged):
        yield from _exchanged(history, history.state.hand, sighting)
    elif isinstance(sighting, DeckExchanged):
        yield from _drawn(history, history.state.hand, sighting)
    elif isinstance(sighting, Unseen):
        yield from _unseen(history, history.state.hand, sighting)
    elif isinstance(sighting, Appeared) and sighting.place not in history.dealt:
        yield replace(history, dealt=history.dealt | {sighting.place}, acted=max(history.acted, sighting.t))
    else:
        yield history


def _log(probability: float) -> float:
    """Its natural logarithm; nothing that eyes say is quite impossible."""
    return math.log(max(probability, 1e-9))


def _position(hand: Hand, seat: int) -> Position | None:
    """The seat's position in the order of play, if it is still in the hand."""
    position = hand.order.index(seat) if seat in hand.order else None
    return position if position is not None and hand.still_in(position) else None


def _silent(hand: Hand, until: Position) -> float:
    """Cost of those who have still to decide, from the turn to before ``until``, having stayed without a sign."""
    return C.sto * sum(hand.turn <= position < until for position in hand.positions())


def _shown(history: Hypothesis, hand: Hand, seen: Shown) -> Iterator[Hypothesis]:
    position = _position(hand, seen.place)
    if 0 < len(history.dealt) < DEALT and not hand.touched:
        yield history
        history = replace(history, weight=history.weight + C.undealt)
    if history.showing and all(hand.face_of(other) is not None for other in hand.positions()):
        again = dict(seen.alternatives).get(hand.face_of(position) or "") if position is not None else None
        yield replace(history, weight=history.weight + max(C.gathered, _log(again or 0.0)))
        return
    if position is not None:
        for name, probability in seen.alternatives:
            yield from _shown_kind(history, position, seen, name, _log(probability))
    yield replace(history, weight=history.weight + C.unexplained)


def _shown_kind(
    history: Hypothesis, position: Position, seen: Shown, name: str, cost: float
) -> Iterator[Hypothesis]:
    for start in _with_missed(history, seen.t):
        hand = start.state.hand
        if hand is None or not hand.still_in(position):
            continue
        names = start.state.table.names
        kind, player = as_kind(name), names[hand.order[position]]
        known, gap = hand.face_of(position), seen.t - start.acted
        face_up = known == kind and hand.is_shown(hand.holds[position])
        if face_up and not (hand.asking and hand.asking.asked == position):
            yield replace(start, weight=start.weight + cost)
            continue
        if known is not None and known != kind:
            yield from _after_missed_exchange(start, position, kind_event=Reveal(by=player, card=kind), cost=cost, t=seen.t)
            continue
        reveal = Reveal(by=player, card=kind)
        if hand.asking and hand.asking.asked == position:
            yield from _answers(start, reveal, cost + thinking(gap), seen.t, hand.asking)
        else:
            yield from _unasked(start, hand, position, reveal, cost, seen.t)
            if is_trump(kind) and not start.showing:
                yield from _asked(start, hand, position, reveal, cost + thinking(gap), seen.t)


def _unasked(
    start: Hypothesis, hand: Hand, position: Position, reveal: Reveal, cost: float, t: float
) -> Iterator[Hypothesis]:
    """The showdown, begun or going on, or a card shown too early: of those who have not, anybody may show next."""
    gap = t - start.acted
    cost -= math.log(max(1, sum(not hand.is_shown(hand.holds[other]) for other in hand.positions())))
    if start.showing:
        shown = start.after([reveal], cost + turning(gap), t)
    else:
        shown = start.after([reveal], cost + thinking(gap) + _silent(hand, len(hand.order)), t)
        early = start.after([reveal], cost + thinking(gap) + C.early, t)
        if early and hand.turn < len(hand.order):
            yield early
    if shown:
        yield replace(shown, showing=True)
    dealer = hand.dealer_position
    if position == dealer and not start.showing and hand.turn <= dealer:
        name = reveal.by
        draw: list[Event] = [Passo(by=name), Draw(by=name), reveal]
        drawn = start.after(draw, cost + thinking(gap) + _silent(hand, dealer) + C.passo + C.missed, t)
        if drawn:
            yield replace(drawn, showing=True)


def _asked(
    start: Hypothesis, hand: Hand, position: Position, reveal: Reveal, cost: float, t: float
) -> Iterator[Hypothesis]:
    """The card refuses a passo that nobody saw: somebody whose next it is has asked, or sends the travelling card back."""
    names = start.state.table.names
    for asker in hand.positions():
        if not hand.turn <= asker < position and not position < asker == hand.back:
            continue
        passo = start.after([Passo(by=names[hand.order[asker]])], cost + _silent(hand, asker) + C.passo, t)
        asking = passo.state.hand.asking if passo and passo.state.hand else None
        if passo and asking and asking.asked == position:
            yield from _answers(passo, reveal, 0.0, t, asking)


def _answers(start: Hypothesis, reveal: Reveal, cost: float, t: float, ask: Ask) -> Iterator[Hypothesis]:
    refused = start.after([reveal], cost, t)
    if refused:
        yield refused
    if reveal.card == "taverna":
        ceded = start.after([Taverna(by=reveal.by)], cost + C.ceded, t)
        if ceded and ceded.state.hand:
            order, names = ceded.state.hand.order, ceded.state.table.names
            yield replace(ceded, owed=frozenset({names[order[ask.asker]], names[order[ask.asked]]}))


def _with_missed(history: Hypothesis, t: float) -> Iterator[Hypothesis]:
    """The history as it is, and with what may have happened unseen meanwhile.

    The answer or the draw that is awaited; further exchanges of a backward run; a card sent back to a trump that lies face up,
    of which there is nothing to see.
    """
    yield history
    names = history.state.table.names
    step = history
    for _ in range(UNSEEN_STEPS):
        hand = step.state.hand
        if hand is None:
            return
        missed: list[Event]
        if hand.asking:
            missed = [Swap(with_=names[hand.order[hand.asking.asked]])]
            cost = C.missed
        elif hand.drawing >= 0:
            missed, cost = [Draw(by=names[hand.order[hand.drawing]])], C.missed
        elif hand.back >= 0 and hand.before(hand.back) >= 0:
            sender, fire = names[hand.order[hand.back]], _fire(hand)
            missed = [Passo(by=sender)]
            if not fire:
                missed.append(Swap(with_=names[hand.order[hand.before(hand.back)]]))
            cost = C.into_the_fire if fire else C.passo + C.missed
        else:
            return
        further = step.after(missed, cost, t, acted=step.acted)
        if further is None:
            return
        yield further
        step = further


def _fire(hand: Hand) -> bool:
    """Whether whoever sits before the travelling card holds a trump that lies face up and would stop it."""
    before = hand.before(hand.back)
    return hand.is_shown(hand.holds[before]) and is_trump(hand.face_of(before) or "1")


def _after_missed_exchange(
    start: Hypothesis, position: Position, kind_event: Reveal, cost: float, t: float
) -> Iterator[Hypothesis]:
    """A face that belies a known one: some exchange of this player's was not seen."""
    hand = start.state.hand
    if hand is None:
        return
    names = start.state.table.names

    def name(other: Position) -> str:
        return names[hand.order[other]]

    ways: list[list[Event]] = [[Passo(by=name(position)), Draw(by=name(position))]]
    for a, b in ((position, hand.after(position)), (hand.before(position), position)):
        if a >= 0 and b < len(hand.order):
            ways += [[Passo(by=name(a)), Swap(with_=name(b))], [Passo(by=name(b)), Swap(with_=name(a))]]
    for way in ways:
        found = start.after([*way, kind_event], cost + C.passo + C.missed + thinking(t - start.acted), t)
        if found:
            yield found


def _exchanged(history: Hypothesis, hand: Hand, seen: Exchanged) -> Iterator[Hypothesis]:
    names = history.state.table.names
    pair = [names[place] for place in seen.places]
    sure, unsure = _log(seen.probability), max(_log(1 - seen.probability), C.not_an_exchange)
    if history.owed == frozenset(pair):
        yield replace(history, weight=history.weight + sure, owed=frozenset(), acted=seen.until)
        return
    seats = [_position(hand, place) for place in seen.places]
    if None not in seats and not history.showing:
        for start in _with_missed(history, seen.t):
            for giver, taker in (pair, pair[::-1]):
                yield from _swaps(start, giver, taker, sure, seen)
    yield replace(history, weight=history.weight + unsure)


def _swaps(start: Hypothesis, giver: str, taker: str, cost: float, seen: Exchanged | Unseen) -> Iterator[Hypothesis]:
    hand, names = start.state.hand, start.state.table.names
    if hand is None:
        return
    swap = Swap(with_=taker)
    asking = hand.asking
    if asking and (names[hand.order[asking.asker]], names[hand.order[asking.asked]]) == (giver, taker):
        answered = start.after([swap], cost, seen.t, acted=seen.until)
        if answered:
            yield answered
        return
    asker = hand.order.index(names.index(giver))
    passed = start.after([Passo(by=giver), swap], cost + C.passo + _silent(hand, asker), seen.t, acted=seen.until)
    if passed:
        yield passed


def _drawn(history: Hypothesis, hand: Hand, seen: DeckExchanged) -> Iterator[Hypothesis]:
    sure, unsure = _log(seen.probability), max(_log(1 - seen.probability), C.not_an_exchange)
    position = _position(hand, seen.place)
    if position is None and seen.place in hand.order:  # whoever is out puts the card under the deck (rule 18)
        yield history
        return
    if position is not None and not history.showing:
        for start in _with_missed(history, seen.t):
            yield from _draws(start, position, sure, seen)
    yield replace(history, weight=history.weight + unsure)


def _draws(start: Hypothesis, position: Position, cost: float, seen: DeckExchanged | Unseen) -> Iterator[Hypothesis]:
    hand = start.state.hand
    if hand is None:
        return
    name = start.state.table.names[hand.order[position]]
    if hand.drawing == position:
        drawn = start.after([Draw(by=name)], cost, seen.t, acted=seen.until)
    else:
        drawn = start.after([Passo(by=name), Draw(by=name)], cost + C.passo + _silent(hand, position), seen.t, acted=seen.until)
    if drawn:
        yield drawn


def _unseen(history: Hypothesis, hand: Hand, seen: Unseen) -> Iterator[Hypothesis]:
    """Behind what could not be seen one exchange or draw may have happened, the likelier the longer it lasted; or none."""
    names = history.state.table.names
    happened = math.log(-math.expm1(-max(seen.until - seen.t, 0.1) / ACT_SECONDS))
    hidden = [
        position for position in hand.positions() if seen.places is None or hand.order[position] in seen.places
    ] if not history.showing else []  # fmt: skip
    if history.owed and history.owed <= {names[hand.order[position]] for position in hidden}:
        yield replace(history, weight=history.weight + happened, owed=frozenset(), acted=seen.until)
    for position in hidden:
        neighbour = hand.after(position)
        if neighbour in hidden:
            pair = names[hand.order[position]], names[hand.order[neighbour]]
            for giver, taker in (pair, pair[::-1]):
                yield from _swaps(history, giver, taker, happened, seen)
        if position == hand.dealer_position:
            yield from _draws(history, position, happened, seen)
    yield history
