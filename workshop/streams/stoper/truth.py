"""Simulated evenings of Stoper with times, what perfect eyes would report of them, and what the phone would tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from companion.games.stoper.bots import PLAIN, Settings, seated, simulate
from companion.games.stoper.rules import State, apply, begin
from companion.games.stoper.rules import log as tl
from companion.games.stoper.rules.cards import HAND
from companion.games.stoper.rules.log import HouseRules
from companion.games.stoper.rules.state import Seat
from companion.games.stoper.sightings import Cleared, Dealt, Shown, Sighting, Thrown
from companion.table.log import Event, Line
from workshop.streams.adversary import numbered

HANDS = 6
"""Most hands of one evening."""
SECONDS: dict[type[Event], float] = {
    tl.Hand: 6.0, tl.Chips: 4.0, tl.Cambio: 4.0, tl.Show: 2.5, tl.Muck: 2.0,
}  # fmt: skip
"""Mean time before a line, where it is not `WORD_SECONDS`."""
WORD_SECONDS = 2.5
CARD_SECONDS = 0.4
"""From one card dealt to the next."""
LOOKING_SECONDS = 4.0
"""Before the first word people look at their cards; before the first one after the exchange, too."""


def evenings(hands: int, seed: int) -> Iterator[tuple[Line, ...]]:
    """True logs with times, with ``hands`` hands in all: 4 to 6 players, cash and tournaments, the house rules that change the
    play."""
    def make(number: int, most: int) -> tuple[Line, ...]:
        return evening(Random(f"stoper {seed} {number}"), most, 1000 * seed + number)

    return numbered(hands, HANDS, make, lambda made: sum(isinstance(line.event, tl.Hand) for line in made))


def evening(rng: Random, hands: int, seed: int) -> tuple[Line, ...]:
    """One evening of at most ``hands`` hands."""
    house = HouseRules(
        ace_pair_third=rng.choice(("figure", "any")),
        blind_speaks_last=rng.choice(("always", "unless_reraised")),
        dealer_pays=rng.random() < 0.8,
    )
    settings = Settings(
        players=seated(rng.randint(4, 6)), mode=rng.choice(("cash", "torneo")), stacks=rng.choice((None, 600)),
        house_rules=house, event_probabilities=PLAIN,
    )  # fmt: skip
    return timed(simulate(settings, hands=hands, seed=seed), rng)


def timed(lines: tuple[Line, ...], rng: Random) -> tuple[Line, ...]:
    """The log with a time for each line: people take 0.6 to 1.8 times the mean for what they do; cards are dealt in between."""
    t, found, state = 0.0, [lines[0]], begin(lines[0].event)
    for before, line in pairwise(lines):
        t += SECONDS.get(type(line.event), WORD_SECONDS) * rng.uniform(0.6, 1.8)
        hand, was = state.hand, before.event
        if hand is not None and not hand.looked and not isinstance(line.event, tl.Buio) and isinstance(was, tl.Hand | tl.Buio):
            t += LOOKING_SECONDS + CARD_SECONDS * 3 * len(hand.order)
        elif isinstance(was, tl.Cambio) and not isinstance(line.event, tl.Cambio):
            t += LOOKING_SECONDS
        elif isinstance(was, tl.Show):
            t += 0.5
        found.append(Line(line.event, round(t, 3)))
        state = apply(state, line.event)
    return tuple(found)

FACE_SECONDS = 0.15
"""The time from one card shown to the next."""
DEALT_SECONDS = 1.2
"""From a card thrown to the one that comes for it."""
LOOKED_SECONDS = 2.0
"""How long before the first word the last card was dealt."""
GATHERED_SECONDS = 2.5
"""How long the cards lie after a hand before they are gathered."""
SEEN = (tl.Deal, tl.Show, tl.Muck, tl.End, tl.Close)
"""Lines that the eyes tell, or nobody; beside cards changed."""


def ideal(lines: Sequence[Line]) -> tuple[Sighting, ...]:
    """The sightings of a whole log, in order of time. Every line but the first has its time ``t``.

    Raises:
        GameError: the log cannot have happened. ValueError: no game line first, or a line without its time.
    """
    return tuple(sorted(_PerfectEyes().sightings(lines), key=lambda seen: seen.t))


def told(lines: Sequence[Line]) -> tuple[Line, ...]:
    """What the phone tells of a log: words and amounts, who sits a hand out, who is served. No face, and no card changed."""
    return tuple(line for line in lines[1:] if not isinstance(line.event, SEEN) and not (
        isinstance(line.event, tl.Cambio) and line.event.n
    ))  # fmt: skip


@dataclass
class _PerfectEyes:
    """Follow a log. ``episodes``: how many were reported; ``owed``: whose second card is still to come in the exchange."""

    episodes: int = 0
    dealt: bool = False
    owed: list[Seat] = field(default_factory=list)

    def sightings(self, lines: Sequence[Line]) -> Iterator[Sighting]:
        if not lines or not isinstance(lines[0].event, tl.Game):
            raise ValueError("no game line first: expected a table log")
        state, last, lying = begin(lines[0].event), 0.0, False
        for number, line in enumerate(lines[1:], start=2):
            if line.t is None:
                raise ValueError(f"line {number}: no time: expected each line with its `t`")
            if isinstance(line.event, tl.Hand):
                self.dealt = False
            if lying and state.hand is None and not isinstance(line.event, tl.Show):
                yield Cleared(min(last + GATHERED_SECONDS, (last + line.t) / 2))
                lying = False
            after = apply(state, line.event)
            seen = tuple(self._line(line.event, line.t, state, after))
            yield from seen
            lying = lying or bool(seen)
            state, last = after, max([line.t, *(getattr(one, "until", one.t) for one in seen)])
        if lying and state.hand is None:
            yield Cleared(last + GATHERED_SECONDS)

    def _line(self, event: Event, t: float, state: State, after: State) -> Iterator[Sighting]:
        hand, names = state.hand, state.table.names
        if hand is None:
            if isinstance(event, tl.Show):
                yield from self._faces(names.index(event.by), event, t)
            return
        if not self.dealt and not isinstance(event, tl.Buio | tl.Void):
            yield from self._packets(state, t - LOOKED_SECONDS)
        match event:
            case tl.Cambio(by=by, n=n):
                yield from self._changed(names.index(by), n, t)
                if after.hand is None or after.hand.phase != "exchange":
                    yield from self._second_cards(t + DEALT_SECONDS)
            case tl.Show(by=by):
                yield from self._faces(names.index(by), event, t)
            case tl.Muck(by=by):
                yield self._thrown(names.index(by), HAND, t)
            case tl.Passo(by=by) if after.hand is None or not after.hand.live >> names.index(by) & 1:
                yield self._thrown(names.index(by), HAND, t)

    def _packets(self, state: State, until: float) -> Iterator[Dealt]:
        """The first three cards of everybody, one at a time."""
        assert state.hand is not None
        self.dealt, order = True, state.hand.order
        began = until - CARD_SECONDS * (HAND * len(order) - 1)
        for at, seat in enumerate(order):
            t = began + CARD_SECONDS * at
            yield Dealt(t, self._episode(), seat, ((HAND, 1.0),), t + CARD_SECONDS * (HAND - 1) * len(order))

    def _changed(self, seat: Seat, number: int, t: float) -> Iterator[Sighting]:
        """Cards thrown and the first that comes for them; the second comes when everybody has had one (rule 8)."""
        if number:
            yield self._thrown(seat, number, t)
            yield Dealt(t + DEALT_SECONDS, self._episode(), seat, ((1, 1.0),), t + DEALT_SECONDS)
        if number > 1:
            self.owed.append(seat)

    def _second_cards(self, t: float) -> Iterator[Dealt]:
        for at, seat in enumerate(self.owed, start=1):
            yield Dealt(t + CARD_SECONDS * at, self._episode(), seat, ((1, 1.0),), t + CARD_SECONDS * at)
        self.owed = []

    def _faces(self, seat: Seat, event: tl.Show, t: float) -> Iterator[Shown]:
        for at, kind in enumerate(event.cards):
            yield Shown(t + FACE_SECONDS * at, seat, self._episode(), ((kind, 1.0),))

    def _thrown(self, seat: Seat, number: int, t: float) -> Thrown:
        return Thrown(t, self._episode(), ((seat, 1.0),), ((number, 1.0),))

    def _episode(self) -> int:
        self.episodes += 1
        return self.episodes
