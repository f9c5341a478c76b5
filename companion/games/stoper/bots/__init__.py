"""The simulator: random legal games of Stoper, played by bots, as complete table logs."""

from __future__ import annotations

import random
from typing import Final

from msgspec import Struct

from companion.decks.italian_sets import Mask, cards_in, kinds_in, mask_of
from companion.games.betting.bots import BettingEvening
from companion.games.stoper.bots import styles
from companion.games.stoper.rules import joining, log
from companion.games.stoper.rules.between import begin
from companion.games.stoper.rules.cards import HAND, Rank, rank
from companion.games.stoper.rules.engine import apply
from companion.games.stoper.rules.log import HouseRules, Mode
from companion.games.stoper.rules.state import Seat
from companion.table.bots import check_players, first_of
from companion.table.errors import SimulatorError
from companion.table.log import Line

__all__ = ["NAMES", "PLAIN", "EventProbabilities", "Settings", "SimulatorError", "seated", "simulate"]

NAMES: Final = ("Ada", "Bice", "Ciro", "Dora", "Elsa", "Fabio")
"""People to sit at a simulated table: as many as can play (rule 1)."""
MIN_PLAYERS: Final = 4


class EventProbabilities(Struct, frozen=True):
    """Probabilities (0 to 1) of events that are rare at a table.

    Attributes:
        void, wrong_dealer: chance per hand that it happens.
        absent: chance per hand and player to sit it out (cash). chips: that a player without chips buys some (cash).
        bluff: chance that a player opens without what it takes.
        dealt, discards: chance per player that their cards dealt, or thrown away, are named.
        late: chance that somebody shows after the hand.
    """

    void: float = 0.02
    wrong_dealer: float = 0.01
    absent: float = 0.04
    chips: float = 0.8
    bluff: float = 0.02
    dealt: float = 0.1
    discards: float = 0.3
    late: float = 0.1


PLAIN: Final = EventProbabilities(0, 0, 0, 1, 0, 0, 0, 0)
"""No irregularities; players who have lost all chips buy new ones."""


class Settings(Struct, frozen=True, kw_only=True):
    """A table and its habits; amounts in minor units. ``stacks``: chips of each at the start; None: a hundred times the cip."""

    players: tuple[str, ...]
    mode: Mode = "cash"
    cip: int = 50
    invito: int | None = None
    stacks: int | None = None
    house_rules: HouseRules = HouseRules()
    event_probabilities: EventProbabilities = EventProbabilities()


def seated(count: int) -> tuple[str, ...]:
    """The first ``count`` of the `NAMES`.

    Raises:
        SimulatorError: too few or too many players.
    """
    return first_of(NAMES, count, fewest=MIN_PLAYERS, game="Stoper")


_HANDS_OF_A_CIP = 8
"""Hands after which the cip doubles in a tournament."""
_STACK_CIP = 100
"""A stack at the start, in cip, where the table says nothing else."""


def simulate(settings: Settings, *, hands: int, seed: int) -> tuple[Line, ...]:
    """The log of a game of at most ``hands`` hands, from its first line to its `close`; a tournament that is won has none. The
    same seed and settings give the same game.

    Raises:
        SimulatorError: too few or too many players.
        Illegal: the rules refuse the first line.
    """
    return _Evening(settings, random.Random(seed)).lines_of(hands, log.Close())


