"""Setting up an evening on the organiser's phone: camera, table, players, what the game asks for; and what the camera sees."""

from flask import Flask

from companion.dashboard.setup import camera_pages, deck_choice, machine_pages, pages, past_pages, phone_pages, view_pages
from companion.dashboard.setup.state import SetupState, setup
from companion.ledger import Ledger
from companion.line.camera import Camera

__all__ = ["camera_pages", "deck_choice", "install", "machine_pages", "pages", "past_pages", "phone_pages", "view_pages"]


def install(app: Flask, ledger: Ledger, camera: Camera) -> None:
    """The pages for this application, over its pairing (`companion.dashboard.organiser`)."""
    state = app.extensions["setup"] = SetupState(ledger, camera)
    app.jinja_env.globals["draft_token"] = lambda: state.token
    app.jinja_env.globals["copies_kept"] = lambda: app.extensions["backups"] is not None
    app.register_blueprint(setup)
