"""Timed log → the stream of sightings that perfect eyes would have reported of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from companion.games.stu.rules import Hand, State, apply, begin
from companion.games.stu.rules import log as tl
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from companion.table.log import Line

EXCHANGE_SECONDS = 1.3
"""How long an exchange takes. A log's line has the time of its end."""
DRAW_SECONDS = 2.2
"""How long a draw takes: first one card goes under the deck, then another one comes."""
ASIDE_SECONDS = 1.0
"""How long before it is given away a Taverna is shown."""
GATHERED_SECONDS = 2.5
"""How long the cards lie after a hand before they are gathered."""
DEALT_SECONDS = 0.8
"""The time from one card dealt to the next, where the log has no deals."""
INSTANT = 0.05
"""Seconds by which an effect comes after its cause, at least."""


def ideal(lines: Sequence[Line]) -> tuple[Sighting, ...]:
    """The sightings of a whole log, in order of time. Every line but the first has its time ``t``, as in the log of a clip.

    What cannot be seen is not reported: a trump that lies face up and refuses again, a player who says sto.

    Raises:
        GameError: the log cannot have happened. ValueError: no game line first, or a line without its time.
    """
    return tuple(sorted(_PerfectEyes().sightings(lines), key=lambda seen: seen.t))


@dataclass
class _PerfectEyes:
    """Follow a log. ``faces``: how many have been reported; ``last``: when something was last seen to happen, seconds; ``dealt``:
    the places that have been dealt a card in this hand."""

    faces: int = 0
    last: float = 0.0
    dealt: set[int] = field(default_factory=set)

    def sightings(self, lines: Sequence[Line]) -> Iterator[Sighting]:
        if not lines or not isinstance(lines[0].event, tl.Game):
            raise ValueError("no game line first: expected a table log")
        state = begin(lines[0].event)
        for number, line in enumerate(lines[1:], start=2):
            if line.t is None:
                raise ValueError(f"line {number}: no time: expected the log of a clip, each line with its `t`")
            after = apply(state, line.event)
            upcoming = lines[number].t if number < len(lines) else None
            yield from self._line(line.event, line.t, state, after, upcoming)
            state = after

    def _line(self, event: tl.Event, t: float, before: State, after: State, upcoming: float | None) -> Iterator[Sighting]:
        if isinstance(event, tl.Hand) and after.hand is not None:
            self.dealt, self.last = set(), t
            return
        hand = before.hand
        if hand is None:
            return
        names = before.table.names
        if isinstance(event, tl.Deal):
            self.dealt.add(names.index(event.to))
            yield Appeared(t, names.index(event.to))
            return
        if not self.dealt and not isinstance(event, tl.Void):  # a log without deals
            yield from self._deals(hand, t)
        if isinstance(event, tl.Swap | tl.Taverna):
            yield from self._exchange(event, t, hand, after.hand)
        elif isinstance(event, tl.Draw):
            start = self._start(t, DRAW_SECONDS)
            yield DeckExchanged(start, t, names.index(event.by), 1.0)
        elif isinstance(event, tl.Reveal):
            position = hand.order.index(names.index(event.by))
            if not hand.is_shown(hand.holds[position]):
                yield self._face(t, hand.order[position], event.card)
        self.last = t
        if after.hand is None:
            yield from self._over(event, t, hand, upcoming)

    def _deals(self, hand: Hand, t: float) -> Iterator[Sighting]:
        pace = min(DEALT_SECONDS, (t - self.last) / (len(hand.order) + 1))
        for index, seat in enumerate(hand.order):
            self.dealt.add(seat)
            yield Appeared(self.last + pace * index, seat)

    def _start(self, t: float, seconds: float) -> float:
        """When an act of ``seconds`` that is over at ``t`` began, but not before the last thing that happened."""
        return min(max(self.last + INSTANT, t - seconds), t)

    def _face(self, t: float, place: int, kind: str) -> Shown:
        self.faces += 1
        return Shown(t, place, self.faces, ((kind, 1.0),))

    def _exchange(self, event: tl.Swap | tl.Taverna, t: float, hand: Hand, after: Hand | None) -> Iterator[Sighting]:
        ask = hand.asking
        assert ask is not None
        asker, asked = hand.order[ask.asker], hand.order[ask.asked]
        if isinstance(event, tl.Taverna) and not hand.is_shown(hand.holds[ask.asked]):
            aside = self._start(t, EXCHANGE_SECONDS + ASIDE_SECONDS)
            yield self._face(aside, asked, "taverna")
            self.last = aside
        yield Exchanged(self._start(t, EXCHANGE_SECONDS), t, (asker, asked), 1.0)
        if after is None:
            return
        for position in (ask.asker, ask.asked):  # a card that lies face up travels face up, and is seen in its new place
            face = after.face_of(position)
            if face and after.still_in(position) and after.is_shown(after.holds[position]):
                yield self._face(t, after.order[position], face)

    def _over(self, event: tl.Event, t: float, hand: Hand, upcoming: float | None) -> Iterator[Sighting]:
        """At the end everybody's card is turned, also one whose face the log has from its deal; then all are gathered."""
        if isinstance(event, tl.End):
            for position in hand.positions():
                face = hand.face_of(position)
                if face and not hand.is_shown(hand.holds[position]):
                    yield self._face(t, hand.order[position], face)
        gathered = t + GATHERED_SECONDS
        yield Cleared(gathered if upcoming is None or upcoming < t else min(gathered, (t + upcoming) / 2))
