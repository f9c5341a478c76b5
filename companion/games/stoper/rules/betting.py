"""What is said in the opening and in the final phase (rules 4, 6, 9, 10, 11)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.games.stoper.rules import log, phases, reasons
from companion.games.stoper.rules.state import Hand, Opened, Phase, Seat, State
from companion.games.stoper.rules.waiting import expected
from companion.table.errors import Illegal
from companion.table.log import tag
from companion.table.money import Minor
from companion.table.seats import put, seat_of

Word = log.Apro | log.Parola | log.Busso | log.Punto | log.Vedo | log.Rilancio | log.Passo


def blind(state: State, hand: Hand, event: log.Buio) -> State:
    """The next blind: buio, controbuio or over (rule 4).

    Raises:
        Illegal: none can follow, it is another player's right, or they have not the whole sum.
    """
    seat = seat_of(state.table.names, event.by)
    found = phases.next_blind(state, hand) if hand.phase == "blind" else None
    if found is None or found[0] != seat:
        raise _no_blind(state, hand, seat, event.by)
    _, cost = found
    state, hand = _pays(state, hand, seat, cost)
    opened = hand.opened or Opened(event.by, cost, True)
    hand = replace(hand, high=cost, opened=opened, raiser=seat, blinds=hand.blinds + 1, blind_open=True,
                   todo=phases.others_with_chips(state, hand, seat))  # fmt: skip
    phase: Phase = "blind" if phases.next_blind(state, hand) else "opening"
    return replace(state, hand=replace(hand, phase=phase))


def _no_blind(state: State, hand: Hand, seat: Seat, name: str) -> Illegal:
    """Why this player makes no blind now: cards or words have ended the blinds, they have not the whole sum, or it is another's
    right."""
    wanted = partial(expected, state)
    # Before the first card and word the phase is `blind` wherever anybody may make one.
    if hand.looked or (hand.phase == "opening" and phases.next_blind(state, hand) is not None):
        return Illegal(reasons.BLIND_TOO_LATE, rule=4, expected=wanted, player=name)
    has, cost = state.stacks[seat], phases.blind_cost(hand)
    if phases.blinds_left(hand) and hand.order[hand.blinds] == seat and has < cost:
        return Illegal(reasons.TOO_MUCH, rule=4, expected=wanted, amount=Minor(cost), player=name, most=Minor(has))
    return Illegal(reasons.NO_BLIND_NOW, rule=4, expected=wanted, player=name)


def word(state: State, hand: Hand, event: Word) -> State:
    """A word of the player whose turn it is.

    Raises:
        Illegal: nothing is said now, or not by this player, or not this; or the amount cannot be.
    """
    seat = seat_of(state.table.names, event.by)
    if hand.phase == "exchange" or not hand.todo:
        raise Illegal(reasons.NOT_NOW, rule=9, expected=partial(expected, state), what=tag(event))
    if hand.todo[0] != seat:
        raise _out_of_turn(state, hand, seat, event.by)
    if hand.phase == "final":
        return phases.after_word(*(_answer if hand.high else _first_word)(state, hand, seat, event))
    if not hand.high:
        return _open(state, hand, seat, event)
    if hand.blind_open and seat == hand.blind_raiser:
        return _blind_raisers_word(state, hand, seat, event)
    state, hand = _answer(state, hand, seat, event)
    return replace(state, hand=hand) if hand.todo else phases.answered(state, hand)


def _open(state: State, hand: Hand, seat: Seat, event: Word) -> State:
    """Before an opening: open, or pass the word."""
    if type(event) is log.Apro:
        _refuse_amount(state, hand, seat, event, smallest(state, hand))
        state, hand = _bets(state, hand, seat, event.to)
        return replace(state, hand=replace(hand, phase="opening", looked=True, opened=Opened(event.by, event.to, False)))
    if type(event) not in (log.Parola, log.Passo):
        raise _not_before_a_bet(state, event)
    hand = replace(hand, phase="opening", looked=True, todo=hand.todo[1:])
    return replace(state, hand=hand) if hand.todo else phases.nobody_opened(state, hand)


def _blind_raisers_word(state: State, hand: Hand, seat: Seat, event: Word) -> State:
    """Somebody has seen the blind: the last blind raiser raises, or leaves it."""
    if type(event) is log.Busso:
        return phases.exchange(state, hand)
    if not isinstance(event, log.Rilancio):
        raise Illegal(reasons.BLIND_RAISER_STAYS, rule=4, expected=partial(expected, state), player=event.by)
    state, hand = _raise(state, hand, seat, event)
    return replace(state, hand=hand)


def _first_word(state: State, hand: Hand, seat: Seat, event: Word) -> tuple[State, Hand]:
    """The final phase before a bet."""
    kind = type(event)
    if kind is log.Busso:
        return state, replace(hand, todo=hand.todo[1:], bussed=True)
    if kind is log.Passo:
        return state, replace(hand, todo=hand.todo[1:], live=hand.live & ~(1 << seat))
    if kind is log.Parola:
        for other in hand.order:
            if hand.live >> other & 1 and not state.stacks[other]:
                raise Illegal(reasons.PAROLA_WITHOUT_CHIPS, rule=11, expected=partial(expected, state),
                              player=state.table.names[other])  # fmt: skip
        return state, replace(hand, todo=hand.todo[1:])
    if not isinstance(event, log.Punto):
        raise _not_before_a_bet(state, event)
    _refuse_amount(state, hand, seat, event, smallest(state, hand))
    return _bets(state, hand, seat, event.to)


def _answer(state: State, hand: Hand, seat: Seat, event: Word) -> tuple[State, Hand]:
    """After an opening, a blind or a bet: see, raise or pass."""
    kind = type(event)
    if kind is log.Vedo:
        more = min(hand.high - hand.totals[seat], state.stacks[seat])
        state, hand = _pays(state, hand, seat, more)
        return state, replace(hand, todo=hand.todo[1:], looked=True, phase=_after_blinds(hand))
    if kind is log.Passo:
        live = hand.live & ~(1 << seat)
        return state, replace(hand, todo=hand.todo[1:], live=live, looked=True, phase=_after_blinds(hand))
    if not isinstance(event, log.Rilancio):
        raise Illegal(reasons.BET_STANDS, rule=10, expected=partial(expected, state), what=tag(event))
    if hand.blind_open:
        raise Illegal(reasons.BLIND_RAISER_FIRST, rule=4, expected=partial(expected, state), player=event.by)
    return _raise(state, hand, seat, event)


def _after_blinds(hand: Hand) -> Phase:
    return "opening" if hand.phase == "blind" else hand.phase


def _raise(state: State, hand: Hand, seat: Seat, event: log.Rilancio) -> tuple[State, Hand]:
    if event.to <= hand.high:
        raise Illegal(reasons.RAISE_TOO_SMALL, rule=10, expected=f"more than {hand.high}", amount=Minor(event.to))
    _refuse_amount(state, hand, seat, event, hand.high + 1)
    if not phases.anybody_else_has_chips(state, hand, seat):
        raise Illegal(reasons.NOBODY_TO_MATCH, rule=10, expected=partial(expected, state), player=event.by)
    reraised = hand.reraised or (hand.phase != "final" and hand.blinds > 0 and seat != hand.blind_raiser)
    state, hand = _bets(state, hand, seat, event.to)
    return state, replace(hand, blind_open=False, reraised=reraised)


def _bets(state: State, hand: Hand, seat: Seat, to: int) -> tuple[State, Hand]:
    """This player's total is the highest now; all others who can must answer."""
    state, hand = _pays(state, hand, seat, to - hand.totals[seat])
    raiser = hand.raiser if hand.phase == "final" else seat
    return state, replace(hand, high=to, raiser=raiser, todo=phases.others_with_chips(state, hand, seat))


