"""What a bot says and changes, from its own cards and what lies on the table."""

from __future__ import annotations

import math
import random
from functools import cache

from companion.decks.italian_sets import ACES
from companion.games.stoper.rules import log, phases
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.cards import DENARI_ACE, Mask, cards_in, number_of, opens, rank
from companion.games.stoper.rules.log import Event
from companion.games.stoper.rules.state import Hand, Seat, State
from companion.table.bots import rounded

_MIN_KEPT_SCORE = 26
"""The lowest score of a hand that a bot keeps whole."""


@cache
def strength(cards: Mask) -> float:
    """How good three cards are, 0 to 1: 20 (two figures of a suit) is a little above the middle once all have changed."""
    return math.pow(rank(cards).score / 33, 1.3)


@cache
def kept(cards: Mask) -> Mask:
    """What a bot keeps: a good hand, two aces, two cards of a suit (the ace of denari is of any), or its dearest card."""
    if rank(cards).score >= _MIN_KEPT_SCORE:
        return cards
    if (cards & ACES).bit_count() == 2:
        return cards & ACES
    hand = cards_in(cards)
    worth, pair = max((_pair(first, other), 1 << first | 1 << other) for first in hand for other in hand if first < other)
    return pair if worth else 1 << max(hand, key=_worth)


def _pair(first: int, other: int) -> int:
    """What two cards are worth together; 0 for cards of two suits."""
    together = first // 10 == other // 10 or first == DENARI_ACE
    return _worth(first) + _worth(other) if together else 0


def _worth(card: int) -> int:
    number = number_of(card)
    return 11 if card == DENARI_ACE else number if number < 8 else 10


def blinds(state: State, hand: Hand, rng: random.Random) -> bool:
    """Whether the bot whose right the next blind is makes it: seldom, and hardly ever with most of its chips."""
    found = phases.next_blind(state, hand) if hand.phase == "blind" else None
    if found is None:
        return False
    seat, cost = found
    return rng.random() < (0.06 if cost * 4 < state.stacks[seat] else 0.01) * (4 if hand.blinds else 1)


def word(state: State, hand: Hand, seat: Seat, cards: Mask, rng: random.Random, bluff: float) -> Event:
    """What a bot with these cards says when it is its turn: it opens, bets, raises and sees the more readily the better they are.

    ``bluff``: how often it opens without what it takes.
    """
    name, house = state.table.names[seat], state.table.house
    good = strength(cards) + rng.gauss(0, 0.1)
    most = min(state.stacks[seat] + hand.totals[seat], log.MOST)
    if hand.high:
        return _answer(state, hand, seat, good, rng)
    bet = min(most, max(smallest(state, hand), rounded(round(hand.pot * rng.choice((0.3, 0.5, 1))))))
    if hand.phase != "final":
        may = opens(cards, hand.level, by_figure_alone=house.opening_point == "figure_only", ace_pair_third=house.ace_pair_third)
        willing = good > (0.3 if bet * 4 < most else 0.6)
        return log.Apro(by=name, to=bet) if (may and willing) or rng.random() < bluff else log.Parola(by=name)
    if good > 0.6:
        return log.Punto(by=name, to=most if good > 1 and rng.random() < 0.3 else bet)
    if good < 0.2 and rng.random() < 0.03:
        return log.Passo(by=name)
    all_have_chips = all(state.stacks[other] for other in hand.order if hand.live >> other & 1)
    return log.Parola(by=name) if all_have_chips and good < 0.5 and rng.random() < 0.6 else log.Busso(by=name)


def _answer(state: State, hand: Hand, seat: Seat, good: float, rng: random.Random) -> Event:
    """After an opening, a blind or a bet."""
    name = state.table.names[seat]
    most = min(state.stacks[seat] + hand.totals[seat], log.MOST)
    own_word = hand.blind_open and seat == hand.blind_raiser
    may_raise = (own_word or not hand.blind_open) and most > hand.high
    can_raise = may_raise and phases.anybody_else_has_chips(state, hand, seat)
    if can_raise and good > (0.6 if own_word else 0.75) and rng.random() < 0.4:
        return log.Rilancio(by=name, to=most if rng.random() < 0.15 else min(most, 2 * hand.high))
    if own_word:
        return log.Busso(by=name)
    owed = min(hand.high - hand.totals[seat], state.stacks[seat])
    return log.Vedo(by=name) if good > 0.25 + owed / (hand.pot + owed) / 2 else log.Passo(by=name)
