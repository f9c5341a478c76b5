"""The steps of `/setup` that tell a further camera (`?view=2`, `3`) where the table is: the corners, and one player's place, from
which the other places follow. They work in preparation, once the first camera's places are known, and during an evening.
"""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

from companion.dashboard.endpoint import TEXT, Form, documented
from companion.dashboard.organiser import organiser_only
from companion.dashboard.setup import draft as drafting
from companion.dashboard.setup.state import (
    CAMERA_NOT,
    anywhere,
    further,
    further_view,
    page,
    placed,
    problem_text,
    refuse,
    refused,
    setup,
    setup_state,
)
from companion.line.across import NotOnTheTable, across
from companion.line.camera import FurtherView, Lie
from companion.pages.setup import Wrong
from companion.table.language import N_

PLAYERS_FIRST = N_("The players come first: a second camera is shown their places.")


@setup.get("/view/table")
@documented(query={"view": TEXT, "find": TEXT}, also=(404,))
@organiser_only
def view_table() -> ResponseReturnValue:
    """`?view=2` or `3`: the table's corners in a further camera's pictures; `&find=1` looks for them again. 404: no such
    camera."""
    view = _view()
    if placed() is None:
        return refuse(_(PLAYERS_FIRST), url_for("setup.ready"))
    size, found, corners, sought = view.status().size, None, None, False
    if size is not None:
        kept = view.lie.corners if view.lie is not None and view.lie.size == size and not request.args.get("find") else None
        sought = kept is None
        found = view.corners() if sought else None
        corners = kept or (found.corners if found is not None else anywhere(size))
    return page("setup/table", size=size, corners=corners, found=found, problem=refused().problem, was_sought=sought,
                shape=found.shape if found is not None else "",
                again=url_for("setup.view_table", view=view.number, find=1))  # fmt: skip


@setup.post("/view/table")
@documented(body=Form(("corners", "shape")), query={"view": TEXT}, also=(303, 404))
@organiser_only
def set_view_table() -> ResponseReturnValue:
    """`corners`, as of the first camera; `shape`: `round` for a round table."""
    view, state = _view(), setup_state()
    size, first = view.status().size, placed()
    try:
        if size is None:
            raise Wrong(CAMERA_NOT)
        if first is None:
            raise Wrong(PLAYERS_FIRST)
        a, b, c, d = drafting.table_corners(drafting.points(request.form.get("corners", "")), size)
    except Wrong as wrong:
        return refuse(problem_text(wrong))
    state.shown[view.number] = Lie(size, (a, b, c, d), (), first[1].places), request.form.get("shape") == "round"
    return redirect(url_for("setup.view_places", view=view.number))


@setup.get("/view/places")
@documented(query={"view": TEXT, "who": TEXT}, also=(404,))
@organiser_only
def view_places() -> ResponseReturnValue:
    """Where one player's card lies for this camera, the one with the number `&who=` (from 0); once that is known, all of them."""
    view, first = _view(), placed()
    known = setup_state().shown.get(view.number)
    if known is None or first is None or known[0].beside != first[1].places or view.status().size != known[0].size:
        return redirect(url_for("setup.view_table", view=view.number))
    players, who = first[0], _who(len(first[0]))
    return page("setup/places", size=known[0].size, lie=known[0], players=players, who=who, problem=refused().problem,
                asked=known[0].places == () or "who" in request.args, next_one=(who + 1) % len(players))  # fmt: skip


@setup.post("/view/places")
@documented(body=Form(("tap", "who", "places")), query={"view": TEXT}, also=(303, 404))
@organiser_only
def set_view_places() -> ResponseReturnValue:
    """`tap`: where the card of the player `who` (from 0) lies, `x,y`: the others' places are worked out; or `places`: all of
    them, and the camera follows the game."""
    view, first, state = _view(), placed(), setup_state()
    known = state.shown.get(view.number)
    here = url_for("setup.view_places", view=view.number)
    if known is None or first is None or known[0].beside != first[1].places:  # shown beside others: another phone changed them
        return redirect(url_for("setup.view_table", view=view.number))
    lie, is_round = known
    try:
        if tapped := drafting.points(request.form.get("tap", ""))[:1]:
            places = across(first[1], lie.corners, _who(len(first[0])), tapped[0], is_round=is_round)
            state.shown[view.number] = Lie(lie.size, lie.corners, places, first[1].places), is_round
            return redirect(here)
        places = drafting.points(request.form.get("places", ""))
        if len(places) == len(first[0]):
            drafting.check_apart(first[0], places)
    except Wrong as wrong:
        return refuse(problem_text(wrong), here)
    except NotOnTheTable:
        return refuse(_("That is not on this table: tap where the card lies."), here)
    if len(places) != len(first[0]):
        return refuse(_("There must be a place for each player: tap again."), here)
    view.show(Lie(lie.size, lie.corners, places, first[1].places))
    preparing = state.camera.placed() is None
    return redirect(url_for("setup.ready") if preparing else url_for("setup.check", view=view.number))


def _view() -> FurtherView:
    """The further camera that the address asks for; aborts with 404 where there is none."""
    found = further_view()
    return found if found is not None and found in further() else abort(404, "no such camera")


def _who(players: int) -> int:
    text = request.values.get("who", "0")
    return int(text) % players if text.isdecimal() and len(text) < 4 else 0
