"""The pages of `/setup` that use the camera: which one to take, the table's corners, the check, the picture.

For organisers only: the picture may show cards that nobody has turned yet.
"""

from __future__ import annotations

from flask import Response, abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec import Struct, field
from msgspec.structs import replace

from companion.dashboard.answers import answer
from companion.dashboard.endpoint import JPEG, TEXT, Form, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.setup import draft as drafting
from companion.dashboard.setup.phrases import advised, state_of, why, why_lost
from companion.dashboard.setup.state import (
    CAMERA_NOT,
    anywhere,
    further,
    further_view,
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
    take_camera,
    viewing,
)
from companion.line.camera import CameraState, CheckView, Point
from companion.line.sources.address import plain, same_camera
from companion.pages.setup import Wrong
from companion.table.errors import CompanionError

MAX_PICTURE_WIDTH = 1280
"""Pixels, at most, of the picture that phones get: enough to see a corner, little enough for a bar's network."""


class CameraMark(Struct, frozen=True):
    """``mark``: a text that differs once the camera is another one, or does something else."""

    mark: str = field(name="is")


class CheckAnswer(Struct, frozen=True):
    """The camera's ``state``, in words, and why nothing comes of it; what was measured, None before the first look; what
    to mend."""

    state: CameraState
    said: str
    reason: str
    check: CheckView | None
    advice: list[str]


class DealtPlaces(Struct, frozen=True):
    """``places``: where the players sit, [x, y] in pixels of the camera's picture, in the order in which the game is played;
    ``outside``: how many cards lie beside the table as it was marked."""

    places: tuple[Point, ...]
    outside: int = 0


@setup.get("/camera")
@documented(query={"view": TEXT})
@organiser_only
def camera() -> ResponseReturnValue:
    """The cameras that open; `?view=2` or `3`: for a second or a third camera at the table.

    Each camera with its size, and the one that is chosen with its picture: of the evening in preparation or, while there is none,
    of the one that is on.
    """
    state, seen = setup_state(), further_view()
    sources, before = state.camera.sources(), refused()
    if seen is not None:
        used = {one.status().source for one in (state.camera, *state.camera.further) if one is not seen}
        free = tuple(one for one in sources if not any(same_camera(one.source, other) for other in used))
        return page("setup/camera", sources=free, problem=before.problem, prepared=False, typed=plain(before.sent.get("source",
                                                                                                                      "")))
    if state.token and not state.draft.thumb and len(sources) == 1 and not state.camera.status().source and running() is None:
        state.camera.choose(sources[0].source)  # the only one there is
    return page("setup/camera", sources=sources, problem=before.problem, prepared=bool(state.token),
                typed=plain(before.sent.get("source", "")), views=further() if placed() is not None else ())  # fmt: skip


@setup.get("/camera.json")
@documented(answer=CameraMark, query={"view": TEXT})
@organiser_only
def camera_state() -> ResponseReturnValue:
    """`is`: a text that changes when another camera is chosen."""
    status = viewing().status()
    return answer(CameraMark(f"{status.source} {status.state} {status.amiss}".rstrip()))


@setup.post("/camera")
@documented(body=Form(("draft", "source", "thumb", "instead_of")), query={"view": TEXT}, also=(303, 409))
@organiser_only
def pick_camera() -> ResponseReturnValue:
    """`source`: a number, an address or a file; or `thumb=1`: no camera. `?view=2` or `3`: a further camera."""
    state = setup_state()
    if (elsewhere := of_another(needed=False)) is not None:
        return elsewhere
    seen = further_view()
    if seen is not None and request.form.get("thumb") == "1":
        seen.choose("")
        return redirect(url_for("setup.camera"))
    if request.form.get("thumb") == "1" and state.token:
        return redirect(onward(state.change(lambda draft: replace(draft, thumb=True, places=())), url_for("setup.players")))
    source = request.form.get("source", "").strip()
    if not source:
        return refuse(_("Type the address or the file."))
    if source not in (one.source for one in state.camera.sources()):
        unusable = state.camera.refused(source)
        if unusable is not None:
            return refuse(why(unusable, chosen()))
    if seen is not None:
        others = (one.status().source for one in (state.camera, *state.camera.further) if one is not seen)
        if any(same_camera(source, one) for one in others):
            return refuse(_("This camera looks at the table already: choose another."))
        seen.choose(source)
        return redirect(url_for("setup.view_table", view=seen.number))
    return take_camera(source) or redirect(url_for("setup.camera"))


