"""Which cards the table should be asked to show again."""

from __future__ import annotations

from companion.eyes.sighting import Unseen
from companion.games.stu.referee.history import History
from companion.games.stu.sightings import Shown
from companion.referee.chapter import Chapter

SHOWDOWN_SECONDS = 3.0
"""Seconds after the last face, or after the table came back into view, from which on cards that are missing will not be shown
unasked."""


def not_shown(chapter: Chapter, t: float) -> tuple[float, tuple[int, ...]] | None:
    """In the showdown, by ``t`` seconds: since when (seconds), and in which places, cards are missing that must have been shown
    while those places could not be seen; None where no card is missing."""
    sightings = chapter.reports.sightings
    shown = [sighting.t for sighting in sightings if isinstance(sighting, Shown)]
    unseen = [sighting for sighting in sightings if isinstance(sighting, Unseen)]
    best = chapter.beams[-1][0] if chapter.beams and chapter.beams[-1] else None
    hand = best.state.hand if isinstance(best, History) and best.showing else None
    if not shown or not unseen or hand is None:
        return None
    late = [span for span in unseen if span.until >= min(shown)]
    if not late or t - max(*shown, late[-1].until) < SHOWDOWN_SECONDS:
        return None
    missing = tuple(
        hand.order[position] for position in hand.positions()
        if hand.face_of(position) is None and any(span.places is None or hand.order[position] in span.places for span in late)
    )  # fmt: skip
    return (late[-1].until, missing) if missing else None
