"""The backward run: "Gnaff, cart'arrit" (rules 14, 15, 22, 23).

The gnaffed player offers their card to the one before, who exchanges it, or stops it with a trump; after an exchange
the card may be sent on. A trump that lies face up acts without being shown again.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.decks.stu import Kind
from companion.games.stu.rules import reasons
from companion.games.stu.rules.faces import suspect
from companion.games.stu.rules.pedine import pay_at_once
from companion.games.stu.rules.state import NOBODY, Ask, Hand, Position, State
from companion.games.stu.rules.trumps import LOWEST_TRUMP
from companion.table.errors import Illegal


def offer(state: State, hand: Hand, offerer: Position, *, by_itself: bool) -> State:
    """The travelling card is offered to the player before ``offerer``; trumps already face up act at once."""
    return _offer_before(state, hand, offerer, offerer, by_itself)


def _offer_before(state: State, hand: Hand, offerer: Position, place: Position, by_itself: bool) -> State:
    while (asked := hand.before(place)) != NOBODY:
        token = hand.holds[asked]
        face = hand.faces[token]
        if not hand.is_shown(token) or face is None or must_hand_back(hand, offerer, asked):
            break
        if face == "salta":
            place = asked
            continue
        if face in STOPPERS:
            return _stopped(state, hand, offerer, asked, face)
        break
    if asked == NOBODY:
        return _over(state, hand)
    return replace(state, hand=replace(hand, asking=Ask(offerer, asked, back=True, by_itself=by_itself)))


STOPPERS = ("taverna", "gnao", "bragon", "cucco")


def must_hand_back(hand: Hand, offerer: Position, asked: Position) -> bool:
    """Whether ``asked`` holds a Taverna ceded in this hand by ``offerer``, and so must give it back (rule 13)."""
    token = hand.holds[asked]
    return any(c.token == token and c.giver == offerer and c.taker == asked for c in hand.ceded)


def exchanged(state: State, hand: Hand, ask: Ask) -> State:
    """The offer was taken: ``ask.asked`` has the travelling card and may send it on (or must, under `forced`)."""
    given = hand.holds[ask.asked]
    handed_back = must_hand_back(hand, ask.asker, ask.asked)
    hand = replace(hand, holds=swapped(hand.holds, ask.asker, ask.asked), asking=None, opened=NOBODY)
    if not handed_back:
        hand = suspect(state.table, hand, "should_have_refused", ask.asked, given, LOWEST_TRUMP)
    if hand.before(ask.asked) == NOBODY:
        return _over(state, hand)
    if state.table.house.backward_run == "forced":
        return offer(state, hand, ask.asked, by_itself=True)
    return replace(state, hand=replace(hand, back=ask.asked))


def refused(state: State, hand: Hand, ask: Ask, trump: Kind) -> State:
    """The offer met this trump, shown by ``ask.asked``.

    Raises:
        Illegal: it is a Taverna that must be handed back (rule 13).
    """
    if must_hand_back(hand, ask.asker, ask.asked):
        names = state.table.names
        giver, taker = names[hand.order[ask.asker]], names[hand.order[ask.asked]]
        raise Illegal(reasons.HANDS_BACK, rule=13, expected=f"swap with {taker}", player=taker, giver=giver)
    if trump == "salta":
        return _offer_before(state, hand, ask.asker, ask.asked, ask.by_itself)
    return _stopped(state, hand, ask.asker, ask.asked, trump)


def swapped(holds: tuple[int, ...], a: Position, b: Position) -> tuple[int, ...]:
    """The cards of two positions, exchanged."""
    cards = list(holds)
    cards[a], cards[b] = cards[b], cards[a]
    return tuple(cards)


def _stopped(state: State, hand: Hand, offerer: Position, by: Position, trump: Kind) -> State:
    hand = replace(hand, asking=None)
    if trump == "gnao":
        return pay_at_once(state, hand, offerer, "gnaffata", by)
    if trump == "bragon":
        return pay_at_once(state, hand, offerer, "bbummata", by)
    return replace(state, hand=hand)


def _over(state: State, hand: Hand) -> State:
    return replace(state, hand=replace(hand, asking=None))
