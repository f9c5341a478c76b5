"""Everything that could happen next, made from what the game waits for. `check` must agree, event by event: the tests ask it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.decks.italian_sets import kinds_in
from companion.games.stoper.rules import joining, log, phases
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.cards import HAND, Mask, cards_in, mask_of
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


def _in_hand(state: State, hand: Hand) -> list[Event]:
    names = state.table.names
    acts: list[Event] = [log.Void()]
    for seat in hand.order:
        known = hand.known[seat]
        if hand.looked and known.changed < 1:
            continue  # nothing is dealt to them now
        if to_deal(hand, seat) > (known.dealt_count if known.changed < 0 else known.received_count):
            acts.append(log.Deal(to=names[seat], cards=1))
    if hand.phase == "exchange":
        acts += _changes(names[hand.todo[0]])
    elif hand.todo:
        acts += _words(state, hand, hand.todo[0])
    if hand.phase in ("exchange", "final", "showdown"):
        acts += _shows(state, hand, tuple([seat for seat in hand.order if may_show(state, hand, seat)]))
    if hand.phase == "showdown":
        for seat in hand.order:
            if hand.live >> seat & 1 and seat not in hand.conceded and not hand.known[seat].shown:
                acts.append(log.Muck(by=names[seat]))
    return acts


def _changes(name: str) -> list[Event]:
    return [log.Cambio(by=name, n=0), log.Cambio(by=name, n=1), log.Cambio(by=name, n=2)]


def _words(state: State, hand: Hand, seat: Seat) -> list[Event]:
    """What the player whose turn it is may say."""
    name, acts = state.table.names[seat], list[Event]()
    most = state.stacks[seat] + hand.totals[seat]
    if hand.phase == "blind" and phases.next_blind(state, hand):
        acts.append(log.Buio(by=name))
    if not hand.high:
        bet = min(smallest(state, hand), most)
        if hand.phase != "final":
            return [*acts, log.Parola(by=name), log.Passo(by=name), log.Apro(by=name, to=bet)]
        acts += [log.Busso(by=name), log.Passo(by=name), log.Punto(by=name, to=bet)]
        if len(phases.with_chips(state, hand, hand.order)) == hand.live.bit_count():
            acts.append(log.Parola(by=name))
        return acts
    own_word = hand.blind_open and seat == hand.blind_raiser
    if (own_word or not hand.blind_open) and most > hand.high and phases.anybody_else_has_chips(state, hand, seat):
        acts.append(log.Rilancio(by=name, to=hand.high + 1))
    if own_word:
        return [*acts, log.Busso(by=name), *_changes(state.table.names[phases.exchanging(hand).todo[0]])]
    return [*acts, log.Vedo(by=name), log.Passo(by=name)]


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
