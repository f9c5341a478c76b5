"""What the people at the table should be told about the eyes' troubles, as plain values. The pages have the words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.eyes.sighting import Unseen, Why
from companion.eyes.trouble import FrameQuality
from companion.referee import Evening

PATIENCE_SECONDS = 1.5
"""Least seconds of trouble that are worth a notice."""
HAND_SECONDS = 15.0
"""Seconds in which a hand can be shown and gathered and the next one dealt."""

Need = Literal["show", "check", "resized", "black", "nothing", "elsewhere", "gather", "apart"]
"""``show``: please show the cards of these places once more. ``resized``: the camera's pictures have another size or shape than
when the table was told. ``check``: the table was out of sight so that the hand may have ended meanwhile: somebody should look
at what the program says of it. ``black``, ``nothing``, ``elsewhere``: as of `companion.line.witness.Amiss`.
``gather``: cards from before the game still lie in the places, and are no hand. ``apart``: what one of several cameras and the
first one both see, they see at other times."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say for as long as it is among a step's notices.

    ``what``: why the table cannot be seen, as in `companion.eyes.sighting.Unseen`, or what is needed. ``since``: seconds into
    the source. ``places``: whose, None for the whole table. ``view``: the number of the camera that it is about, from 1; None
    where there is one alone.
    """

    what: Why | Need
    since: float
    places: tuple[int, ...] | None = None
    view: int | None = None


def blindness(frame_quality: FrameQuality, t: float) -> Notice | None:
    """Why the table cannot be seen at ``t`` seconds; None where it can, or could just now."""
    blind, since = frame_quality.blind, frame_quality.since
    return Notice(blind, since) if blind is not None and since is not None and t - since >= PATIENCE_SECONDS else None


def notices(evening: Evening, frame_quality: FrameQuality, t: float, waiting: bool = False) -> tuple[Notice, ...]:
    """The notices for the table at ``t`` seconds. ``frame_quality``: what can be concluded from the newest picture; ``waiting``:
    cards from before the game still lie there."""
    blind = blindness(frame_quality, t)
    found = [blind] if blind is not None else []
    if waiting:
        found.append(Notice("gather", t))
    long = [
        seen for seen in evening.sightings
        if isinstance(seen, Unseen) and seen.places is None and seen.until - seen.t >= HAND_SECONDS
    ]  # fmt: skip
    if long:
        found.append(Notice("check", long[-1].t))
    model = evening.game.sighting_model
    missed = model.not_shown(evening.current, t) if model is not None else None
    return (*found, Notice("show", *missed)) if missed else tuple(found)
