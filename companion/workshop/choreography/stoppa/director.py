"""Script → timeline of Stoppa: who deals, bets, shows and lays, and when, with the pauses of people who think, talk and look."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.table.log import Line
from companion.workshop.choreography import gathering
from companion.workshop.choreography.acts import Act, Over
from companion.workshop.choreography.barlife import Level
from companion.workshop.choreography.director import STILL, Director
from companion.workshop.choreography.ensemble import Card
from companion.workshop.choreography.layout import Plan
from companion.workshop.choreography.motion import Track
from companion.workshop.choreography.stoppa import room
from companion.workshop.choreography.stoppa.acts import Bet, Deal, Lay, Say, Show, TakeBack, Won
from companion.workshop.choreography.stoppa.gestures import StoppaGestures
from companion.workshop.choreography.stoppa.script import HandScript, Script, read_script
from companion.workshop.choreography.timeline import Timeline
from companion.workshop.stage.scene import Shape

LEAST_LEAN = 40.0
"""Degrees: cards that cannot be lifted as far without a camera seeing them are held below the table's edge."""


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
    plan = room.plan(script.game.players, Random(f"table {seed}"), shape)
    return _Director(script, plan, seed, 1 / tempo, level).play()


class _Director(Director[StoppaGestures]):
    def __init__(self, script: Script, plan: Plan, seed: int, pace: float, level: Level) -> None:
        super().__init__(script.lines, plan, StoppaGestures, seed, pace, level, room.taken(plan))
        self.script = script
        self.in_rounds = self.rng.random() < 0.3
        self.seats = range(len(plan.seats))
        self.fanned = {
            seat for seat in self.seats if room.lean(plan, seat) >= LEAST_LEAN and self.chance(0.2 + self.level.take_up)
        }
        self.bets: list[int] = []
        self.last_shown = 0.0
        self.last_laid: int | None = None

    def play(self) -> Timeline:
        """The whole evening."""
        first = self.script.hands[0].dealer if self.script.hands else self.script.final_dealer
        self.ensemble.deck.first = room.pack(self.plan, first, self.rng)
        for card in self.script.deck:
            track = Track(self.ensemble.deck.first)
            track.put(float("-inf"), "deck")
            self.ensemble.cards[card] = Card((self.plan.cards, card), track)
        for act in self.script.before:
            self._act(act)
        for index, hand in enumerate(self.script.hands):
            self._hand(hand)
            if index + 1 < len(self.script.hands):
                self._clear(self.script.hands[index + 1].dealer)
        return self.timeline()

    def _hand(self, hand: HandScript) -> None:
        self.mark(hand.line)
        self.bets, self.last_laid = [], None
        self._stakes(hand)
        for act in hand.acts:
            if isinstance(act, Deal):
                self._deal(act, hand)
            else:
                self._act(act)

    def _stakes(self, hand: HandScript) -> None:
        """Everybody puts the misera in the middle, each when they like."""
        end = self.now
        for seat in self.seats:
            end = max(end, self.gestures.bet(self.now + self.rng.uniform(0, 1.5) * self.pace, seat, self.rng.randint(1, 3)))
        self.now = end + self.ensemble.lasts(0.3)

    def _deal(self, act: Deal, hand: HandScript) -> None:
        """Cards to everybody: together, or one by one; then all take them up."""
        dealt, gestures = hand.dealt[act.iteration], self.gestures
        self.now = gestures.lower_fan(self.now, hand.dealer)
        count = len(dealt[0])
        packets = [(n, n + 1) for n in range(count)] if self.in_rounds else [(0, count)]
        for begin, end in packets:
            for seat in hand.order:
                there, free = gestures.deal(self.now, hand.dealer, seat, dealt[seat][begin:end])
                self.now = max(self.now, free - self.ensemble.lasts(0.1))
                self.mark(hand.deals.get((act.iteration, seat)), there)
        self.now = max(self.now, there)
        self.mark(act.line)
        self.hands_home(hand.dealer)
        self._all_take_up(hand)

    def _all_take_up(self, hand: HandScript) -> None:
        longest = self.now
        for seat in hand.order:
            t = self.gestures.lower_fan(self.now + self.rng.uniform(0, 1.2) * self.pace, seat)
            t = self.gestures.take_up(t, seat)
            longest = max(longest, t)
            if seat in self.fanned and self.chance(0.7):
                self.gestures.raise_fan(t + self.ensemble.lasts(0.3), seat)
        self.now = max(self.now, longest - self.rng.uniform(0, 0.4) * self.pace)

    def _act(self, act: Act) -> None:
        gestures = self.gestures
        match act:
            case Bet(seat=seat):
                self.pause(0.9, 0.45)
                count = self.rng.randint(1, 3)
                self.now = gestures.bet(self.now, seat, count)
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
            self.now = self.gestures.show(self.now, seat, cards)
        self.last_shown = self.now
        self.mark(act.line)

    def _won(self, act: Won) -> None:
        """The money goes to the winner; cards that lie open are taken up once they have lain still."""
        gestures = self.gestures
        shown = [seat for seat in self.seats if gestures.on_table[seat]]
        self.pause(0.8)
        if act.seat is not None:
            share = len(gestures.money) if act.whole else sum(self.bets) + self.rng.randint(1, 2)
            self.now = gestures.collect(self.now, act.seat, share)
        self.bets = []
        if shown:
            still = max(self.now, self.last_shown + STILL)
            self.now = max(gestures.take_up(still + self.rng.uniform(0, 0.8) * self.pace, seat) for seat in shown)
        self.pause(0.4)

    def _money_back(self) -> None:
        """Of a void hand everybody takes back what they put in."""
        gestures = self.gestures
        share = -(-len(gestures.money) // len(self.seats))
        self.now = max(gestures.collect(self.now + self.rng.uniform(0, 0.8) * self.pace, seat, share) for seat in self.seats)

    def _clear(self, following: int) -> None:
        """Everybody throws in what is left, and the next dealer gathers all and shuffles."""
        e, gestures = self.ensemble, self.gestures
        self.now = max(self.now, self.last_shown + STILL) + e.lasts(1.0)
        self.now = max(
            gestures.throw_in(self.now + self.rng.uniform(0, 1.2) * self.pace, seat) for seat in self.seats
        )
        to = room.pack(self.plan, following, self.rng)
        if e.in_deck():
            self.now = gestures.gather(self.now, following, e.deck.pose)
            self.now = gathering.pass_deck(gestures, self.now, following, to)
        else:
            e.deck.put(self.now, "table", to)
            self.now = gestures.gather(self.now, following, to)
            self.now = gathering.shuffle(gestures, self.now, following)
        self.pause(0.8)
