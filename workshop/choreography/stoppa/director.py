"""Script → timeline of Stoppa: who deals, bets, shows and lays, and when, with the pauses of people who think, talk and look."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.table.log import Line
from workshop.choreography.acts import Act, Over
from workshop.choreography.barlife import Level
from workshop.choreography.director import STILL
from workshop.choreography.ensemble import Coin
from workshop.choreography.held import money, room
from workshop.choreography.held.acts import Bet, Say, Show
from workshop.choreography.held.director import HeldDirector
from workshop.choreography.layout import Plan
from workshop.choreography.stoppa.acts import Deal, Lay, TakeBack, Won
from workshop.choreography.stoppa.gestures import StoppaGestures
from workshop.choreography.stoppa.script import HandScript, Script, read_script
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import Shape

IN_ROUNDS = 0.3
"""Share of tables at which the cards of an iteration are dealt one by one."""


def direct(
    lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None
) -> Timeline:
    """The timeline of a whole log. The same arguments give the same timeline.

    ``tempo``: 1 plays a hand of four in about two minutes, 2 twice as fast. ``level``: how much bar life there is. ``shape``:
    the table's; None draws one.

    Raises:
        ScriptError: the log cannot be played out; the message names the line.
    """
    script = read_script(lines, Random(f"faces {seed}"))
    plan = room.plan(script.players, Random(f"table {seed}"), shape)
    return _Director(script, plan, seed, 1 / tempo, level).play()


class _Director(HeldDirector[StoppaGestures, HandScript]):
    def __init__(self, script: Script, plan: Plan, seed: int, pace: float, level: Level) -> None:
        super().__init__(script, plan, StoppaGestures, seed, pace, level)
        self.bets: list[int] = []
        self.last_laid: int | None = None

    def hand(self, hand: HandScript) -> None:
        """A hand, from its stakes to its end."""
        self.mark(hand.line)
        self.bets, self.last_laid = [], None
        self.stakes(self.seats)
        for act in hand.acts:
            if isinstance(act, Deal):
                self._deal(act, hand)
            else:
                self.act(act)

    def _deal(self, act: Deal, hand: HandScript) -> None:
        """Cards to everybody: together, or one by one; then all take them up."""
        dealt = dict(enumerate(hand.dealt[act.iteration]))
        lines = {seat: line for (iteration, seat), line in hand.deals.items() if iteration == act.iteration}
        self.deal(hand.dealer, hand.order, dealt, 1 if self.habit < IN_ROUNDS else len(dealt[0]), lines)
        self.mark(act.line)
        self.hands_home(hand.dealer)
        self.all_take_up(hand.order)

    def act(self, act: Act) -> None:
        """One thing that somebody does."""
        gestures = self.gestures
        match act:
            case Bet(seat=seat):
                self.pause(0.9, 0.45)
                count = self.rng.randint(1, 3)
                self.now = self.bet(self.now, seat, count)
                self.bets.append(count)
                self.mark(act.line)
            case Say(seat=seat):
                self.pause(0.8, 0.45)
                if self.chance(0.25):
                    gestures.tap_at(self.now, seat, gestures.rest_of(seat, 0))
                self.mark(act.line)
            case Show(seat=seat):
                self._show(act, seat)
            case Won():
                self._won(act)
            case Lay(seat=seat):
                self.pause(0.15 if seat == self.last_laid else 0.6, 0.5)
                self.now = gestures.lay(self.now, seat, act.cards)
                self.mark(act.line)
                self.last_laid = seat
            case TakeBack():
                self.pause(1.2)
                for seat, cards in act.lays:
                    self.now = gestures.take_back(self.now, seat, cards)
                self.mark(act.line)
                self.last_laid = None
            case Over():
                self.pause(0.4)
                self.mark(act.line)
                self.last_shown = self.now
                if act.void:
                    self._money_back()
            case _:
                self.pause(0.6)
                self.mark(act.line)

    def _show(self, act: Show, seat: int) -> None:
        self.pause(0.7)
        open_already = set(self.gestures.on_table[seat])
        if cards := [card for card in act.cards if card not in open_already]:
            self.now = self.gestures.show_open(self.now, seat, cards)
        self.last_shown = self.now
        self.mark(act.line)

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

    def _money_back(self) -> None:
        """Of a void hand everybody takes back what they put in."""
        gestures = self.gestures
        share = -(-len(gestures.money) // len(self.seats))
        self.now = max(
            money.collect(gestures, self.now + self.rng.uniform(0, 0.8) * self.pace, seat, self._last(share))
            for seat in self.seats
        )

    def _last(self, count: int) -> list[Coin]:
        """The last coins that were put in the middle, so many or as there are."""
        coins = self.gestures.money
        return coins[len(coins) - min(count, len(coins)) :]
