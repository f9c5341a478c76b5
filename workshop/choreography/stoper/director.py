"""Script → timeline of Stoper: who deals, bets, changes, throws in and shows, and when, with the pauses of people who think."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.table.log import Line
from workshop.choreography.acts import Act, Over
from workshop.choreography.barlife import Level
from workshop.choreography.director import BEGIN
from workshop.choreography.ensemble import Coin
from workshop.choreography.held.acts import Bet, Say, Show
from workshop.choreography.held.director import HeldDirector
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Where
from workshop.choreography.stoper import gestures, room
from workshop.choreography.stoper.acts import AllIn, Buy, Change, Deal, Fold, Knock, Prove, Seconds, Won
from workshop.choreography.stoper.gestures import StoperGestures
from workshop.choreography.stoper.script import HandScript, Script, read_script
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import Shape

AT_ONCE = 0.25
"""Share of tables at which both cards of an exchange come at once; at the others the second ones come when all have the first."""


def direct(
    lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None
) -> Timeline:
    """The timeline of a whole log. The same arguments give the same timeline.

    ``tempo``: 1 plays a hand of five with an exchange in about a minute, 2 twice as fast. ``level``: how much bar life there is.
    ``shape``: the table's; None draws one.

    Raises:
        ScriptError: the log cannot be played out; the message names the line.
    """
    script = read_script(lines, Random(f"faces {seed}"))
    plan = room.plan(script.players, Random(f"table {seed}"), shape)
    return _Director(script, plan, seed, 1 / tempo, level).play()


class _Director(HeldDirector[StoperGestures, HandScript]):
    """``dealer``: of this hand; ``before``: coins that lay in the middle when it began; ``at_once``: as of `AT_ONCE`;
    ``owed``: seat → the second card that it is to get."""

    CHIPS = gestures.CHIPS

    def __init__(self, script: Script, plan: Plan, seed: int, pace: float, level: Level) -> None:
        super().__init__(script, plan, StoperGestures, seed, pace, level, room.taken(plan))
        self.before: list[Coin] = []
        self.owed: dict[int, str] = {}
        first = script.lines[0].event.stacks
        for seat, name in enumerate(script.players):
            if first if isinstance(first, int) else first[name]:
                self.gestures.stand(seat)
        self.at_once = self.habit < AT_ONCE
        self.dealer = script.first_dealer

    def bet(self, t: float, seat: int, count: int) -> float:
        """As of `HeldDirector.bet`."""
        return self.gestures.bet(t, seat, count)

    def hand(self, hand: HandScript) -> None:
        """A hand, from its stakes to its end."""
        self._pack_of(hand.deck)
        self.mark(hand.line)
        self.dealer = hand.dealer
        self.before = list(self.gestures.money)
        self.owed.clear()
        end = self.now
        for stake in hand.stakes:
            end = max(end, self._pays(self.now + self.rng.uniform(0, 1.5) * self.pace, stake))
        self.now = end + self.ensemble.lasts(0.3)
        for act in hand.acts:
            if isinstance(act, Deal):
                self.deal(hand.dealer, hand.order, hand.dealt, 1, hand.deals)
                self.hands_home(hand.dealer)
                self.all_take_up(hand.order)
            else:
                self.act(act)

    def _pack_of(self, deck: Sequence[str]) -> None:
        """Cards that are not played with in this hand are not in the pack, and those that are, are."""
        for card, one in self.ensemble.cards.items():
            where: Where = "deck" if card in deck else "away"
            if one.track.where != where:
                one.track.put(float("-inf") if self.now <= BEGIN else self.now, where)

    def _pays(self, t: float, act: Bet | AllIn) -> float:
        if isinstance(act, AllIn):
            return self.gestures.all_in(t, act.seat)
        return self.bet(t, act.seat, self.rng.randint(1, 3))

    def act(self, act: Act) -> None:
        """One thing that somebody does."""
        made = self.gestures
        match act:
            case Bet() | AllIn():
                self.pause(0.9, 0.45)
                self.now = self._pays(self.now, act)
            case Say(seat=seat) | Knock(seat=seat):
                self.pause(0.8, 0.45)
                if self.chance(0.9 if isinstance(act, Knock) else 0.2):
                    self.now = made.tap_at(self.now, seat, made.rest_of(seat, 0))
            case Fold(seat=seat):
                self.pause(0.8, 0.45)
                self.now = made.throw_in(self.now, seat)
            case Change(seat=seat):
                self._change(act, seat)
            case Seconds():
                for seat in tuple(self.owed):
                    self._gets(seat, (self.owed.pop(seat),))
            case Show(seat=seat):
                self._show(act, seat)
            case Prove(seat=seat):
                self.now = self.last_shown = made.turn_up(self.now, seat, act.cards)
            case Won(seat=seat):
                self.pause(0.8)
                coins = made.money
                self.now = made.collect(self.now, seat, coins[: round(act.share * len(coins))])
            case Buy(seat=seat):
                self.pause(0.6)
                self.now = self.gestures.buy(self.now, seat)
            case Over():
                self.pause(0.4)
                self.last_shown = self.now
                if act.void:
                    self._money_back()
            case _:
                self.pause(0.6)
        self.mark(act.line)

    def _change(self, act: Change, seat: int) -> None:
        """A player puts cards out, or says that they are served; the dealer gives the first card for them, or both."""
        self.pause(0.9, 0.45)
        if not act.discards:
            if self.chance(0.3):
                self.now = self.gestures.tap_at(self.now, seat, self.gestures.rest_of(seat, 0))
            return
        self.now = self.gestures.discard(self.now, seat, act.discards, act.kept)
        self._gets(seat, act.received if self.at_once else act.received[:1])
        if len(act.received) > 1 and not self.at_once:
            self.owed[seat] = act.received[1]

    def _gets(self, seat: int, cards: Sequence[str]) -> None:
        """The dealer gives a player cards, which they take up."""
        self.now = max(self.now, self.gestures.lower_fan(self.now, self.dealer)) + self.ensemble.lasts(0.3)
        self.now, _ = self.gestures.deal(self.now, self.dealer, seat, cards)
        self.hands_home(self.dealer)
        self.takes_up(self.now + self.ensemble.lasts(0.9, 0.4), seat)  # nobody snatches a card from under the dealer

    def _show(self, act: Show, seat: int) -> None:
        self.pause(0.7)
        if seat in self.owed:
            self._gets(seat, (self.owed.pop(seat),))
        lying = self.gestures.on_table[seat]
        if cards := [card for card in act.cards if card not in lying]:
            self.now = self.gestures.show_open(self.now, seat, cards)
        self.last_shown = self.now

    def _money_back(self) -> None:
        """Of a void hand everybody takes back what they put in."""
        gestures = self.gestures
        for seat, coins in gestures.put.items():
            own = [coin for coin in coins if coin not in self.before]
            self.now = max(self.now, gestures.collect(self.now + self.rng.uniform(0, 0.8) * self.pace, seat, own))
