"""The cards: dealt, changed, laid open or conceded (rules 2, 8, 14)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.decks.italian import Kind
from companion.games.stoper.rules import log, phases, reasons
from companion.games.stoper.rules.cards import HAND
from companion.games.stoper.rules.known import cards_of, learn, note_false_opening
from companion.games.stoper.rules.state import Hand, Known, Seat, State
from companion.games.stoper.rules.waiting import expected
from companion.table.errors import Contradictory, Illegal
from companion.table.seats import put, seat_of


def deal(state: State, hand: Hand, event: log.Deal) -> State:
    """Cards dealt, perhaps with faces: the first three, or those received for cards changed.

    Raises:
        Illegal: none are dealt to this player now, or fewer than the line says.
        Contradictory: the faces cannot be theirs.
    """
    seat = seat_of(state.table.names, event.to)
    known = hand.known[seat]
    count = len(event.faces) if event.cards is None else event.cards
    if count < len(event.faces):
        raise Illegal(reasons.FEWER_THAN_FACES, rule=2, expected=f"{len(event.faces)} or more", number=count)
    cards = cards_of(hand, event.faces)
    most = to_deal(hand, seat)
    if not most:
        raise Illegal(reasons.NOT_DEALING, rule=2, expected=partial(expected, state), player=event.to)
    if known.changed < 0:
        known = replace(known, dealt=known.dealt | cards, dealt_count=known.dealt_count + count)
        dealt = known.dealt_count
    else:
        known = replace(known, received=known.received | cards, received_count=known.received_count + count)
        dealt = known.received_count
    if dealt > most:
        raise Illegal(reasons.TOO_MANY_CARDS, rule=2, expected=f"{most} in all", player=event.to, number=dealt, count=most)
    hand = learn(state.table, hand, seat, known)
    if event.cards != 0 and hand.phase == "blind":  # the first card is out, however many the line counts: no blind can follow
        hand = replace(hand, phase="opening")
    return replace(state, hand=hand)


def to_deal(hand: Hand, seat: Seat) -> int:
    """Cards, in all, that may be dealt to this player now: three before the first word, later the number that they changed."""
    if not hand.live >> seat & 1:
        return 0
    changed = hand.known[seat].changed
    if changed < 0:
        return 0 if hand.looked else HAND
    return changed


def cambio(state: State, hand: Hand, event: log.Cambio) -> State:
    """A player changes cards, or is served; the last blind raiser who still had a word has left it.

    Raises:
        Illegal: it is not their turn, or another number of cards is named.
        Contradictory: they cannot be theirs.
    """
    seat = seat_of(state.table.names, event.by)
    if hand.blind_open and hand.todo == (hand.blind_raiser,):
        hand = phases.exchanging(hand)
    if hand.phase != "exchange":
        raise Illegal(reasons.NOT_NOW, rule=8, expected=partial(expected, state), what="cambio")
    if hand.todo[0] != seat:
        raise Illegal(reasons.OUT_OF_TURN, rule=8, expected=partial(expected, state), player=event.by)
    known = replace(hand.known[seat], changed=event.n)
    if event.discards is not None:
        if len(event.discards) != event.n:
            raise Illegal(reasons.WRONG_COUNT, rule=8, expected=f"{event.n} or none", number=len(event.discards), count=event.n)
        known = replace(known, discards=cards_of(hand, event.discards))
        hand = learn(state.table, hand, seat, known)
    else:
        hand = replace(hand, known=put(hand.known, seat, known))
    hand = replace(hand, todo=hand.todo[1:], looked=True)
    return replace(state, hand=hand) if hand.todo else phases.final(state, hand)


def show(state: State, hand: Hand, event: log.Show) -> State:
    """Cards laid open in a showdown, or by a player who is all-in and has had their exchange.

    Raises:
        Illegal: nothing is compared, or not by this player.
        Contradictory: the cards cannot be theirs.
    """
    seat = seat_of(state.table.names, event.by)
    _refuse_who(state, hand, seat, event.by)
    if not may_show(state, hand, seat):
        raise Illegal(reasons.NOTHING_COMPARED, rule=14, expected=partial(expected, state))
    hand = _shown(state, hand, seat, event)
    return phases.compared(state, hand) if hand.phase == "showdown" else replace(state, hand=hand)


def may_show(state: State, hand: Hand, seat: Seat) -> bool:
    """Whether this player, still in, may lay their cards open now."""
    return hand.phase == "showdown" or (not state.stacks[seat] and hand.known[seat].changed >= 0)


def _refuse_who(state: State, hand: Hand, seat: Seat, name: str) -> None:
    """Refuse a player who is not in, or has conceded."""
    if seat not in hand.order:
        raise Illegal(reasons.NOT_IN_HAND, rule=14, expected="one of those still in", player=name)
    if not hand.live >> seat & 1:
        raise Illegal(reasons.HAS_PASSED, rule=14, expected="one of those still in", player=name)
    if seat in hand.conceded:
        raise Illegal(reasons.HAS_CONCEDED, rule=14, expected="nothing more of them", player=name)


def _shown(state: State, hand: Hand, seat: Seat, event: log.Show) -> Hand:
    if len(event.cards) != HAND:
        raise Illegal(reasons.WRONG_COUNT, rule=14, expected="three", number=len(event.cards), count=HAND)
    cards, known = cards_of(hand, event.cards), hand.known[seat]
    if known.shown not in (0, cards):
        raise Contradictory(reasons.OTHER_CARDS, rule=14, expected="the same again", player=event.by)
    if event.discards is not None:
        known = _with_discards(hand, known, event.by, event.discards)
    hand = learn(state.table, hand, seat, replace(known, shown=cards))
    return note_false_opening(state.table, hand, seat)


def _with_discards(hand: Hand, known: Known, name: str, named: tuple[Kind, ...]) -> Known:
    """What is known of a player who lays their discards open, too."""
    discards, changed = cards_of(hand, named), max(known.changed, 0)
    if len(named) != changed:
        raise Illegal(reasons.WRONG_COUNT, rule=8, expected=f"{changed} or none", number=len(named), count=changed)
    if known.discards not in (0, discards):
        raise Contradictory(reasons.OTHER_CARDS, rule=8, expected="the same again", player=name)
    return replace(known, discards=discards)


def show_late(state: State, hand: Hand, event: log.Show) -> State:
    """Cards shown when the hand is over: no money moves, a false opening may come to light.

    Raises:
        Illegal: they had passed or conceded.
        Contradictory: the cards cannot be theirs.
    """
    seat = seat_of(state.table.names, event.by)
    _refuse_who(state, hand, seat, event.by)
    hand = _shown(state, hand, seat, event)
    last = replace(state.hands[-1], irregularities=hand.irregularities)
    return replace(state, ended=hand, hands=(*state.hands[:-1], last))


def muck(state: State, hand: Hand, event: log.Muck) -> State:
    """A player concedes, for good.

    Raises:
        Illegal: nothing is compared, or they have shown.
    """
    seat = seat_of(state.table.names, event.by)
    if hand.phase != "showdown":
        raise Illegal(reasons.NOTHING_COMPARED, rule=14, expected=partial(expected, state))
    _refuse_who(state, hand, seat, event.by)
    if hand.known[seat].shown:
        raise Illegal(reasons.HAS_SHOWN, rule=14, expected="nothing more of them", player=event.by)
    return phases.compared(state, replace(hand, conceded=(*hand.conceded, seat)))
