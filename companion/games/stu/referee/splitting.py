"""Which sightings are of one hand, where another one may have been dealt while nothing could be seen."""

from __future__ import annotations

from collections.abc import Mapping

from companion.eyes.sighting import Unseen
from companion.games.stu.referee.facts import dealings
from companion.games.stu.referee.holes import (
    AT_ITS_END,
    DEALT_SECONDS,
    Hole,
    began_in,
    deals,
    ended_in,
    holes,
    holes_within,
    likeliest,
    over_in,
)
from companion.games.stu.rules import State
from companion.games.stu.sightings import Appeared, Resumed, Shown, Sighting
from companion.referee.chapter import Chapter
from companion.referee.sighting_model import DealQuestion, HandSplit
from companion.referee.values import Fact, HandReports

MIN_PLAYERS = 2
"""Players who are dealt a card in a hand, at least."""


def latest_hole(sightings: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """The sightings of the latest hole among these, which belong to no hand, and the faces that lay there after it."""
    latest = max((seen.t for seen in sightings if isinstance(seen, Unseen) and seen.places is None), default=None)
    found = (seen for seen in sightings if isinstance(seen, Shown) or (isinstance(seen, Unseen | Resumed) and seen.t == latest))
    return tuple(sorted(found, key=lambda seen: seen.t)) if latest is not None else ()


def split_by_hole(chapter: Chapter, resumed: Resumed | None) -> HandSplit | None:
    """How the chapter is split, by how the table lies after a hole, or by a hole before its first card (``resumed`` None); None
    where it goes on."""
    gaps = [one for one in holes(chapter.reports.sightings) if one.resumed is not None]
    hole = next((one for one in gaps if resumed is None or one.resumed == resumed), None)
    if hole is None or not chapter.played or (resumed is None and not began_in(hole, chapter.reports.sightings)):
        return None
    return _split_likely(chapter, hole)


def _split_likely(chapter: Chapter, hole: Hole) -> HandSplit | None:
    """How the chapter is split where the likeliest number of hands was dealt in the hole."""
    odds = deals(hole, chapter.before, chapter.reports.sightings)
    return _split_at(chapter.reports.sightings, hole, likeliest(odds), odds)


def _split_at(sightings: tuple[Sighting, ...], hole: Hole, value: str, odds: Mapping[str, float]) -> HandSplit | None:
    """How the sightings are split by a hole in which ``value`` hands (one of `DEALS`) were dealt; None where they are of one
    hand."""
    began, ended = began_in(hole, sightings), ended_in(hole, sightings)
    whole = int(value) - (not began and not ended)
    lie = (*hole.resumed.backs, *hole.resumed.faces) if hole.resumed is not None else ()
    if value == "0" or (not began and not ended and odds and not lie):
        return None
    until, cleared = hole.unseen.until, over_in(hole, sightings)
    of_hole = tuple(one for one in (hole.unseen, hole.resumed) if one is not None)
    earlier = tuple(seen for seen in sightings if seen.t < until)
    later: tuple[Sighting, ...] = ()
    if began:
        earlier, later, cleared = (), sightings, until
    elif ended:
        earlier = sightings
    elif lie:
        dealt = [Appeared(until, place) for place in sorted(lie)]
        rest = [seen for seen in sightings if seen.t >= until and seen not in dealt]
        later = tuple(sorted([*of_hole, *dealt, *rest], key=lambda seen: seen.t))
    else:  # somebody says so: the cards of the last hand were being gathered
        whole = int(value)
    about = dealings(hole.unseen.t, until, whole=began or ended).key
    return HandSplit(earlier, cleared, later, whole, of_hole, until, odds.get(value, 1.0), about)


def doubts(reports: HandReports, before: State) -> tuple[DealQuestion, ...]:
    """See `companion.referee.sighting_model.SightingModel.doubts`."""
    found = []
    gaps = holes(reports.sightings)
    if not any(isinstance(seen, Appeared | Shown) for seen in reports.sightings):
        return ()
    settled = {question.partition("@")[2] for question, choice in reports.answers if choice is not None}
    for hole in gaps:
        odds = deals(hole, before, reports.sightings)
        if len(odds) < 2 or hole.key in settled:
            continue
        whole = began_in(hole, reports.sightings) or ended_in(hole, reports.sightings)
        perhaps_two = reports.closed and hole is gaps[-1] and (reports.cleared or 0.0) <= hole.unseen.until
        assumed = (likeliest(odds),) if whole else ("1", "2") if perhaps_two else ("0",)
        fact = dealings(hole.unseen.t, hole.unseen.until, whole=whole)
        found.append(DealQuestion(fact, tuple(sorted(odds.items(), key=lambda pair: -pair[1])), assumed,
                                  hole.resumed is not None))
    return tuple(found)


def dealt_in(sightings: tuple[Sighting, ...], t: float) -> HandSplit | None:
    """How the sightings are split where the next hand turns out to have been dealt by ``t`` seconds, at the end of a hole; None
    where there was none."""
    for hole in holes(sightings):
        if hole.resumed is not None and hole.unseen.until - AT_ITS_END <= t <= hole.unseen.until + DEALT_SECONDS:
            return _split_at(sightings, hole, "1", {})
    return None


def split_at_its_end(chapter: Chapter) -> HandSplit | None:
    """How a hand whose cards have just been gathered is split, if another may have been played in its last hole; else None."""
    last = holes(chapter.reports.sightings)[-1:]
    if not chapter.played or not last or not ended_in(last[0], chapter.reports.sightings):
        return None
    return _split_likely(chapter, last[0])


def may_have_gone(state: State) -> bool:
    """See `companion.referee.sighting_model.SightingModel.may_have_gone`: a hand may cost more than one pedina, but seldom
    three."""
    return any(0 < count < 3 for count in state.pedine)


def blind(sightings: tuple[Sighting, ...], about: Fact | None = None) -> tuple[tuple[float, float], ...]:
    """See `companion.referee.sighting_model.SightingModel.blind`."""
    hole = _hole_of(about, sightings) if about is not None else None
    gaps = (hole,) if hole is not None else holes_within(sightings)
    return tuple((one.unseen.t, one.unseen.until) for one in gaps)


def depends_on(fact: Fact, sightings: tuple[Sighting, ...]) -> bool:
    """See `companion.referee.sighting_model.SightingModel.depends_on`."""
    return _hole_of(fact, sightings) is not None


def redealt(fact: Fact, choice: str, sightings: tuple[Sighting, ...]) -> HandSplit | None:
    """See `companion.referee.sighting_model.SightingModel.redealt`."""
    hole = _hole_of(fact, sightings)
    return _split_at(sightings, hole, choice, {}) if hole is not None else None


def _hole_of(fact: Fact, sightings: tuple[Sighting, ...]) -> Hole | None:
    return next((hole for hole in holes(sightings) if hole.key == fact.key.partition("@")[2]), None)
