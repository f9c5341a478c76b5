"""What a film of a hand can be said to show of its ruling: confirmed, corrected, or nothing. Pure.

Nobody is credited with a verdict that they have not given. *Confirmed*: the eyes alone came to what stands, and are sure of it or
somebody has said the same. *Corrected*: they came to something else, and somebody has said so.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Any, Literal

from companion.referee.beam import rule
from companion.referee.chapter import Chapter
from companion.referee.clips import Clip, clips, laid_open
from companion.referee.decoding import decode_hand
from companion.referee.values import Hypothesis
from companion.table.game import State
from companion.table.log import Event, Line, tag
from companion.table.sure import SURE_FROM

Verdict = Literal["confirmed", "corrected", "unseen"]


class NotShown(Enum):
    """Why a film can show nothing of what a hand came to."""

    OUTCOME_TOLD = auto()
    VOID = auto()
    NO_CAMERA = auto()
    UNSURE = auto()
    NO_END = auto()


def verdict(chapter: Chapter, sure_from: float = SURE_FROM) -> Verdict | None:
    """What a film can show of what this hand came to; None while it is not over.

    ``sure_from``: probability from which on a ruling that nobody has spoken about is sure. "unseen": it is not, or the eyes alone
    came to no end of the hand, or only its outcome was told.
    """
    judged = _judged(chapter, sure_from)
    return "unseen" if isinstance(judged, NotShown) else judged


def unseen_as(chapter: Chapter, sure_from: float = SURE_FROM) -> NotShown | None:
    """Why the verdict is "unseen"; None where it is another."""
    judged = _judged(chapter, sure_from)
    return judged if isinstance(judged, NotShown) else None


def _judged(chapter: Chapter, sure_from: float) -> Verdict | NotShown | None:
    if not chapter.over:
        return None
    if chapter.standing_in:
        return NotShown.OUTCOME_TOLD
    if tag(chapter.lines[-1].event) == "void":
        return NotShown.VOID
    reports = chapter.reports
    if not reports.sightings:
        return NotShown.NO_CAMERA
    if not reports.fixes and not reports.answers:
        return "confirmed" if (chapter.probability or 0.0) >= sure_from else NotShown.UNSURE
    if not chapter.settled:
        return NotShown.UNSURE
    history, rules = _alone(chapter), chapter.game.rules
    if history is None or not history.lines or tag(history.lines[-1].event) == "void" or rules.in_hand(history.state):
        return NotShown.NO_END
    if rules.hands(history.state) == rules.hands(chapter.before):
        return NotShown.NO_END
    return "confirmed" if rules.outcome(history.state) == rules.outcome(chapter.after) else "corrected"


def corrected_from(chapter: Chapter) -> tuple[tuple[State, Event, State], ...]:
    """The cards that the eyes alone saw laid open, and that are others now, as somebody has told: each as a line of the log, with
    the game before and after it."""
    history, model, rules = _alone(chapter), chapter.game.sighting_model, chapter.game.rules
    if history is None or model is None:
        return ()
    faces = {(one.place, one.kind) for one in model.faces_up(history, chapter.before, chapter.reports.sightings)}
    stands, names, found, state = [line.event for line in chapter.lines], rules.names(chapter.before), [], chapter.before
    for line in history.lines:
        before, state = state, rules.apply(state, line.event)
        event: Any = line.event
        kinds = getattr(event, "cards", ()) or ((card,) if (card := getattr(event, "card", None)) else ())
        if event not in stands and any((names.index(event.by), kind) in faces for kind in kinds if hasattr(event, "by")):
            found.append((before, event, state))
    return tuple(found)


def read_as(chapter: Chapter) -> Mapping[int, Collection[str]]:
    """Index of each of its lines that somebody has told → the other kinds that the eyes alone read on the same cards: as many,
    laid open by the same player at the same time. These faces are in dispute. Empty where the eyes alone came to nothing."""
    history = _alone(chapter) if chapter.fixed else None
    was = {(by, t): kinds for by, t, kinds in _laid_open(history.lines if history is not None else ()).values()}
    found: dict[int, Collection[str]] = {}
    for index, (by, t, kinds) in _laid_open(chapter.lines).items():
        read = was.get((by, t), ())
        if index in chapter.fixed and len(read) == len(kinds) and (others := Counter(read) - Counter(kinds)):
            found[index] = frozenset(others)
    return found


def filmed(chapter: Chapter) -> tuple[Clip, ...]:
    """The seconds that decided what the hand comes to, in order of time; with those of the faces in dispute, unless the hand
    comes to the same by what the eyes read there."""
    return clips(chapter, read_as(chapter) if verdict(chapter) != "confirmed" else ())


def opened(chapter: Chapter, t: float) -> Mapping[int, Collection[str]]:
    """As `laid_open`, with what the eyes alone read on the faces in dispute, for as long as they saw them lie open: everybody was
    shown these cards, whatever is on them."""
    found, disputed = dict(laid_open(chapter, t)), read_as(chapter)
    history, model = _alone(chapter) if disputed else None, chapter.game.sighting_model
    if model is None or history is None:
        return found
    names, laid = chapter.game.rules.names(chapter.before), _laid_open(chapter.lines)
    read = {(names.index(laid[index][0]), kind) for index, kinds in disputed.items() for kind in kinds}
    for face in model.faces_up(history, chapter.before, chapter.reports.sightings):
        if (face.place, face.kind) in read and face.since <= t <= min(face.until, chapter.reports.cleared or math.inf):
            found[face.place] = frozenset((*found.get(face.place, ()), face.kind))
    return found


def _laid_open(lines: Sequence[Line]) -> dict[int, tuple[str, float | None, tuple[str, ...]]]:
    """Index of each of these lines in which cards are laid open → the player, when (seconds), and their kinds."""
    found = {}
    for index, line in enumerate(lines):
        event: Any = line.event
        if tag(event) in ("reveal", "show"):
            found[index] = event.by, line.t, getattr(event, "cards", ()) or (event.card,)
    return found


def told_alone(chapter: Chapter) -> frozenset[int]:
    """Which of its lines (indices) somebody has told and the eyes alone did not come to; none where they came to nothing."""
    history = _alone(chapter) if chapter.fixed else None
    seen = [line.event for line in history.lines] if history is not None else []
    return frozenset(index for index in chapter.fixed if seen and chapter.lines[index].event not in seen)


def told_since(chapter: Chapter, following: Chapter | None) -> bool:
    """Whether somebody has told more of this hand once it was over, such as a penalty. No picture shows that."""
    rules, number = chapter.game.rules, chapter.game.rules.hands(chapter.after)
    for line, state in zip(following.lines, following.states[1:], strict=False) if following is not None else ():
        if tag(line.event) == "hand":
            break
        if rules.ruling(state, number) != rules.ruling(chapter.after, number):
            return True
    return False


def _alone(chapter: Chapter) -> Hypothesis | None:
    """The likeliest history of the hand by what was seen of it alone."""
    if "alone" not in chapter.cache:
        reports = replace(chapter.reports, fixes=(), answers=())
        alone = decode_hand(chapter.game, reports, chapter.before).outcome if reports.sightings else ()
        chapter.cache["alone"] = rule(alone).history if alone else None
    found: Hypothesis | None = chapter.cache["alone"]
    return found