class _Evening(BettingEvening):
    def __init__(self, settings: Settings, rng: random.Random) -> None:
        self.settings, self.often = settings, settings.event_probabilities
        players = settings.players
        check_players(len(players), fewest=MIN_PLAYERS, most=len(NAMES), game="Stoper")
        self.stack = min(settings.cip * _STACK_CIP, log.MOST) if settings.stacks is None else settings.stacks
        first = log.new_game(players, self.stack, players[-1], mode=settings.mode, house_rules=settings.house_rules)
        super().__init__(begin, apply, first, rng)
        self.own: dict[Seat, Mask] = {}
        self.pack: list[int] = []

    def play(self) -> None:
        """A hand, from what happens before it to what is shown after it."""
        self._pause()
        self.do(self._begun())
        self.pack = list(cards_in(self.hand.deck))
        self.rng.shuffle(self.pack)
        self.own = {seat: self._draw(HAND) for seat in self.hand.order}
        voided = self.rng.randrange(12) if self.happens(self.often.void) else -1
        while self.state.hand is not None:
            if voided == 0:
                self.do(log.Void())
                return
            voided -= 1
            self._next()
        self._show_late()

    def _draw(self, count: int) -> Mask:
        return mask_of(self.pack.pop() for _ in range(count))

    def _pause(self) -> None:
        """Between two hands of a cash game, players without chips may buy some; at least two players must have chips."""
        if self.settings.mode == "torneo":
            return
        for seat, name in enumerate(self.state.table.names):
            needed = joining.expected_in(self.state).bit_count() < 2
            if not self.state.stacks[seat] and (needed or self.happens(self.often.chips)):
                self.do(log.Chips(by=name, amount=self.stack))

    def _begun(self) -> log.Hand:
        """The next hand: who deals, sits out or joins; the stakes where they are new."""
        state, rng, names = self.state, self.rng, self.state.table.names
        joining_in = [
            seat for seat in range(len(names))
            if state.carried.said and not state.carried.said >> seat & 1 and joining.can_join(state, seat) and self.happens(0.5)
        ]  # fmt: skip
        taking = [seat for seat in range(len(names)) if joining.expected_in(state) >> seat & 1 or seat in joining_in]
        absent: list[Seat] = []
        if self.settings.mode == "cash" and not state.carried.parola:
            absent = [seat for seat in taking if self.happens(self.often.absent)][: len(taking) - 2]
        taking = [seat for seat in taking if seat not in absent]
        dealer = names[rng.choice(taking)] if self.happens(self.often.wrong_dealer) else None
        cip, invito = self._stakes()
        return log.Hand(
            dealer=dealer,
            cip=None if cip == state.cip else cip,
            invito=None if state.cip and invito == state.invito else invito,
            absent=tuple([names[seat] for seat in absent if seat not in joining_in]),
            join=tuple([names[seat] for seat in joining_in if seat not in absent]),
        )

    def _stakes(self) -> tuple[int, int]:
        """Cip and invito of the next hand."""
        settings = self.settings
        times = 2 ** (len(self.state.hands) // _HANDS_OF_A_CIP) if settings.mode == "torneo" else 1
        invito = settings.cip if settings.invito is None else settings.invito
        return min(settings.cip * times, log.MOST), min(invito * times, log.MOST)

    def _next(self) -> None:
        """What happens next in the hand."""
        hand = self.hand
        if hand.phase == "exchange":
            self._change(hand.todo[0])
        elif hand.phase == "showdown":
            self._compare()
        elif styles.blinds(self.state, hand, self.rng):
            self.do(log.Buio(by=self.name(hand.todo[0])))
        else:
            seat = hand.todo[0]
            if not hand.looked and not any(known.dealt_count for known in hand.known):
                self._name_dealt()
                hand = self.hand
            self.do(styles.word(self.state, hand, seat, self.own[seat], self.rng, self.often.bluff))

    def _name_dealt(self) -> None:
        """The first cards of some players are named."""
        for seat in self.hand.order:
            if self.happens(self.often.dealt):
                self.do(log.Deal(to=self.name(seat), faces=kinds_in(self.own[seat])))

    def _change(self, seat: Seat) -> None:
        """A player changes what is not worth keeping; a player who is all-in then may turn their cards up."""
        own = self.own[seat]
        thrown = own & ~styles.kept(own)
        named = kinds_in(thrown) if thrown and self.happens(self.often.discards) else None
        self.do(log.Cambio(by=self.name(seat), n=thrown.bit_count(), discards=named))  # type: ignore[arg-type]
        self.own[seat] = own & ~thrown | self._draw(thrown.bit_count())
        if self.state.hand is not None and not self.state.stacks[seat] and self.happens(0.3):
            self._show(seat)

    def _show(self, seat: Seat) -> None:
        self.do(log.Show(by=self.name(seat), cards=kinds_in(self.own[seat])))

    def _compare(self) -> None:
        """All players still in show, in turn; one who cannot win any more may concede."""
        best: Rank | None = None
        for seat in self.hand.order:
            hand = self.state.hand
            if hand is None:
                return
            if not hand.live >> seat & 1 or hand.known[seat].shown:
                continue
            mine = rank(self.own[seat], self.state.table.house.ace_pair_third)
            if best is not None and mine < best and self.happens(0.5):
                self.do(log.Muck(by=self.name(seat)))
            else:
                self._show(seat)
                best = mine if best is None else max(best, mine)

    def _show_late(self) -> None:
        """When the hand is over somebody may show what nobody asked for."""
        ended = self.state.ended
        assert ended is not None
        for seat in ended.order:
            unseen = ended.live >> seat & 1 and seat not in ended.conceded and not ended.known[seat].shown
            if unseen and self.happens(self.often.late):
                self._show(seat)
