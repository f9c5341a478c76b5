"""Everything that could happen next, made from what the hand waits for. `check` must agree, event by event: the tests ask it."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from companion.decks.stu import RANK, Kind
from companion.games.stu.rules import log
from companion.games.stu.rules.faces import possible_faces, unseen_kinds
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.passo import hand_of
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import NOBODY, Hand, Position, State
from companion.games.stu.rules.trumps import LOWEST_TRUMP
from companion.games.stu.rules.waiting import pending

_HALF = Decimal("0.5")
_END, _VOID, _CLOSE, _HAND = log.End(), log.Void(), log.Close(), log.Hand()
_MATTI = (log.Matto(in_deck=1), log.Matto(in_deck=2))


def legal_acts(state: State) -> tuple[Event, ...]:
    """Every event that could have happened now, each in its plainest form.

    Plain means: no free text, no partners, no Taverna share, a split in halves; a `deal` and a `draw` stand without a
    face and with each face that the card could prove to have, a `hand` without a dealer and with each player in play.
    """
    acts: list[Event] = []
    if state.hand is None:
        _between_hands(state, acts)
    else:
        _in_hand(state, state.hand, acts)
        _faces(state, state.hand, acts)
    return tuple(acts)


def decisions(state: State) -> tuple[Event, ...]:
    """The `legal_acts` of a hand without plain deals and faces laid open unasked: what somebody could decide now.

    Raises:
        Illegal: no hand is in progress.
    """
    acts: list[Event] = []
    _in_hand(state, hand_of(state, "a decision"), acts)
    return tuple(acts)


def _in_hand(state: State, hand: Hand, acts: list[Event]) -> None:
    """The acts, the answers, the draws, the end, the referee."""
    names, waits = state.table.names, pending(hand)
    ask, last = hand.asking, hand.dealer_position
    for position in hand.positions():
        name = names[hand.order[position]]
        may_act = not waits and (position >= hand.turn or position == hand.back)
        if may_act:
            acts.append(_sto(name))
        if (may_act and _has_whom_to_pass(hand, position)) or _offers_already(hand, position):
            acts.append(_passo(name))
        if ask is not None and ask.asked == position:
            acts.append(_swap(name))
            faces = possible_faces(hand, hand.holds[position])
            if "taverna" in faces and not ask.back:
                acts.append(_taverna(name))
            if not (ask.back and must_hand_back(hand, ask.asker, position)):
                shown = hand.is_shown(hand.holds[position])
                acts += [_reveal(name, kind) for kind in faces if RANK[kind] >= LOWEST_TRUMP or shown]
        if hand.drawing == position or (position == last and may_act):
            acts += _draws(name, _drawable(hand, position))
    if not waits and None not in [hand.face_of(position) for position in hand.positions()]:
        acts.append(_END)
    acts.append(_VOID)
    spared = 1 if waits else 0  # the last pedina does not go while an answer is pending
    _any_time(state, [name for name, pedine in zip(names, state.pedine, strict=True) if pedine > spared], acts)


def _has_whom_to_pass(hand: Hand, position: Position) -> bool:
    """Whether a passo has somebody, or the deck, to go to; the travelling card sent past di mano ends the run."""
    return position in (hand.back, hand.dealer_position) or hand.after(position) < len(hand.order)


def _offers_already(hand: Hand, position: Position) -> bool:
    """Whether a passo of this player would only say what has been done: an offer of the backward run made by itself."""
    ask = hand.asking
    return hand.opened == position or (ask is not None and ask.by_itself and ask.asker == position)


def _faces(state: State, hand: Hand, acts: list[Event]) -> None:
    """What is always legal in a hand: deals to those who have not played, faces of those whom nobody asks."""
    names = state.table.names
    unseen = unseen_kinds(hand)
    asked = NOBODY if hand.asking is None else hand.asking.asked
    played = hand.dealt | hand.touched
    for position in hand.positions():
        name = names[hand.order[position]]
        face = hand.faces[hand.holds[position]]
        possible = unseen if face is None else (face,)
        if not played >> position & 1:
            acts += _deals(name, possible)
        if position != asked:
            acts += _reveals(name, possible)


def _drawable(hand: Hand, position: Position) -> tuple[Kind, ...]:
    """The faces that a card drawn now can have; the player's own goes under the deck before."""
    if hand.fresh:
        return unseen_kinds(hand)
    return possible_faces(hand, hand.under[0] if hand.under else hand.holds[position])


def _between_hands(state: State, acts: list[Event]) -> None:
    names, in_play = state.table.names, state.in_play
    if not state.won:
        if len(in_play) == 1:  # the next hand makes the game won, no matter who deals it
            acts += [_HAND, *(log.Hand(dealer=name) for name in names)]
        elif len(in_play) < state.deck:
            acts += [_HAND, *(log.Hand(dealer=names[seat]) for seat in in_play)]
        if state.ricompere_open:
            acts += [log.Rebuy(by=name) for name, pedine in zip(names, state.pedine, strict=True) if not pedine]
        acts += _MATTI
    acts.append(_CLOSE)
    if state.end_may_follow:
        acts.append(_END)
    if not state.won:
        _any_time(state, [names[seat] for seat in in_play] if state.last_ended >= 0 else [], acts)


def _any_time(state: State, may_pay: list[str], acts: list[Event]) -> None:
    """Penalties of those who may pay one, and the agreement of the last two."""
    if state.table.piazza:
        acts += [log.Penalty(player=name) for name in may_pay]
    if len(last := state.in_play) == 2:
        acts.append(log.Split(shares=dict.fromkeys([state.table.names[seat] for seat in last], _HALF)))


# Events are values: those that would be made again at every look at a hand are kept.

_kept = lru_cache(maxsize=4096)


@_kept
def _sto(name: str) -> Event:
    return log.Sto(by=name)


@_kept
def _passo(name: str) -> Event:
    return log.Passo(by=name)


@_kept
def _swap(name: str) -> Event:
    return log.Swap(with_=name)


@_kept
def _taverna(name: str) -> Event:
    return log.Taverna(by=name)


@_kept
def _reveal(name: str, kind: Kind) -> Event:
    return log.Reveal(by=name, card=kind)


@_kept
def _reveals(name: str, kinds: tuple[Kind, ...]) -> tuple[Event, ...]:
    return tuple([_reveal(name, kind) for kind in kinds])


@_kept
def _deals(name: str, kinds: tuple[Kind, ...]) -> tuple[Event, ...]:
    return (log.Deal(to=name), *(log.Deal(to=name, card=kind) for kind in kinds))


@_kept
def _draws(name: str, kinds: tuple[Kind, ...]) -> tuple[Event, ...]:
    return (log.Draw(by=name), *(log.Draw(by=name, card=kind) for kind in kinds))
