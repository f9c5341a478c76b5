"""What the people at the table should be told about the eyes' troubles, as plain values; the words are others' business."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.eyes.sighting import Shown, Unseen, Why
from companion.eyes.trouble import Outlook
from companion.referee import Evening

PATIENCE_SECONDS = 1.5
"""Trouble that is over sooner is not worth a word."""
SHOWDOWN_SECONDS = 3.0
"""So long after the last face, or after the table was seen again, those still missing will not be shown by themselves."""

HAND_SECONDS = 15.0
"""In so many seconds a hand can be shown and gathered, and the next one dealt."""

Need = Literal["show", "check"]
"""``show``: please show the cards of these places once more. ``check``: the table was out of sight for so long in this hand that
it may have ended meanwhile: somebody should look at what is told of it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say for as long as it is among a step's notices.

    ``what``: why the table cannot be seen, as in `companion.eyes.sighting.Unseen`, or what is needed. ``since``: seconds into
    the source. ``places``: whose, None for the whole table.
    """

    what: Why | Need
    since: float
    places: tuple[int, ...] | None = None


def notices(evening: Evening, outlook: Outlook, t: float) -> tuple[Notice, ...]:
    """What is to be said at ``t`` seconds, when the newest picture was good for what ``outlook`` says."""
    found = []
    if outlook.blind is not None and outlook.since is not None and t - outlook.since >= PATIENCE_SECONDS:
        found.append(Notice(outlook.blind, outlook.since))
    long = [
        seen for seen in evening.sightings
        if isinstance(seen, Unseen) and seen.places is None and seen.until - seen.t >= HAND_SECONDS
    ]  # fmt: skip
    if long:
        found.append(Notice("check", long[-1].t))
    need = _faces_missed(evening, t)
    return (*found, need) if need else tuple(found)


def _faces_missed(evening: Evening, t: float) -> Notice | None:
    """In the showdown: the cards that must have been shown while their places could not be seen."""
    shown = [sighting.t for sighting in evening.sightings if isinstance(sighting, Shown)]
    unseen = [sighting for sighting in evening.sightings if isinstance(sighting, Unseen)]
    best = evening.beams[-1][0] if evening.beams and evening.beams[-1] else None
    hand = best.state.hand if best is not None and best.showing else None
    if not shown or not unseen or hand is None:
        return None
    late = [span for span in unseen if span.until >= min(shown)]
    if not late or t - max(*shown, late[-1].until) < SHOWDOWN_SECONDS:
        return None
    missing = tuple(
        hand.order[position] for position in hand.positions()
        if hand.face_of(position) is None and any(span.places is None or hand.order[position] in span.places for span in late)
    )  # fmt: skip
    return Notice("show", late[-1].until, missing) if missing else None
