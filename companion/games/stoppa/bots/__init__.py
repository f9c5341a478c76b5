"""The simulator: random legal games of Stoppa, played by bots, as complete table logs."""

from __future__ import annotations

import random
from typing import Final

from msgspec import Struct

from companion.decks.italian import KINDS
from companion.games.betting.bots import BettingEvening
from companion.games.stoppa.bots import styles
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.between import begin
from companion.games.stoppa.rules.cards import DEALS, FIGURES, KINGS, OF_NUMBER, Mask, cards_in, kinds_in, mask_of
from companion.games.stoppa.rules.declarations import best_group
from companion.games.stoppa.rules.engine import apply
from companion.games.stoppa.rules.known import needed
from companion.games.stoppa.rules.log import Event, HouseRules, What
from companion.games.stoppa.rules.state import Betting, Seat, to_lay
from companion.table.bots import check_players, first_of, rounded
from companion.table.errors import SimulatorError
from companion.table.log import Line

__all__ = ["NAMES", "PLAIN", "EventProbabilities", "Settings", "SimulatorError", "seated", "simulate"]

NAMES: Final = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
"""People to sit at a simulated table: as many as can play (rule 2)."""


class EventProbabilities(Struct, frozen=True):
    """Probabilities (0 to 1) of events that are rare at a table.

    Attributes:
        void, annul, wrong_dealer: chance per hand that it happens.
        giro: chance per hand that somebody calls the giro.
        omission: chance that a player overlooks the wanted card in their hand; ``found``: that it is put right at once.
        shown: chance that somebody shows the cards left when the stoppata is over.
        unsaid: chance that a `passo` is not written down, where somebody later in turn acts.
    """

    void: float = 0.02
    annul: float = 0.02
    wrong_dealer: float = 0.01
    giro: float = 0.03
    omission: float = 0.02
    found: float = 0.3
    shown: float = 0.3
    unsaid: float = 0.2


PLAIN: Final = EventProbabilities(0, 0, 0, 0, 0, 0, 0, 0)
"""No irregularities, and every word written down."""


class Settings(Struct, frozen=True, kw_only=True):
    """A table and its habits; amounts in minor units. ``small`` None: a tenth of what all pay, shared by the punti piccoli.

    ``faces``: every card is in the log as it was dealt, as if a camera had seen too much; ``points``: no money is played for.
    """

    players: tuple[str, ...]
    misera: int = 600
    small: int | None = None
    house_rules: HouseRules = HouseRules()
    event_probabilities: EventProbabilities = EventProbabilities()
    faces: bool = False
    points: bool = False


def seated(count: int) -> tuple[str, ...]:
    """The first ``count`` of the `NAMES`.

    Raises:
        SimulatorError: too few or too many players.
    """
    return first_of(NAMES, count, fewest=3, game="Stoppa")


def simulate(settings: Settings, *, hands: int, seed: int) -> tuple[Line, ...]:
    """The log of a game of at most ``hands`` hands, from its first line to its `close`; a game that a called giro has ended has
    none. The same seed and settings give the same game.

    Raises:
        SimulatorError: too few or too many players.
        Illegal: the rules refuse the stakes.
    """
    return _Evening(settings, random.Random(seed)).lines_of(hands, log.Close())


class _Evening(BettingEvening):
    def __init__(self, settings: Settings, rng: random.Random) -> None:
        self.settings, self.often = settings, settings.event_probabilities
        players = settings.players
        check_players(len(players), fewest=3, most=len(NAMES), game="Stoppa")
        small = settings.small
        if small is None:
            small = rounded(settings.misera * len(players) // (10 * len(DEALS[len(players)])))
        removed = KINDS[rng.choice(cards_in(KINGS))] if len(players) == 3 else None
        house, points = settings.house_rules, settings.points
        first = log.new_game(players, settings.misera, small, players[-1], removed=removed, house_rules=house, points=points)
        super().__init__(begin, apply, first, rng)
        self.own: list[Mask] = []

    @property
    def betting(self) -> Betting:
        found: Betting = self.hand.betting
        return found

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
            event = styles.word(self.state, betting, names[left[0]], cards[left[0]], self.rng)
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
            laid = styles.shown(cards[seat], whole=self.betting.phase != "grosso")
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
            self._lay(first, styles.opening(table, laid, self.own[first]))
            return
        overlooked: list[Seat] = []
        for seat in table.round_from(first):
            cards = styles.laid_by(table, hand, laid, self.own[seat])
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
        self._lay(seat, styles.laid_by(table, hand, laid, self.own[seat]))

    def _lay(self, seat: Seat, cards: Mask) -> None:
        self.own[seat] &= ~cards
        self.do(log.Lay(by=self.name(seat), cards=kinds_in(cards)))
