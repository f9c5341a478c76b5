"""What happens in a hand: deal, sto, passo and its answers, draw, reveal (rules 6, 7, 11 to 17).

Each function is one act: it says why the act cannot have happened, or does it. A `sto` may be left out of a log, so
everybody before the one who acts is taken to have stayed.
"""

from __future__ import annotations

from decimal import Decimal
from functools import partial

from msgspec.structs import replace

from companion.decks.stu import RANK
from companion.games.stu.rules import log, reasons, run
from companion.games.stu.rules.faces import learned, note_early, proven, suspect
from companion.games.stu.rules.money import check_shares
from companion.games.stu.rules.pedine import pay_at_once
from companion.games.stu.rules.state import NOBODY, Agreement, Ask, Ceded, Hand, Mask, Position, State
from companion.games.stu.rules.trumps import LOWEST_TRUMP
from companion.games.stu.rules.waiting import expected, pending
from companion.table.errors import Illegal
from companion.table.seats import put, stranger


def hand_of(state: State, what: str) -> Hand:
    """The hand in progress.

    Raises:
        Illegal: there is none; ``what`` wants one.
    """
    if state.hand is None:
        raise Illegal(reasons.OUTSIDE_HAND, expected="close" if state.won else "hand", what=what)
    return state.hand


def position_of(state: State, hand: Hand, name: str) -> Position:
    """Where this player sits in the order of play.

    Raises:
        Illegal: nobody of that name sits here, or they are not in the hand (rule 18).
    """
    try:
        position = hand.places[state.table.names.index(name)]
    except ValueError:
        raise stranger(state.table.names, name, "one of the players") from None
    if position == NOBODY or not hand.present >> position & 1:
        raise Illegal(reasons.NOT_IN_HAND, rule=18, expected=lambda: f"one of {_names(state, hand)}", player=name)
    return position


def seat_of(state: State, name: str) -> int:
    """The seat of this player.

    Raises:
        Illegal: nobody of that name sits here.
    """
    try:
        return state.table.names.index(name)
    except ValueError:
        raise stranger(state.table.names, name, "one of the players") from None


def deal(state: State, event: log.Deal) -> State:
    """A card dealt (rule 7)."""
    hand = state.hand or hand_of(state, "deal")
    position = position_of(state, hand, event.to)
    if hand.dealt >> position & 1:
        raise Illegal(reasons.HAS_CARD, rule=7, player=event.to)
    if hand.touched >> position & 1:
        raise Illegal(reasons.HAS_PLAYED, rule=7, expected="a deal before the player acts", player=event.to)
    dealt = hand.dealt | 1 << position
    if event.card is None:
        return replace(state, hand=replace(hand, dealt=dealt))
    token = hand.holds[position]
    suspected = hand.suspicions[token]
    faces, suspicions = learned(hand, token, event.card, event.to)
    hand = replace(hand, dealt=dealt, faces=faces, suspicions=suspicions)
    return replace(state, hand=proven(state.table, hand, suspected, event.card))


def sto(state: State, event: log.Sto) -> State:
    """Stays (rule 11)."""
    hand = state.hand or hand_of(state, "sto")
    position = position_of(state, hand, event.by)
    _check_turn(state, hand, position)
    kept = position == hand.back  # the travelling card: those who wait for their turn still do
    turn = hand.turn if kept else hand.after(position)
    hand = replace(hand, turn=turn, touched=_stayed(hand, position), back=NOBODY, opened=NOBODY)
    return replace(state, hand=note_early(state.table, hand))


def passo(state: State, event: log.Passo) -> State:
    """Asks forward, sends the travelling card back, or announces the dealer's draw (rules 6, 11, 14)."""
    hand = state.hand or hand_of(state, "passo")
    position = position_of(state, hand, event.by)
    ask = hand.asking
    if (ask is not None and ask.by_itself and ask.asker == position) or hand.opened == position:
        return state  # the first offer back was made without it, and so is every one under `forced`
    _check_turn(state, hand, position)
    touched, token = _stayed(hand, position), hand.holds[position]
    if position == hand.back:
        hand = note_early(state.table, replace(hand, touched=touched, back=NOBODY, opened=NOBODY))
        hand = suspect(state.table, hand, "passed_unbeatable", position, token, LOWEST_TRUMP)
        return run.offer(state, hand, position, by_itself=False)
    asked = hand.after(position)
    if position == len(hand.order) - 1:  # the dealer
        hand = replace(hand, turn=position, drawing=position, touched=touched, back=NOBODY, opened=NOBODY)
        return replace(state, hand=note_early(state.table, hand))
    if asked == len(hand.order):
        raise Illegal(reasons.NOBODY_TO_ASK, rule=11, expected=lambda: f"sto by {event.by}", player=event.by)
    hand = replace(hand, turn=position, asking=Ask(position, asked), touched=touched, back=NOBODY, opened=NOBODY)
    hand = note_early(state.table, hand)
    return replace(state, hand=suspect(state.table, hand, "passed_unbeatable", position, token, LOWEST_TRUMP))


