"""The steps of `/setup` that need no camera. Each puts what was typed or tapped into the draft and leads to the next; nothing
begins before the last one.

Every game has these steps, and its own ones between the players and the last (`companion.pages.setup`).
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec.structs import replace

from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.feed import Feed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.organiser.context import organiser_context
from companion.dashboard.organiser.pages import REFUSED_PEOPLE
from companion.dashboard.setup import draft as drafting
from companion.dashboard.setup.deck_choice import remembered, shipped_name, unusable
from companion.dashboard.setup.draft import Draft
from companion.dashboard.setup.evenings import check_last, evening_from, keep_record, last_evening
from companion.dashboard.setup.phrases import why
from companion.dashboard.setup.state import (
    CAMERA_NOT,
    WHY,
    LargeSums,
    agreed,
    ask,
    check_sums,
    further,
    of_another,
    onward,
    page,
    placed,
    preparation_only,
    problem_text,
    refuse,
    refused,
    running,
    setup,
    setup_state,
)
from companion.editing.commands import Say
from companion.games import Game, shown_games
from companion.line.recorder import GATHER, PEOPLE, REMATCH
from companion.pages.ruling import doubted_end
from companion.pages.setup import Fact, Step, Wrong
from companion.table.errors import CompanionError
from companion.table.language import N_
from companion.table.people import MAX_NAME_LENGTH


@setup.get("")
@documented(query={"why": TEXT})
@organiser_only
def home() -> ResponseReturnValue:
    """Where an evening begins: new, the same table again, already begun, going on. `?why=begun` or `anew` says why a step of the
    preparation led here."""
    feed: Feed = current_app.extensions["dashboard"]
    state = setup_state()
    last = last_evening(state.ledger)
    under_way = bool(state.token) and (bool(state.draft.names) or bool(state.camera.status().source and running() is None))
    message = WHY.get(request.args.get("why", ""))
    notice = session.pop("notice", None) if message is None else _(message)
    return page("setup/home", view=feed.snapshot().view(chosen()), late=_late(), last=last, on=running(), under_way=under_way,
                notice=notice)  # fmt: skip


@setup.post("/new")
@documented(body=Form(("late",)))
@organiser_only
def new() -> ResponseReturnValue:
    """An empty preparation; `late=1`: of an evening that is under way.

    Camera and corners are kept.
    """
    late = request.form.get("late") == "1"
    playable = _playable(late=late)
    if not playable:
        abort(404, "no game can be taken over")
    draft = replace(Draft.fresh(playable[0], late=late), deck=remembered(playable[0]))
    setup_state().prepare(lambda old: replace(draft, size=old.size, corners=old.corners, old_corners=bool(old.corners)))
    return redirect(url_for("setup.choose_game") if len(playable) > 1 else _first_step(setup_state().draft))


@setup.get("/game")
@documented()
@preparation_only
def choose_game() -> ResponseReturnValue:
    """Which game is played, where there are several."""
    return page("setup/game", playable=_playable(late=setup_state().draft.late))


@setup.post("/game")
@documented(body=Form(("draft", "game")), also=(400,))
@preparation_only
def set_game() -> ResponseReturnValue:
    """`game`: its id."""
    late = setup_state().draft.late
    wished = {game.id: game for game in _playable(late=late)}.get(request.form.get("game", ""))
    if wished is None:
        return redirect(url_for("setup.choose_game"))
    game = wished
    draft = replace(Draft.fresh(game, late=late), deck=remembered(game))
    setup_state().change(lambda old: replace(draft, size=old.size, corners=old.corners, old_corners=old.old_corners))
    return redirect(_first_step(setup_state().draft))


@setup.get("/players")
@documented()
@preparation_only
def players() -> ResponseReturnValue:
    """Places and names."""
    before = refused()
    draft = setup_state().draft
    if not draft.thumb and not draft.corners:
        return redirect(url_for("setup.table"))
    found_by_cards = not draft.thumb and draft.goes_on is None and draft.instead_of is None
    held = setup_state().camera.status().state == "held"
    return page("setup/players", last=setup_state().last_names(), problem=before.problem,
                typed=before.sent.getlist("name"), tapped=before.sent.get("places", ""),
                dealt=before.sent.get("dealt", "") if before.problem else "1" if draft.by_cards else "",
                clockwise=draft.game.pages.clockwise, most=draft.game.pages.setup.most_players,
                first=draft.game.pages.setup.first_places, letters=MAX_NAME_LENGTH,
                by_cards=found_by_cards and not held, held=found_by_cards and held)  # fmt: skip


@setup.post("/players")
@documented(body=Form(("draft", "places", "name", "dealt")), also=(303,))
@preparation_only
def set_players() -> ResponseReturnValue:
    """`places`: points as above; `name`, once for each; `dealt=1`: the places were marked by cards."""
    try:
        places = drafting.points(request.form.get("places", ""))
        names = tuple(request.form.getlist("name"))
        turned = drafting.runs_against_play(setup_state().draft, places)
        draft = setup_state().change(
            lambda old: replace(drafting.with_players(old, names, places), by_cards=request.form.get("dealt") == "1")
        )
    except Wrong as wrong:
        return refuse(problem_text(wrong))
    if turned:
        against = _("The places ran clockwise: I turned them round.")
        if draft.game.pages.clockwise:
            against = _("The places ran anticlockwise: I turned them round.")
        session["notice"] = against
    if draft.instead_of is not None and draft.whole:
        return _begun()
    steps = draft.game.pages.setup.steps
    return redirect(onward(draft, _step_url(steps[0].name if steps and draft.goes_on is None else None)))


@setup.get("/<name>")
@documented()
@preparation_only
def step(name: str) -> ResponseReturnValue:
    """A step of the game's own, see below. 404: it has no such step."""
    draft, before = setup_state().draft, refused()
    own_step = _step(draft, name)
    if not draft.names:
        return redirect(url_for("setup.players"))
    values = own_step.page(draft.names, draft.own, before.sent, chosen(), _faces)
    return page(f"games/{draft.game_id}/{name}", problem=before.problem, sent=before.sent, asks=before.asks, own=draft.own,
                **values)  # fmt: skip


