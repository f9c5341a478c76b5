"""How a hand begins, and which hand a sighting belongs to: the first card dealt, cards gathered, the next hand dealt unseen."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec.structs import replace

from companion.eyes.sighting import Unseen
from companion.games.stu.referee.endings import GUESSED_FACES
from companion.games.stu.referee.explain import LAIN_SECONDS
from companion.games.stu.referee.history import History
from companion.games.stu.referee.holes import DEALT_SECONDS, awaited, began_in, holes_within
from companion.games.stu.referee.splitting import MIN_PLAYERS, dealt_in, latest_hole, split_at_its_end, split_by_hole
from companion.games.stu.rules import State
from companion.games.stu.rules.log import Hand, Rebuy
from companion.games.stu.sightings import Appeared, Cleared, Resumed, Shown, Sighting
from companion.referee.chapter import Chapter
from companion.referee.sighting_model import Assignment, HandSplit
from companion.referee.values import HandReports
from companion.table.log import Event

CAME_BACK, STAYED_OUT = math.log(0.97), math.log(0.03)
"""Logarithms of the probabilities that a player who is out, and is dealt a card, has come back, or that the eyes were wrong."""
CAME_BACK_IN_HOLE = math.log(0.3)
"""Logarithm of the probability that a player who is out has come back for a hand whose deal nobody could see."""
CAME_BACK_UNSEEN = math.log(0.01)
"""Logarithm of the probability that a player who is out has come back and their card was not seen to be dealt: it must have been
shown."""


def beginnings(empty: History, reports: HandReports) -> Iterable[History]:
    """The hand, begun with the first card dealt. Players who are out and are dealt a card, or show one, may have come back
    (rule 10). After a hand with too little seen for a ruling the deck has gone on all the same (rule 7)."""
    sightings = reports.sightings
    dealt = [seen for seen in sightings if isinstance(seen, Appeared)]
    if not dealt and not reports.missed:
        return ()
    t = dealt[0].t if dealt else min((seen.t for seen in sightings), default=0.0)
    starts = [replace(empty, acted=t)]
    unseen = [hole for hole in holes_within(sightings) if began_in(hole, sightings)]
    seats = {seen.place for seen in sightings if isinstance(seen, Appeared | Shown)}
    if unseen:
        seats = set(range(len(empty.state.pedine)))
    for seat in sorted(seats - set(empty.state.in_play)):
        came = [seen.t for seen in dealt if seen.place == seat]
        faces = [seen.t for seen in sightings if isinstance(seen, Shown) and seen.place == seat]
        given = any(not any(_gathered(put, face) for face in faces) for put in came)
        shown = any(face - t >= LAIN_SECONDS and not any(_gathered(put, face) for put in came) for face in faces)
        if not (given or shown or unseen):
            continue
        back: list[Event] = [Rebuy(by=empty.state.table.names[seat])]
        how = CAME_BACK if given else CAME_BACK_UNSEEN if shown else CAME_BACK_IN_HOLE
        returned = [start.after(back, how, t) for start in starts]
        if given:
            starts = [replace(start, weight=start.weight + STAYED_OUT) for start in starts]
        starts += [start for start in returned if start]
    said = (unseen[-1].unseen.t + unseen[-1].unseen.until) / 2 if unseen else t  # dealt in the hole, nobody knows when
    begun = (start.after([_deal(start.state, unruled=reports.unruled)], 0.0, said, acted=t) for start in starts)
    return tuple(start for start in begun if start and start.state.hand is not None)


def _deal(state: State, *, unruled: bool) -> Hand:
    """The deal of the next hand. ``unruled``: too little was seen of the hand before for a ruling."""
    if not (unruled and state.hands and state.hands[-1].void):
        return Hand()
    names, last = state.table.names, state.table.names.index(state.hands[-1].dealer)
    at = min(state.in_play, key=lambda seat: (seat - last - 1) % len(names))
    return Hand(dealer=names[at])


def _gathered(put: float, face: float) -> bool:
    """Whether a card that appeared at ``put`` and showed its face at ``face`` was one of the hand before, being gathered."""
    return 0 <= face - put < LAIN_SECONDS


def assign(chapter: Chapter, earlier: Chapter | None, sighting: Sighting) -> Assignment:
    """Where a sighting belongs: see `companion.referee.sighting_model.SightingModel.assign`."""
    reports = chapter.reports
    if isinstance(sighting, Cleared):
        # A hand that was begun by thumb, and that the eyes have not seen yet, is not the one whose cards are gathered.
        if _was_a_hand(reports, chapter.before) or (chapter.played and reports.fixes and reports.sightings):
            return "over"
        # In a hole before that a whole hand may have been played.
        return tuple(seen for seen in latest_hole(reports.sightings) if not isinstance(seen, Shown)) or "put_down"
    if not isinstance(sighting, Appeared) and not any(isinstance(seen, Appeared) for seen in reports.sightings):
        if not chapter.played:
            # Cards that lie about between hands are not a hand; but in the latest hole one may have begun.
            ends = [seen.until for seen in reports.sightings if isinstance(seen, Unseen)]
            lay_there = isinstance(sighting, Shown) and any(end <= sighting.t <= end + DEALT_SECONDS for end in ends)
            if not (lay_there or isinstance(sighting, Unseen | Resumed)):
                return "ignored"
            return latest_hole((*(old for old in reports.sightings if not _replaces(sighting, old)), sighting))
        if earlier is not None and any(_replaces(sighting, old) for old in earlier.reports.sightings):
            return "ignored"  # a card of the hand before, which still lies there although the next was begun by thumb
    kept = [old for old in reports.sightings if not _replaces(sighting, old)]
    return tuple(sorted([*kept, sighting], key=lambda seen: seen.t))


def _was_a_hand(reports: HandReports, before: State) -> bool:
    """Whether the cards that were gathered are those of a hand, and not a single card that was put down in between.

    Players who show a card have been dealt one, even if it was not seen to appear. With two players left, one of them may keep a
    hand on their card all the time: then it is enough that the other's lay for a while and was shown.
    """
    came = {seen.place: seen.t for seen in reversed(reports.sightings) if isinstance(seen, Appeared)}
    shown = {seen.place: seen.t for seen in reports.sightings if isinstance(seen, Shown)}
    if came and len(came.keys() | shown.keys()) >= MIN_PLAYERS:
        return True
    lain = any(place in came and t - came[place] >= LAIN_SECONDS for place, t in shown.items())
    return lain and len(before.in_play) == MIN_PLAYERS


def split_hand(chapter: Chapter, sighting: Sighting) -> HandSplit | None:
    """See `companion.referee.sighting_model.SightingModel.split_hand`.

    The next hand was dealt if all have shown their cards and several get a card face down; or if cards lie face down where
    several have shown theirs; or if the table looks as if one was, after a time in which nothing of it could be seen.
    """
    sightings = chapter.reports.sightings
    if isinstance(sighting, Cleared):
        return split_at_its_end(chapter)
    if isinstance(sighting, Resumed):
        return split_by_hole(chapter, sighting)
    if isinstance(sighting, Appeared) and sum(isinstance(seen, Appeared) for seen in sightings) == 1:
        return split_by_hole(chapter, None)
    dealt_at = _next_deal(chapter, sighting)
    if dealt_at is None or awaited(sightings, sighting.t):
        return None
    if (after := dealt_in(sightings, dealt_at)) is not None:
        return after
    before = tuple(seen for seen in sightings if seen.t < dealt_at)
    return HandSplit(before, dealt_at, tuple(seen for seen in sightings if seen.t >= dealt_at))


def _next_deal(chapter: Chapter, sighting: Sighting) -> float | None:
    """When the next hand was dealt (seconds), although the cards of this one were not seen to be gathered; None: it was not."""
    if not isinstance(sighting, Appeared):
        return None
    shown = {seen.place: seen.t for seen in chapter.reports.sightings if isinstance(seen, Shown)}
    last = max(shown.values(), default=math.inf)
    dealt = [seen for seen in chapter.reports.sightings if isinstance(seen, Appeared)]
    after_all = [seen for seen in dealt if seen.t > last]
    if chapter.over and len({seen.place for seen in after_all}) >= MIN_PLAYERS:
        return after_all[0].t
    covered = [seen for seen in dealt if seen.t > shown.get(seen.place, math.inf)]
    return covered[0].t if len({seen.place for seen in covered}) > MIN_PLAYERS else None


def at_the_end(chapter: Chapter, t: float) -> Sighting | None:
    """The clearing of a hand in its showdown when the source ends at ``t`` seconds, before its cards are gathered; None: not yet.

    At least half of the cards must have been shown, and no more faces may be missing than can be enumerated.
    """
    hand = chapter.after.hand
    if not chapter.outcome or hand is None:
        return None
    best = chapter.outcome[0]
    if not isinstance(best, History) or not best.showing:
        return None
    missing = [position for position in hand.positions() if hand.face_of(position) is None]
    return Cleared(t) if len(missing) <= GUESSED_FACES and 2 * len(missing) <= len(hand.positions()) else None


def _replaces(new: Sighting, old: Sighting) -> bool:
    if isinstance(new, Unseen) and isinstance(old, Unseen):
        return new.t == old.t and new.places == old.places  # it has lasted longer
    return isinstance(new, Shown) and isinstance(old, Shown) and new.episode == old.episode