def _pays(state: State, hand: Hand, seat: Seat, amount: int) -> tuple[State, Hand]:
    """Chips go from a stack to the middle."""
    stacks = put(state.stacks, seat, state.stacks[seat] - amount)
    totals = put(hand.totals, seat, hand.totals[seat] + amount)
    sums = put(hand.sums, seat, hand.sums[seat] + amount)
    return replace(state, stacks=stacks), replace(hand, totals=totals, sums=sums)


def smallest(state: State, hand: Hand) -> int:
    """The smallest opening or punto of a player with enough chips, minor units: the cip, or as the table agreed; in a parola pot
    the smallest opening is the pot (rules 6, 10, 11)."""
    if hand.before.parola and hand.phase != "final":
        return hand.pot
    return state.cip if state.table.house.bet_min == "cip" else state.table.house.bet_min


def _refuse_amount(state: State, hand: Hand, seat: Seat, event: log.Apro | log.Punto | log.Rilancio, least: int) -> None:
    """Refuse a total that is more than the player has, or less than ``least`` without being all they have."""
    most = state.stacks[seat] + hand.totals[seat]
    if event.to > most:
        amount = Minor(event.to)
        raise Illegal(reasons.TOO_MUCH, rule=10, expected=f"at most {most}", amount=amount, player=event.by, most=Minor(most))
    if event.to < least and event.to != most:
        more = f"{min(least, most)} or more"
        raise Illegal(reasons.TOO_LITTLE, rule=10, expected=more, amount=Minor(event.to), player=event.by)


def _not_before_a_bet(state: State, event: Word) -> Illegal:
    said, wanted = tag(event), partial(expected, state)
    if isinstance(event, log.Vedo | log.Rilancio):
        return Illegal(reasons.NO_BET_YET, rule=10, expected=wanted, what=said)
    return Illegal(reasons.NOT_NOW, rule=10, expected=wanted, what=said)


def _out_of_turn(state: State, hand: Hand, seat: Seat, name: str) -> Illegal:
    wanted = partial(expected, state)
    if seat not in hand.order:
        return Illegal(reasons.NOT_IN_HAND, rule=9, expected=wanted, player=name)
    if hand.live >> seat & 1:
        return Illegal(reasons.OUT_OF_TURN, rule=9, expected=wanted, player=name)
    return Illegal(reasons.HAS_PASSED, rule=9, expected=wanted, player=name)
