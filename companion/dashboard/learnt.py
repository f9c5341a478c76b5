"""What corrections have taught the eyes, on an organiser's phone, which shows each with its crop, and can forget it.

For organisers only: a crop may show a card that nobody has turned yet.
"""

from __future__ import annotations

from flask import Blueprint, Flask, Response, current_app
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.dashboard.answers import answer, posted, refused
from companion.dashboard.endpoint import JPEG, documented
from companion.dashboard.organiser.guard import organiser_only
from companion.line.corrections_learnt import CorrectionsLearnt

MAX_SHOWN = 30
"""Number of corrections that a phone shows, the newest first."""

corrections = Blueprint("lessons", __name__)


class LessonView(Struct, frozen=True):
    """A correction learnt: its ``id``, its ``card``'s, and when it was learnt, seconds of the clock."""

    id: int
    card: str
    at: float


class Forget(Struct, frozen=True, forbid_unknown_fields=True):
    """Take back the correction with this ``id``."""

    id: int


def install(app: Flask, learnt: CorrectionsLearnt | None) -> None:
    """Add the pages to this application; none where ``learnt`` is None."""
    if learnt is not None:
        app.extensions["lessons"] = learnt
        app.register_blueprint(corrections)


@corrections.get("/api/organiser/lessons")
@documented(answer=list[LessonView])
@organiser_only
def listing() -> ResponseReturnValue:
    """What corrections have taught the eyes, `[{"id", "card", "at"}, …]`, the newest first; `at`: seconds of the clock."""
    return answer([LessonView(one.id, one.card, one.at) for one in _learnt().all[:MAX_SHOWN]])


@corrections.get("/api/organiser/lessons/<int:lesson>.jpg")
@documented(answer=JPEG)
@organiser_only
def picture(lesson: int) -> ResponseReturnValue:
    """The crop that it was learnt from. 404: gone."""
    found = next((one for one in _learnt().all if one.id == lesson), None)
    return Response(found.picture, mimetype="image/jpeg") if found is not None else refused("gone", 404)


@corrections.post("/api/organiser/lessons/forget")
@documented(body=Forget, answer=list[LessonView], also=(400,))
@organiser_only
def forget() -> ResponseReturnValue:
    """`{"id": 2}` takes it back, from the next picture on; answers with the list after it.

    Also where another phone was quicker.
    """
    wish = posted(Forget)
    _learnt().forget(wish.id)
    return listing()


def _learnt() -> CorrectionsLearnt:
    learnt: CorrectionsLearnt = current_app.extensions["lessons"]
    return learnt
