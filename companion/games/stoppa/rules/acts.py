"""Everything that could happen next, made from what the game waits for. `check` must agree, event by event: the tests ask it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.decks.italian import KINDS
from companion.games.stoppa.rules import log, stoppata
from companion.games.stoppa.rules.betting import only_dealer_left
from companion.games.stoppa.rules.cards import OF_NUMBER, Card, Mask, Named, cards_in, kinds_in, number_of
from companion.games.stoppa.rules.declarations import declare, refuse_contradictions
from companion.games.stoppa.rules.known import learn
from companion.games.stoppa.rules.log import Event, What
from companion.games.stoppa.rules.state import Betting, Hand, Seat, State, to_lay
from companion.table.errors import Illegal

_WHATS: tuple[What, ...] = ("four_kings", "misera", "no_stoppata")


def legal_acts(state: State) -> tuple[Event, ...]:
    """Every event that could have happened now, each in its plainest form.

    Plain means: no free text; the smallest bet or raise; one face in a `deal` and a `show`; a `declare` without cards; no card
    skipped; a `hand` without a dealer and with each player, and after a declaration only once an `end` has come.
    """
    if state.closed:
        return (log.Close(),)
    acts: list[Event] = []
    hand = state.hand
    if hand is None:
        if not state.over:
            acts += [log.Hand(), *(log.Hand(dealer=name) for name in state.table.names)]
        acts.append(log.Close())
        if state.ended is not None:
            acts += _shown_late(state, state.ended)
            acts += [] if state.ended_said else [log.End()]
    else:
        acts += _in_hand(state, hand)
    if not state.over:
        acts += [log.Giro(by=name) for name in state.table.names]
    return tuple(acts)


def _in_hand(state: State, hand: Hand) -> Iterator[Event]:
    names, betting = state.table.names, hand.betting
    yield log.Void()
    if hand.declared:
        yield from (log.End(), log.Close())
        yield from _declarations(state, hand)
        yield from _shows(state, hand, range(len(names)), dealt=False, declared=True)
        return
    if hand.begun:
        yield from _lays(state, hand)
        return
    if betting is not None and betting.phase != "grosso":
        yield from _deals(state, hand)
    if betting is not None and not betting.decided:
        yield from _words(state, hand, betting)
    if betting is not None:
        yield from _comparison(state, hand, betting)
    if betting is None or _can_be_decided(betting):
        if betting is not None and betting.phase == "grosso":
            if state.in_last_hand:
                yield from (log.End(), log.Close())
            else:
                yield from _lays(state, hand)
                yield from _declarations(state, hand)
        else:
            yield log.Piccolo() if hand.iteration < len(state.table.deals) else log.Grosso()


def _can_be_decided(betting: Betting) -> bool:
    """Whether the punto is decided, or would be if all who still must act passed."""
    return betting.decided or (not betting.comparing and len(list(betting.still_in())) < 2)


def _words(state: State, hand: Hand, betting: Betting) -> Iterator[Event]:
    """The words of those who still must act. Where a later player speaks, those between have passed."""
    for seat in betting.todo:
        if not betting.high and seat == hand.dealer:
            return  # all others have passed by then: the punto is the dealer's
        name = state.table.names[seat]
        yield _passo(name)
        if betting.high:
            yield _vedo(name)
            yield log.Rilancio(by=name, to=betting.high + 1)
        else:
            yield log.Punto(by=name, to=state.table.house.bet_min)


def _comparison(state: State, hand: Hand, betting: Betting) -> Iterator[Event]:
    """What players may show or concede who are still in, or were when it was decided."""
    if only_dealer_left(hand, betting) or not betting.high:
        return
    still_in = tuple(betting.still_in())
    if len(still_in) < 2:
        return
    shows = [seat for seat in still_in if not betting.mucked >> seat & 1]
    yield from _shows(state, hand, shows, dealt=betting.phase != "grosso")
    if not betting.decided:
        for seat in shows:
            if not betting.shown[seat]:
                yield log.Muck(by=state.table.names[seat])


def _shown_late(state: State, ended: Hand) -> Iterator[Event]:
    if ended.ending != "grosso":
        yield from _shows(state, ended, range(len(state.table.names)), dealt=False, declared=True)
    elif not state.ended_said and ended.betting is not None:
        yield from _comparison(state, ended, ended.betting)


def _deals(state: State, hand: Hand) -> Iterator[Event]:
    for seat, name in enumerate(state.table.names):
        yield log.Deal(to=name)
        for card in cards_in(_possible(state, hand, seat, dealt=True)):
            yield log.Deal(to=name, faces=(KINDS[card],))


def _shows(
    state: State, hand: Hand, seats: range | list[Seat], *, dealt: bool, declared: bool = False
) -> Iterator[Event]:  # fmt: skip
    for seat in seats:
        for card in cards_in(_possible(state, hand, seat, dealt=dealt) & ~hand.on_pile):
            if not hand.declared or not declared or _fits(state, hand, seat, card):
                yield _show(state.table.names[seat], card)


def _fits(state: State, hand: Hand, seat: Seat, card: Card) -> bool:
    """Whether this card, known of this player, contradicts no declaration."""
    try:
        refuse_contradictions(state.table, learn(state.table, hand, seat, Named((card,), 1 << card)))
    except Illegal:
        return False
    return True


def _possible(state: State, hand: Hand, seat: Seat, *, dealt: bool) -> Mask:
    """The cards that this player could prove to have, laid ones too; ``dealt``: in the iteration last begun."""
    known, of, this = hand.known[seat], hand.dealt_in, hand.iteration - 1
    free = state.table.deck
    for held in hand.known:
        free &= ~held
    if known.bit_count() >= state.table.size or (dealt and (known & of[this]).bit_count() >= state.table.deals[this]):
        free = 0
    return free | (known & of[this] if dealt else known)


def _declarations(state: State, hand: Hand) -> Iterator[Event]:
    for name in state.table.names:
        for what in _WHATS:
            event = log.Declare(by=name, what=what)
            try:
                declare(state, hand, event)
            except Illegal:
                continue
            yield event


def _lays(state: State, hand: Hand) -> Iterator[Event]:
    """Lays, and what may stand in the place of one."""
    yield log.Annul()
    for count in range(1, len(hand.lays) + 1):
        yield log.Back(lays=count)
    seats = range(len(state.table.names)) if hand.wants else (to_lay(state.table, hand),)
    for seat in seats:
        possible = _possible(state, hand, seat, dealt=False) & ~hand.on_pile
        for cards in _sets(possible):
            if _may_lay(state, hand, seat, cards):
                yield _lay(state.table.names[seat], cards)


@lru_cache(maxsize=4096)
def _sets(possible: Mask) -> tuple[Mask, ...]:
    """The sets of cards of one number among these: each alone, two or more together."""
    found = []
    for of in OF_NUMBER[1:]:
        part = whole = of & possible
        while part:
            found.append(part)
            part = (part - 1) & whole
    return tuple(found)


def _may_lay(state: State, hand: Hand, seat: Seat, cards: Mask) -> bool:
    """Whether this player may put down these cards of one number together."""
    house, number, count = state.table.house, number_of(cards.bit_length() - 1), cards.bit_count()
    way = stoppata.way_of(house, hand.wants, number_of(hand.top) if hand.wants else 0, number, count, skipped=False)
    if way == "wrong" or (hand.known[seat] | cards).bit_count() > state.table.size:
        return False
    if way == "thrown" and not stoppata.all_aces_known(hand.known[seat], hand.laid[seat], cards):
        return False
    if count == 1:
        return True
    return stoppata.may_lie_together(house, state.table.deck, hand.on_pile, way, number, cards)


# Events are values: those that would be made again at every look at a hand are kept.

_kept = lru_cache(maxsize=4096)


@_kept
def _passo(name: str) -> Event:
    return log.Passo(by=name)


@_kept
def _vedo(name: str) -> Event:
    return log.Vedo(by=name)


@_kept
def _show(name: str, card: Card) -> Event:
    return log.Show(by=name, cards=(KINDS[card],))


@_kept
def _lay(name: str, cards: Mask) -> Event:
    return log.Lay(by=name, cards=kinds_in(cards))
