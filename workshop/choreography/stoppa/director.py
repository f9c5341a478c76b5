"""Script → timeline of Stoppa: who deals, bets, shows and lays, and when, with the pauses of people who think, talk and look."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.stoppa.rules.cards import kinds_in
from workshop.choreography.barlife import Level
from workshop.choreography.director import STILL
from workshop.choreography.ensemble import Coin
from workshop.choreography.held import gestures as money
from workshop.choreography.held.director import HeldDirector
from workshop.choreography.layout import Plan
from workshop.choreography.script import Act, Bet, HeldHand, Say
from workshop.choreography.stoppa.gestures import StoppaGestures
from workshop.choreography.stoppa.script import Lay, Script, TakeBack, Won, read_script

IN_ROUNDS = 0.3
"""Share of tables at which the cards of an iteration are dealt one by one."""


class StoppaDirector(HeldDirector[StoppaGestures, HeldHand]):
    """``bets``: coins of each bet of this punto; ``last_laid``: who laid the last card, None after anything else."""

    GESTURES = StoppaGestures
    read = staticmethod(read_script)

    def __init__(self, script: Script, plan: Plan, seed: int, pace: float, level: Level) -> None:
        super().__init__(script, plan, seed, pace, level)
        self.bets: list[int] = []
        self.last_laid: int | None = None

    def deck(self) -> Sequence[str]:
        """Ids of all cards that are played with."""
        return kinds_in(self.script.first.table.deck)

    def packet(self, cards: Sequence[str]) -> int:
        """The cards of an iteration are dealt together, or one by one."""
        return 1 if self.habit < IN_ROUNDS else len(cards)

    def begin(self, hand: HeldHand) -> None:
        """Everybody puts in what the hand costs, each when they like."""
        self.bets, self.last_laid = [], None
        end = self.now
        for seat in self.seats:
            end = max(end, self.bet(self.now + self.rng.uniform(0, 1.5) * self.pace, seat, self.rng.randint(1, 3)))
        self.now = end + self.ensemble.lasts(0.3)

    def own(self, act: Act) -> bool:
        """Do what only this game has; False: it was no such thing."""
        gestures = self.gestures
        match act:
            case Bet(seat=seat):
                self.pause(0.9, 0.45)
                self.bets.append(self.rng.randint(1, 3))
                self.now = self.bet(self.now, seat, self.bets[-1])
            case Say(seat=seat):
                self.pause(0.8, 0.45)
                if self.chance(0.25):
                    gestures.tap_at(self.now, seat, gestures.rest_of(seat, 0))
            case Won():
                self._won(act)
            case Lay(seat=seat):
                self.pause(0.15 if seat == self.last_laid else 0.6, 0.5)
                self.now = gestures.lay(self.now, seat, act.cards)
                self.last_laid = seat
            case TakeBack():
                self.pause(1.2)
                for seat, cards in act.lays:
                    self.now = gestures.take_back(self.now, seat, cards)
                self.last_laid = None
            case _:
                return False
        return True

    def _won(self, act: Won) -> None:
        """The money goes to the winner; cards that lie open are taken up once they have lain still."""
        gestures = self.gestures
        shown = [seat for seat in self.seats if gestures.on_table[seat]]
        self.pause(0.8)
        if act.seat is not None:
            share = len(gestures.money) if act.whole else sum(self.bets) + self.rng.randint(1, 2)
            self.now = money.collect(gestures, self.now, act.seat, self._last(share))
        self.bets = []
        if shown:
            still = max(self.now, self.last_shown + STILL)
            self.now = max(gestures.take_up(still + self.rng.uniform(0, 0.8) * self.pace, seat) for seat in shown)
        self.pause(0.4)

    def money_back(self) -> None:
        """Have everybody take back what they put in, as the hand is void."""
        gestures = self.gestures
        share = -(-len(gestures.money) // len(self.seats))
        self.now = max(
            money.collect(gestures, self.now + self.rng.uniform(0, 0.8) * self.pace, seat, self._last(share))
            for seat in self.seats
        )

    def _last(self, count: int) -> list[Coin]:
        """The last ``count`` coins that were put in the middle, or all there are."""
        coins = self.gestures.money
        return coins[len(coins) - min(count, len(coins)) :]


direct = StoppaDirector.direct