def swap(state: State, event: log.Swap) -> State:
    """The asked exchanges (rules 11, 14)."""
    hand = state.hand or hand_of(state, "swap")
    ask = _question_to(state, hand, event.with_)
    if ask.back:
        return run.exchanged(state, hand, ask)
    given = hand.holds[ask.asked]
    hand = replace(
        hand,
        holds=run.swapped(hand.holds, ask.asker, ask.asked),
        asking=None,
        turn=ask.asked,  # the asked player decides next (rule 11)
        touched=hand.touched | 1 << ask.asked,
        opened=NOBODY,
    )
    return replace(state, hand=suspect(state.table, hand, "should_have_refused", ask.asked, given, LOWEST_TRUMP))


def taverna(state: State, event: log.Taverna) -> State:
    """The asked shows the Taverna and gives it away by agreement (rule 13)."""
    hand = state.hand or hand_of(state, "taverna")
    ask = _question_to(state, hand, event.by)
    if ask.back:
        raise Illegal(reasons.NO_BARGAINING, rule=13, expected=partial(expected, state.table, hand))
    if event.share is not None:
        check_shares((event.share,), rule=13)
    token = hand.holds[ask.asked]
    suspected = hand.suspicions[token]
    faces, suspicions = learned(hand, token, "taverna", event.by)
    hand = replace(
        hand,
        faces=faces,
        suspicions=suspicions,
        holds=run.swapped(hand.holds, ask.asker, ask.asked),
        asking=None,
        turn=ask.asked,
        touched=hand.touched | 1 << ask.asked,
        opened=NOBODY,
        shown=hand.shown | 1 << token,
        ceded=(*hand.ceded, Ceded(token, giver=ask.asked, taker=ask.asker)),
    )
    if event.share is not None or event.terms:
        taker = state.table.names[hand.order[ask.asker]]
        agreed = Agreement("taverna", (taker,), event.by, event.share or Decimal(0), hand.n, event.terms or "")
        state = replace(state, agreements=(*state.agreements, agreed))
    return replace(state, hand=proven(state.table, hand, suspected, "taverna"))


def draw(state: State, event: log.Draw) -> State:
    """The dealer's exchange with the deck, or the asker's past a dealer's Salta (rules 6, 15)."""
    hand = state.hand or hand_of(state, "draw")
    position = position_of(state, hand, event.by)
    dealer, old = hand.dealer_position, hand.holds[position]
    if hand.drawing == position:
        hand = _from_deck(hand, position)
    elif position == dealer and hand.drawing == NOBODY:
        _check_turn(state, hand, position)
        hand = replace(_from_deck(hand, position), touched=_stayed(hand, position), back=NOBODY, opened=NOBODY)
    else:
        raise Illegal(reasons.NO_DRAW, rule=6, expected=partial(expected, state.table, hand), player=event.by)
    if position == dealer:
        hand = note_early(state.table, replace(hand, turn=len(hand.order)))
        hand = suspect(state.table, hand, "passed_unbeatable", position, old, RANK["cucco"])
    if event.card is not None:
        drawn = hand.holds[position]
        suspected = hand.suspicions[drawn]
        faces, suspicions = learned(hand, drawn, event.card, event.by)
        hand = proven(state.table, replace(hand, faces=faces, suspicions=suspicions), suspected, event.card)
    return replace(state, hand=hand)


