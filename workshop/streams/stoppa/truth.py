"""Simulated evenings of Stoppa with times, what perfect eyes would report of them, and what the phone would tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from companion.decks.italian import Kind
from companion.games.stoppa.bots import PLAIN, EventProbabilities, Settings, seated, simulate
from companion.games.stoppa.rules import State, apply, begin
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.rules.cards import INDEX
from companion.games.stoppa.rules.log import HouseRules
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Shown, Sighting, TakenBack
from companion.table.log import Event, Line
from workshop.streams.adversary import numbered

PACKET_SECONDS = 0.8
"""The time from one packet dealt to the next."""
FACE_SECONDS = 0.15
"""The time from one card shown or laid to the next, of several at once."""
GATHERED_SECONDS = 2.5
"""How long the cards lie after a hand before they are gathered."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line that only the phone can tell, at ``t`` seconds: a word, an amount, an agreement.

    ``dealer``: of the hand; ``phase``: how many punti have begun by then, the punto grosso among them. None, 0: not in a hand.
    """

    t: float
    event: tl.Event
    dealer: str | None = None
    phase: int = 0


SEEN = (tl.Hand, tl.Piccolo, tl.Show, tl.Lay, tl.Back, tl.End, tl.Close)
"""Lines that the eyes tell, or nobody."""


def ideal(lines: Sequence[Line]) -> tuple[Sighting, ...]:
    """The sightings of a whole log, in order of time. Every line but the first has its time ``t``.

    Raises:
        GameError: the log cannot have happened. ValueError: no game line first, or a line without its time.
    """
    return tuple(sorted(_PerfectEyes().sightings(lines), key=lambda seen: seen.t))


def told(lines: Sequence[Line]) -> tuple[Told, ...]:
    """What the phone tells of a log, each line at its time."""
    state, found = begin(lines[0].event), list[Told]()
    for line in lines[1:]:
        if not isinstance(line.event, SEEN):
            found.append(Told(_when(line), line.event, *standing(state)))
        state = apply(state, line.event)
    return tuple(found)


def standing(state: State) -> tuple[str | None, int]:
    """Who has dealt the hand in progress, and how many punti have begun, as everybody at the table knows."""
    hand = state.hand
    if hand is None:
        return None, 0
    grosso = hand.betting is not None and hand.betting.phase == "grosso"
    return state.table.names[hand.dealer], hand.iteration + grosso


def _when(line: Line) -> float:
    """When a line is told: a declaration when the hand lies open."""
    shown = len(line.event.cards) if isinstance(line.event, tl.Declare) else 0
    return (line.t or 0.0) + FACE_SECONDS * (shown + 1)


@dataclass
class _PerfectEyes:
    """Follow a log. ``faces``, ``motions``: how many were reported; ``pile``: the lays that stand, each with its episodes."""

    faces: int = 0
    motions: int = 0
    pile: list[tuple[int, ...]] = field(default_factory=list)

    def sightings(self, lines: Sequence[Line]) -> Iterator[Sighting]:
        if not lines or not isinstance(lines[0].event, tl.Game):
            raise ValueError("no game line first: expected a table log")
        state = begin(lines[0].event)
        last, lying = 0.0, False
        for number, line in enumerate(lines[1:], start=2):
            if line.t is None:
                raise ValueError(f"line {number}: no time: expected each line with its `t`")
            if isinstance(line.event, tl.Hand | tl.Close) and lying:
                yield Cleared(min(last + GATHERED_SECONDS, (last + line.t) / 2))
                lying, self.pile = False, []
            seen = tuple(self._line(line.event, line.t, state))
            yield from seen
            lying = lying or bool(seen)
            state = apply(state, line.event)
            last = max(line.t, *(one.t for one in seen)) if seen else line.t
        if lying and state.hand is None:
            yield Cleared(last + GATHERED_SECONDS)

    def _line(self, event: tl.Event, t: float, state: State) -> Iterator[Sighting]:
        names, hand = state.table.names, state.hand
        match event:
            case tl.Piccolo() if hand is not None:
                order = state.table.round_from(state.table.after(hand.dealer))
                for at, seat in enumerate(order):
                    yield Dealt(t + PACKET_SECONDS * at, seat, state.table.deals[hand.iteration])
            case tl.Show(by=by, cards=cards) | tl.Declare(by=by, cards=cards):
                for at, kind in enumerate(cards):
                    yield Shown(t + FACE_SECONDS * at, names.index(by), self._episode(), ((kind, 1.0),))
            case tl.Lay(by=by, cards=cards):
                self.motions += 1
                laid = [self._laid(t, names.index(by), kind) for kind in cards]
                self.pile.append(tuple(one.episode for one in laid))
                yield from laid
            case tl.Back(lays=lays) if hand is not None:
                del self.pile[-lays:]
                top = self.pile[-1][-1] if self.pile else None
                yield TakenBack(t, top, ((hand.lays[-1].seat, 1.0),), 1.0)

    def _episode(self) -> int:
        self.faces += 1
        return self.faces

    def _laid(self, t: float, place: int, kind: Kind) -> Laid:
        assert kind in INDEX
        return Laid(t, self._episode(), ((kind, 1.0),), ((place, 1.0),), self.motions)


HANDS = 4
"""Most hands of one evening."""
CARELESS = 0.3
"""Share of the evenings on which people make mistakes, agree on something, or deal out of turn."""
SECONDS: dict[type[Event], float] = {
    tl.Hand: 6.0, tl.Piccolo: 2.0, tl.Grosso: 1.0, tl.Show: 2.0, tl.Lay: 2.0, tl.Back: 3.0, tl.Declare: 4.0,
}  # fmt: skip
"""Mean time before a line, where it is not `WORD_SECONDS`."""
WORD_SECONDS = 1.8


def evenings(hands: int, seed: int) -> Iterator[tuple[Line, ...]]:
    """True logs with times, with ``hands`` hands in all: 3 to 6 players, the house rules that change the play."""
    def make(number: int, most: int) -> tuple[Line, ...]:
        return evening(Random(f"stoppa {seed} {number}"), most, 1000 * seed + number)

    return numbered(hands, HANDS, make, lambda made: sum(isinstance(line.event, tl.Hand) for line in made))


def evening(rng: Random, hands: int, seed: int) -> tuple[Line, ...]:
    """One evening of at most ``hands`` hands."""
    players = rng.randint(3, 6)
    house = HouseRules(
        all_at_once=rng.choice(("deck", "left")),
        three_aces_anytime=rng.random() < 0.2,
        cards_per_misera=rng.choice((2, 3)),
        grosso_nobody=rng.choice(("dealer", "carried")),
    )
    event_probabilities = EventProbabilities(giro=0.1) if rng.random() < CARELESS else PLAIN
    settings = Settings(players=seated(players), house_rules=house, event_probabilities=event_probabilities)
    return timed(simulate(settings, hands=hands, seed=seed), rng)


def timed(lines: tuple[Line, ...], rng: Random) -> tuple[Line, ...]:
    """The log with a time for each line: people take 0.6 to 1.8 times the mean for what they do."""
    t, players = 0.0, len(lines[0].event.players)
    found = [lines[0]]
    for before, line in pairwise(lines):
        t += SECONDS.get(type(line.event), WORD_SECONDS) * rng.uniform(0.6, 1.8)
        if isinstance(before.event, tl.Piccolo):
            t += 0.8 * players
        elif isinstance(before.event, tl.Show | tl.Declare):
            t += 0.15 * len(before.event.cards)
        found.append(Line(line.event, round(t, 3)))
    return tuple(found)
