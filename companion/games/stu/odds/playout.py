"""The rest of a hand, played on many deals at once: rules 6, 11 to 18 as array operations.

The tests compare it with `companion.games.stu` on every deal of small decks. Left out, as too rare to matter: Taverne given away
by agreement, penalties, and mistakes. Rows are positions in the order of play, columns are samples.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.games.stu.odds.deals import MAX_FRESH, Cards
from companion.games.stu.odds.habits import NO_CARD, chance_of_sto
from companion.games.stu.odds.view import PublicHand
from companion.games.stu.rules.state import NOBODY
from companion.games.stu.rules.waiting import awaited
from companion.games.stu.steps import STEP

TAVERNA, GNAO, SALTA, BRAGON = (STEP[kind] for kind in ("taverna", "gnao", "salta", "bragon"))
NULLA = STEP["nulla"]
LAST_NUMBER = STEP["10"]
Columns = NDArray[np.intp]


class PlayOut:
    """A hand from here to the showdown, on every sampled deal.

    Attributes:
        card: int8 (positions, samples), the physical card before each player. alive: bool, who is still in.
        delta: int8 (positions, samples), pedine lost or won since the view. paid: bool, who pays at the showdown.
    """

    def __init__(self, view: PublicHand, cards: Cards, rng: Generator) -> None:
        hand = view.hand
        self.hand, self.house, self.rng = hand, view.house, rng
        self.showing = view.heard.showing
        self.players, samples = len(hand.order), cards.shape[1]
        self.card = cards[[max(token, 0) for token in hand.holds]]
        self.alive = np.repeat(np.array([hand.still_in(p) for p in range(self.players)])[:, None], samples, axis=1)
        self.delta = np.zeros((self.players, samples), np.int8)
        self.paid = np.zeros((self.players, samples), bool)
        self.pedine = np.array(view.pedine, np.int64)
        self.stays = chance_of_sto(self.players)
        self.turn = np.full(samples, hand.turn)
        self.gave = np.full((self.players, samples), NO_CARD, np.int8)
        for position, token in enumerate(view.heard.gave):
            if token != NOBODY:
                self.gave[position] = cards[token] >> 1
        self.refused = np.full((2, samples), -1, np.int8)  # by copy of the Nulla: the Taverna that refused it last
        for asker, taverna in reversed(hand.refused):
            for copy in (0, 1):
                those = cards[asker] == 2 * NULLA + copy
                self.refused[copy, those] = cards[taverna, those]
        self.ceded = [(cards[c.token], c.giver, c.taker) for c in hand.ceded]
        tokens = len(hand.faces)
        drawn = np.zeros((self.players + MAX_FRESH, samples), np.int8)
        self.pile = np.concatenate([cards[tokens:], cards[list(hand.under)], drawn])
        self.bottom = np.full(samples, len(cards) - tokens + len(hand.under))
        self.top = np.zeros(samples, np.intp)

    def play(self) -> None:
        """To the end of the hand."""
        hand, wait = self.hand, awaited(self.hand)
        everywhere = np.arange(self.turn.size)
        if self.showing:  # cards are being shown: nobody decides any more
            self.turn[:] = self.players
        elif wait.step == "answer":
            (self._run if wait.back else self._ask)(everywhere, wait.whom, wait.who)
        elif wait.step == "draw":
            self._draw(everywhere, wait.who)
            if wait.who == hand.dealer_position:
                self.turn[:] = self.players
        elif wait.step == "keep":
            sent = everywhere[~self._stay(everywhere, wait.who)]
            self._run(sent, wait.who, wait.whom)
        for position in range(hand.turn, self.players):
            self._turn(position)
        self._show_down()

    def _turn(self, position: int) -> None:
        columns = np.flatnonzero((self.turn == position) & self.alive[position])
        self.turn[self.turn == position] = position + 1
        following = self.hand.after(position)
        if position == self.hand.dealer_position:
            self._draw(columns[~self._stay(columns, position)], position)
        elif following < self.players:
            self._ask(columns[~self._stay(columns, position)], position, following)

    def _stay(self, columns: Columns, position: int) -> NDArray[np.bool_]:
        chance = self.stays[self.card[position, columns] >> 1, self.gave[position, columns]]
        stay: NDArray[np.bool_] = self.rng.random(columns.size, np.float32) < chance
        return stay

    def _ask(self, columns: Columns, asker: int, asked: int) -> None:
        """A passo of ``asker`` to ``asked`` and, past Salte, to those after."""
        last = self.hand.before(self.players)
        while columns.size:
            step = self.card[asked, columns] >> 1
            done = asked if asked == self.hand.dealer_position else asked + 1
            self.turn[columns] = done
            low = columns[step <= LAST_NUMBER]
            self._exchange(low, asker, asked)
            self.turn[low] = asked
            self._refuse_nulla(columns[step == TAVERNA], asker, asked)
            self._pay(columns[step == BRAGON], asker)
            gnaffed = columns[step == GNAO]
            self._pay(gnaffed, asker)
            self._run(gnaffed[self.alive[asker, gnaffed]], asker, self.hand.before(asker))
            columns = columns[step == SALTA]
            if asked == last:
                if self.house.salta_on_dealer == "deck":
                    self._draw(columns, asker)
                return
            asked = self.hand.after(asked)

    def _refuse_nulla(self, columns: Columns, asker: int, asked: int) -> None:
        offered = self.card[asker, columns]
        for copy in (0, 1):
            those = columns[offered == 2 * NULLA + copy]
            self.refused[copy, those] = self.card[asked, those]

    def _run(self, columns: Columns, offerer: int, first: int) -> None:
        """The backward run (rule 14): ``offerer`` offers to ``first``, and so on towards di mano."""
        offering = np.full(columns.size, offerer)
        for asked in range(first, -1, -1):
            there = self.alive[asked, columns]
            here, by = columns[there], offering[there]
            card = self.card[asked, here]
            step = card >> 1
            taken = step <= LAST_NUMBER
            for token, giver, taker in self.ceded:
                taken |= (card == token[here]) & (by == giver) & (asked == taker)
            self._pay(here[(step == GNAO) | (step == BRAGON)], by[(step == GNAO) | (step == BRAGON)])
            self._exchange(here[taken], by[taken], asked)
            goes_on = step == SALTA
            goes_on[taken] = self.house.backward_run == "forced" or ~self._stay(here[taken], asked)
            by = np.where(taken, asked, by)
            columns = np.concatenate([columns[~there], here[goes_on]])
            offering = np.concatenate([offering[~there], by[goes_on]])

    def _exchange(self, columns: Columns, asker: int | NDArray[np.intp], asked: int) -> None:
        given, got = self.card[asker, columns], self.card[asked, columns]
        self.card[asker, columns], self.card[asked, columns] = got, given
        self.gave[asker, columns], self.gave[asked, columns] = given >> 1, got >> 1

    def _pay(self, columns: Columns, payer: int | NDArray[np.intp]) -> None:
        """One pedina at once; a player who pays the last one leaves, and the card goes under the deck (rule 18)."""
        self.delta[payer, columns] -= 1
        out = self.pedine[payer] + self.delta[payer, columns] == 0
        if not out.any():
            return
        columns = columns[out]
        payer = payer if isinstance(payer, int) else payer[out]
        self.alive[payer, columns] = False
        self._put_under(columns, self.card[payer, columns])

    def _put_under(self, columns: Columns, cards: Cards) -> None:
        self.pile[self.bottom[columns], columns] = cards
        self.bottom[columns] += 1

    def _draw(self, columns: Columns, position: int) -> None:
        """The exchange with the deck (rule 6): the card goes under it, its top card is taken."""
        self._put_under(columns, self.card[position, columns])
        self.card[position, columns] = self.pile[self.top[columns], columns]
        self.top[columns] += 1

    def _show_down(self) -> None:
        """Decide who pays (rules 8, 12, 13, 19). Where one player is left alone the game is won, and nobody pays any more."""
        step = self.card >> 1
        shown = self.alive & (self.alive.sum(axis=0) > 1)
        matto = shown & (step == 0)
        matti = matto.sum(axis=0)
        places = np.arange(self.players, dtype=np.int16)[:, None]
        height = np.where(shown & ~matto, step.astype(np.int16) * 64 + places, np.int16(32000))
        lowest = height.argmin(axis=0)
        somebody = np.take_along_axis(height, lowest[None], axis=0)[0] < 32000
        nothing = (matti == 2) & (~somebody | (self.house.two_matti_lowest == "matti"))
        gains = matto & (matti == 2)
        gains[matto.argmax(axis=0)[nothing], np.flatnonzero(nothing)] = False
        self.delta += gains
        self.paid |= matto & (matti == 1)
        self.delta -= self.paid
        pays = np.flatnonzero(somebody & ~nothing)
        who = self._in_place_of_nulla(pays, lowest[pays])
        self.paid[who, pays] = True
        self.delta[who, pays] -= 1

    def _in_place_of_nulla(self, columns: Columns, lowest: NDArray[np.intp]) -> NDArray[np.intp]:
        """The positions that pay for the lowest card: that of the Taverna that refused this very Nulla (rule 13), else the card's
        own."""
        card = self.card[lowest, columns]
        taverna = np.where(card >> 1 == NULLA, self.refused[card & 1, columns], -1)
        holders = self.alive[:, columns] & (self.card[:, columns] == taverna)
        return np.where(holders.any(axis=0), holders.argmax(axis=0), lowest)
