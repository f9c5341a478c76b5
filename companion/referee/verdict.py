"""What a film of a hand can be said to show of its ruling: confirmed, corrected, or nothing. Pure.

Nobody is credited with a verdict that they have not given. *Confirmed*: the eyes alone came to what stands, and are sure of it or
somebody has said the same. *Corrected*: they came to something else, and somebody has said so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from companion.referee.beam import rule
from companion.referee.chapter import Chapter
from companion.referee.decoding import decode_hand
from companion.referee.values import Hypothesis
from companion.table.game import State
from companion.table.log import Event, tag
from companion.table.sure import SURE_FROM

Verdict = Literal["confirmed", "corrected", "unseen"]


def verdict(chapter: Chapter, sure_from: float = SURE_FROM) -> Verdict | None:
    """What a film can show of what this hand came to; None while it is not over.

    ``sure_from``: probability from which on a ruling that nobody has spoken about is sure. "unseen": it is not, or the eyes alone
    came to no end of the hand, or only its outcome was told.
    """
    if not chapter.over:
        return None
    if chapter.standing_in or tag(chapter.lines[-1].event) == "void":
        return "unseen"
    reports = chapter.reports
    if not reports.fixes and not reports.answers:
        return "confirmed" if reports.sightings and (chapter.probability or 0.0) >= sure_from else "unseen"
    if not chapter.settled:
        return "unseen"
    history, rules = _alone(chapter), chapter.game.rules
    if history is None or not history.lines or tag(history.lines[-1].event) == "void" or rules.in_hand(history.state):
        return "unseen"
    if rules.hands(history.state) == rules.hands(chapter.before):
        return "unseen"
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
