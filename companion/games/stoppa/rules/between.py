"""What happens around the hands: the first line, a new hand, its phases, a void one, the end (rules 2, 3, 4, 7, 8, 17, 19)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.games.stoppa.rules import betting, log, reasons
from companion.games.stoppa.rules.cards import DEALS, INDEX, KINGS, deck_for
from companion.games.stoppa.rules.known import cards_of, learn
from companion.games.stoppa.rules.report import rulings
from companion.games.stoppa.rules.state import Hand, How, Irregularity, State, Table, put
from companion.games.stoppa.rules.waiting import expected
from companion.table.errors import Illegal
from companion.table.seats import seat_of
from companion.table.setting import Setting


def begin(game: log.Game) -> State:
    """The game as its first line has it, before the first hand.

    Raises:
        Illegal: no such game can be.
    """
    names, number = game.players, len(game.players)
    if number not in DEALS:
        raise Illegal(reasons.NUMBER_OF_PLAYERS, rule=2, expected="3 to 6", number=number)
    if len(set(names)) < number:
        raise Illegal(reasons.SAME_NAME, expected="unique names")
    dealer = seat_of(names, game.dealer)
    if number == 3 and game.removed is None:
        raise Illegal(reasons.REMOVED_MISSING, rule=2, expected='"removed": the id of a Re')
    if number > 3 and game.removed is not None:
        raise Illegal(reasons.REMOVED_TOO_MANY, rule=2, expected="the key left out", number=number)
    removed = None if game.removed is None else INDEX[game.removed]
    if removed is not None and not KINGS >> removed & 1:
        raise Illegal(reasons.REMOVED_NO_RE, rule=2, expected="a Re, such as denari-10")
    deals, standing = DEALS[number], game.standing
    if standing is not None and set(standing) != set(names):
        raise Illegal(reasons.STANDING_NAMES, expected="a balance for each of them")
    if standing is not None and sum(standing.values()) != 0:
        raise Illegal(reasons.STANDING_SUM, expected="balances that add up to 0")
    table = Table(names, game.misera, game.small, game.house_rules, deck_for(number, removed), deals, sum(deals), game.points)
    if table.big <= game.small:
        raise Illegal(reasons.SMALL_GROSSO, rule=4, expected="a larger misera or a smaller punto piccolo", big=table.big)
    balances = (0,) * number if standing is None else tuple([standing[name] for name in names])
    return State(table, balances, dealer, game.hands_before)


def hand(state: State, event: log.Hand) -> State:
    """A new hand: everybody pays the misera (rules 3, 4).

    Raises:
        Illegal: a hand is in progress, or the game is over.
    """
    if state.hand is not None:
        state = end_hand(state, "hand")
    if state.over:
        raise Illegal(reasons.GAME_OVER, rule=18, expected="close, or nothing")
    number = len(state.table.names)
    dealer = state.dealer if event.dealer is None else seat_of(state.table.names, event.dealer)
    noted = (Irregularity("wrong_dealer", state.table.names[dealer]),) if dealer != state.dealer else ()
    none = (0,) * number
    begun = Hand(
        n=len(state.hands) + 1,
        dealer=dealer,
        balances_before=state.balances,
        carried_in=state.carried,
        known=none,
        dealt_in=(0,) * len(state.table.deals),
        laid=none,
        passed=((),) * number,
        irregularities=noted,
    )
    balances = tuple([balance - state.table.misera for balance in state.balances])
    return replace(state, balances=balances, hand=begun, ended=None, ended_said=False)


def piccolo(state: State, hand: Hand, event: log.Piccolo) -> State:
    """The next iteration is dealt; the one before is decided (rule 7).

    Raises:
        Illegal: there are no more, or the one before needs a comparison.
    """
    number = len(state.table.deals)
    if hand.iteration == number:
        raise Illegal(reasons.TOO_MANY_PICCOLI, rule=7, expected=partial(expected, state), number=number)
    state = betting.decided(state, hand)
    hand = hand_in(state)
    hand = replace(hand, iteration=hand.iteration + 1)
    opened = betting.opened(state, hand, f"piccolo-{hand.iteration}", state.table.small)
    return replace(state, hand=replace(hand, betting=opened))


def grosso(state: State, hand: Hand, event: log.Grosso) -> State:
    """The betting on the punto grosso begins; the last punto piccolo is decided (rule 8).

    Raises:
        Illegal: a punto piccolo has not been dealt, or needs a comparison; or it is played already.
    """
    if hand.iteration < len(state.table.deals):
        raise Illegal(reasons.PICCOLI_MISSING, rule=8, expected="piccolo", number=hand.iteration + 1)
    if hand.betting is not None and hand.betting.phase == "grosso":
        raise Illegal(reasons.IN_MID_HAND, rule=8, expected=partial(expected, state), what="grosso")
    state = betting.decided(state, hand)
    hand = hand_in(state)
    opened = betting.opened(state, hand, "grosso", state.table.big + hand.carried_in)
    return replace(state, hand=replace(hand, betting=opened))


def deal(state: State, hand: Hand, event: log.Deal) -> State:
    """Cards dealt in the iteration last begun, perhaps with faces (rule 7).

    Raises:
        Illegal: no iteration is being played, or fewer cards were dealt in it.
    """
    seat = seat_of(state.table.names, event.to)
    if hand.betting is None or hand.betting.phase == "grosso":
        raise Illegal(reasons.NOT_DEALING, rule=7, expected=partial(expected, state))
    most = state.table.deals[hand.iteration - 1]
    if event.cards is not None and event.cards > most:
        raise Illegal(reasons.TOO_MANY_CARDS, rule=7, expected=f"at most {most}", player=event.to, number=most)
    if event.cards is not None and event.cards < len(event.faces):
        raise Illegal(reasons.FEWER_THAN_FACES, rule=7, expected=f"{len(event.faces)} or more", number=event.cards)
    cards = cards_of(state.table, event.faces, some=False)
    unseen = hand.unseen | cards.mask & ~sum(hand.known)
    return replace(state, hand=replace(learn(state.table, hand, seat, cards, dealt=True), unseen=unseen))


def after_grosso(state: State, hand: Hand, what: str) -> State:
    """The game when the punto grosso is decided, if need be by passes, and the stoppata may begin.

    Raises:
        Illegal: it is not played yet, needs a comparison, or is of the last hand of a called giro (rule 18).
    """
    if hand.betting is None or hand.betting.phase != "grosso":
        raise Illegal(reasons.STOPPATA_TOO_SOON, rule=10, expected=partial(expected, state), what=what)
    if state.in_last_hand:
        raise Illegal(reasons.NO_STOPPATA_IN_LAST, rule=18, expected=partial(expected, state))
    return betting.decided(state, hand)


def void(state: State, hand: Hand, event: log.Void) -> State:
    """The hand is undone, but keeps its number and its irregularities; the same dealer deals (rule 17)."""
    book = state.hands + (rulings(state, hand, void=True),)
    return replace(
        state, balances=hand.balances_before, carried=hand.carried_in, hands=book, hand=None, dealer=hand.dealer, ended=None
    )


def finish(state: State, hand: Hand, *, said: bool = False) -> State:
    """The hand is over and goes into the book; ``said``: by an `end`. With the last of a called giro the game is over."""
    if hand.declared and not hand.ending:
        hand = replace(hand, ending="declared")
    pot, counted = hand.pots[-1], state.counted + 1
    return replace(
        state,
        hands=state.hands + (rulings(state, hand),),
        hand=None,
        ended=hand,
        ended_said=said,
        dealer=state.table.after(hand.dealer),
        carried=pot.prize if pot.how == "carried" else 0,
        counted=counted,
        over=counted == state.last_hand,
    )


def end_hand(state: State, what: str) -> State:
    """The game when the hand in progress is over, where nothing more need come: after a declaration, or after the last punto
    grosso of a called giro.

    Raises:
        Illegal: it is not.
    """
    hand = hand_in(state)
    if hand.declared:
        return finish(state, hand)
    if state.in_last_hand and hand.betting is not None and hand.betting.phase == "grosso":
        state = betting.decided(state, hand)
        return finish(state, hand_in(state))
    if what == "end":
        raise Illegal(reasons.NOT_OVER_YET, expected=partial(expected, state))
    raise Illegal(reasons.IN_MID_HAND, expected=partial(expected, state), what=what)


def end(state: State, event: log.End) -> State:
    """The hand is over; after one that is over by itself it changes nothing.

    Raises:
        Illegal: the hand is not over, or there is none.
    """
    if state.hand is not None:
        return replace(end_hand(state, "end"), ended_said=True)
    if state.ended is None or state.ended_said:
        raise Illegal(reasons.OUTSIDE_HAND, expected=partial(expected, state), what="end")
    return replace(state, ended_said=True)


def set_(state: State, event: log.Set) -> State:
    """The table says how it stands. The balances, with what a punto grosso has left on the table, must add up to 0, as before.

    Raises:
        Illegal: a hand is in progress, a stranger is named, or money would be made or lost.
    """
    if state.hand is not None:
        raise Illegal(reasons.IN_MID_HAND, expected=partial(expected, state), what="set")
    balances = state.balances
    for name, balance in event.standing.items():
        balances = put(balances, seat_of(state.table.names, name), balance)
    left = sum(balances) + state.carried
    if left:
        wrong, carried = f"balances that add up to {-state.carried}", state.carried
        found, wanted, lies = map(state.table.in_reason, (sum(balances), -carried, carried))
        if carried:
            raise Illegal(reasons.SET_SUM_CARRIED, expected=wrong, sum=found, wanted=wanted, left=lies)
        raise Illegal(reasons.SET_SUM, expected=wrong, sum=found, wanted=wanted)
    moved = tuple([now - was for was, now in zip(state.balances, balances, strict=True)])
    return replace(state, balances=balances, settings=(*state.settings, Setting(len(state.hands), event, moved)))


def close(state: State, event: log.Close) -> State:
    """The game is over; a punto grosso that was carried goes to the dealer of the hand that is now the last (rules 8, 19).

    Raises:
        Illegal: a hand is in progress.
    """
    if state.hand is not None:
        state = end_hand(state, "close")
    hands = list(state.hands)
    if state.carried:
        at = max(at for at, one in enumerate(hands) if not one.void)
        *pots, pot = hands[at].pots
        how: How = "stated" if pot.how == "stated" else "dealer"
        hands[at] = replace(hands[at], pots=(*pots, replace(pot, how=how, winner=hands[at].dealer)))
        seat = state.table.names.index(hands[at].dealer)
        state = replace(state, balances=put(state.balances, seat, state.balances[seat] + state.carried), carried=0)
    return replace(state, hands=tuple(hands), ended=None, over=True, closed=True)


def hand_in(state: State) -> Hand:
    """The hand in progress."""
    assert state.hand is not None
    return state.hand
