"""An evening of Stoppa played by bots. Every line goes through the rules: what they refuse is never written."""

from __future__ import annotations

import random
from functools import lru_cache

from companion.decks.italian import KINDS
from companion.games.stoppa.bots.settings import Settings
from companion.games.stoppa.rules import log, stoppata
from companion.games.stoppa.rules.between import begin
from companion.games.stoppa.rules.cards import (
    ACE,
    ACES,
    DEALS,
    FIGURES,
    KINGS,
    OF_NUMBER,
    Mask,
    cards_in,
    kinds_in,
    mask_of,
    number_of,
)
from companion.games.stoppa.rules.declarations import best_group
from companion.games.stoppa.rules.engine import apply
from companion.games.stoppa.rules.log import Event, What
from companion.games.stoppa.rules.omissions import needed
from companion.games.stoppa.rules.state import Betting, Hand, Seat, State, Table, to_lay
from companion.table.bots import Played, rounded
from companion.table.errors import SimulatorError
from companion.table.log import Line

# What a bot says and lays, from its own cards and what lies on the table.


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

def simulate(settings: Settings, *, hands: int, seed: int) -> tuple[Line, ...]:
    """The log of a game of at most ``hands`` hands, from its first line to its `close`; a game that a called giro has ended has
    none. The same seed and settings give the same game.

    Raises:
        SimulatorError: too few or too many players.
        Illegal: the rules refuse the stakes.
    """
    evening = _Evening(settings, random.Random(seed))
    for _ in range(hands):
        if evening.state.over:
            break
        evening.play()
    if not evening.state.closed and not evening.state.over:
        evening.do(log.Close())
    return evening.lines


class _Evening(Played[State]):
    def __init__(self, settings: Settings, rng: random.Random) -> None:
        self.settings, self.often = settings, settings.event_probabilities
        players = settings.players
        if len(players) not in DEALS:
            raise SimulatorError(f"{len(players)} players cannot play Stoppa: expected 3 to 6")
        small = settings.small
        if small is None:
            small = rounded(settings.misera * len(players) // (10 * len(DEALS[len(players)])))
        removed = KINDS[rng.choice(cards_in(KINGS))] if len(players) == 3 else None
        house, points = settings.house_rules, settings.points
        first = log.new_game(players, settings.misera, small, players[-1], removed=removed, house_rules=house, points=points)
        super().__init__(begin, apply, first, rng)
        self.own: list[Mask] = []

    @property
    def hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand

    @property
    def betting(self) -> Betting:
        assert self.hand.betting is not None
        return self.hand.betting

    def name(self, seat: Seat) -> str:
        return self.state.table.names[seat]

    def play(self) -> None:
        """A hand, from its first line to its last payment."""
        table, rng = self.state.table, self.rng
        dealer = rng.choice(table.names) if self.happens(self.often.wrong_dealer) else None
        self.do(log.Hand(dealer=dealer))
        pack = list(cards_in(table.deck))
        rng.shuffle(pack)
        self.own = [0] * len(table.names)
        voided = rng.randrange(len(table.deals)) if self.happens(self.often.void) else -1
        for iteration, count in enumerate(table.deals):
            self.do(log.Piccolo())
            order = table.round_from(table.after(self.hand.dealer))
            dealt = {seat: mask_of(pack.pop() for _ in range(count)) for seat in order}
            for seat, cards in dealt.items():
                self.own[seat] |= cards
                if self.settings.faces:
                    self.do(log.Deal(to=self.name(seat), faces=kinds_in(cards)))
            self._bet(dealt)
            if iteration == voided:
                self.do(log.Void())
                return
        if self.happens(self.often.giro):
            self.do(log.Giro(by=rng.choice(table.names)))
        self.do(log.Grosso())
        self._bet(dict(enumerate(self.own)))
        if self.state.hand is not None and not self._declare():
            self.do(log.Annul()) if self.happens(self.often.annul) else self._stoppata()

    def _bet(self, cards: dict[Seat, Mask]) -> None:
        """The words of everybody in turn, and the comparison."""
        unsaid: list[Event] = []
        names = self.state.table.names
        while (hand := self.state.hand) is not None and (betting := hand.betting) is not None and betting.todo:
            left = betting.todo[len(unsaid) :]
            if not left or (not betting.high and left == (hand.dealer,)):
                break
            event = word(self.state, betting, names[left[0]], cards[left[0]], self.rng)
            if isinstance(event, log.Passo) and self.happens(self.often.unsaid):
                unsaid.append(event)  # the next player who acts implies it
                continue
            self.do(event)
            unsaid = []
        if self.state.hand is not None and not self.betting.decided:
            if unsaid and len(tuple(self.betting.still_in())) < 2:
                for event in unsaid:
                    self.do(event)
            else:
                self._compare(cards)

    def _compare(self, cards: dict[Seat, Mask]) -> None:
        """All players still in show, in order of play; one who cannot win may concede."""
        order = self.state.table.round_from(self.state.table.after(self.hand.dealer))
        still_in, best = [seat for seat in order if seat in tuple(self.betting.still_in())], (0, 0)
        for seat in still_in:
            mine = best_group(cards[seat])
            if mine <= best and self.happens(0.5):
                self.do(log.Muck(by=self.name(seat)))
                continue
            laid = shown(cards[seat], whole=self.betting.phase != "grosso")
            self.do(log.Show(by=self.name(seat), cards=kinds_in(laid)))
            best = max(best, mine)

    def _declare(self) -> bool:
        """Players who hold a hand to be declared say so. Returns whether somebody did."""
        of, count, without_king = needed(self.state.table.house)
        said = False
        for seat, own in enumerate(self.own):
            whats: list[What] = ["four_kings"] if own & KINGS == KINGS else []
            whats += ["misera"] if not own & FIGURES else []
            whats += ["no_stoppata"] if (own & of).bit_count() >= count and not (without_king and own & KINGS) else []
            if whats:
                cards = kinds_in(own)
                self.do(log.Declare(by=self.name(seat), what=whats[0], cards=cards))
                said = True
        if said:
            self.do(log.End())
        return said

    def _stoppata(self) -> None:
        while self.state.hand is not None:
            self._next_lay(self.hand.on_pile)
        ended = self.state.ended
        assert ended is not None
        for seat, own in enumerate(self.own):
            if own and self.happens(self.often.shown):
                self.do(log.Show(by=self.name(seat), cards=kinds_in(own)))

    def _next_lay(self, laid: Mask) -> None:
        """The next cards that are put down, by the first player in turn who has them."""
        table, hand = self.state.table, self.hand
        first = to_lay(table, hand)
        if not hand.wants:
            self._lay(first, opening(table, laid, self.own[first]))
            return
        overlooked: list[Seat] = []
        for seat in table.round_from(first):
            cards = laid_by(table, hand, laid, self.own[seat])
            if not cards:
                continue
            if cards & OF_NUMBER[hand.wants] and seat not in overlooked and self.happens(self.often.omission):
                overlooked.append(seat)
                continue
            self._lay(seat, cards)
            if overlooked and self.state.hand is not None and self.happens(self.often.found):
                self.own[seat] |= cards
                self.do(log.Back(lays=1))
            return
        seat = overlooked[0]  # asked again, they find it
        self._lay(seat, laid_by(table, hand, laid, self.own[seat]))

    def _lay(self, seat: Seat, cards: Mask) -> None:
        self.own[seat] &= ~cards
        self.do(log.Lay(by=self.name(seat), cards=kinds_in(cards)))
