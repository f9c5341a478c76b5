"""The steps of `/setup`. Each takes what was typed or tapped into the draft and goes on; nothing is begun before the last."""

from __future__ import annotations

from flask import current_app, make_response, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import to_builtins
from msgspec.structs import fields, replace

from companion.dashboard import locale
from companion.dashboard.feed import Feed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.setup import draft as drafting
from companion.dashboard.setup.desk import CAMERA_NOT, desk, page, setup, told
from companion.dashboard.setup.draft import Draft, Wrong
from companion.dashboard.setup.phrases import editions, house_rules
from companion.decks.stu import KINDS
from companion.games.stu import words
from companion.games.stu.pages.sums import money
from companion.games.stu.rules import GameError
from companion.games.stu.rules.log import HouseRules
from companion.table.errors import CompanionError
from companion.table.language import LANGS


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
    except (CompanionError, GameError) as error:
        return ready(_("It cannot begin: {why}").format(why=error))
    return redirect("/organiser")
