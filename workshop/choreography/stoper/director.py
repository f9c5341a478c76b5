"""Script → timeline of Stoper: who deals, bets, changes, throws in and shows, and when, with the pauses of people who think."""

from __future__ import annotations

from collections.abc import Sequence

from companion.decks.italian_sets import kinds_in
from companion.games.stoper.rules.cards import DECKS, deck_of
from workshop.choreography.barlife import Level
from workshop.choreography.director import BEGIN
from workshop.choreography.ensemble import Coin
from workshop.choreography.held.director import HeldDirector
from workshop.choreography.layout import Plan
from workshop.choreography.motion import Where
from workshop.choreography.script import Act, Bet, Say
from workshop.choreography.stoper import gestures as room
from workshop.choreography.stoper.gestures import CHIPS, StoperGestures
from workshop.choreography.stoper.script import (
    AllIn,
    Buy,
    Change,
    Fold,
    HandScript,
    Knock,
    Prove,
    Script,
    Seconds,
    Won,
    read_script,
)

AT_ONCE = 0.25
"""Share of tables at which both cards of an exchange come at once; at the others the second ones come when all have the first."""


class StoperDirector(HeldDirector[StoperGestures, HandScript]):
    """``dealer``: of this hand; ``before``: coins that lay in the middle when it began; ``at_once``: as of `AT_ONCE`;
    ``owed``: seat → the second card that it is to get."""

    CHIPS = CHIPS
    GESTURES = StoperGestures
    read = staticmethod(read_script)
    plan_table = staticmethod(room.plan)

    def __init__(self, script: Script, plan: Plan, seed: int, pace: float, level: Level) -> None:
        super().__init__(script, plan, seed, pace, level, room.taken(plan))
        self.before: list[Coin] = []
        self.owed: dict[int, str] = {}
        first = script.lines[0].event.stacks
        for seat, name in enumerate(script.players):
            if first if isinstance(first, int) else first[name]:
                self.gestures.stand(seat)
        self.at_once = self.habit < AT_ONCE
        self.dealer = script.first_dealer

    def deck(self) -> Sequence[str]:
        """The largest deck of an evening; a line of a hand may ask for a larger one than the players need."""
        return kinds_in(DECKS[36] | DECKS[deck_of(len(self.script.players))])

    def bet(self, t: float, seat: int, count: int) -> float:
        """As of `HeldDirector.bet`."""
        return self.gestures.bet(t, seat, count)

    def hand(self, hand: HandScript, following: int, last: bool) -> None:
        """As of `HeldDirector`; the pack is that of the hand."""
        self._pack_of(hand.deck)
        super().hand(hand, following, last)

    def begin(self, hand: HandScript) -> None:
        """Have those who pay put in what the hand costs them, each at a time of their own."""
        self.dealer = hand.dealer
        self.before = list(self.gestures.money)
        self.owed.clear()
        end = self.now
        for stake in hand.stakes:
            end = max(end, self._pays(self.now + self.rng.uniform(0, 1.5) * self.pace, stake))
        self.now = end + self.ensemble.lasts(0.3)

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

    def own(self, act: Act) -> bool:
        """Do what only this game has; False: it was no such thing."""
        made = self.gestures
        match act:
            case AllIn():
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
                    self.ready(seat)
            case Prove(seat=seat):
                self.now = self.last_shown = made.turn_up(self.now, seat, act.cards)
            case Won(seat=seat):
                self.pause(0.8)
                coins = made.money
                self.now = made.collect(self.now, seat, coins[: round(act.share * len(coins))])
            case Buy(seat=seat):
                self.pause(0.6)
                self.now = made.buy(self.now, seat)
            case _:
                return False
        return True

    def ready(self, seat: int) -> None:
        """A player gets the second card that is still to come."""
        if seat in self.owed:
            self._gets(seat, (self.owed.pop(seat),))

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

    def money_back(self) -> None:
        """Have everybody take back what they put in, as the hand is void."""
        gestures = self.gestures
        for seat, coins in gestures.put.items():
            own = [coin for coin in coins if coin not in self.before]
            self.now = max(self.now, gestures.collect(self.now + self.rng.uniform(0, 0.8) * self.pace, seat, own))


direct = StoperDirector.direct
