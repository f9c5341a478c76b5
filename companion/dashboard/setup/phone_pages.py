"""The step of `/setup` at which a phone becomes the camera: it shows the code to scan, and waits for the first picture."""

from __future__ import annotations

from typing import Literal

from flask import current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Struct

from companion.dashboard.answers import answer
from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.organiser.pairing import PairingState, qr
from companion.dashboard.phone_camera import PhoneDoor, phone_door
from companion.dashboard.setup.state import further_view, of_another, page, refuse, refused, setup, take_camera, viewing
from companion.line.phone_camera import PHONE
from companion.table.errors import CannotServe

Stage = Literal["waiting", "joined", "sending", "silent"]
"""No phone has come with the code; one has, but must still allow its camera; pictures come; pictures came, but have stopped."""


class PhoneStage(Struct, frozen=True):
    """How far a phone is in becoming the camera, and the same in words."""

    stage: Stage
    said: str


@setup.post("/camera/phone")
@documented(body=Form(("draft", "instead_of")), query={"view": TEXT}, also=(303, 409))
@organiser_only
def take_phone() -> ResponseReturnValue:
    """A phone is to be the camera: opens [HTTPS](#phone-camera)."""
    door = phone_door()
    problem = _open(door)
    if problem is not None:
        return refuse(problem)
    if door is None:
        return redirect(url_for("setup.phone_camera", view=request.args.get("view")))
    films, seen = viewing().status().source == PHONE, further_view()
    if seen is not None:
        seen.choose(PHONE)
    elif (elsewhere := of_another(needed=False) or take_camera(PHONE)) is not None:
        return elsewhere
    door.chosen(films=films, view=_number())
    return redirect(url_for("setup.phone_camera", view=seen.number if seen is not None else None))


@setup.get("/camera/phone")
@documented(query={"view": TEXT}, also=(400,))
@organiser_only
def phone_camera() -> ResponseReturnValue:
    """A phone as the camera: the code that it scans."""
    door, problem = phone_door(), refused().problem
    is_phone = viewing().status().source == PHONE
    if is_phone and problem is None:
        problem = _open(door)  # chosen in another way; or this machine has another address than before
    urls = _links(door) if door is not None and door.port is not None else ()
    codes = [(url.partition("#")[0], qr(url)) for url in urls]
    return page("setup/phone_camera", 400 if problem else 200, problem=problem, door=door, codes=codes, direct=_direct(door),
                is_phone=is_phone)  # fmt: skip


@setup.get("/camera/phone.json")
@documented(answer=PhoneStage, query={"view": TEXT})
@organiser_only
def phone_stage() -> ResponseReturnValue:
    """How far it is: `stage` (`waiting`, `joined`, `sending`, `silent`), `said`."""
    door = phone_door()
    stage = _stage(door) if door is not None else "waiting"
    return answer(PhoneStage(stage, _stage_text(stage)))


def _number() -> int:
    """The number of the camera that the address asks for, from 1."""
    seen = further_view()
    return seen.number if seen is not None else 1


def _open(door: PhoneDoor | None) -> str | None:
    """Start serving HTTPS to the phone. Returns why that is not possible, None where it is."""
    try:
        if door is not None:
            door.open()
    except CannotServe as error:
        return _("It cannot be: {why}").format(why=error)
    return None


def _stage(door: PhoneDoor) -> Stage:
    now = door.inbox_for(_number()).status()
    if now.sending and viewing().status().state == "live":
        return "sending"
    if viewing().status().size is not None and not now.sending:
        return "silent"
    return "joined" if now.joined else "waiting"


def _stage_text(stage: Stage) -> str:
    return {
        "waiting": _("Waiting for the phone…"),
        "joined": _("The phone is there: allow it to use its camera. Waiting for the first picture…"),
        "sending": _("The phone’s pictures are coming."),
        "silent": _("The phone has stopped sending: is its page in front, and the phone awake?"),
    }[stage]


def _links(door: PhoneDoor) -> tuple[str, ...]:
    """The links for a phone to begin with: the page that explains the browser's warning, with the code in the fragment, which
    browsers never send."""
    pairing: PairingState = current_app.extensions["pairing"]
    return tuple(f"{url}/camera?lang={chosen()}#{door.invitation(_number())}" for url in pairing.urls)


def _direct(door: PhoneDoor | None) -> str | None:
    """A link to try it out in a browser on this machine, where no phone can reach it; else None."""
    pairing: PairingState = current_app.extensions["pairing"]
    if door is None or door.port is None or pairing.urls:
        return None
    return f"//{request.host}/camera?lang={chosen()}#{door.invitation(_number())}"
