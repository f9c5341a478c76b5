"""What is done with evenings of the ledger besides going on with them: one that is over is corrected, a rematch of which no hand
was told is taken back, one that should not be there is deleted, and restored."""

from __future__ import annotations

from flask import abort, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard.organiser import organiser_only
from companion.dashboard.setup.evenings import PastEvening, evening_from
from companion.dashboard.setup.state import agreed, ask, page, running, setup, setup_state
from companion.line.scribe import REMATCH


@setup.post("/correct")
@organiser_only
def correct() -> ResponseReturnValue:
    """Show a ``game`` that is over on TV and phones once more, to be corrected there. One that is on is left only by whoever
    agrees to it."""
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
@organiser_only
def take_back() -> ResponseReturnValue:
    """The rematch that is on was a mistake: what was shown before it is shown again. Only while no hand of it was told."""
    state = setup_state()
    with state.beginning:
        if request.form.get("game", "") != str(state.ledger.newest()):
            return redirect("/organiser")  # a second tap, or another phone
        entry = evening_from(state.ledger, request.form.get("game", ""))
        rules = entry.game.rules
        if REMATCH not in state.ledger.notes(entry.id) or rules.hands(entry.state) or rules.in_hand(entry.state):
            session["notice"] = _("A hand of it was told already: it can be deleted among the past evenings.")
            return redirect(url_for("setup.home"))
        _delete(entry)
    return redirect("/organiser")


@setup.post("/delete")
@organiser_only
def delete() -> ResponseReturnValue:
    """Delete a ``game``; asked first, unless ``sure``. Until something else is done it can be restored."""
    state = setup_state()
    with state.beginning:
        entry = evening_from(state.ledger, request.form.get("game", ""))
        if request.form.get("sure") != str(entry.id):
            hands = entry.game.rules.hands(entry.state) + entry.game.rules.in_hand(entry.state)
            score = entry.game.pages.score(entry.state, "it")
            return page("setup/delete", 409, entry=entry, hands=hands, winner=score.winner, on=running() == entry.id)
        _delete(entry)
    session["notice"] = _("The game of {when} is deleted.").format(when=entry.began)
    session["deleted"] = entry.id
    return redirect(url_for("archive.listing"))


@setup.post("/restore")
@organiser_only
def restore() -> ResponseReturnValue:
    """Take the deletion of a ``game`` back. It is not shown by that: it stands among the past evenings."""
    state, number = setup_state(), request.form.get("game", "")
    if not number.isdecimal() or len(number) > 9:
        abort(404, "no such evening")
    state.ledger.restore(int(number))
    session["notice"] = _("The game is back.")
    return redirect(url_for("archive.listing"))


def _delete(entry: PastEvening) -> None:
    state = setup_state()
    if entry.id == state.ledger.newest():
        state.camera.leave()
    state.ledger.delete(entry.id)
