"""What a film of a hand can be said to show of its ruling: confirmed, corrected, or nothing. Pure.

Nobody is credited with a verdict that they have not given. *Confirmed*: the eyes alone came to what stands, and are sure of it or
somebody has said the same. *Corrected*: they came to something else, and somebody has said so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from companion.referee.beam import rule
from companion.referee.chapter import Chapter
from companion.referee.decoding import decode_hand
from companion.table.log import tag
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
    alone = decode_hand(chapter.game, replace(reports, fixes=(), answers=()), chapter.before).outcome
    history = rule(alone).history if alone else None
    rules = chapter.game.rules
    if history is None or not history.lines or tag(history.lines[-1].event) == "void" or rules.in_hand(history.state):
        return "unseen"
    if rules.hands(history.state) == rules.hands(chapter.before):
        return "unseen"
    return "confirmed" if rules.outcome(history.state) == rules.outcome(chapter.after) else "corrected"
