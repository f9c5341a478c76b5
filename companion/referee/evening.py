"""The evening as the camera saw it so far: the hands that are settled, and the sightings of the one in progress."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from companion.eyes.sighting import Appeared, Cleared, Shown, Sighting
from companion.referee.decode import Beam, Ruling, ended, extend, prune, rule
from companion.referee.hypothesis import Hypothesis
from companion.stu import State, begin
from companion.stu.log import End, Event, Game, Hand, Line, Rebuy, Void

CAME_BACK = math.log(0.8)
"""A card dealt to a player who is out means that they came back, and is no misreading."""
PLAYERS = 2
"""At least so many are dealt a card in a hand."""
STAYED_OUT = math.log(0.2)


@dataclass(frozen=True)
class Evening:
    """``settled``: the engine's state after ``lines``, all hands over. ``sightings``: of the hand in progress, by time.

    ``beams``: the histories of the hand before the first sighting, after it, after the second, …
    """

    settled: State
    lines: tuple[Line, ...]
    sightings: tuple[Sighting, ...] = ()
    beams: tuple[Beam, ...] = ((),)

    @classmethod
    def of(cls, game: Game) -> Evening:
        """The evening before its first hand."""
        return cls(begin(game), (Line(game),))

    @cached_property
    def ruling(self) -> Ruling | None:
        """What the hand in progress most probably is and comes to; None between hands."""
        return rule(_over_if_seen(self.beams[-1])) if self.beams[-1] else None

    @cached_property
    def log(self) -> tuple[Line, ...]:
        """The whole table log as best known now, each line of a hand with its time and confidence."""
        return self.lines + (_told(self.ruling) if self.ruling else ())


def observe(evening: Evening, sighting: Sighting) -> Evening:
    """The evening after one more sighting. A face that is reported again replaces its earlier report."""
    if evening.settled.won:
        return evening
    if isinstance(sighting, Cleared):
        return _settle(evening, sighting)
    kept = [old for old in evening.sightings if not _replaces(sighting, old)]
    if not kept and not isinstance(sighting, Appeared):
        return evening  # cards that lie about between hands are no hand
    return _decoded(evening, tuple(sorted([*kept, sighting], key=lambda seen: seen.t)))


def _decoded(evening: Evening, sightings: tuple[Sighting, ...]) -> Evening:
    """The evening with these sightings of the hand; what comes before the first new one need not be thought through again."""
    start = prune(_beginnings(evening.settled, sightings))
    beams = [start]
    if evening.beams[0] == start:
        pairs = zip(evening.sightings, sightings, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        beams = list(evening.beams[: same + 1])
    for sighting in sightings[len(beams) - 1 :]:
        beams.append(extend(beams[-1], sighting))
    return replace(evening, sightings=sightings, beams=tuple(beams))


def _replaces(new: Sighting, old: Sighting) -> bool:
    return isinstance(new, Shown) and isinstance(old, Shown) and new.episode == old.episode


def _settle(evening: Evening, cleared: Cleared) -> Evening:
    dealt = {seen.place for seen in evening.sightings if isinstance(seen, Appeared)}
    if not evening.beams[-1] or len(dealt) < PLAYERS:  # a card put down by the way is no hand
        return Evening(evening.settled, evening.lines)
    ruling = rule(ended(evening.beams[-1], cleared.t))
    return Evening(ruling.history.state, evening.lines + _told(ruling))


def _beginnings(settled: State, sightings: tuple[Sighting, ...]) -> tuple[Hypothesis, ...]:
    """How the hand can have begun: who is out and was dealt a card may have come back (rule 10)."""
    dealt = [seen.place for seen in sightings if isinstance(seen, Appeared)]
    if not dealt:
        return ()
    t = next(seen.t for seen in sightings if isinstance(seen, Appeared))
    empty = Hypothesis(settled, 0.0, (), t)
    starts = [empty]
    for seat in sorted(set(dealt) - set(settled.in_play)):
        back: list[Event] = [Rebuy(by=settled.table.names[seat])]
        returned = [start.after(back, CAME_BACK, t) for start in starts]
        starts = [replace(start, weight=start.weight + STAYED_OUT) for start in starts]
        starts += [start for start in returned if start]
    begun = (start.after([Hand()], 0.0, t) for start in starts)
    return tuple(start for start in begun if start and start.state.hand is not None)


def _over_if_seen(beam: Beam) -> Beam:
    """When everybody's card has been seen in the likeliest history, the hand is ruled without waiting for the clearing."""
    best = beam[0]
    if best.owed or best.after([End()], 0.0, best.acted) is None:
        return beam
    return ended(beam, best.acted)


def _told(ruling: Ruling) -> tuple[Line, ...]:
    return tuple(
        Line(line.event, line.t, round(_sureness(line, confidence, ruling), 4))
        for line, confidence in zip(ruling.history.lines, ruling.line_confidence, strict=True)
    )


def _sureness(line: Line, confidence: float, ruling: Ruling) -> float:
    if isinstance(line.event, Void):
        return 0.0  # stands for a ruling that nobody can make from what was seen
    return ruling.probability if isinstance(line.event, End) else confidence
