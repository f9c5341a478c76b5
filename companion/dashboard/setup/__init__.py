"""Setting up an evening on the organiser's phone: camera, table, players, stake, first dealer; and what the camera sees."""

from flask import Flask

from companion.dashboard.setup import camera_pages, pages
from companion.dashboard.setup.desk import Desk, setup
from companion.ledger import Ledger
from companion.line.camera import Camera

__all__ = ["camera_pages", "install", "pages"]


def install(app: Flask, ledger: Ledger, camera: Camera) -> None:
    """The pages for this application, over its pairing (`companion.dashboard.organiser`)."""
    app.extensions["desk"] = Desk(ledger, camera)
    app.register_blueprint(setup)