@setup.post("/<name>")
@documented(
    body=Form(("draft", "stake", "edition", "dealer", "restart", "card-0", "pedine-0", "virgin-0", "ricompere")), also=(303,),
)  # fmt: skip
@preparation_only
def take_step(name: str) -> ResponseReturnValue:
    """Its form."""
    taken_in = _step(setup_state().draft, name)
    then: list[str | None] = []

    def take(draft: Draft) -> Draft:
        taken, sums = taken_in.take(draft.names, draft.own, request.form), draft.game.pages.setup.sums
        check_sums(sums(draft.own), sums(taken.own))
        then.append(taken.then)
        return replace(draft, names=taken.names, own=taken.own)

    try:
        setup_state().change(take)
    except Wrong as wrong:
        return refuse(problem_text(wrong), asks=wrong.asks if isinstance(wrong, LargeSums) else "")
    return redirect(_step_url(then[0]))


@setup.get("/draw.json")
@documented(answer=dict[str, str])
@preparation_only
def drawn_cards() -> ResponseReturnValue:
    """What the camera reads now: number of the place (from 0) → card."""
    faces = _faces()
    return {str(number): face for number, face in enumerate(faces) if face is not None}


@setup.get("/ready")
@documented()
@preparation_only
def ready() -> ResponseReturnValue:
    """Everything at a glance, and what is missing.

    A video file that is over begins again with the evening.
    """
    draft, missing, problem = setup_state().draft, None, refused().problem
    try:
        draft.table()
        if not draft.thumb and setup_state().camera.status().state not in ("live", "held", "ended"):
            missing = _(CAMERA_NOT)
    except Wrong as wrong:
        missing = problem_text(wrong)
    size, seen = setup_state().camera.status().size, None
    if draft.remembered and size is not None:
        seen = setup_state().camera.corners()
    moved = seen is not None and size is not None and drafting.lies_elsewhere(draft, seen.corners, size)
    return page("setup/ready", facts=_facts(draft), missing=missing, problem=problem, moved=moved,
                played=draft.game.pages.title if len(shown_games()) > 1 else None, eyes=draft.game.has_eyes,
                deck=draft.deck or shipped_name(draft.game.cards, chosen()),
                no_deck=unusable(draft.deck, draft.game), views=further() if placed() is not None else ())  # fmt: skip


