"""Everything that could happen next, made from what the game waits for. `check` must agree, event by event: the tests ask it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.decks.italian_sets import kinds_in
from companion.games.stoper.rules import joining, log, phases
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.cards import HAND, MOST_CHANGED, Mask, cards_in, mask_of
from companion.games.stoper.rules.comparing import may_show, to_deal
from companion.games.stoper.rules.log import Event
from companion.games.stoper.rules.state import NOBODY, Hand, Seat, State


def legal_acts(state: State) -> tuple[Event, ...]:
    """Every event that could have happened now, each in its plainest form.

    Plain means: no free text; the smallest bet or raise; a card at a time in a `deal`, without its face; no discards named; one
    `show` for each player who may, of the first cards that can be theirs; one unit of chips; a `hand` as it follows by itself,
    and with each dealer, each single player absent or joining. The first hand has the least cip and no invito.
    """
    if state.closed:
        return (log.Close(),)
    if state.hand is not None:
        return tuple(_in_hand(state, state.hand))
    acts: list[Event] = [log.Close()]
    if state.winner == NOBODY:
        acts += _hands(state)
    if state.table.mode == "cash":
        acts += [log.Chips(by=name, amount=1) for name in state.table.names]
    if state.end_may_follow:
        acts.append(log.End())
    if state.ended is not None:
        acts += _shows(state, state.ended, state.ended.order)
    return tuple(acts)


def _hands(state: State) -> Iterator[Event]:
    names, said, cash = state.table.names, state.carried.said, state.table.mode == "cash"
    plain = log.Hand() if state.cip else log.Hand(cip=1, invito=0)
    taking = joining.expected_in(state)
    many = taking.bit_count()
    if many > 1:
        yield plain
    for seat, name in enumerate(names):
        bit = 1 << seat
        if many > 1 and taking & bit:
            yield replace(plain, dealer=name)
        if cash and not (state.carried.parola and said & bit) and (taking & ~bit).bit_count() > 1:
            yield replace(plain, absent=(name,))
        if said and not said & bit and many and joining.can_join(state, seat):
            yield replace(plain, join=(name,))


def _in_hand(state: State, hand: Hand) -> Iterator[Event]:
    names = state.table.names
    yield log.Void()
    for seat in hand.order:
        known = hand.known[seat]
        if to_deal(hand, seat) > (known.dealt_count if known.changed < 0 else known.received_count):
            yield log.Deal(to=names[seat], cards=1)
    if hand.phase == "exchange":
        yield from _changes(names[hand.todo[0]])
    elif hand.todo:
        yield from _words(state, hand, hand.todo[0])
    yield from _shows(state, hand, tuple([seat for seat in hand.order if may_show(state, hand, seat)]))
    if hand.phase == "showdown":
        for seat in hand.order:
            if hand.live >> seat & 1 and seat not in hand.conceded and not hand.known[seat].shown:
                yield log.Muck(by=names[seat])


def _changes(name: str) -> Iterator[Event]:
    for n in range(MOST_CHANGED + 1):
        yield log.Cambio(by=name, n=n)  # type: ignore[arg-type]


def _words(state: State, hand: Hand, seat: Seat) -> Iterator[Event]:
    name = state.table.names[seat]
    most = state.stacks[seat] + hand.totals[seat]
    if hand.phase == "blind" and phases.next_blind(state, hand):
        yield log.Buio(by=name)
    if not hand.high:
        yield log.Passo(by=name)
        bet = min(smallest(state, hand), most)
        if hand.phase != "final":
            yield log.Parola(by=name)
            yield log.Apro(by=name, to=bet)
            return
        yield log.Busso(by=name)
        yield log.Punto(by=name, to=bet)
        if all(state.stacks[other] for other in hand.order if hand.live >> other & 1):
            yield log.Parola(by=name)
        return
    own_word = hand.blind_open and seat == hand.blind_raiser
    may_raise = own_word or not hand.blind_open
    if may_raise and most > hand.high and phases.others_with_chips(state, hand, seat):
        yield log.Rilancio(by=name, to=hand.high + 1)
    if own_word:
        yield log.Busso(by=name)
        yield from _changes(state.table.names[phases.exchanging(hand).todo[0]])
    else:
        yield log.Vedo(by=name)
        yield log.Passo(by=name)


def _shows(state: State, hand: Hand, seats: tuple[Seat, ...]) -> Iterator[Event]:
    for seat in seats:
        if hand.live >> seat & 1 and seat not in hand.conceded:
            yield log.Show(by=state.table.names[seat], cards=kinds_in(plain_hand(hand, seat)))


def plain_hand(hand: Hand, seat: Seat) -> Mask:
    """What this player may show, in its plainest form: what they have shown, or the first cards that agree with what is known."""
    known = hand.known[seat]
    if known.shown:
        return known.shown
    changed = max(known.changed, 0)
    kept = known.dealt & ~known.discards
    certain = cards_in(known.received) + cards_in(kept)[: HAND - changed]
    taken = known.dealt | known.discards
    for other in hand.known:
        taken |= other.cards
    return mask_of((*certain, *cards_in(hand.deck & ~taken)[: HAND - len(certain)]))
