"""Everything that could happen next."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from companion.decks.stu import Kind
from companion.games.stu.rules import log
from companion.games.stu.rules.engine import check
from companion.games.stu.rules.faces import possible_faces, unseen_kinds
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.passo import hand_of
from companion.games.stu.rules.state import Hand, State, Token

_HALF = Decimal("0.5")


def legal_acts(state: State) -> tuple[Event, ...]:
    """Every event that could have happened now, each in its plainest form.

    Plain means: no free text, no partners, no Taverna share, a split in halves; a `deal` and a `draw` stand without a
    face and with each face that the card could prove to have, a `hand` without a dealer and with each player in play.
    """
    if state.hand is None:
        return tuple(event for event in _between_hands(state) if check(state, event) is None)
    return (
        *(event for event in _decisions(state, state.hand) if check(state, event) is None),
        *_faces(state, state.hand),
    )


def decisions(state: State) -> tuple[Event, ...]:
    """The `legal_acts` of a hand but for plain deals and for faces laid open unasked: what somebody could decide now.

    Raises:
        Illegal: no hand is in progress.
    """
    return tuple(event for event in _decisions(state, hand_of(state, "a decision")) if check(state, event) is None)


def _decisions(state: State, hand: Hand) -> Iterator[Event]:
    """What may be legal in a hand: the acts, the answers, the draws, the end, the referee."""
    names = state.table.names
    for position in hand.positions():
        name = names[hand.order[position]]
        yield log.Sto(by=name)
        yield log.Passo(by=name)
        if hand.asking is not None and hand.asking.asked == position:
            yield log.Swap(with_=name)
            yield log.Taverna(by=name)
            yield from (log.Reveal(by=name, card=kind) for kind in possible_faces(hand, hand.holds[position]))
        if position in (hand.drawing, hand.dealer_position):
            yield log.Draw(by=name)
            yield from (log.Draw(by=name, card=kind) for kind in _drawable(hand, hand.holds[position]))
    yield log.End()
    yield log.Void()
    yield from _any_time(state)


def _faces(state: State, hand: Hand) -> Iterator[Event]:
    """What is always legal in a hand: deals to those who have not played, faces of those whom nobody asks."""
    names = state.table.names
    unseen = unseen_kinds(hand)
    for position in hand.positions():
        name = names[hand.order[position]]
        face = hand.face_of(position)
        possible = unseen if face is None else (face,)
        if not (hand.dealt | hand.touched) >> position & 1:
            yield log.Deal(to=name)
            yield from (log.Deal(to=name, card=kind) for kind in possible)
        if hand.asking is None or hand.asking.asked != position:
            yield from (log.Reveal(by=name, card=kind) for kind in possible)


def _drawable(hand: Hand, own: Token) -> tuple[Kind, ...]:
    """The faces that a card drawn now can have; ``own`` goes under the deck before."""
    if hand.fresh:
        return unseen_kinds(hand)
    return possible_faces(hand, hand.under[0] if hand.under else own)


def _between_hands(state: State) -> Iterator[Event]:
    """What may be legal between hands."""
    names = state.table.names
    yield log.Hand()
    yield from (log.Hand(dealer=name) for name in names)
    yield from (log.Rebuy(by=name) for name in names)
    yield log.Matto(in_deck=1)
    yield log.Matto(in_deck=2)
    yield log.Close()
    yield log.End()
    yield from _any_time(state)


def _any_time(state: State) -> Iterator[Event]:
    """Penalties and the agreement of the last two."""
    last = [state.table.names[seat] for seat in state.in_play]
    if state.table.piazza:
        yield from (log.Penalty(player=name) for name in last)
    if len(last) == 2:
        yield log.Split(shares=dict.fromkeys(last, _HALF))
