"""How a hand begins, and which hand a sighting belongs to: backs dealt, the table cleared, the next hand dealt."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.stoper.referee.costs import COSTS
from companion.games.stoper.referee.exchanges import spread
from companion.games.stoper.referee.history import History
from companion.games.stoper.referee.seen import HAND_PLACES, PAUSE_SECONDS, of_a_hand, replaces
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Hand
from companion.games.stoper.sightings import Cleared, Dealt, Shown, Sighting, Thrown
from companion.referee.chapter import Chapter
from companion.referee.sighting_model import Assignment, HandSplit
from companion.referee.values import HandReports
from companion.table.log import tag

BEFORE_PLAY = frozenset({"hand", "chips", "set", "deal", "buio"})
"""Lines that can stand in the log before the first cards are dealt."""

WHOLE_HAND = 2.4
"""Expected number of backs before a place from which on they are a hand dealt, and not cards received for others."""


def beginnings(empty: History, reports: HandReports) -> Iterable[History]:
    """The hand as the phone has begun it; or begun by the cards that were dealt, with the stakes of the last one or those the
    table has settled.

    Cards are dealt from the player at the dealer's left on (rule 2), so their order says who deals. It is seldom a player who
    should not.
    """
    start = replace(empty, before=_before(empty, reports))
    if any(tag(line.event) == "hand" for line in empty.lines):
        return (start,)
    dealt = [seen for seen in reports.sightings if isinstance(seen, Dealt)]
    plain = usual_hand(empty.state)
    if plain is None or not of_a_hand(dealt):
        return ()
    return begun_by_dealing(start, dealt, plain)


def begun_by_dealing(start: History, dealt: list[Dealt], plain: Hand) -> tuple[History, ...]:
    """The hand begun with these cards."""
    dealt = [one for at, one in enumerate(dealt) if all(after.t - one.t <= PAUSE_SECONDS for after in dealt[at + 1 : at + 2])]
    state, t = start.state, dealt[0].t
    names = state.table.names
    others = [name for name in names if name != names[state.dealer]]
    ways = [start.after([plain], math.log1p(-math.exp(COSTS.wrong_dealer)), t)]
    ways += [start.after([_dealt_by(plain, name)], COSTS.wrong_dealer - math.log(len(others)), t) for name in others]
    if state.hands and state.hands[-1].void:  # it may have been played after all, and only could not be ruled on
        ways.append(start.after([_dealt_by(plain, names[state.table.after(state.dealer)])], COSTS.after_void, t))
    found = [way for way in ways if way is not None and way.state.hand is not None]
    order = tuple(dict.fromkeys(one.place for one in dealt))
    return tuple(way.costing(_served(way, order)) for way in found)


def _before(empty: History, reports: HandReports) -> State | None:
    return empty.state if not empty.lines else None


def usual_hand(state: State, least: int | None = None) -> Hand | None:
    """A hand for as much as the last one; the first one as the table has settled, or for a cip of ``least``; None where neither
    is known."""
    if state.cip:
        return Hand()
    usual = state.table.usual
    if usual is None:
        return None if least is None else Hand(cip=least, invito=0)
    return Hand(cip=usual.cip, invito=usual.invito, deck=usual.deck)


def _dealt_by(plain: Hand, name: str) -> Hand:
    return Hand(dealer=name, cip=plain.cip, invito=plain.invito, deck=plain.deck)


def _served(one: History, places: tuple[int, ...]) -> float:
    """Logarithm of the probability that cards are dealt to these places in this order: they should go round from First three
    times."""
    hand = one.state.hand
    assert hand is not None
    known = [hand.order.index(place) for place in places if place in hand.order]
    return 0.0 if known == sorted(known) else COSTS.served


def assign(chapter: Chapter, earlier: Chapter | None, sighting: Sighting) -> Assignment:
    """Where a sighting belongs: see `companion.referee.sighting_model.SightingModel.assign`.

    People hold their cards in hand, so a table without cards is not yet the end: the hand goes on as long as it is not over by
    what the phone has told.
    """
    seen = chapter.reports.sightings
    if isinstance(sighting, Cleared):
        return _over(chapter)
    if earlier is not None and any(replaces(sighting, old) for old in earlier.reports.sightings):
        return "ignored"  # a new report of a card of the hand before, which still lies there
    dealt = isinstance(sighting, Dealt) or any(isinstance(old, Dealt) for old in seen)
    if not dealt and isinstance(sighting, Thrown | Shown) and not _begun(chapter):
        return "ignored"  # cards that lie about between hands are not a hand
    kept = [old for old in seen if not replaces(sighting, old)]
    if len(kept) == len(seen):
        return tuple(sorted([*seen, sighting], key=lambda one: one.t))
    return tuple(sorted([sighting if replaces(sighting, old) else old for old in seen], key=lambda one: one.t))


def _begun(chapter: Chapter) -> bool:
    """Whether somebody has told more of the hand than how it begins."""
    return any(tag(line.event) not in BEFORE_PLAY for line in chapter.lines)


def _over(chapter: Chapter) -> Assignment:
    """What a table without cards means for the hand in progress."""
    seen, hand = chapter.reports.sightings, chapter.after.hand
    if chapter.over or (hand is not None and hand.phase == "showdown"):
        return "over"
    if chapter.reports.fixes and chapter.played:
        return "ignored"
    return "over" if of_a_hand(seen) else "put_down"


def split_hand(chapter: Chapter, sighting: Sighting) -> HandSplit | None:
    """Where the next hand begins, if the table was not seen to be cleared: backs come to lie before several places while a hand
    is over, or at its showdown."""
    if not isinstance(sighting, Dealt) or not chapter.lines:
        return None
    hand, seen = chapter.after.hand, chapter.reports.sightings
    if not chapter.over and (hand is None or hand.phase != "showdown"):
        return None
    last = max((line.t for line in chapter.lines if line.t is not None), default=-math.inf)
    again = [one for one in seen if isinstance(one, Dealt) and one.t > last]
    cards: dict[int, float] = defaultdict(float)
    for one in again:
        cards[one.place] += sum(number * share for number, share in enumerate(spread(one.counts)))
    if sum(number >= WHOLE_HAND for number in cards.values()) < HAND_PLACES or last == -math.inf:
        return None
    t = again[0].t
    earlier = tuple(one for one in seen if one.t < t)
    return HandSplit(earlier, t, tuple(one for one in seen if one.t >= t)) if earlier else None


def at_the_end(chapter: Chapter, t: float) -> Sighting | None:
    """The clearing of a hand that is over, or at its showdown, when the source ends at ``t`` seconds before its cards are
    gathered."""
    hand = chapter.after.hand
    told = chapter.reports.fixes or chapter.over
    at_showdown = hand is not None and hand.phase == "showdown"
    return Cleared(t) if chapter.over or at_showdown or (not told and of_a_hand(chapter.reports.sightings)) else None