def reveal(state: State, event: log.Reveal) -> State:
    """A face is shown: the answer awaited of this player, or a card laid open (rules 11 to 17).

    Laying open a card whose face was known already is no news, and so no mistake however early.
    """
    hand = state.hand or hand_of(state, "reveal")
    position = position_of(state, hand, event.by)
    token, card, ask = hand.holds[position], event.card, hand.asking
    news, suspected = hand.faces[token] is None, hand.suspicions[token]
    faces, suspicions = learned(hand, token, card, event.by)
    shown, touched = hand.shown | 1 << token, hand.touched | 1 << position
    if ask is not None and ask.asked == position:
        if RANK[card] >= LOWEST_TRUMP:
            hand = replace(hand, faces=faces, suspicions=suspicions, shown=shown, touched=touched, opened=NOBODY)
            hand = proven(state.table, hand, suspected, card)
            return run.refused(state, hand, ask, card) if ask.back else _refused(state, hand, ask, event)
        if hand.shown != shown:
            waits = partial(expected, state.table, hand)
            raise Illegal(reasons.CANNOT_REFUSE, rule=11, expected=waits, player=event.by, card=card)
    if hand.shown == shown:
        return state
    early = hand.early + (position,) if news else hand.early
    hand = replace(hand, faces=faces, suspicions=suspicions, shown=shown, touched=touched, early=early)
    return replace(state, hand=proven(state.table, hand, suspected, card) if suspected else hand)


def _refused(state: State, hand: Hand, ask: Ask, event: log.Reveal) -> State:
    """A forward passo met this trump."""
    token, asked = hand.holds[ask.asked], ask.asked
    turn = asked if asked == hand.dealer_position else hand.after(asked)
    if event.card == "salta":
        beyond = hand.after(asked)
        if beyond < len(hand.order):
            return replace(state, hand=replace(hand, asking=Ask(ask.asker, beyond)))
        drawing = ask.asker if state.table.house.salta_on_dealer == "deck" else NOBODY
        return replace(state, hand=replace(hand, asking=None, turn=turn, drawing=drawing))
    hand = replace(hand, asking=None, turn=turn)
    if event.card == "taverna":
        hand = replace(hand, refused=((hand.holds[ask.asker], token), *hand.refused))
    elif event.card == "bragon":
        return pay_at_once(state, hand, ask.asker, "bbummata", asked)
    elif event.card == "gnao":
        state = pay_at_once(state, hand, ask.asker, "gnaffata", asked)
        if state.hand is None or not state.hand.still_in(ask.asker):
            return state
        opened = ask.asker if state.hand.before(ask.asker) != NOBODY else NOBODY
        return run.offer(state, replace(state.hand, opened=opened), ask.asker, by_itself=True)
    return replace(state, hand=hand)


def _check_turn(state: State, hand: Hand, position: Position) -> None:
    """Refuse a sto, a passo or a dealer's draw that is not this player's to say now.

    Raises:
        Illegal: an answer or a draw is awaited, or the player is out of turn (rule 11).
    """
    if hand.asking is None and hand.drawing == NOBODY and (position >= hand.turn or position == hand.back):
        return
    name, waits = state.table.names[hand.order[position]], partial(expected, state.table, hand)
    if pending(hand):
        raise Illegal(reasons.TOO_SOON, rule=11 if hand.asking else 6, expected=waits, player=name)
    raise Illegal(reasons.OUT_OF_TURN, rule=11, expected=waits, player=name)


def _stayed(hand: Hand, position: Position) -> Mask:
    """The positions that have played once this player acts: everybody before has stayed."""
    return hand.touched | (2 << position) - 1


def _question_to(state: State, hand: Hand, name: str) -> Ask:
    """The question that this player answers.

    Raises:
        Illegal: nobody, or somebody else, is asked (rule 11).
    """
    position = position_of(state, hand, name)
    ask = hand.asking
    if ask is None or ask.asked != position:
        raise Illegal(reasons.NOT_ASKED, rule=11, expected=partial(expected, state.table, hand), player=name)
    return ask


def _from_deck(hand: Hand, position: Position) -> Hand:
    """The card goes under the deck, and its top card is taken: one of those put under when no fresh one is left."""
    old = hand.holds[position]
    under = hand.under + (old,)
    faces, fresh, suspicions = hand.faces, hand.fresh, hand.suspicions
    if fresh:
        new, faces, fresh, suspicions = len(faces), faces + (None,), fresh - 1, suspicions + ((),)
    else:
        new, under = under[0], under[1:]
    holds = put(hand.holds, position, new)
    shown = hand.shown & ~(1 << old)
    return replace(
        hand, holds=holds, faces=faces, fresh=fresh, suspicions=suspicions, under=under, shown=shown, drawing=NOBODY
    )


def _names(state: State, hand: Hand) -> str:
    return ", ".join(state.table.names[hand.order[position]] for position in hand.positions())
