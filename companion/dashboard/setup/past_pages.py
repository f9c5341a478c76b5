"""What can be done with evenings of the ledger besides going on with them: correct one that is over, take back a rematch that has
no hand yet, rename players, delete an evening, and restore or erase a deleted one."""

from __future__ import annotations

from collections.abc import Mapping

from flask import abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard.days import game_text
from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.recap import erase_recap
from companion.dashboard.setup.draft import check_names
from companion.dashboard.setup.evenings import PastEvening, evening_from, keep_record, past_evening
from companion.dashboard.setup.state import agreed, ask, page, problem_text, running, setup, setup_state
from companion.dashboard.var import erase_video
from companion.ledger import UnknownGame
from companion.line.chains import last_part, parts, played_otherwise, stands_before
from companion.line.recorder import PEOPLE, REMATCH
from companion.line.renaming import Taken, names_in
from companion.line.renaming import rename as renamed
from companion.pages.setup import Wrong
from companion.table.language import N_
from companion.table.text import perhaps, plain_name


@setup.post("/correct")
@documented(body=Form(("game", "instead_of")), also=(404, 409))
@organiser_only
def correct() -> ResponseReturnValue:
    """`game`: one that is over is shown again, to be corrected.

    An evening that is on is left only if the organiser agrees to it.
    """
    state = setup_state()
    with state.beginning:
        entry = evening_from(state.ledger, request.form.get("game", ""))
        if entry.id == state.ledger.newest():
            return redirect("/organiser")
        if not entry.over:
            abort(404, "this game is not over: go on with it")
        if not agreed(on := running()):
            return ask(on or 0, _("Correct"))
        state.camera.leave()
        state.ledger.take_up(entry.id)
    return redirect("/organiser")


@setup.post("/take-back")
@documented(body=Form(("game",)), also=(404,))
@organiser_only
def take_back() -> ResponseReturnValue:
    """`game`: a rematch without a hand so far, or a game with other people, is taken back; the game before is shown again, and
    gone on with where it is not over."""
    state = setup_state()
    with state.beginning:
        if request.form.get("game", "") != str(state.ledger.newest()):
            return redirect("/organiser")  # a second tap, or another phone
        entry = evening_from(state.ledger, request.form.get("game", ""))
        rules = entry.game.rules
        notes = state.ledger.notes(entry.id)
        if not {REMATCH, PEOPLE} & set(notes) or rules.hands(entry.state) or rules.in_hand(entry.state):
            session["notice"] = _("It has a hand already: it can be deleted among the past evenings.")
            return redirect(url_for("setup.home"))
        _delete(entry)
        before = past_evening(state.ledger, int(notes[PEOPLE])) if PEOPLE in notes else None
        if before is not None and not before.over and last_part(state.ledger, before.id) is None:
            keep_record(state.ledger, before.id)
            state.camera.go_on(before.id, before.table.encode() or None, before.deck)
    return redirect("/organiser")


@setup.post("/delete")
@documented(body=Form(("game", "sure", "for_good")), also=(404, 409))
@organiser_only
def delete() -> ResponseReturnValue:
    """`game`: deletes it, once `sure` is its id, too: 409 asks first. With `for_good=1` it cannot be restored, and is in the
    ledger's file no more."""
    state = setup_state()
    with state.beginning:
        entry = evening_from(state.ledger, request.form.get("game", ""))
        if request.form.get("sure") != str(entry.id):
            won = entry.game.pages.score(entry.state, "it").winner
            winner = perhaps(won, sure=entry.sure) if won is not None else None
            return page("setup/delete", 409, entry=entry, winner=winner, on=running() == entry.id)
        _delete(entry)
        if request.form.get("for_good") == "1":
            _erase(entry.id)
            session["notice"] = _("The game of {when} is deleted for good.").format(when=entry.began)
            return redirect(url_for("archive.listing"))
    session["notice"] = _("The game of {when} is deleted.").format(when=entry.began)
    session["deleted"] = entry.id
    return redirect(url_for("archive.listing"))


@setup.post("/erase")
@documented(body=Form(("game",)), also=(404,))
@organiser_only
def erase() -> ResponseReturnValue:
    """`game`: deletes for good what was deleted."""
    state, number = setup_state(), request.form.get("game", "")
    with state.beginning:
        if number not in (str(entry.id) for entry in state.ledger.deleted()):
            abort(404, "no such evening")
        _erase(int(number))
    session["notice"] = _("It is deleted for good.")
    return redirect(url_for("archive.listing"))


