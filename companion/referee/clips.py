"""Which seconds of video decided a ruling, and which faces everybody had been shown by then: for showing them once more. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.eyes.sighting import Shown, Sighting, Unseen
from companion.referee.beam import shares
from companion.referee.chapter import Chapter
from companion.table.log import Line, tag
from companion.table.sure import SURE_FROM

LEAD_SECONDS, TAIL_SECONDS = 2.0, 1.5
"""Seconds that are shown before an act begins, and after it ends."""
MAX_ACT_SECONDS = 5.0
"""Greatest length in seconds that is shown of one act."""
MAX_CLIPS_SECONDS = 24.0
"""Greatest length in seconds that is shown of a ruling; where there is more, the last acts."""


@dataclass(frozen=True, slots=True)
class Clip:
    """From ``since`` to ``until`` seconds into the evening; ``lines``: indices of the hand's lines that happened then."""

    since: float
    until: float
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FaceUp:
    """In ``place`` the face of a card of this ``kind`` lay open for everybody, from ``since`` to ``until`` seconds."""

    place: int
    kind: str
    since: float
    until: float


def clips(chapter: Chapter, also: Collection[int] = ()) -> tuple[Clip, ...]:
    """The seconds that decided what the hand comes to, in order of time, and those of the lines ``also`` (indices). None where
    the eyes saw nothing of it."""
    model = chapter.game.sighting_model
    if model is None:
        return ()
    found: list[Clip] = []
    for index in sorted({*model.deciding(chapter.before, chapter.lines), *also}):
        t = chapter.lines[index].t
        if t is not None and index not in chapter.standing_in:
            since, until = _act(chapter, t)
            found.append(Clip(max(0.0, since - LEAD_SECONDS), until + TAIL_SECONDS, (index,)))
    merged: list[Clip] = []
    for cut in sorted(found, key=lambda cut: cut.since):
        if merged and cut.since <= merged[-1].until:
            before = merged.pop()
            cut = Clip(before.since, max(before.until, cut.until), (*before.lines, *cut.lines))
        merged.append(cut)
    return _shortened(merged)


def laid_open(chapter: Chapter, t: float) -> Mapping[int, Collection[str]]:
    """Place → the possible kinds of its card, for the places in which surely (`SURE_FROM`) a face lay open for everybody at
    ``t`` seconds, whatever face it was."""
    if "face_up" not in chapter.cache:
        chapter.cache["face_up"] = _faces_up(chapter)
    odds: dict[int, float] = {}
    kinds: dict[int, set[str]] = {}
    for share, faces in chapter.cache["face_up"]:
        for face in faces:
            if face.since <= t <= face.until:
                odds[face.place] = odds.get(face.place, 0.0) + share
                kinds.setdefault(face.place, set()).add(face.kind)
    return {place: frozenset(kinds[place]) for place, odd in odds.items() if odd >= SURE_FROM}


def faces_shown(lines: Sequence[Line], names: Sequence[str], sightings: Sequence[Sighting]) -> tuple[FaceUp, ...]:
    """The faces of a hand's ``show`` lines, by the players with these names, from when the eyes saw them open until something
    else was seen of it. For games in which a player holds several cards."""
    looks = [seen for seen in sightings if isinstance(seen, Shown)]
    found = []
    for line in lines:
        shown: Any = line.event
        if tag(shown) != "show":
            continue
        place = names.index(shown.by)
        for kind in shown.cards:
            since = [seen.t for seen in looks if seen.place == place and kind in dict(seen.alternatives)]
            if since:
                after = (seen.t for seen in sightings if not isinstance(seen, Shown) and seen.t > max(since))
                found.append(FaceUp(place, kind, min(since), min(after, default=math.inf)))
    return tuple(one for one in found if one.since < one.until)


def _faces_up(chapter: Chapter) -> list[tuple[float, tuple[FaceUp, ...]]]:
    """How probable each history of the hand is, and which faces lay open in it."""
    model, beam = chapter.game.sighting_model, chapter.outcome
    if model is None or not beam:
        return []
    seen, over = chapter.reports.sightings, chapter.reports.cleared
    faces = (model.faces_up(history, chapter.before, seen) for history in beam)
    return [
        (share, tuple(one if over is None or one.until <= over else replace(one, until=over) for one in found))
        for share, found in zip(shares(beam), faces, strict=True)
    ]


def _act(chapter: Chapter, t: float) -> tuple[float, float]:
    """When what is told of ``t`` seconds began and was over, as the eyes saw it."""
    seen = [one for one in chapter.reports.sightings if not isinstance(one, Unseen) and abs(one.t - t) < 0.02]
    return t, min(t + MAX_ACT_SECONDS, max((getattr(one, "until", one.t) for one in seen), default=t))


def _shortened(found: list[Clip]) -> tuple[Clip, ...]:
    kept: list[Clip] = []
    left = MAX_CLIPS_SECONDS
    for cut in reversed(found):
        if left <= 0:
            break
        since = max(cut.since, cut.until - left)
        kept.append(Clip(since, cut.until, cut.lines))
        left -= cut.until - since
    return tuple(reversed(kept))
