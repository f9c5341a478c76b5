"""The page that the program opens on its own machine: which screen does what, in three steps; and, where the television is this
machine's only screen, the code for a phone on it."""

from __future__ import annotations

from flask import Blueprint, Flask, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

import companion
from companion.dashboard import limits
from companion.dashboard.answers import answer
from companion.dashboard.ending import ending
from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import guard
from companion.dashboard.organiser.pairing import pairing_state, qr
from companion.dashboard.setup.machine_pages import needed, rows
from companion.dashboard.setup.phrases import state_of
from companion.ledger import Ledger, Phones
from companion.line import installed
from companion.line.backups import UNTOLD_VERSION, Backups
from companion.line.camera import Camera
from companion.line.doctor import devices

START = "/start"


class Invitation(Struct):
    """What an organiser's phone scans or types: the ``address`` of the page for the ``pin``; its QR ``code``, an ``<svg>``."""

    address: str
    pin: str
    code: str


class Running(Struct):
    """The program that runs. ``outdated``: another one is installed by now, an update: it counts from the next start."""

    outdated: bool


class OnTelevision(Struct):
    """``invitation``: what this machine's own television is to show now; None: nothing."""

    invitation: Invitation | None


start = Blueprint("start", __name__)


def install(app: Flask, ledger: Ledger, camera: Camera, backups: Backups | None) -> None:
    """Add the pages to this application, after its pairing."""
    installed.at_start()
    app.extensions["start"] = ledger, camera, backups
    app.register_blueprint(start)


@start.get(START)
@documented()
@guard.machine_only
def first() -> ResponseReturnValue:
    """What to do on which screen: television, organiser's phone, camera; what this machine lacks for an evening; and what an
    update has changed. The program opens it by itself (`companion start`)."""
    ledger, camera, backups = current_app.extensions["start"]
    links = pairing_state().links()
    updated = backups.updated_from if backups is not None else ""
    return render_template(
        "start.html",
        television=[link.partition("/pair#")[0] for link in links if link.startswith("http://")],
        code=qr(links[0]) if links else "", pin=pairing_state().pin.digits, invite=pairing_state().pin.code,
        # Once somebody keeps the evenings, this screen may be the television: the code and the PIN are shown when they are asked
        # for.
        known=not _nobody_known(ledger),
        seen=state_of(status, chosen()) if (status := camera.status()).source else "", plugged=bool(devices()),
        lacking=[row for row in needed() if not row.ok],
        outdated=installed.is_outdated(), updated=updated, untold=updated in (UNTOLD_VERSION, companion.__version__),
        version=companion.__version__,
    )  # fmt: skip


@start.get(f"{START}/machine")
@documented()
@guard.machine_only
def machine() -> ResponseReturnValue:
    """What this machine has and lacks, as `/setup/doctor` says it: to look at, without pairing this browser."""
    return render_template("machine.html", rows=list(rows()))


@start.get(f"{START}/program")
@documented(answer=Running)
@guard.machine_only
def program() -> ResponseReturnValue:
    """Whether an update is installed that counts only from the next start: `outdated`."""
    return answer(Running(installed.is_outdated()))


@start.post(f"{START}/again")
@documented(body=Form())
@guard.machine_only
def again() -> ResponseReturnValue:
    """The program begins again, as what is installed now. An evening goes on where it was. Redirects."""
    ending().begin_again()
    return redirect(url_for("start.begins_again"))


@start.get(f"{START}/again")
@documented()
@guard.machine_only
def begins_again() -> ResponseReturnValue:
    """That the program begins again; the page goes on to the first one by itself."""
    return render_template("again.html")


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


@start.get(f"{START}/television")
@documented(answer=OnTelevision, query={"asked": TEXT})
@guard.machine_only
def television() -> ResponseReturnValue:
    """What pairs a phone, for the TV's page on this machine's own screen (`/?kiosk`): `invitation` while no phone is paired but
    this machine's own browser, and no evening was kept, and for a minute after `?asked=1` (`?asked=0`: no longer), else `null`.
    Once it is gone from there, or a phone was paired, there is another PIN and another code."""
    ledger = current_app.extensions["start"][0]
    state = pairing_state()
    if asked := request.args.get("asked"):
        state.on_tv.ask(asked == "1")
    links = state.links()
    if not (state.on_tv.showing(_nobody_known(ledger)) and links):
        return answer(OnTelevision(None))
    return answer(OnTelevision(Invitation(links[0].partition("#")[0], state.pin.digits, qr(links[0]))))


def pairs() -> str:
    """The address at which the TV's page asks for the code and PIN that pair a phone; "" unless the page is shown on this
    machine's own television."""
    own = "kiosk" in request.args and "start" in current_app.extensions and guard.on_this_machine()
    return url_for("start.television") if own else ""


def _nobody_known(ledger: Ledger) -> bool:
    """Whether no phone but this machine's own browser is paired and no evening was kept, so that nobody has begun here yet."""
    phones: Phones = current_app.extensions["phones"]
    return not phones.another() and ledger.newest() is None


start.after_request(limits.never_kept)
