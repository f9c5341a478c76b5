"""What exchanges and draws can mean for a history: those that the eyes saw, and those that they missed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec.structs import replace

from companion.eyes.sighting import Unseen
from companion.games.stu.referee.costs import COSTS, hurrying
from companion.games.stu.referee.history import History
from companion.games.stu.rules.log import Draw, Event, Passo, Swap
from companion.games.stu.rules.state import NOBODY, Hand, Position
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.rules.waiting import Awaited, awaited, waiting
from companion.games.stu.sightings import DeckExchanged, Exchanged
from companion.table.game import Turn


class Spanning(Protocol):
    """What lasted from ``t`` to ``until`` seconds."""

    @property
    def t(self) -> float: ...
    @property
    def until(self) -> float: ...


C = COSTS
ACT_SECONDS = 4.0
"""Mean seconds between acts, for what may have happened while the table was out of sight."""
MAY_EXCHANGE = 2.0
"""False exchanges, on average, for each one between two players who could exchange just then by the rules."""
OVERLAP_SECONDS = 0.5
"""Seconds before the end of the previous exchange: what seems to have begun earlier is seldom an exchange, as turns are taken one
after the other."""
UNSEEN_STEPS = 3
"""Exchanges of a backward run in a row, at most, that may have been missed."""


def log_of(probability: float) -> float:
    """The natural logarithm, with a floor: nothing that the eyes rule out is quite impossible."""
    return math.log(max(probability, 1e-9))


def position_of(hand: Hand, seat: int) -> Position | None:
    """The seat's position in the order of play; None if it is not in the hand any more."""
    position = hand.order.index(seat) if seat in hand.order else None
    return position if position is not None and hand.still_in(position) else None


def silent(hand: Hand, until: Position) -> float:
    """The cost if all those whose turn comes before ``until`` have stayed without a sign."""
    return C.sto * deciders(hand, until)


def deciders(hand: Hand, until: Position) -> int:
    """How many players still have to decide before ``until``."""
    return (hand.present >> hand.turn & (1 << max(until - hand.turn, 0)) - 1).bit_count()


def unnoticed(history: History, places: Iterable[int]) -> float:
    """The cost of an exchange between these places that was not seen: less where a card was not even seen to be dealt to one."""
    return C.missed if history.dealt.issuperset(places) else C.hidden


def runs_back(history: History, cost: float, t: float) -> Iterator[History]:
    """The history with the next exchange of a backward run, or none where the card does not run back."""
    match waiting(history.state):
        case Turn("keep", str(sender), str(asked)) if history.state.hand is not None:
            fire = _fire(history.state.hand)
            sent: list[Event] = [Passo(by=sender)] if fire else [Passo(by=sender), Swap(with_=asked)]
            further = history.after(sent, cost + C.passo, t)
            if further is not None:
                yield further


def with_missed(history: History, t: float) -> Iterator[History]:
    """The history as it is, and with what may have happened meanwhile without being seen.

    This may be the answer or the draw that is awaited, or further exchanges of a backward run. Before the showdown it may be a
    card sent back to a trump that lies face up: there is nothing to see of that.
    """
    yield history
    step = history
    for _ in range(UNSEEN_STEPS):
        if (hand := step.state.hand) is None:
            return
        missed: list[Event]
        match awaited(hand):
            case Awaited("answer", asked):
                missed, cost = [Swap(with_=step.player(asked))], C.missed
            case Awaited("draw", drawing):
                missed, cost = [Draw(by=step.player(drawing))], C.missed
            case Awaited("keep", sender, asked) if asked != NOBODY:
                fire = _fire(hand)
                if fire and step.showing:
                    return
                sent: Event = Passo(by=step.player(sender))
                missed = [sent] if fire else [sent, Swap(with_=step.player(asked))]
                cost = C.passo if fire else C.passo + C.missed  # where there is nothing to see, nothing can be missed
            case _:
                return
        further = step.after(missed, cost, t, acted=step.acted)
        if further is None:
            return
        yield further
        step = further


def _fire(hand: Hand) -> bool:
    """Whether the player before the travelling card has a trump lying face up that would stop it."""
    before = hand.before(hand.back)
    return hand.is_shown(hand.holds[before]) and is_trump(hand.face_of(before) or "1")


