"""The page that the program opens on its own machine: which screen does what, in three steps."""

from __future__ import annotations

from flask import Blueprint, Flask, current_app, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

import companion
from companion.dashboard import limits
from companion.dashboard.ending import ending
from companion.dashboard.endpoint import Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import guard
from companion.dashboard.organiser.pairing import pairing_state, qr
from companion.dashboard.setup.phrases import state_of
from companion.ledger import Ledger, Phones
from companion.line.backups import Backups
from companion.line.camera import Camera
from companion.line.doctor import devices

START = "/start"

start = Blueprint("start", __name__)


def install(app: Flask, ledger: Ledger, camera: Camera, backups: Backups | None) -> None:
    """The page for this application, over its pairing."""
    app.extensions["start"] = ledger, camera, backups
    app.register_blueprint(start)


@start.get(START)
@documented()
@guard.machine_only
def first() -> ResponseReturnValue:
    """What to do on which screen: television, organiser's phone, camera; and what an update has changed. The program opens it by
    itself (`companion start`)."""
    ledger, camera, backups = current_app.extensions["start"]
    phones: Phones = current_app.extensions["phones"]
    links = pairing_state().links()
    updated = backups.updated_from if backups is not None else ""
    return render_template(
        "start.html",
        television=[link.partition("/pair#")[0] for link in links if link.startswith("http://")],
        code=qr(links[0]) if links else "", pin=pairing_state().pin.digits, invite=pairing_state().pin.code,
        # Once somebody keeps the evenings, this screen may be the television: the code and the PIN are shown when they are asked
        # for.
        known=bool(phones.all()) or ledger.newest() is not None,
        seen=state_of(status, chosen()) if (status := camera.status()).source else "", plugged=bool(devices()),
        updated=updated, version=companion.__version__,
    )  # fmt: skip


@start.post(f"{START}/stop")
@documented(body=Form())
@guard.machine_only
def stop() -> ResponseReturnValue:
    """The program ends. What was recorded stays, and an evening goes on where it was. Redirects."""
    ending().stop()
    return redirect(url_for("start.stopped"))


@start.get(f"{START}/stopped")
@documented()
@guard.machine_only
def stopped() -> ResponseReturnValue:
    """That the program is ending."""
    return render_template("stopped.html")


start.after_request(limits.never_kept)
