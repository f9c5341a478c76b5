"""The pages on which an organiser sets up an evening: camera, table, players, what the game asks for; and the picture of the
camera."""

from flask import Flask

from companion.dashboard.setup import camera_pages, deck_choice, machine_pages, pages, past_pages, phone_pages, view_pages
from companion.dashboard.setup.state import SetupState, setup
from companion.ledger import Ledger
from companion.line.camera import Camera

__all__ = ["camera_pages", "deck_choice", "install", "machine_pages", "pages", "past_pages", "phone_pages", "view_pages"]


def install(app: Flask, ledger: Ledger, camera: Camera) -> None:
    """Add the pages to this application, for its paired phones (`companion.dashboard.organiser`)."""
    state = app.extensions["setup"] = SetupState(ledger, camera)
    app.jinja_env.globals["draft_token"] = lambda: state.token
    app.jinja_env.globals["copies_kept"] = lambda: app.extensions["backups"] is not None
    app.register_blueprint(setup)