@setup.get("/start")
@documented()
@organiser_only
def started() -> ResponseReturnValue:
    """Leads to `/setup/ready`.

    A browser comes here that loads the answer to `start` once more.
    """
    return redirect(url_for("setup.ready"))


@setup.post("/start")
@documented(body=Form(("draft", "instead_of", "cards")), also=(303, 409))
@organiser_only
def start() -> ResponseReturnValue:
    """Begins the evening, or goes on with the one that was prepared. `cards=played`: the first hand is played with the cards by
    which the places were marked; otherwise they are gathered first.

    An evening that is on is left only if the organiser agrees to it.
    """
    return _begun()


def _begun() -> ResponseReturnValue:
    """Begin the evening that was prepared, or go on with it, and send the browser to the organiser's page."""
    state = setup_state()
    with state.beginning:
        if (elsewhere := of_another()) is not None:
            return elsewhere
        draft, on = state.draft, running()
        try:
            first, table = draft.first_line(), draft.table()
            followed = on is not None and on == draft.instead_of
            if followed and evening_from(state.ledger, str(on)).state != draft.left:
                raise Wrong(N_("Something has been played meanwhile: say once more who comes and who goes."))
            if (played_on := on if followed else draft.goes_on) is not None:
                check_last(state.ledger, played_on)
            if on != draft.goes_on and not followed and not agreed(on):
                return ask(on or 0, _("Begin") if draft.goes_on is None else _("Go on"))
            if draft.goes_on is not None:
                keep_record(state.ledger, draft.goes_on)
                state.camera.go_on(draft.goes_on, table, draft.deck)
            else:
                notes = {PEOPLE: str(on)} if followed else {}
                if table is not None and draft.by_cards and request.form.get("cards") != "played":
                    notes[GATHER] = "1"
                begun = state.camera.begin(first, table, draft.deck, **notes)
                if follow := tuple(draft.game.pages.setup.said_at_once(draft.own)):
                    organiser_context().editor.do(begun, state.ledger.version(begun), Say(follow))
        except Wrong as wrong:
            return refuse(problem_text(wrong), url_for("setup.ready"))
        except CompanionError as error:
            return refuse(_("It cannot begin: {why}").format(why=why(error, chosen())), url_for("setup.ready"))
        state.close(state.token, draft.goes_on or running() or 0)
    return redirect("/organiser")


@setup.post("/again")
@documented(body=Form(("game",)), also=(404,))
@organiser_only
def again() -> ResponseReturnValue:
    """Prepares another evening like `game`, an id of the ledger: table, places, names, stake, rules, camera."""
    state, entry = setup_state(), evening_from(setup_state().ledger, request.form.get("game", ""))
    draft = state.prepare(lambda old: replace(Draft.again(entry.first, entry.state, entry.table), deck=entry.deck))
    _look_through(entry.camera, draft, entry.id)
    return redirect(onward(draft, url_for("setup.players")))


@setup.post("/go-on")
@documented(body=Form(("game",)), also=(404,))
@organiser_only
def go_on() -> ResponseReturnValue:
    """Prepares to go on with `game`, an evening that is not over. 404: it is. One that went on with other people is refused,
    among the past evenings: its last part goes on."""
    state, entry = setup_state(), evening_from(setup_state().ledger, request.form.get("game", ""))
    if entry.over:
        abort(404, "this game is over")
    try:
        check_last(state.ledger, entry.id)
    except Wrong as wrong:
        session["notice"] = problem_text(wrong)
        return redirect(url_for("archive.listing"))
    names = entry.game.rules.names(entry.state)
    draft = state.prepare(lambda old: replace(Draft.going_on(entry.id, entry.first, names, entry.table), deck=entry.deck))
    _look_through(entry.camera, draft, entry.id)
    return redirect(url_for("setup.ready"))


