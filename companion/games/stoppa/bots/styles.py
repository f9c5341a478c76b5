"""What a bot says and lays, from its own cards and what lies on the table."""

from __future__ import annotations

import random
from functools import lru_cache

from companion.games.stoppa.rules import log, stoppata
from companion.games.stoppa.rules.cards import ACE, ACES, KINGS, OF_NUMBER, Mask, cards_in, number_of
from companion.games.stoppa.rules.declarations import best_group
from companion.games.stoppa.rules.state import Betting, Hand, State, Table
from companion.table.bots import rounded

_BASE = {1: 0.05, 2: 0.35, 3: 0.75}
"""Number of cards in a group → how good it is, 0 to 1, before its worth counts; 1 is unbeatable."""
_DEAREST = {1: 21, 2: 39, 3: 55}
"""Number of cards of one suit → the most that they are worth."""


@lru_cache(maxsize=8192)
def strength(cards: Mask) -> float:
    """How good the best group of these cards is, 0 to 1, beside hands of three cards with two or three of one suit."""
    count, score = best_group(cards)
    return _BASE[count] + 0.25 * (score - 10 * count) / (_DEAREST[count] - 10 * count)


def word(state: State, betting: Betting, name: str, cards: Mask, rng: random.Random) -> log.Event:
    """What a bot with these cards says when it is to bet: it bets, raises and sees the more readily the better they are."""
    good = strength(cards) - (0.35 if betting.phase == "grosso" else 0.0) + rng.gauss(0, 0.12)
    house, most = state.table.house, max(betting.prize, 1)
    if not betting.high:
        stake = max(house.bet_min, rounded(round(most * rng.choice((0.1, 0.2, 0.5)))))
        return log.Punto(by=name, to=stake) if good > 0.4 else log.Passo(by=name)
    price = (betting.high - betting.totals[state.table.names.index(name)]) / (most + betting.bets)
    if good > 0.62 and betting.high < 2 * most and rng.random() < 0.5:
        return log.Rilancio(by=name, to=betting.high * 2)
    return log.Vedo(by=name) if good > 0.25 + price / 2 else log.Passo(by=name)


def shown(cards: Mask, *, whole: bool) -> Mask:
    """What a bot lays open at a comparison: all its cards, or its best group alone."""
    if whole:
        return cards
    best = max(range(4), key=lambda suit: best_group(cards & (1023 << 10 * suit)))
    return cards & (1023 << 10 * best)


def opening(table: Table, laid: Mask, own: Mask) -> Mask:
    """What a bot opens a sequence with: all its aces, or the card from which it can lay most cards; the lowest among equals."""
    return min(_starts(own), key=lambda cards: (-_run(table, laid, own, cards), cards & -cards))


def _starts(own: Mask) -> list[Mask]:
    starts = [1 << card for card in cards_in(own & ~ACES)]
    return [*([own & ACES] if own & ACES else []), *starts]


def _run(table: Table, laid: Mask, own: Mask, cards: Mask) -> int:
    """Cards that this player can lay from these on, until another must lay or a sequence is to be opened."""
    count = 0
    while cards:
        count, laid, own = count + cards.bit_count(), laid | cards, own & ~cards
        wants = stoppata.next_number(table.deck, laid, number_of(cards.bit_length() - 1))
        cards = going_on(table, laid, own, wants)
    return count + (1 if not wants else 0)


def going_on(table: Table, laid: Mask, own: Mask, wants: int) -> Mask:
    """The wanted card from this hand, or all of the number where they may be laid together; 0 where there is none."""
    found = own & OF_NUMBER[wants]
    if found.bit_count() > 1 and stoppata.may_lie_together(table.house, table.deck, laid, "goes_on", wants, found):
        return found
    return found & -found


def laid_by(table: Table, hand: Hand, laid: Mask, own: Mask) -> Mask:
    """What a bot in turn lays on the open sequence; 0: nothing."""
    if found := going_on(table, laid, own, hand.wants):
        return found
    aces = own & ACES
    if aces and number_of(hand.top) == ACE:
        return aces
    if table.house.three_aces_anytime and aces.bit_count() >= 3 and not own & KINGS:
        return aces
    return 0
