"""What the pages of `/setup` share: the evening in preparation, the blueprint, a page in the language of who asks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import Blueprint, Response, current_app, render_template, session
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard.locale import chosen
from companion.dashboard.setup.draft import Draft
from companion.dashboard.setup.phrases import states
from companion.ledger import Ledger
from companion.line.camera import Camera
from companion.table.language import N_
from companion.table.log import tag
from companion.table.setup import Wrong

CAMERA_NOT = N_("The camera gives no pictures yet: wait, or choose another.")

setup = Blueprint("setup", __name__, url_prefix="/setup")


class SetupState:
    """The evening in preparation: one for all organisers' phones."""

    def __init__(self, ledger: Ledger, camera: Camera) -> None:
        self.ledger, self.camera = ledger, camera
        self._lock = threading.Lock()
        self.draft = Draft.fresh()

    def change(self, how: Callable[[Draft], Draft]) -> Draft:
        """The draft after ``how``. What that raises is raised, and nothing has changed."""
        with self._lock:
            self.draft = how(self.draft)
            return self.draft

    def last_names(self) -> tuple[str, ...]:
        """Who played in the newest game of the ledger that has players."""
        for entry in self.ledger.games():
            lines = self.ledger.lines(entry.id)
            if lines and tag(lines[0].event) == "game":
                names: tuple[str, ...] = lines[0].event.players
                return names
        return ()


def setup_state() -> SetupState:
    """That of the application that is being asked."""
    found: SetupState = current_app.extensions["setup"]
    return found


def page(template: str, status: int = 200, **values: object) -> ResponseReturnValue:
    """A page in the language that was chosen, with the draft and the camera's state. ``template``: without its ending."""
    state = setup_state()
    status_now = state.camera.status()
    values = {"problem": None, "notice": session.pop("notice", None)} | values
    return render_template(
        f"{template}.html", draft=state.draft, camera=status_now, camera_is=states(chosen())[status_now.state], **values
    ), status


def problem_text(wrong: Wrong) -> str:
    """What was wrong, in the page's language."""
    return _(wrong.message).format(**wrong.blanks)


@setup.after_request
def no_store(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response
