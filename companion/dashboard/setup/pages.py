"""The steps of `/setup`. Each takes what was typed or tapped into the draft and goes on; nothing is begun before the last.

Everything here is for organisers: the camera's picture may show cards that nobody has turned yet.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import to_builtins
from msgspec.structs import fields, replace

from companion.dashboard import locale
from companion.dashboard.camera import Camera, Point
from companion.dashboard.feed import Feed
from companion.dashboard.language import N_
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.setup import draft as drafting
from companion.dashboard.setup.draft import Draft, Wrong
from companion.dashboard.setup.phrases import advised, editions, house_rules, states
from companion.dashboard.sums import money
from companion.dashboard.view import LANGS
from companion.errors import CompanionError
from companion.ledger import Ledger
from companion.stu import StuError, words
from companion.stu.cards import KINDS
from companion.stu.log import Game, HouseRules

PICTURE_WIDTH = 1280
"""Pixels, at most, of the picture that phones get: enough to see a corner, little enough for a bar's network."""

CAMERA_NOT = N_("The camera gives no pictures yet: wait, or choose another.")

setup = Blueprint("setup", __name__, url_prefix="/setup")


class Desk:
    """Where the evening in preparation lies: one for all organisers' phones."""

    def __init__(self, ledger: Ledger, camera: Camera) -> None:
        self.ledger, self.camera = ledger, camera
        self._lock = threading.Lock()
        self.draft = Draft()

    def change(self, how: Callable[[Draft], Draft]) -> Draft:
        """The draft after ``how``. What that raises is raised, and nothing has changed."""
        with self._lock:
            self.draft = how(self.draft)
            return self.draft

    def last_names(self) -> tuple[str, ...]:
        """Who played in the newest game of the ledger that has players."""
        for entry in self.ledger.games():
            lines = self.ledger.lines(entry.id)
            if lines and isinstance(lines[0].event, Game):
                return lines[0].event.players
        return ()


def install(app: Flask, ledger: Ledger, camera: Camera) -> None:
    """The pages for this application, over its pairing (`companion.dashboard.organiser`)."""
    app.extensions["desk"] = Desk(ledger, camera)
    app.register_blueprint(setup)


def desk() -> Desk:
    """The desk of the application that is being asked."""
    found: Desk = current_app.extensions["desk"]
    return found


def page(template: str, status: int = 200, **values: object) -> ResponseReturnValue:
    """A page in the language that was chosen, with the draft and the camera's state."""
    status_now = desk().camera.status()
    values = {"problem": None, "notice": session.pop("notice", None)} | values
    return render_template(
        f"setup/{template}.html", draft=desk().draft, camera=status_now, camera_is=states(chosen())[status_now.state], **values
    ), status


def told(wrong: Wrong) -> str:
    """What was wrong, in the page's language."""
    return _(wrong.message).format(**wrong.blanks)