@setup.post("/people")
@documented(body=Form(("game",)), also=(404,))
@organiser_only
def people() -> ResponseReturnValue:
    """Prepares the game after `game`, which is on, as somebody comes or goes: everybody keeps place and chips, or pedine. It
    begins with its players. Where nobody can come or go the organiser's page says why."""
    state, entry = setup_state(), evening_from(setup_state().ledger, request.form.get("game", ""))
    if entry.id != running():
        return redirect("/organiser")
    try:
        check_last(state.ledger, entry.id)
        draft = replace(Draft.continued(entry.id, entry.first, entry.state, entry.table), deck=entry.deck)
    except Wrong as wrong:
        session[REFUSED_PEOPLE] = problem_text(wrong)
        return redirect("/organiser")
    state.prepare(lambda old: draft)
    return redirect(url_for("setup.players"))


@setup.post("/rematch")
@documented(body=Form(("game", "instead_of")), also=(404, 409))
@organiser_only
def rematch() -> ResponseReturnValue:
    """Begins another evening like `game` at once; a second time the evening that it began is left as it is.

    An evening that is on is left only if the organiser agrees to it.
    """
    state, token = setup_state(), f"rematch {request.form.get('game', '')}"
    with state.beginning:
        on = running()
        if on is not None and on == state.became(token):
            return redirect("/organiser")  # a second tap, or another phone: it has begun
        entry = evening_from(state.ledger, request.form.get("game", ""))
        if not agreed(on):
            return ask(on or 0, _("Rematch"))
        draft = Draft.again(entry.first, entry.state, entry.table)
        _look_through(entry.camera, draft, entry.id)
        try:
            begun = state.camera.begin(draft.first_line(), draft.table(), entry.deck, **{REMATCH: str(entry.id)})
        except Wrong as wrong:
            session["notice"] = problem_text(wrong)
            return redirect(url_for("setup.home"))
        except CompanionError as error:
            session["notice"] = _("It cannot begin: {why}").format(why=why(error, chosen()))
            return redirect(url_for("setup.home"))
        state.close(token, begun)
    return redirect("/organiser")


def _look_through(source: str, draft: Draft, game: int) -> None:
    """Open the cameras that this evening had, unless another camera is open."""
    camera = setup_state().camera
    if not draft.thumb and source and camera.status().state in ("none", "lost", "ended") and (running() is None):
        camera.leave()
        camera.choose(source)
        camera.take_up(game)


def _facts(draft: Draft) -> tuple[Fact, ...]:
    """The facts on the last page besides camera, table and players."""
    if draft.goes_on is None:
        return draft.game.pages.setup.facts(draft.names, draft.own, chosen())
    entry = evening_from(setup_state().ledger, str(draft.goes_on))
    score = doubted_end(entry.game.pages.score(entry.state, chosen()), sure=entry.sure)
    return (Fact(_("Begun"), entry.began), Fact(_("Hands"), str(entry.hands)), Fact(_("How things stand"), score.status))


def _playable(*, late: bool) -> list[Game]:
    """The games that can be set up; ``late``: only those that can be taken over after the evening has begun."""
    return [game for game in shown_games() if not late or game.pages.setup.late is not None]


def _late() -> str | None:
    """The sentence about taking over an evening that has begun already; None where no game allows it."""
    taken_over = _playable(late=True)
    if len(taken_over) > 1:
        return _("It goes on from how things stand now.")
    message = taken_over[0].pages.setup.late if taken_over else None
    return _(message) if message is not None else None


def _first_step(draft: Draft) -> str:
    return url_for("setup.players") if not draft.game.has_eyes else url_for("setup.camera")


def _step(draft: Draft, name: str) -> Step:
    found = {one.name: one for one in draft.game.pages.setup.steps}.get(name)
    return found if found is not None else abort(404, "no such step")


def _step_url(name: str | None) -> str:
    return url_for("setup.step", name=name) if name is not None else url_for("setup.ready")


def _faces() -> Sequence[str | None]:
    draft = setup_state().draft
    held = setup_state().camera.status().state == "held"  # its first picture is not this draw's
    return setup_state().camera.shown(draft.places) if not (draft.thumb or held) else ()
