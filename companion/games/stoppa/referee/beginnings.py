"""How a hand begins, and which hand a sighting belongs to: the first packets dealt, the table cleared, the next hand dealt."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.stoppa.referee.history import COSTS, History
from companion.games.stoppa.referee.turns import of_a_hand, replaces
from companion.games.stoppa.rules.log import Hand
from companion.games.stoppa.sightings import Cleared, Dealt, Laid, Sighting, TakenBack
from companion.referee.chapter import Chapter
from companion.referee.sighting_model import Assignment, HandSplit
from companion.referee.values import HandReports

MIN_PLACES = 2
"""Places, at least, with backs that make another hand: at one alone they may be cards that somebody puts down."""


def beginnings(empty: History, reports: HandReports) -> Iterable[History]:
    """The hand, begun with the first packet dealt, or with the first card on the pile where none was seen to be dealt. It is
    seldom dealt by a player who should not deal (rule 3)."""
    begun = [seen.t for seen in reports.sightings if isinstance(seen, Dealt | Laid)]
    if not begun:
        return ()
    t, state = begun[0], empty.state
    names = state.table.names
    start = replace(empty, before=state, acted=t)
    others = [name for name in names if name != names[state.dealer]]
    ways = [start.after([Hand()], math.log1p(-math.exp(COSTS.wrong_dealer)), t)]
    ways += [start.after([Hand(dealer=name)], COSTS.wrong_dealer - math.log(len(others)), t) for name in others]
    if state.hands and state.hands[-1].void:  # it may have been played after all, and only could not be ruled on
        ways.append(start.after([Hand(dealer=names[state.table.after(state.dealer)])], COSTS.after_void, t))
    return tuple(way for way in ways if way is not None)


def assign(chapter: Chapter, earlier: Chapter | None, sighting: Sighting) -> Assignment:
    """Where a sighting belongs: see `companion.referee.sighting_model.SightingModel.assign`."""
    seen = chapter.reports.sightings
    if isinstance(sighting, Cleared):
        by_hand = chapter.played and bool(chapter.reports.fixes) and bool(seen)
        return "over" if of_a_hand(seen) or by_hand else "put_down"
    begun = any(isinstance(old, Dealt | Laid) for old in seen)
    if not begun and not chapter.played and not isinstance(sighting, Dealt | Laid):
        return "ignored"  # cards that lie about between hands are not a hand
    if not begun and earlier is not None and any(replaces(sighting, old) for old in earlier.reports.sightings):
        return "ignored"  # a new report of a card of the hand before, which still lies there
    kept = [old for old in seen if not replaces(sighting, old)]
    if len(kept) == len(seen):
        return tuple(sorted([*seen, sighting], key=lambda one: one.t))
    return tuple(sorted([sighting if replaces(sighting, old) else old for old in seen], key=lambda one: one.t))


def split_hand(chapter: Chapter, sighting: Sighting) -> HandSplit | None:
    """Where the next hand begins, if the table was not seen to be cleared: backs come to lie at several places after the stoppata
    has begun."""
    if not isinstance(sighting, Dealt):
        return None
    seen = chapter.reports.sightings
    played = [one.t for one in seen if isinstance(one, Laid | TakenBack)]
    hand = chapter.after.hand
    if not played and (chapter.over or (hand is not None and hand.declared)):
        played = [line.t for line in chapter.lines if line.t is not None]
    if not played:
        return None
    again = [one for one in seen if isinstance(one, Dealt) and one.t > max(played)]
    if len({one.place for one in again}) < MIN_PLACES:
        return None
    t = again[0].t
    return HandSplit(tuple(one for one in seen if one.t < t), t, tuple(one for one in seen if one.t >= t))


def at_the_end(chapter: Chapter, t: float) -> Sighting | None:
    """The clearing of a hand that is over, or declared, when the source ends at ``t`` seconds before its cards are gathered."""
    hand = chapter.after.hand
    return Cleared(t) if chapter.over or (hand is not None and hand.declared) else None
