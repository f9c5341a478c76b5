"""Script → timeline of Lu Stù: who does what, and when, with the pauses of people who think, talk and look."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.decks.stu import KINDS
from companion.table.log import Line
from workshop.choreography import gestures
from workshop.choreography.barlife import Level
from workshop.choreography.director import STILL, Director
from workshop.choreography.ensemble import Card
from workshop.choreography.layout import Plan, plan_table
from workshop.choreography.motion import Track
from workshop.choreography.script import Act, Over
from workshop.choreography.stu import clearing
from workshop.choreography.stu.gestures import StuGestures, taken
from workshop.choreography.stu.script import (
    Ask,
    DrawCard,
    Exchange,
    HandScript,
    Leave,
    Pedine,
    Script,
    Show,
    Stay,
    card_id,
    read_script,
    shown_pedine,
)
from workshop.choreography.timeline import Timeline
from workshop.stage.scene import Shape

FAST = 0.55
"""How long a fast deal takes, of what another does."""


def direct(
    lines: Sequence[Line], *, seed: int, tempo: float = 1.0, level: Level = "medium", shape: Shape | None = None,
    lifts: float = 0.0, people: bool = False,
) -> Timeline:  # fmt: skip
    """The timeline of a whole log. The same arguments give the same timeline.

    ``tempo``: 1 plays a hand of four in about half a minute, 2 twice as fast. ``level``: how much bar life there is. ``shape``:
    the table's; None draws one. ``lifts``: share of hands that are dealt fast, after which everybody lifts their card at once to
    look at it; above 0 no hand is dealt one by one. ``people``: there is room for everybody's shoulders.

    Raises:
        ScriptError: the log cannot be played out; the message names the line.
    """
    script = read_script(lines, Random(f"faces {seed}"))
    plan = plan_table(script.players, Random(f"table {seed}"), shape, people=people)
    return _Director(script, plan, seed, 1 / tempo, level, lifts).play()


class _Director(Director[StuGestures, HandScript]):
    def __init__(self, script: Script, plan: Plan, seed: int, pace: float, level: Level, lifts: float) -> None:
        super().__init__(script, plan, StuGestures, seed, pace, level, taken(plan))
        self.one_by_one = self.rng.random() < 0.35 and not lifts
        self.lifts = lifts
        self.hides = {s for s in range(len(plan.seats)) if self.rng.random() < self.level.hidden_pedine}
        self.back_up = {s for s in range(len(plan.seats)) if self.rng.random() < 0.25}
        self.owed: dict[int, int] = {}
        self.asker: int | None = None
        self.undealt: list[int] = []

    def lay_the_table(self) -> None:
        """The deck, and everybody's pedine."""
        self.ensemble.deck.first = self.plan.deck(self.script.first_dealer, self.rng)
        deck = set(self.script.hands[0].deck) if self.script.hands else set()
        for kind in KINDS:
            for copy in range(2):
                card = card_id(kind, copy)
                track = Track(self.ensemble.deck.first)
                track.put(float("-inf"), "deck" if card in deck or not deck else "away")
                self.ensemble.cards[card] = Card(("stu", kind), track)
        for seat, shown in enumerate(shown_pedine(self.script.first)):
            for index in range(0 if seat in self.hides else shown):
                card = clearing.new(self.gestures, seat, self._texture(seat))
                pose = self.plan.seats[seat].token(index, shown, self.rng)
                self.ensemble.cards[card].track.put(float("-inf"), "table", pose)
                self.gestures.pedine[seat].append(card)

    def _texture(self, seat: int) -> tuple[str, str] | None:
        return ("ramino", "back") if seat in self.back_up else None

    def hand(self, hand: HandScript, following: int, last: bool) -> None:
        """A hand, from the deal to its end, and the clearing after it."""
        for card in self.ensemble.cards:
            if card in hand.deck and self.gestures.track(card).where == "away":
                self.gestures.track(card).put(self.now, "deck")
            elif self.gestures.track(card).where == "deck" and card not in hand.deck:
                self.gestures.track(card).put(self.now, "away")
        self.mark(hand.line)
        self.undealt = list(hand.order)
        if self.lifts and self.chance(self.lifts):
            self._everybody_lifts(hand)
        elif not self.one_by_one:
            self._deal_until(hand, None)
            self._looks(hand.order, 1.2)
        over = next((i for i, act in enumerate(hand.acts) if isinstance(act, Over)), len(hand.acts))
        showdown = _showdown(hand.acts[:over])
        for index, act in enumerate(hand.acts[:showdown]):
            self._act(act, hand.acts[index + 1] if index + 1 < showdown else None, hand)
        self._deal_until(hand, None)
        self._show_down([act for act in hand.acts[showdown:over] if isinstance(act, Show)])
        for act in hand.acts[showdown:over]:
            if isinstance(act, Pedine):
                self._pedine(act)
        if over < len(hand.acts):
            self._over(hand.acts[over], hand, following, last and not any(isinstance(a, Pedine) for a in hand.acts[over:]))
        for act in hand.acts[over + 1 :]:
            self.between(act)

    def _deal_until(self, hand: HandScript, seats: set[int] | None) -> None:
        """Deal in order until these seats have their card; None: all."""
        dealt = False
        while self.undealt and (seats is None or seats & set(self.undealt)):
            dealt = True
            seat, there = self._deal_next(hand)
            if self.one_by_one:
                self.now = there
                self._looks((seat,), 0.3)
        if dealt:
            self.hands_home(hand.dealer)

    def _deal_next(self, hand: HandScript) -> tuple[int, float]:
        """Deal one card. Returns to whom, and when it lies there."""
        seat = self.undealt.pop(0)
        there, free = self.gestures.deal(self.now, hand.dealer, seat, hand.cards[seat])
        self.mark(hand.deals.get(seat), there)
        self.now = max(self.now, free - self.ensemble.lasts(0.1))
        return seat, there

    def _everybody_lifts(self, hand: HandScript) -> None:
        """A fast deal, and all players lift their own card to look at it: at the same time, or each as soon as it lies there."""
        eager = self.chance(0.5)
        longest, late = 0.0, []
        while self.undealt:
            self.ensemble.pace = self.pace * FAST
            seat, there = self._deal_next(hand)
            self.ensemble.pace = self.pace
            if eager and seat != hand.dealer:
                longest = max(longest, self._lift(there, seat))
            else:
                late.append(seat)
        self.hands_home(hand.dealer)
        for seat in late:
            longest = max(longest, self._lift(self.now, seat))
        self.now = max(self.now, longest - (0 if self.chance(0.5) else self.rng.uniform(0, 0.8) * self.pace))

    def _lift(self, t: float, seat: int) -> float:
        """A player looks at the card just dealt, soon after ``t``. Returns when it lies there again."""
        t += self.rng.uniform(0, 0.7) * self.pace
        manner = self.rng.random()
        if manner < 0.6:
            return self.gestures.lift(t, seat)
        if manner < 0.8:
            return self.gestures.peek(t, seat)
        return self.gestures.put_back(self.gestures.take_up(t, seat) + self.ensemble.lasts(0.8, 0.4), seat)

    def _looks(self, seats: Sequence[int], within: float) -> None:
        """Have these players look at their cards, each at a time of their own ``within`` this many seconds."""
        longest = self.now
        for seat in seats:
            if self.gestures.is_held(seat) or self.gestures.lies_open(seat):
                continue
            t = self.now + self.rng.uniform(0, within) * self.pace
            manner = self.rng.random()
            if manner < self.level.take_up:
                longest = max(longest, self.gestures.take_up(t, seat))
            elif manner < self.level.take_up + 0.55:
                longest = max(longest, self.gestures.peek(t, seat) - 0.8 * self.pace)
        self.now = max(self.now, longest if len(seats) < 5 else self.now + within * self.pace * 0.5)

    def _down(self, *seats: int | None) -> None:
        """Cards that are held off the table are put back before something is done with them."""
        for seat in seats:
            if seat is not None and self.gestures.is_held(seat):
                self.now = self.gestures.put_back(self.now, seat)

    def _act(self, act: Act, following: Act | None, hand: HandScript) -> None:
        match act:
            case Stay(seat=seat):
                self._deal_until(hand, {seat})
                self._stay(act, seat)
            case Ask():
                self._deal_until(hand, {s for s in (act.asker, act.asked) if s is not None})
                self._ask(act, following)
            case Exchange():
                self._deal_until(hand, {act.asker, act.asked})
                self._down(act.asker, act.asked)
                self.now = self.gestures.exchange(self.now + self.ensemble.lasts(0.3), act.asker, act.asked)
                self.mark(act.line)
                self._looks([seat for seat in (act.asked, act.asker) if self.chance(0.5)], 0.4)
            case Show(seat=seat):
                self._deal_until(hand, {seat})
                self.pause(0.6)
                self.now = self.gestures.show(self.now, seat)
                self.mark(act.line)
                if act.answer and self.asker is not None:
                    self._take_home(self.asker)
                self.pause(1.0)
            case DrawCard(seat=seat):
                self._deal_until(hand, None)
                self._down(seat)
                self.now = self.gestures.draw(self.now + self.ensemble.lasts(0.3), seat, hand.dealer, act.new)
                self.mark(act.line)
                self._looks([seat] if self.chance(0.6) else [], 0.2)
            case Leave(seat=seat) if seat in self.undealt:
                self.undealt.remove(seat)
            case Leave(seat=seat):
                self._take_home(seat)
                self.now = self.gestures.under_deck(self.now + self.ensemble.lasts(0.8), seat, hand.dealer)
            case Pedine():
                self._pedine(act)
            case _:
                self.pause(0.6)
                self.mark(act.line)

    def _stay(self, act: Act, seat: int) -> None:
        self.pause(0.9, 0.45)
        manner = self.rng.random()
        if self.gestures.is_held(seat) and manner < 0.7:
            self.now = self.gestures.put_back(self.now, seat)
        elif manner < 0.3 and not self.gestures.is_held(seat):
            self.gestures.tap(self.now, seat)
            self.pause(0.5)
        elif manner < 0.45 and not self.gestures.is_held(seat):
            self.now = self.gestures.peek(self.now, seat)
        self.mark(act.line)
        self.pause(0.3)

    def _ask(self, act: Ask, following: Act | None) -> None:
        if act.line is not None or not act.back:
            self.pause(0.9, 0.45)
        self._down(act.asker)
        self.mark(act.line)
        self.asker = act.asker
        if act.asked is None or isinstance(following, Exchange):
            return
        manner = self.rng.random()
        if manner < 0.5:
            self.now = self.gestures.nudge(self.now, act.asker, act.asked)
        elif manner < 0.75:
            self.now = self.gestures.tap(self.now, act.asker)
    def _take_home(self, seat: int) -> None:
        if seat in self.gestures.in_place and not self.gestures.is_held(seat):
            self.gestures.take_home(self.now, seat)

    def _pedine(self, act: Pedine) -> None:
        shown = 0 if act.seat in self.hides else act.shown
        if act.announced and self.chance(0.5):
            self.pause(0.5)
            clearing.settle(self.gestures, self.now, act.seat, shown, self._texture(act.seat))
            self.owed.pop(act.seat, None)
        else:
            self.owed[act.seat] = shown

    def _show_down(self, shows: Sequence[Show]) -> None:
        """Everybody turns their card, in any order, some at the same time; then everything lies still."""
        if not shows:
            return
        self.pause(0.8)
        shuffled = list(shows)
        self.rng.shuffle(shuffled)
        begin = self.now
        for show in shuffled:
            already = not self.gestures.is_held(show.seat) and self.gestures.lies_open(show.seat)
            seen = begin if already else self.gestures.show(begin, show.seat)
            self.mark(show.line, seen)
            self.now = max(self.now, seen)
            if self.chance(0.65):
                begin += self.ensemble.lasts(0.5, 0.5)

    def _over(self, act: Act, hand: HandScript, following: int, last: bool) -> None:
        shown = self.now
        self.pause(0.7)
        self.mark(act.line)
        settled = self.now
        for seat, count in self.owed.items():
            begin = self.now + self.ensemble.lasts(0.4)
            settled = max(settled, clearing.settle(self.gestures, begin, seat, count, self._texture(seat)))
        self.owed.clear()
        self.now = max(settled, shown + STILL, self.now + self.ensemble.lasts(1.2))
        if last:
            return
        collector = following if self.chance(0.5) else hand.dealer
        self.now = clearing.clear(self.gestures, self.now, collector)
        self.now = gestures.pass_deck(
            self.gestures, self.now + self.ensemble.lasts(0.3), following, self.plan.deck(following, self.rng)
        )
        self.pause(0.8)

    def between(self, act: Act) -> None:
        """One thing that somebody does while no hand is in progress."""
        if isinstance(act, Pedine):
            shown = 0 if act.seat in self.hides else act.shown
            begin = self.now + self.ensemble.lasts(1.0)
            self.now = clearing.settle(self.gestures, begin, act.seat, shown, self._texture(act.seat))
        else:
            self.pause(0.6)
            self.mark(act.line)


def _showdown(acts: Sequence[Act]) -> int:
    """Index of the first act of the showdown: it follows the last act that is neither a card shown unasked nor its payment."""
    for index in range(len(acts), 0, -1):
        act = acts[index - 1]
        if not (isinstance(act, Pedine) or (isinstance(act, Show) and not act.answer)):
            return index
    return 0
