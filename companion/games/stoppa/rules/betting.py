"""Betting on a punto: who must act, what follows from it, and whose the pot is (rules 5, 6, 7, 8)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoppa.rules import log, reasons
from companion.games.stoppa.rules.declarations import ranking
from companion.games.stoppa.rules.known import cards_of, learn, seen
from companion.games.stoppa.rules.state import Betting, Hand, How, Pot, Ranked, Seat, State, put
from companion.table.errors import Illegal
from companion.table.seats import seat_of

KEPT_BETS = 3
"""Bets and raises, the last ones, that are remembered."""


def opened(state: State, hand: Hand, phase: str, prize: int) -> Betting:
    """The betting on a punto, before the mano's first word."""
    seats = len(state.table.names)
    return Betting(phase, prize, (0,) * seats, state.table.round_from(state.table.after(hand.dealer)), shown=(0,) * seats)


def only_dealer_left(hand: Hand, betting: Betting) -> bool:
    """Nobody has bet, and all but the dealer have had their word: the punto is decided."""
    return not betting.high and betting.todo == (hand.dealer,)


# The words. Each raises Illegal where nobody bets, it is not their turn, or the amount cannot be.


def passo(state: State, hand: Hand, event: log.Passo) -> State:
    """Passes."""
    seat, betting = _turn_to(state, hand, event.by)
    return _settle(state, hand, _passes(state, betting, seat), state.balances)


def vedo(state: State, hand: Hand, event: log.Vedo) -> State:
    """Brings the own bets to the highest total."""
    seat, betting = _turn_to(state, hand, event.by)
    if not betting.high:
        raise Illegal(reasons.NO_BET_YET, rule=5, expected="punto or passo")
    return _bets(state, hand, betting, seat, betting.high, betting.todo[1:])


def punto(state: State, hand: Hand, event: log.Punto) -> State:
    """The first bet."""
    seat, betting = _turn_to(state, hand, event.by)
    if betting.high:
        raise Illegal(reasons.BET_STANDS, rule=5, expected="vedo, rilancio or passo")
    if event.to < state.table.house.bet_min:
        amount, more = state.table.in_reason(event.to), f"{state.table.house.bet_min} or more"
        raise Illegal(reasons.BET_TOO_SMALL, rule=5, expected=more, amount=amount)
    return _bets(state, hand, betting, seat, event.to, _others(state, betting, seat))


def rilancio(state: State, hand: Hand, event: log.Rilancio) -> State:
    """Raises the highest total."""
    seat, betting = _turn_to(state, hand, event.by)
    high = betting.high
    if not high:
        raise Illegal(reasons.NO_BET_YET, rule=5, expected="punto or passo")
    if event.to <= high:
        raise Illegal(reasons.RAISE_TOO_SMALL, rule=5, expected=f"more than {high}", amount=state.table.in_reason(event.to))
    return _bets(state, hand, betting, seat, event.to, _others(state, betting, seat))


def _others(state: State, betting: Betting, seat: Seat) -> tuple[Seat, ...]:
    """All others who have not passed, in turn from this player on."""
    return tuple([other for other in state.table.round_from(seat)[1:] if not betting.out >> other & 1])


def _turn_to(state: State, hand: Hand, name: str) -> tuple[Seat, Betting]:
    """This player's seat, and the betting when it is their turn: those before have passed."""
    seat, betting = seat_of(state.table.names, name), hand.betting
    if betting is None or hand.begun or hand.declared:
        raise Illegal(reasons.NO_BETTING, rule=5, expected="piccolo or grosso" if betting is None else "the stoppata")
    if betting.decided:
        raise Illegal(reasons.PUNTO_DECIDED, rule=5, expected="what comes after it")
    if seat not in betting.todo:
        if betting.out >> seat & 1:
            raise Illegal(reasons.HAS_PASSED, rule=5, expected=_words_of(state, betting), player=name)
        raise Illegal(reasons.OUT_OF_TURN, rule=5, expected=_words_of(state, betting), player=name)
    while betting.todo[0] != seat:
        betting = _passes(state, betting, betting.todo[0])
    if only_dealer_left(hand, betting):
        raise Illegal(reasons.PUNTO_DECIDED, rule=7, expected=f"all others have passed: the punto is {name}'s without a word")
    return seat, betting