@setup.get("/rename")
@documented(query={"game": TEXT, "from": TEXT}, also=(404,))
@organiser_only
def names_of() -> ResponseReturnValue:
    """`?game=`: the names of a game. `?from=organiser`: where the page leads back to; else to the past evenings."""
    return _names(evening_from(setup_state().ledger, request.args.get("game", "")))


@setup.post("/rename")
@documented(body=Form(("game", "was", "name", "from")), also=(400, 404))
@organiser_only
def rename() -> ResponseReturnValue:
    """`game`; `was` and `name`, once for each name: how they are called from now on, in the whole of it, and in the games that it
    went on as or from with other people. `from=organiser`: it leads back there; else to the past evenings."""
    state = setup_state()
    entry = evening_from(state.ledger, request.form.get("game", ""))
    was, typed = request.form.getlist("was"), [plain_name(name) for name in request.form.getlist("name")]
    try:
        if len(was) != len(typed) or sorted(was) != sorted(_called(entry)):
            raise Wrong(N_("The names have changed meanwhile: here they are."))
        check_names(typed)
    except Wrong as wrong:
        return _names(entry, problem_text(wrong), dict(zip(was, typed, strict=False)))
    if new := {before: now for before, now in zip(was, typed, strict=True) if before != now}:
        try:
            renamed(state.ledger, games := parts(state.ledger, entry.id), new)
        except Taken as taken:
            text = _("In another part of the game two players would be called {name}: add something to one of them.")
            return _names(entry, text.format(name=taken.name), dict(zip(was, typed, strict=True)))
        for game in games:  # the old names stand in their videos
            erase_recap(game)
    if _from_organiser():  # where the new names stand before the eye
        return redirect("/organiser")
    if new:
        session["notice"] = _("The names are changed, in the whole evening.")
    return redirect(url_for("archive.listing"))


def _from_organiser() -> bool:
    """Whether the names were opened on the organiser's page, in mid-evening."""
    return request.values.get("from") == "organiser"


def _names(entry: PastEvening, problem: str | None = None, typed: Mapping[str, str] | None = None) -> ResponseReturnValue:
    """The form; after a ``problem`` with what was ``typed``, old name → new one, as far as those are still its names."""
    many, home = len(parts(setup_state().ledger, entry.id)), _from_organiser()
    called = {name: (typed or {}).get(name, name) for name in _called(entry)}
    back = "/organiser" if home else url_for("archive.listing")
    return page(
        "setup/rename", 400 if problem else 200,
        entry=entry, called=called, problem=problem, in_parts=many > 1, back=back, home=home,
    )  # fmt: skip


def _called(entry: PastEvening) -> tuple[str, ...]:
    """Everybody who is named in an evening's log: the players, then others, such as partners from outside."""
    others = names_in(setup_state().ledger, entry.id) - set(entry.names)
    return (*entry.names, *sorted(others))


@setup.post("/restore")
@documented(body=Form(("game",)), also=(404,))
@organiser_only
def restore() -> ResponseReturnValue:
    """`game`: takes its deletion back.

    It is not shown by that: it stands among the past evenings. But it is where the game that went on as it is shown, which
    nobody plays on any more; and where that has been played on meanwhile, it stays deleted.
    """
    state, number = setup_state(), request.form.get("game", "")
    if not number.isdecimal() or len(number) > 9:
        abort(404, "no such evening")
    try:
        if state.ledger.version(int(number)) == 0:
            abort(404, "no such evening")
    except UnknownGame:
        abort(404, "no such evening")
    with state.beginning:
        game = int(number)
        before = [one for one, _version in stands_before(state.ledger, game)]
        if (other := played_otherwise(state.ledger, game)) is not None:
            stays = _("It stays deleted: the game of {when}, which had gone on as this one, was played on meanwhile, and"
                      " its money would count twice.")  # fmt: skip
            session["notice"] = stays.format(when=game_text(state.ledger.started(other), chosen()))
            return redirect(url_for("archive.listing"))
        if state.ledger.newest() in before:
            state.camera.leave()
            state.ledger.take_up(game)
        state.ledger.restore(game)
    session["notice"] = _("The game is back.")
    return redirect(url_for("archive.listing"))


def _erase(game: int) -> None:
    setup_state().ledger.erase(game)
    erase_video(game)
    erase_recap(game)
    if (backups := current_app.extensions["backups"]) is not None:
        backups.begin_again()


def _delete(entry: PastEvening) -> None:
    state = setup_state()
    if entry.id == state.ledger.newest():
        state.camera.leave()
    state.ledger.delete(entry.id)