@setup.after_request
def no_store(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


@setup.get("")
@organiser_only
def home() -> ResponseReturnValue:
    """Where an evening begins: new, already begun, going on; the check; the past ones."""
    feed: Feed = current_app.extensions["dashboard"]
    return page("home", view=feed.snapshot().view(chosen()))


@setup.get("/language/<lang>")
@organiser_only
def language(lang: str) -> ResponseReturnValue:
    """Remember the language, and go back to ``next``, a page of setting up."""
    wish = request.args.get("next", "")
    response = make_response(redirect(wish if wish.startswith("/setup") and "\\" not in wish else url_for("setup.home")))
    for known in LANGS:
        if lang == known:
            locale.remember(response, known)
    return response


@setup.post("/new")
@organiser_only
def new() -> ResponseReturnValue:
    """An empty draft: of an evening that begins, or of one that is under way (``late``). Camera and corners are kept."""
    late = request.form.get("late") == "1"
    desk().change(lambda old: Draft(late=late, size=old.size, corners=old.corners))
    return redirect(url_for("setup.camera"))


@setup.get("/camera")
@organiser_only
def camera(problem: str | None = None) -> ResponseReturnValue:
    """Which camera: those that open, each with its size; the one that is chosen with its picture."""
    return page("camera", 400 if problem else 200, sources=desk().camera.sources(), problem=problem)


@setup.post("/camera")
@organiser_only
def pick_camera() -> ResponseReturnValue:
    if request.form.get("thumb") == "1":
        desk().change(lambda draft: replace(draft, thumb=True))
        return redirect(url_for("setup.players"))
    source = request.form.get("source", "").strip()
    if not source:
        return camera(_("Type the address or the file."))
    desk().camera.choose(source)
    desk().change(lambda draft: replace(draft, thumb=False))
    return redirect(url_for("setup.camera"))


@setup.get("/table")
@organiser_only
def table(problem: str | None = None) -> ResponseReturnValue:
    """The four corners: where they were left, else where the camera finds them, else somewhere to drag them from."""
    size = desk().camera.status().size
    draft = desk().draft
    found = None
    if size is not None and (draft.size != size or not draft.corners or request.args.get("find")):
        found = desk().camera.corners()
        corners = found.corners if found is not None else _anywhere(size)
    else:
        corners = draft.corners
    return page("table", 400 if problem else 200, size=size, corners=corners, found=found, problem=problem,
                was_sought=found is not None or corners != draft.corners)  # fmt: skip


@setup.post("/table")
@organiser_only
def set_table() -> ResponseReturnValue:
    size = desk().camera.status().size
    try:
        if size is None:
            raise Wrong(CAMERA_NOT)
        corners = drafting.points(request.form.get("corners", ""))
        desk().change(lambda draft: drafting.with_corners(draft, corners, size))
    except Wrong as wrong:
        return table(told(wrong))
    return redirect(url_for("setup.players"))


@setup.get("/moved")
@organiser_only
def moved(problem: str | None = None) -> ResponseReturnValue:
    """The corners once more, in mid-evening: somebody has moved the camera."""
    size = desk().camera.status().size
    found = desk().camera.corners() if size is not None else None
    corners = found.corners if found is not None else _anywhere(size) if size is not None else ()
    return page("table", 400 if problem else 200, size=size, corners=corners, found=found, problem=problem, was_sought=True,
                again=url_for("setup.moved"))  # fmt: skip


@setup.post("/moved")
@organiser_only
def set_moved() -> ResponseReturnValue:
    size = desk().camera.status().size
    try:
        if size is None:
            raise Wrong(CAMERA_NOT)
        seen = drafting.with_corners(Draft(), drafting.points(request.form.get("corners", "")), size)
        desk().camera.moved(seen.corners, size)
    except Wrong as wrong:
        return moved(told(wrong))
    except CompanionError as error:
        return moved(_("It cannot be: {why}").format(why=error))
    return redirect(url_for("setup.check"))


@setup.get("/players")
@organiser_only
def players(problem: str | None = None) -> ResponseReturnValue:
    """Places and names."""
    if not desk().draft.thumb and not desk().draft.corners:
        return redirect(url_for("setup.table"))
    return page("players", 400 if problem else 200, last=desk().last_names(), problem=problem,
                typed=request.form.getlist("name"), tapped=request.form.get("places", ""))  # fmt: skip


@setup.post("/players")
@organiser_only
def set_players() -> ResponseReturnValue:
    try:
        places = drafting.points(request.form.get("places", ""))
        names = tuple(request.form.getlist("name"))
        turned = not desk().draft.thumb and drafting.is_clockwise(places)
        desk().change(lambda draft: drafting.with_players(draft, names, places))
    except Wrong as wrong:
        return players(told(wrong))
    if turned:
        session["notice"] = _("The places ran clockwise: I turned them round.")
    return redirect(url_for("setup.stakes"))


@setup.get("/stakes")
@organiser_only
def stakes(problem: str | None = None) -> ResponseReturnValue:
    """What is played for, by which rules, and who deals first."""
    if not desk().draft.names:
        return redirect(url_for("setup.players"))
    draft = desk().draft
    stake = f"{draft.stake // 100}" + (f",{draft.stake % 100:02}" if draft.stake % 100 else "")
    return page("stakes", 400 if problem else 200, house_rules=house_rules(chosen()), editions=editions(chosen()),
                picked=to_builtins(draft.house_rules), defaults={field.name: field.default for field in fields(HouseRules)},
                stake=request.form.get("stake", stake), problem=problem)  # fmt: skip


@setup.post("/stakes")
@organiser_only
def set_stakes() -> ResponseReturnValue:
    form = request.form
    house_rules = {field.name: form[field.name] for field in fields(HouseRules) if field.name in form}
    by_cards = form.get("dealer") == ""
    try:
        desk().change(lambda draft: drafting.with_stakes(
            draft, form.get("stake", ""), form.get("dealer", ""), form.get("edition", "booklet"), house_rules))  # fmt: skip
    except Wrong as wrong:
        return stakes(told(wrong))
    if desk().draft.late:
        return redirect(url_for("setup.standing"))
    return redirect(url_for("setup.draw" if by_cards else "setup.ready"))


@setup.get("/standing")
@organiser_only
def standing(problem: str | None = None) -> ResponseReturnValue:
    """How everybody stands in an evening that began without the camera."""
    return page("standing", 400 if problem else 200, problem=problem)


@setup.post("/standing")
@organiser_only
def set_standing() -> ResponseReturnValue:
    form = request.form
    stand = {
        name: (form.get(f"pedine-{number}", "3"), form.get(f"virgin-{number}") == "1")
        for number, name in enumerate(desk().draft.names)
    }
    try:
        desk().change(lambda draft: drafting.with_standing(draft, stand, form.get("ricompere", "0")))
    except Wrong as wrong:
        return standing(told(wrong))
    return redirect(url_for("setup.draw" if not desk().draft.dealer else "setup.ready"))


@setup.get("/draw")
@organiser_only
def draw(problem: str | None = None) -> ResponseReturnValue:
    """The seat draw: a card for everybody who draws now, as the camera reads it, to be corrected by thumb."""
    draft = desk().draft
    if not draft.names:
        return redirect(url_for("setup.players"))
    due = drafting.still_to_draw(draft)
    seen = dict(zip(draft.names, desk().camera.shown(draft.places), strict=False)) if due and not draft.thumb else {}
    cards = {name: request.form.get(f"card-{draft.names.index(name)}") or seen.get(name) for name in due}
    kinds = [(kind, words.card(kind, chosen())) for kind in reversed(KINDS)]
    return page("draw", 400 if problem else 200, due=due, cards=cards, kinds=kinds, problem=problem,
                seating=draft.seating())  # fmt: skip


@setup.post("/draw")
@organiser_only
def set_draw() -> ResponseReturnValue:
    form = request.form
    if form.get("restart") == "1":
        desk().change(lambda draft: replace(draft, drawn=(), dealer=""))
        return redirect(url_for("setup.draw"))
    try:
        desk().change(lambda draft: drafting.with_draw(
            draft, {name: form.get(f"card-{number}", "") for number, name in enumerate(draft.names)}))  # fmt: skip
    except Wrong as wrong:
        return draw(told(wrong))
    return redirect(url_for("setup.draw"))


@setup.get("/draw.json")
@organiser_only
def drawn_cards() -> ResponseReturnValue:
    """What the camera reads in the places now: place's number, from 0, → kind's id, where one can be read."""
    faces = desk().camera.shown(desk().draft.places)
    return {str(number): face for number, face in enumerate(faces) if face is not None}


@setup.get("/ready")
@organiser_only
def ready(problem: str | None = None) -> ResponseReturnValue:
    """Everything at a glance, what is still missing, and the button."""
    draft, missing = desk().draft, None
    try:
        draft.table()
        if not draft.thumb and desk().camera.status().state not in ("live", "held"):
            missing = _(CAMERA_NOT)
    except Wrong as wrong:
        missing = told(wrong)
    rules = {question: answers[getattr(draft.house_rules, name)] for name, (question, answers) in house_rules(chosen()).items()}
    return page("ready", 400 if problem else 200, stake=money(draft.stake, chosen()), edition=editions(chosen())[draft.edition],
                rules=rules, missing=missing, problem=problem)  # fmt: skip


@setup.post("/start")
@organiser_only
def start() -> ResponseReturnValue:
    """Begin the evening."""
    try:
        draft = desk().draft
        desk().camera.begin(draft.game(), draft.table())
    except Wrong as wrong:
        return ready(told(wrong))
    except (CompanionError, StuError) as error:
        return ready(_("It cannot begin: {why}").format(why=error))
    return redirect("/organiser")


@setup.get("/check")
@organiser_only
def check() -> ResponseReturnValue:
    """What the camera sees now."""
    return page("check", size=desk().camera.status().size)


@setup.get("/check.json")
@organiser_only
def checked() -> ResponseReturnValue:
    """The check as numbers and as advice in words; ``check`` is null before the first look."""
    status = desk().camera.status()
    corners, places = _as_seen(status.size)
    found = desk().camera.check(corners, places) if status.state in ("live", "held") else None
    return {
        "state": status.state,
        "said": states(chosen())[status.state],
        "reason": status.reason,
        "check": to_builtins(found) if found is not None else None,
        "advice": advised(found.advice, chosen()) if found is not None else [],
    }


@setup.get("/live.jpg")
@organiser_only
def live() -> ResponseReturnValue:
    """The camera's newest picture."""
    jpeg = desk().camera.jpeg(PICTURE_WIDTH)
    if jpeg is None:
        abort(404, "no picture")
    return Response(jpeg, mimetype="image/jpeg")


def _as_seen(size: tuple[int, int] | None) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The draft's corners and places, where they are of pictures of this size."""
    draft = desk().draft
    return (draft.corners, draft.places) if draft.size == size else ((), ())


def _anywhere(size: tuple[int, int]) -> tuple[Point, ...]:
    width, height = size
    return (
        (round(width * 0.25), round(height * 0.2)), (round(width * 0.75), round(height * 0.2)),
        (round(width * 0.9), round(height * 0.85)), (round(width * 0.1), round(height * 0.85)),
    )  # fmt: skip