def _words_of(state: State, betting: Betting) -> str:
    if not betting.todo:
        return "show or muck by those still in"
    who = state.table.names[betting.todo[0]]
    return f"{'vedo, rilancio' if betting.high else 'punto'} or passo by {who} or somebody later in turn"


def _passes(state: State, betting: Betting, seat: Seat) -> Betting:
    """The next in turn passes; before the first bet, where the table plays so, only for now."""
    todo = betting.todo[1:]
    if not betting.high and state.table.house.pass_ == "checks":  # nosec B105 # a rule: how a pass is meant
        return replace(betting, todo=todo)
    return replace(betting, todo=todo, out=betting.out | 1 << seat)


def _bets(state: State, hand: Hand, betting: Betting, seat: Seat, total: int, todo: tuple[Seat, ...]) -> State:
    more = total - betting.totals[seat]
    if total > betting.high:
        state = replace(state, bets=(total, *[bet for bet in state.bets if bet != total])[:KEPT_BETS])
    betting = replace(betting, totals=put(betting.totals, seat, total), todo=todo, high=total)
    return _settle(state, hand, betting, put(state.balances, seat, state.balances[seat] - more))


def _settle(state: State, hand: Hand, betting: Betting, balances: tuple[int, ...]) -> State:
    """Decide the pot where the betting decides it: nobody has bet, or one player is left. With more players the comparison
    begins."""
    if only_dealer_left(hand, betting):
        return _decided(state, hand, betting, "dealer", hand.dealer, balances)
    if not betting.todo:
        (first, *others) = betting.still_in()
        if not others:
            return _decided(state, hand, betting, "alone", first, balances)
        betting = replace(betting, comparing=True)
    return replace(state, hand=replace(hand, betting=betting), balances=balances)


def pass_round(state: State, hand: Hand) -> tuple[State, Hand, Betting]:
    """What comes after the betting begins: all who still had to act have passed."""
    betting = hand.betting
    assert betting is not None
    while betting.todo and not only_dealer_left(hand, betting):
        betting = _passes(state, betting, betting.todo[0])
    state = _settle(state, hand, betting, state.balances)
    assert state.hand is not None
    assert state.hand.betting is not None
    return state, state.hand, state.hand.betting


def decided(state: State, hand: Hand) -> State:
    """The game when the punto in play is decided, if need be by all who still had to act passing.

    Raises:
        Illegal: it needs a comparison that is not over.
    """
    betting = hand.betting
    if betting is None or betting.decided:
        return state
    if not betting.comparing:
        state, _, betting = pass_round(state, hand)
        if betting.decided:
            return state
    waiting = [seat for seat in betting.still_in(without=betting.mucked) if not betting.shown[seat]]
    name = state.table.names[waiting[0]]
    raise Illegal(reasons.COMPARISON_OPEN, rule=6, expected=f"show or muck by {name}", player=name)


def show(state: State, hand: Hand, event: log.Show) -> State:
    """Cards laid open at the comparison; a player who has shown before shows these, too.

    Raises:
        Illegal: nothing is compared, or not by this player; or the cards cannot be theirs.
    """
    seat = seat_of(state.table.names, event.by)
    state, hand, betting = _compared(state, hand, seat, event.by)
    if betting.mucked >> seat & 1:
        raise Illegal(reasons.HAS_CONCEDED, rule=6, expected="nothing more of them", player=event.by)
    given = cards_of(state.table, event.cards)
    hand = seen(learn(state.table, hand, seat, given, dealt=betting.phase != "grosso"), given.mask)
    shown = put(betting.shown, seat, betting.shown[seat] | given.mask)
    return _compare(state, hand, replace(betting, shown=shown))