def exchanged(history: History, hand: Hand, seen: Exchanged) -> Iterator[History]:
    names = history.state.table.names
    pair = [names[place] for place in seen.places]
    sure, unsure = _of_who_may(seen.probability, MAY_EXCHANGE)
    if history.exchange_expected == frozenset(pair):
        yield replace(history, weight=history.weight + sure, exchange_expected=frozenset(), acted=seen.until)
        return
    seats = [position_of(hand, place) for place in seen.places]
    if None not in seats and not history.showing:
        for start in with_missed(history, seen.t):
            for (giver, taker), seat in zip((pair, pair[::-1]), seats, strict=True):
                cost = sure + _overlapped(start, seen) + _hurried(start, seat, seen)
                yield from swaps(start, giver, taker, cost, seen)
    yield replace(history, weight=history.weight + unsure)


def _overlapped(start: History, seen: Exchanged | DeckExchanged) -> float:
    """The cost if this began before the last exchange of the history was over."""
    exchanging = bool(start.lines) and isinstance(start.lines[-1].event, Swap | Draw)
    return C.overlapped if exchanging and start.acted - seen.t > OVERLAP_SECONDS else 0.0


def _hurried(start: History, position: Position | None, seen: Spanning) -> float:
    """The cost if all those whose turn came before this ``position`` had decided when this began: people who have just been dealt
    a card look at it, two at a time, and draw it towards them as in an exchange, long before it can be their turn."""
    hand = start.state.hand
    if hand is None or position is None or seen.t <= start.unseen_until:
        return 0.0
    since = max((line.t for line in start.lines[-1:] if line.t is not None), default=-math.inf)
    return hurrying(seen.t - max(start.dealing, since), deciders(hand, position))


def swaps(start: History, giver: str, taker: str, cost: float, seen: Spanning) -> Iterator[History]:
    hand = start.state.hand
    if hand is None:
        return
    swap = Swap(with_=taker)
    asking = hand.asking
    if asking and (start.player(asking.asker), start.player(asking.asked)) == (giver, taker):
        answered = start.after([swap], cost, seen.t, acted=seen.until)
        if answered:
            yield answered
        return
    asker = hand.order.index(start.state.table.names.index(giver))
    passed = start.after([Passo(by=giver), swap], cost + C.passo + silent(hand, asker), seen.t, acted=seen.until)
    if passed:
        yield passed


def drawn(history: History, hand: Hand, seen: DeckExchanged) -> Iterator[History]:
    sure, unsure = _of_who_may(seen.probability, len(hand.positions()))
    position = position_of(hand, seen.place)
    if position is None and seen.place in hand.order:  # a player who is out puts the card under the deck (rule 18)
        yield history
        return
    if position is not None and not history.showing:
        for start in with_missed(history, seen.t):
            yield from draws(start, position, sure + _overlapped(start, seen), seen)
    yield replace(history, weight=history.weight + unsure)


def _of_who_may(probability: float, share: float) -> tuple[float, float]:
    """Log-probabilities that what looked like an exchange or a draw was one, and that it was not, where the rules allow it.

    The eyes do not know who may exchange: all true ones are between players who may, of the false ones only one in ``share``. And
    their probability already includes how often players pass, for which a history pays `Costs.passo`.
    """
    odds = share * probability / max(1 - probability, 1e-9) / math.exp(C.passo)
    return log_of(odds / (1 + odds)), max(log_of(1 / (1 + odds)), C.not_an_exchange)


def draws(start: History, position: Position, cost: float, seen: Spanning) -> Iterator[History]:
    hand = start.state.hand
    if hand is None:
        return
    name = start.player(position)
    if hand.drawing == position:
        drawn = start.after([Draw(by=name)], cost, seen.t, acted=seen.until)
    else:
        drawn = start.after([Passo(by=name), Draw(by=name)], cost + C.passo + silent(hand, position), seen.t, acted=seen.until)
    if drawn:
        yield drawn


def unseen(history: History, hand: Hand, seen: Unseen) -> Iterator[History]:
    """While these places could not be seen, one exchange or draw may have happened there, likelier the longer it lasted; or
    none."""
    happened = math.log(-math.expm1(-max(seen.until - seen.t, 0.1) / ACT_SECONDS))
    hidden = [
        position for position in hand.positions() if seen.places is None or hand.order[position] in seen.places
    ] if not history.showing else []  # fmt: skip
    if history.exchange_expected and history.exchange_expected <= {history.player(position) for position in hidden}:
        yield replace(history, weight=history.weight + happened, exchange_expected=frozenset(), acted=seen.until)
    for position in hidden:
        neighbour = hand.after(position)
        if neighbour in hidden:
            pair = history.player(position), history.player(neighbour)
            for giver, taker in (pair, pair[::-1]):
                yield from swaps(history, giver, taker, happened, seen)
        if position == hand.dealer_position:
            yield from draws(history, position, happened, seen)
    yield history
