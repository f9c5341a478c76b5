"""Everything that could happen next."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from companion.stu import log
from companion.stu.cards import Kind
from companion.stu.faces import possible_faces, unseen_kinds
from companion.stu.log import Event
from companion.stu.rules import check
from companion.stu.table import Hand, State

_HALF = Decimal("0.5")


def legal_acts(state: State) -> tuple[Event, ...]:
    """Every event that could have happened now, each in its plainest form.

    Plain means: no free text, no partners, no Taverna share, a split in halves; a `deal` and a `draw` stand without a
    face and with each face that the card could prove to have, a `hand` without a dealer and with each player in play.
    """
    return tuple(event for event in _candidates(state) if check(state, event) is None)


def _candidates(state: State) -> Iterator[Event]:
    if state.hand is not None:
        yield from _in_hand(state, state.hand)
    else:
        yield from _between_hands(state)
    if state.table.piazza:
        yield from (log.Penalty(player=state.table.names[seat]) for seat in state.in_play)
    last = state.in_play
    if len(last) == 2:
        yield log.Split(shares={state.table.names[seat]: _HALF for seat in last})
    yield log.End()


def _in_hand(state: State, hand: Hand) -> Iterator[Event]:
    names = state.table.names
    for position in hand.positions():
        name = names[hand.order[position]]
        token = hand.holds[position]
        possible = possible_faces(hand, token)
        yield log.Sto(by=name)
        yield log.Passo(by=name)
        if hand.asking is not None and hand.asking.asked == position:
            yield log.Swap(with_=name)
            yield log.Taverna(by=name)
        if not (hand.dealt | hand.touched) >> position & 1:
            yield log.Deal(to=name)
            yield from (log.Deal(to=name, card=kind) for kind in possible)
        yield from (log.Reveal(by=name, card=kind) for kind in possible)
        if position == hand.drawing or position == hand.dealer_position:
            yield log.Draw(by=name)
            yield from (log.Draw(by=name, card=kind) for kind in _drawable(hand, token))
    yield log.Void()


def _drawable(hand: Hand, own: int) -> tuple[Kind, ...]:
    if hand.fresh:
        return unseen_kinds(hand)
    return possible_faces(hand, hand.under[0] if hand.under else own)


def _between_hands(state: State) -> Iterator[Event]:
    names = state.table.names
    yield log.Hand()
    yield from (log.Hand(dealer=name) for name in names)
    yield from (log.Rebuy(by=name) for name in names)
    yield log.Matto(in_deck=1)
    yield log.Matto(in_deck=2)
    yield log.Close()