def muck(state: State, hand: Hand, event: log.Muck) -> State:
    """A player concedes the comparison, for good.

    Raises:
        Illegal: nothing is compared, or they may not.
    """
    seat = seat_of(state.table.names, event.by)
    state, hand, betting = _compared(state, hand, seat, event.by)
    if betting.decided:
        raise Illegal(reasons.PUNTO_DECIDED, rule=6, expected="what comes after it")
    if betting.mucked >> seat & 1:
        raise Illegal(reasons.HAS_CONCEDED, rule=6, expected="nothing more of them", player=event.by)
    if betting.shown[seat]:
        raise Illegal(reasons.HAS_SHOWN, rule=6, expected="more of their cards, or nothing", player=event.by)
    return _compare(state, hand, replace(betting, mucked=betting.mucked | 1 << seat))


def _compared(state: State, hand: Hand, seat: Seat, name: str) -> tuple[State, Hand, Betting]:
    """The comparison in which this player takes part; it begins by itself, and players who still had to act have passed."""
    betting = hand.betting
    if betting is None or hand.begun or hand.declared or (betting.decided and not betting.comparing):
        raise Illegal(reasons.NOTHING_COMPARED, rule=6, expected="two who have bet, or cards left when the stoppata is over")
    if not betting.comparing:
        state, hand, betting = pass_round(state, hand)
        if betting.decided:
            raise Illegal(reasons.NOTHING_COMPARED, rule=6, expected="two who have bet")
    if not betting.totals[seat] or betting.out >> seat & 1:
        raise Illegal(reasons.NOT_COMPARED, rule=6, expected="one of those still in", player=name)
    return state, hand, betting


def _compare(state: State, hand: Hand, betting: Betting) -> State:
    """Decide the pot once everybody still in has shown or conceded, again if it was decided before. Where all others have
    conceded, the last one takes it unseen."""
    balances, names = state.balances, state.table.names
    if betting.decided:
        winner = hand.pots[-1].winner
        assert winner is not None
        balances = _credited(balances, names.index(winner), -betting.prize - betting.bets)
        hand = replace(hand, pots=hand.pots[:-1])
    left, shown = betting.still_in(without=betting.mucked), betting.shown
    for seat in left:
        if not shown[seat]:
            if len(left) == 1:
                return _decided(state, hand, betting, "conceded", seat, balances)
            return replace(state, hand=replace(hand, betting=betting))
    rows = ranking(state.table, betting, hand.dealer)
    return _decided(state, hand, betting, "shown", names.index(rows[0].player), balances, rows)


def _decided(
    state: State, hand: Hand, betting: Betting, how: How, winner: Seat, balances: tuple[int, ...],
    rows: tuple[Ranked, ...] = (),
) -> State:  # fmt: skip
    """The pot is somebody's; a punto grosso that nobody bet on may be carried (rule 8)."""
    last = state.last_hand == state.counted + 1
    if how == "dealer" and betting.phase == "grosso" and state.table.house.grosso_nobody == "carried" and not last:
        how = "carried"
    else:
        balances = _credited(balances, winner, betting.prize + betting.bets)
    name = None if how == "carried" else state.table.names[winner]
    pot = Pot(betting.phase, betting.prize, betting.bets, name, how, rows)
    betting = replace(betting, decided=True, todo=(), comparing=how in ("shown", "conceded"))
    over = last and betting.phase == "grosso"
    hand = replace(hand, betting=betting, pots=(*hand.pots, pot), ending="grosso" if over else hand.ending)
    return replace(state, hand=hand, balances=balances)


def _credited(balances: tuple[int, ...], seat: Seat, amount: int) -> tuple[int, ...]:
    return put(balances, seat, balances[seat] + amount)
