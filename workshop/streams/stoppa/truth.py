"""Timed log → what perfect eyes would have reported of it, and what the phone would have told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.decks.italian import Kind
from companion.games.stoppa.rules import State, apply, begin
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.rules.cards import INDEX
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Shown, Sighting, TakenBack
from companion.table.log import Line

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