@setup.get("/table")
@documented(query={"find": TEXT})
@preparation_only
def table() -> ResponseReturnValue:
    """The table's corners, as the camera finds them; `?find=1` looks for them again.

    The corners are where they were left, else where the camera finds them, else somewhere to drag them from. Those of an evening
    before give way to where the camera finds the table now.
    """
    size = setup_state().camera.status().size
    draft = setup_state().draft
    found = None
    elsewhere = False
    if size is not None and (draft.size != size or not draft.corners or request.args.get("find")):
        found = setup_state().camera.corners()
        corners = found.corners if found is not None else anywhere(size)
    else:
        corners = draft.corners
        seen = setup_state().camera.corners() if size is not None and draft.old_corners else None
        if seen is not None and size is not None and drafting.lies_elsewhere(draft, seen.corners, size):
            found, corners, elsewhere = seen, seen.corners, True
    return page("setup/table", size=size, corners=corners, found=found, problem=refused().problem, other_place=elsewhere,
                kept=draft.old_corners and found is None and corners == draft.corners,
                was_sought=found is not None or corners != draft.corners)  # fmt: skip


@setup.post("/table")
@documented(body=Form(("draft", "corners")), also=(303,))
@preparation_only
def set_table() -> ResponseReturnValue:
    """`corners`: four points, `x,y x,y x,y x,y`, in pixels."""
    size = setup_state().camera.status().size
    try:
        if size is None:
            raise Wrong(CAMERA_NOT)
        corners = drafting.points(request.form.get("corners", ""))
        draft = setup_state().change(lambda draft: drafting.with_corners(draft, corners, size))
    except Wrong as wrong:
        return refuse(problem_text(wrong))
    return redirect(onward(draft, url_for("setup.players")))


@setup.get("/places.json")
@documented(answer=DealtPlaces)
@preparation_only
def places_by_cards() -> ResponseReturnValue:
    """Where one card was dealt to each player: `places`, pixels of the camera's picture, in the order of play, the one nearest to
    the camera first. None before the first look, and where the corners are not known. `outside`: how many cards lie beside the
    table as it was marked."""
    state = setup_state()
    draft, size = state.draft, state.camera.status().size
    corners, _places = _as_seen(size)
    seen = state.camera.check(corners, ()) if corners and not draft.thumb else None
    if seen is None:
        return answer(DealtPlaces(()))
    places = state.deal.places(seen.cards, corners, seen.size, clockwise=draft.game.pages.clockwise)
    return answer(DealtPlaces(places, state.deal.outside(seen.cards, corners, seen.size)))


@setup.get("/moved")
@documented()
@organiser_only
def moved() -> ResponseReturnValue:
    """The corners once more, in mid-evening."""
    size = setup_state().camera.status().size
    found = setup_state().camera.corners() if size is not None else None
    corners = found.corners if found is not None else anywhere(size) if size is not None else ()
    return page("setup/table", size=size, corners=corners, found=found, problem=refused().problem, was_sought=True,
                again=url_for("setup.moved"))  # fmt: skip


@setup.post("/moved")
@documented(body=Form(("corners",)), also=(303,))
@organiser_only
def set_moved() -> ResponseReturnValue:
    """`corners`, as above: the camera was moved."""
    size = setup_state().camera.status().size
    try:
        if size is None:
            raise Wrong(CAMERA_NOT)
        corners = drafting.table_corners(drafting.points(request.form.get("corners", "")), size)
        setup_state().camera.moved(corners, size)
    except Wrong as wrong:
        return refuse(problem_text(wrong))
    except CompanionError as error:
        return refuse(_("It cannot be: {why}").format(why=why(error, chosen())))
    return redirect(url_for("setup.check"))


@setup.get("/check")
@documented(query={"view": TEXT})
@organiser_only
def check() -> ResponseReturnValue:
    """What the camera sees; `?view=2` or `3`: a further one."""
    return page("setup/check", size=viewing().status().size)


@setup.get("/check.json")
@documented(answer=CheckAnswer, query={"view": TEXT})
@organiser_only
def checked() -> ResponseReturnValue:
    """The same as JSON: `state` (`none`, `opening`, `live`, `held`, `frozen`, `lost`, `ended`), `said`, `reason`, `check`
    (measures and cards; `null` before the first look), `advice`."""
    status = viewing().status()
    corners, places = _as_seen(status.size)
    found = viewing().check(corners, places) if status.state in ("live", "held") else None
    return answer(CheckAnswer(
        status.state, state_of(status, chosen()), why_lost(status, chosen()), found,
        advised(found.advice, chosen()) if found is not None else [],
    ))  # fmt: skip


@setup.get("/live.jpg")
@documented(answer=JPEG, query={"view": TEXT}, also=(404,))
@organiser_only
def live() -> ResponseReturnValue:
    """The camera's newest picture, 1280 pixels wide at most. 404: none."""
    jpeg = viewing().jpeg(MAX_PICTURE_WIDTH)
    if jpeg is None:
        abort(404, "no picture")
    return Response(jpeg, mimetype="image/jpeg")


def _as_seen(size: tuple[int, int] | None) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The draft's corners and places, where they were told in pictures of this size."""
    draft, seen = setup_state().draft, further_view()
    if seen is not None:
        lie = seen.lie
        return (lie.corners, lie.places) if lie is not None and lie.size == size else ((), ())
    return (draft.corners, draft.places) if draft.size == size else ((), ())

