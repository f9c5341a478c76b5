"""What happens around the hands (rules 2, 7, 10, 12, 20, 21, 24).

Each function is one act: it says why the act cannot have happened, or does it.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.decks.stu import DECK
from companion.games.stu.rules import log
from companion.games.stu.rules.money import check_shares
from companion.games.stu.rules.passo import awaited, hand_of, position_of, seat_of
from companion.games.stu.rules.pedine import conclude, credit, finish, pay_at_once, payment
from companion.games.stu.rules.showdown import show_down
from companion.games.stu.rules.state import NOBODY, PEDINE, Agreement, Hand, HandRulings, Irregularity, State, Table
from companion.table.errors import Illegal


def begin(game: log.Game) -> State:
    """The game as its first line has it, before the first hand.

    Raises:
        Illegal: no such game can be: names, numbers of players, the dealer, or the standing are impossible.
    """
    names = game.players
    if not 2 <= len(names) < DECK:
        raise Illegal(f"{len(names)} players", rule=2, expected=f"2 to {DECK - 1}")
    if len(set(names)) < len(names):
        raise Illegal("two players have the same name", expected="unique names")
    if not 1 <= game.stake <= log.MAX_STAKE:
        raise Illegal(f"a stake of {game.stake}", rule=5, expected=f"1 to {log.MAX_STAKE} minor units")
    for name in (game.dealer, *game.standing):
        if name not in names:
            raise Illegal(f"nobody called {name} sits at this table", expected="one of the players")
    pedine, virgins = [], []
    for name in names:
        standing = game.standing.get(name, log.Standing(PEDINE, True))
        if standing.virgin and standing.pedine < PEDINE:
            raise Illegal(f"{name} is a virgin with {standing.pedine} pedine", rule=9, expected="3 or more")
        pedine.append(standing.pedine)
        virgins.append(standing.virgin)
    if not any(pedine):
        raise Illegal("nobody has a pedina", rule=21, expected="everybody back with 3")
    table = Table(names, game.stake, game.edition == "piazza-2010", game.house_rules, tuple(virgins))
    state = State(table, tuple(pedine), tuple(virgins), names.index(game.dealer), game.ricompere)
    return conclude(state)


def hand(state: State, event: log.Hand) -> State:
    """A new hand (rule 7); or, where only a ricompera could have kept it going, the end of the game (rule 10)."""
    _between(state, "hand")
    seat = None if event.dealer is None else seat_of(state, event.dealer)
    seats = state.in_play
    if len(seats) == 1:
        return replace(state, won=True)
    if len(seats) >= state.deck:
        raise Illegal(f"{len(seats)} players and {state.deck} cards", rule=2, expected="one card more than players")
    dealer = state.next_dealer()
    if seat is not None and not state.pedine[seat]:
        raise Illegal(f"{event.dealer} is out and cannot deal", rule=18, expected=state.table.names[dealer])
    wrong = seat is not None and seat != dealer
    dealer = dealer if seat is None else seat
    cut = seats.index(dealer) + 1
    order = seats[cut:] + seats[:cut]
    begun = Hand(
        n=len(state.hands) + 1,
        dealer=dealer,
        order=order,
        present=(1 << len(order)) - 1,
        holds=tuple(range(len(order))),
        faces=(None,) * len(order),
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
    if hand.asking is not None or hand.drawing != NOBODY:
        raise Illegal("the hand cannot end yet", rule=11 if hand.asking else 6, expected=awaited(state, hand))
    return show_down(state, hand)


def rebuy(state: State, event: log.Rebuy) -> State:
    """Ricompera: an eliminated player comes back (rule 10)."""
    _between(state, "rebuy")
    seat = seat_of(state, event.by)
    if state.pedine[seat]:
        raise Illegal(f"{event.by} is still in play", rule=10, expected="an eliminated player")
    if not state.ricompere_open:
        why = "they are closed for good" if state.closed else "no virgin is in play"
        raise Illegal(f"no ricompera is possible: {why}", rule=10)
    check_shares((partner.share for partner in event.partners), rule=10)
    agreed = tuple(Agreement("partner", (event.by,), partner.name, partner.share) for partner in event.partners)
    kept = tuple(a for a in state.agreements if a.kind != "partner" or a.winners != (event.by,))
    state = credit(state, seat, PEDINE)
    return replace(state, ricompere=state.ricompere + 1, agreements=kept + agreed)


def matto(state: State, event: log.Matto) -> State:
    """A Matto is taken out of the deck, or put back (rules 7, 12)."""
    _between(state, "matto")
    return replace(state, matti=event.in_deck)


def penalty(state: State, event: log.Penalty) -> State:
    """One pedina, at any moment, by the referee of 2010 (rule 24). Between hands it belongs to the hand that ended last."""
    if not state.table.piazza:
        raise Illegal("no penalties in this edition", rule=24, expected='"edition": "piazza-2010" in the first line')
    seat = seat_of(state, event.player)
    hand = state.hand
    if hand is not None:
        position = position_of(state, hand, event.player)
        pending = hand.asking is not None or hand.drawing != NOBODY
        if pending and state.pedine[seat] == 1:  # who pays the last one leaves, and nobody would be left to answer, or to ask
            why = f"{event.player} cannot pay the last pedina while an answer is pending"
            raise Illegal(why, rule=24, expected=awaited(state, hand))
        return pay_at_once(state, hand, position, "penalty")
    _between(state, "penalty")
    if not state.pedine[seat]:
        raise Illegal(f"{event.player} has no pedina left", rule=24, expected="a player in play")
    if state.last_ended < 0:
        raise Illegal("no hand has ended yet that a penalty could belong to", rule=24, expected="hand")
    entry = payment(state, seat, "penalty")
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
        raise Illegal("the game is over", rule=20, expected="close")
    last = {state.table.names[seat] for seat in state.in_play}
    if len(last) != 2 or set(event.shares) != last:
        who = " and ".join(sorted(last)) if len(last) == 2 else "two players in play"
        raise Illegal("a split is between the last two in play", rule=20, expected=f"shares for {who}")
    check_shares(event.shares.values(), rule=20)
    both = tuple(event.shares)
    agreed = tuple(Agreement("split", both, name, share) for name, share in event.shares.items())
    kept = tuple(a for a in state.agreements if a.kind != "split")
    return replace(state, agreements=kept + agreed)


def close(state: State, event: log.Close) -> State:
    """No more ricompere, for good (rule 10)."""
    if state.hand is not None:
        raise Illegal("close in mid-hand", rule=10, expected=awaited(state, state.hand))
    if state.won:
        return state
    return conclude(replace(state, closed=True))


def _between(state: State, what: str) -> None:
    """Refuse what belongs between the hands of a game that goes on.

    Raises:
        Illegal: a hand is in progress, or the game is over.
    """
    if state.hand is not None:
        raise Illegal(f"{what} in mid-hand", expected=awaited(state, state.hand))
    if state.won:
        raise Illegal(f"{what} after the game is won", expected="close, or nothing")
