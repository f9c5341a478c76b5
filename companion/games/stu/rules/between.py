"""What happens around the hands (rules 2, 7, 9, 10, 12, 20, 21, 24).

Each function is one act: it says why the act cannot have happened, or does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from companion.decks.stu import DECK
from companion.games.stu.rules import log, reasons
from companion.games.stu.rules.money import check_shares, paid_by_each, paid_for, pot, price
from companion.games.stu.rules.passo import hand_of, position_of, seat_of
from companion.games.stu.rules.pedine import conclude, credit, finish, pay_at_once, payment
from companion.games.stu.rules.showdown import show_down
from companion.games.stu.rules.state import NOBODY, Agreement, Hand, HandRulings, Irregularity, State, Table
from companion.games.stu.rules.waiting import expected, pending
from companion.table.errors import Illegal
from companion.table.money import Minor
from companion.table.seats import put, stranger
from companion.table.setting import Setting


def begin(game: log.Game) -> State:
    """The game as its first line has it, before the first hand.

    Raises:
        Illegal: no such game can be: names, numbers of players, the dealer, or the standing are impossible.
    """
    names = game.players
    if not 2 <= len(names) < DECK:
        raise Illegal(reasons.NUMBER_OF_PLAYERS, rule=2, expected=f"2 to {DECK - 1}", number=len(names))
    if len(set(names)) < len(names):
        raise Illegal(reasons.SAME_NAME, expected="unique names")
    if not 1 <= game.stake <= log.MAX_STAKE:
        raise Illegal(reasons.STAKE, rule=5, expected=f"1 to {log.MAX_STAKE} minor units", stake=game.stake)
    for name in (game.dealer, *game.standing):
        if name not in names:
            raise stranger(names, name, "one of the players")
    table = Table(names, game.stake, game.edition == "piazza-2010", game.house_rules, game.VARIANT)
    pedine, virgins = _standing(table, game.standing, (game.VARIANT.pedine,) * len(names), (True,) * len(names))
    state = State(table, pedine, virgins, names.index(game.dealer), game.ricompere)
    return conclude(state)


def _standing(
    table: Table, said: Mapping[str, log.Standing], pedine: tuple[int, ...], virgins: tuple[bool, ...]
) -> tuple[tuple[int, ...], tuple[bool, ...]]:
    """Everybody's pedine and virginity: as ``said``, else as given.

    Raises:
        Illegal: a game cannot stand so.
    """
    for name, stands in said.items():
        if stands.virgin and stands.pedine < table.variant.pedine:
            more = f"{table.variant.pedine} or more"
            raise Illegal(reasons.VIRGIN_WITHOUT_PEDINE, rule=9, expected=more, player=name, pedine=stands.pedine)
        seat = table.names.index(name)
        pedine, virgins = put(pedine, seat, stands.pedine), put(virgins, seat, stands.virgin)
    if not any(pedine):
        raise Illegal(reasons.NOBODY_IN_PLAY, rule=21, expected=f"everybody back with {table.variant.pedine}")
    return pedine, virgins


def set_(state: State, event: log.Set) -> State:
    """The table says how it stands: pedine, virgins, ricompere paid. Agreements, the deck and who deals stay as they are."""
    _between(state, "set")
    for name in event.standing:
        seat_of(state, name)
    pedine, virgins = _standing(state.table, event.standing, state.pedine, state.virgins)
    ricompere = state.ricompere if event.ricompere is None else event.ricompere
    before, after = (pot(state.table.stake, len(pedine), paid) for paid in (state.ricompere, ricompere))
    moved = tuple([now - was for was, now in zip(state.pedine, pedine, strict=True)])
    state = replace(
        state,
        pedine=pedine,
        virgins=virgins,
        ricompere=ricompere,
        restarted=state.restarted and pedine.count(0) < len(pedine) - 1,  # one player left has won, unless somebody comes back
        settings=(*state.settings, Setting(len(state.hands), event, moved, after - before)),
    )
    return conclude(state)


def hand(state: State, event: log.Hand) -> State:
    """A new hand (rule 7); or the end of the game, where only a ricompera could have kept it going (rule 10)."""
    _between(state, "hand")
    seat = None if event.dealer is None else seat_of(state, event.dealer)
    seats = state.in_play
    if len(seats) == 1:
        return replace(state, won=True)
    if len(seats) >= state.deck:
        more = "one card more than players"
        raise Illegal(reasons.TOO_FEW_CARDS, rule=2, expected=more, number=len(seats), cards=state.deck)
    dealer = state.next_dealer()
    if seat is not None and not state.pedine[seat]:
        raise Illegal(reasons.OUT_CANNOT_DEAL, rule=18, expected=state.table.names[dealer], player=event.dealer)
    wrong = seat is not None and seat != dealer
    dealer = dealer if seat is None else seat
    cut = seats.index(dealer) + 1
    order = seats[cut:] + seats[:cut]
    places = [NOBODY] * len(state.pedine)
    for position, seat in enumerate(order):
        places[seat] = position
    begun = Hand(
        n=len(state.hands) + 1,
        dealer=dealer,
        order=order,
        places=tuple(places),
        present=(1 << len(order)) - 1,
        holds=tuple(range(len(order))),
        faces=(None,) * len(order),
        suspicions=((),) * len(order),
        fresh=state.deck - len(order),
        matti=state.matti,
        pedine_before=state.pedine,
        virgins_before=state.virgins,
        irregularities=(Irregularity("wrong_dealer", state.table.names[dealer]),) if wrong else (),
    )
    return replace(state, hand=begun, next_seat=(dealer + 1) % len(state.pedine), restarted=False)


def end(state: State, event: log.End) -> State:
    """The hand is over; right after a final won outright it says nothing new (rules 8, 18)."""
    if state.end_may_follow:
        return state
    hand = hand_of(state, "end")
    if pending(hand):
        raise Illegal(reasons.NOT_OVER_YET, rule=11 if hand.asking else 6, expected=partial(expected, state.table, hand))
    return show_down(state, hand)


def rebuy(state: State, event: log.Rebuy) -> State:
    """Ricompera: an eliminated player comes back (rule 10)."""
    _between(state, "rebuy")
    seat = seat_of(state, event.by)
    if state.pedine[seat]:
        raise Illegal(reasons.STILL_IN_PLAY, rule=10, expected="an eliminated player", player=event.by)
    if not state.ricompere_open:
        raise Illegal(reasons.RICOMPERE_CLOSED if state.closed else reasons.NO_VIRGIN, rule=10)
    check_shares((partner.share for partner in event.partners), rule=10)
    due = price(state.table.stake, state.ricompere)
    paid = paid_for(due, event)
    if (own := dict(paid)[event.by]) < 0:
        raise Illegal(reasons.PAID_ABOVE_PRICE, rule=10, expected=f"at most {due} in all", paid=Minor(due - own),
                      price=Minor(due))  # fmt: skip
    agreed = tuple(
        Agreement("partner", (event.by,), partner.name, partner.share, paid=part)
        for partner, part in zip(event.partners, paid_by_each(due, event), strict=True)
    )
    state = state.without((a for a in state.agreements if a.kind == "partner" and a.winners == (event.by,)), rule=10)
    state = credit(state, seat, state.table.variant.pedine)
    return replace(state, ricompere=state.ricompere + 1, agreements=state.agreements + agreed, paid=(*state.paid, *paid))


def matto(state: State, event: log.Matto) -> State:
    """A Matto is taken out of the deck, or put back (rules 7, 12)."""
    _between(state, "matto")
    return replace(state, matti=event.in_deck)


def penalty(state: State, event: log.Penalty) -> State:
    """One pedina, at any moment, by the referee of 2010 (rule 24). Between hands it belongs to the hand that ended last."""
    if not state.table.piazza:
        raise Illegal(reasons.NO_PENALTIES, rule=24, expected='"edition": "piazza-2010" in the first line')
    seat = seat_of(state, event.player)
    hand = state.hand
    if hand is not None:
        position = position_of(state, hand, event.player)
        if pending(hand) and state.pedine[seat] == 1:  # the payer leaves, and may be the one who asks, answers or draws
            waits = partial(expected, state.table, hand)
            raise Illegal(reasons.PENALTY_OF_THE_LAST, rule=24, expected=waits, player=event.player)
        return pay_at_once(state, hand, position, "penalty")
    _between(state, "penalty")
    if not state.pedine[seat]:
        raise Illegal(reasons.NO_PEDINA_LEFT, rule=24, expected="a player in play", player=event.player)
    if state.last_ended < 0:
        raise Illegal(reasons.PENALTY_BEFORE_ANY_HAND, rule=24, expected="hand")
    since_set = bool(state.settings) and state.settings[-1].after > state.last_ended
    entry = replace(payment(state, seat, "penalty"), since_set=since_set)
    state = credit(state, seat, -1)
    last = state.hands[state.last_ended]
    out = last.out if state.pedine[seat] else (*last.out, event.player)
    last = replace(last, payments=(*last.payments, entry), out=out)
    hands: tuple[HandRulings, ...] = (*state.hands[: state.last_ended], last, *state.hands[state.last_ended + 1 :])
    return conclude(replace(state, hands=hands))


def void(state: State, event: log.Void) -> State:
    """The hand is void: what it did to pedine, virginity and Taverna terms is undone; the same dealer deals."""
    hand = hand_of(state, "void")
    kept = tuple(a for a in state.agreements if a.kind != "taverna" or a.hand != hand.n)
    state = replace(state, pedine=hand.pedine_before, virgins=hand.virgins_before, agreements=kept)
    return finish(state, hand, void=True)


def split(state: State, event: log.Split) -> State:
    """The last two agree on shares of the pot; what they said before no longer counts (rule 20)."""
    if state.won:
        raise Illegal(reasons.GAME_OVER, rule=20, expected="close")
    last = {state.table.names[seat] for seat in state.in_play}
    if len(last) != 2 or set(event.shares) != last:
        who = " and ".join(sorted(last)) if len(last) == 2 else "two players in play"
        raise Illegal(reasons.NOT_THE_LAST_TWO, rule=20, expected=f"shares for {who}")
    check_shares(event.shares.values(), rule=20)
    both = tuple(event.shares)
    agreed = tuple(Agreement("split", both, name, share) for name, share in event.shares.items())
    state = state.without((a for a in state.agreements if a.kind == "split"), rule=20)
    return replace(state, agreements=state.agreements + agreed)


def close(state: State, event: log.Close) -> State:
    """No more ricompere, for good (rule 10)."""
    if (hand := state.hand) is not None:
        raise Illegal(reasons.IN_MID_HAND, rule=10, expected=partial(expected, state.table, hand), what="close")
    if state.won:
        return state
    return conclude(replace(state, closed=True))


def _between(state: State, what: str) -> None:
    """Refuse what belongs between the hands of a game that goes on.

    Raises:
        Illegal: a hand is in progress, or the game is over.
    """
    if (hand := state.hand) is not None:
        raise Illegal(reasons.IN_MID_HAND, expected=partial(expected, state.table, hand), what=what)
    if state.won:
        raise Illegal(reasons.AFTER_THE_END, expected="close, or nothing", what=what)
