"""What the pages of `/setup` share: the evening in preparation, the blueprint, a page in the device's language.

All organisers' phones share one preparation. Every form carries its token, so that a page of a preparation that is over, or was
replaced by another, changes nothing.
"""

from __future__ import annotations

import functools
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple, ParamSpec

from flask import Blueprint, current_app, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from msgspec.structs import replace
from werkzeug.datastructures import ImmutableMultiDict

from companion.dashboard import limits
from companion.dashboard.answers import why_not
from companion.dashboard.feed import Feed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import organiser_only, paired_phone
from companion.dashboard.setup.draft import Draft
from companion.dashboard.setup.phrases import state_of, why_lost
from companion.ledger import Ledger
from companion.line.camera import Camera, FurtherView, Lie, Point, Viewing
from companion.line.dealt import Deal
from companion.pages.setup import Wrong
from companion.table.errors import GameError
from companion.table.game import Over
from companion.table.language import N_, Lang, filled
from companion.table.log import tag
from companion.table.money import LARGE_SUM, Minor, Points, grouped, money

CAMERA_NOT = N_("The camera gives no pictures yet: wait, or choose another.")

WHY = {
    "anew": N_("Somebody has begun to set up again: this page was out of date."),
    "begun": N_("The evening has begun: there is nothing left to set up."),
}
"""Code in the address → the sentence that says why a request for a step of the preparation has led to the first page."""

P = ParamSpec("P")

setup = Blueprint("setup", __name__, url_prefix="/setup")


class RefusedForm(NamedTuple):
    """A form that was refused. ``path``: of its page; ``problem``: why, in the sender's language; ``sent``: what was typed;
    ``asks``: the value of the field `LARGE_SUMS` with which the form is accepted all the same, "" where nothing helps."""

    path: str = ""
    problem: str | None = None
    sent: ImmutableMultiDict[str, str] = ImmutableMultiDict()
    asks: str = ""


class LargeSums(Wrong):
    """The form has sums of money that seem too large. ``sums``: minor units."""

    def __init__(self, sums: Sequence[int]) -> None:
        amounts = ", ".join(money(one, chosen()) for one in sums)
        super().__init__(N_("{sums}: that is much money. Is it right? Otherwise change it below."), sums=amounts)
        self.sums = sums

    @property
    def asks(self) -> str:
        return _asked(self.sums)


LARGE_SUMS = "large"
"""The field of a form that agrees to large sums."""


def check_sums(before: frozenset[int], sums: frozenset[int]) -> None:
    """Raises LargeSums where ``sums`` (minor units) has large ones that are not in ``before`` and that the form does not agree
    to."""
    large = sorted(one for one in sums - before if one >= LARGE_SUM)
    if large and request.form.get(LARGE_SUMS) != _asked(large):
        raise LargeSums(large)


def _asked(sums: Sequence[int]) -> str:
    return " ".join(map(str, sums))


class SetupState:
    """The evening in preparation of one application. Any thread may ask.

    Attributes:
        draft: what has been set up so far.
        token: identifies the preparation; "" while there is none.
        beginning: a lock, held while an evening is begun.
        deal: what was seen of the cards that were dealt to find the players' places.
    """

    def __init__(self, ledger: Ledger, camera: Camera) -> None:
        self.ledger, self.camera = ledger, camera
        self._lock = threading.Lock()
        self.beginning = threading.Lock()
        self.deal = Deal()
        self.draft = Draft.fresh()
        self.token = _new_token() if ledger.newest() is None else ""
        self.shown: dict[int, tuple[Lie, bool]] = {}
        """Number of a further camera → where the table is in its pictures, as far as told, and whether the table is round."""
        self._begun: dict[str, int] = {}
        self._refused: dict[int, RefusedForm] = {}

    def prepare(self, how: Callable[[Draft], Draft]) -> Draft:
        """Begin another preparation, with the draft that ``how`` makes of the last one; forms of the last one become invalid."""
        with self._lock:
            self.draft, self.token = how(self.draft), _new_token()
            self._refused.clear()
            return self.draft

    def close(self, token: str, game: int) -> None:
        """End the preparation: it, and the request with this token, have become this game."""
        with self._lock:
            self._begun |= {token: game, self.token: game}
            self.draft, self.token = replace(Draft.fresh(), size=self.draft.size, corners=self.draft.corners), ""
            self._refused.clear()

    def became(self, token: str | None) -> int | None:
        """The game that the preparation or the request with this token has become; None for none."""
        return self._begun.get(token) if token else None

    def change(self, how: Callable[[Draft], Draft]) -> Draft:
        """Replace the draft by what ``how`` makes of it, and return it. Raises what ``how`` raises; nothing has changed then."""
        with self._lock:
            self.draft = how(self.draft)
            return self.draft

    def refuse(self, phone: int, refused: RefusedForm) -> None:
        """Remember the form that this phone sent, until its page has shown what was wrong with it."""
        with self._lock:
            self._refused[phone] = refused

    def refused(self, phone: int, path: str) -> RefusedForm:
        """The last form of this phone, if it was refused and is of the page with this path. It is given once."""
        with self._lock:
            found = self._refused.pop(phone, None)
        return found if found is not None and found.path == path else RefusedForm()

    def last_names(self) -> tuple[str, ...]:
        """The players of the newest game of the ledger that has any."""
        for entry in self.ledger.games():
            lines = self.ledger.lines(entry.id)
            if lines and tag(lines[0].event) == "game":
                names: tuple[str, ...] = lines[0].event.players
                return names
        return ()


def _new_token() -> str:
    return secrets.token_hex(8)


def preparation_only(view: Callable[P, ResponseReturnValue]) -> Callable[P, ResponseReturnValue]:
    """A view that is a step of the preparation, for organisers. Where there is no preparation, or the page is of another one, it
    does nothing, and the browser is sent to a page that says so."""

    @organiser_only
    @functools.wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> ResponseReturnValue:
        return of_another() or view(*args, **kwargs)

    return guarded


def of_another(*, needed: bool = True) -> ResponseReturnValue | None:
    """The redirection of a request that belongs to another preparation; None where it belongs to this one. ``needed``: there must
    be a preparation."""
    state = setup_state()
    sent = request.form.get("draft", state.token)
    if sent == state.token and (state.token or not needed):
        return None
    if request.method == "POST" and state.became(sent) is not None:
        return redirect("/organiser")  # a second tap: it has begun
    # In the address and not in the session: an answer that is still under way would bring the cookie of before.
    return redirect(url_for("setup.home", why="anew" if state.token or running() is None else "begun"))


def running() -> int | None:
    """The id of the shown game; None where there is none, or it is over."""
    feed: Feed = current_app.extensions["dashboard"]
    snapshot = feed.snapshot()
    if not snapshot.moments or isinstance(snapshot.game.rules.waiting(snapshot.moments[-1].seen), Over):
        return None
    return snapshot.game_id


def agreed(on: int | None) -> bool:
    """Whether the request agrees to leave the game with the id ``on``; True where that is None."""
    return on is None or request.form.get("instead_of") == str(on)


def ask(on: int, button: str) -> ResponseReturnValue:
    """The page that asks whether to leave the game with the id ``on``; its ``button`` sends the same request again, which then
    agrees."""
    feed: Feed = current_app.extensions["dashboard"]
    sent = [(key, value) for key, value in request.form.items(multi=True) if key not in ("csrf", "draft", "instead_of")]
    return page("setup/ask", 409, on=on, view=feed.snapshot().view(chosen()), button=button, sent=sent, action=request.path)


def take_camera(source: str) -> ResponseReturnValue | None:
    """Open this camera for the evening in preparation or, while there is none, for the one that is on. Where an evening is on
    while another is prepared, its camera must leave it first: then a page that asks for agreement is returned, else None."""
    state = setup_state()
    if state.token:
        on, other = running(), source != state.camera.status().source
        followed = on is not None and on != state.draft.goes_on and bool(state.ledger.notes(on).get("table"))
        if followed and other and not agreed(on):
            return ask(on or 0, _("Use this one"))
        if other or not followed:
            state.camera.leave()
        state.change(lambda draft: replace(draft, thumb=False))
    state.camera.choose(source)
    return None


def onward(draft: Draft, step: str) -> str:
    """The address to go to next: this ``step``, or the last page where nothing is missing any more."""
    return url_for("setup.ready") if draft.whole else step


def setup_state() -> SetupState:
    """The `SetupState` of the current application."""
    found: SetupState = current_app.extensions["setup"]
    return found


def further_view() -> FurtherView | None:
    """The further camera that the address asks for with `?view=2` or `3`; None for none."""
    text = request.args.get("view", "")
    return next((one for one in setup_state().camera.further if str(one.number) == text), None)


def viewing() -> Viewing:
    """The camera that the address asks for, by default the first."""
    return further_view() or setup_state().camera


def further() -> tuple[FurtherView, ...]:
    """The further cameras that are chosen, and the one that can be chosen next."""
    all_of_them = setup_state().camera.further
    free = next((one for one in all_of_them if not one.status().source), None)
    return tuple(one for one in all_of_them if one is free or one.status().source)


def placed() -> tuple[tuple[str, ...], Lie] | None:
    """The players, and where table and places are in the first camera's pictures, for the game that is followed or, without one,
    the game in preparation; None where that is not known."""
    state = setup_state()
    found, draft = state.camera.placed(), state.draft
    if found is not None or draft.thumb or draft.size is None or len(draft.corners) != 4 or len(draft.places) != len(draft.names):
        return found
    a, b, c, d = draft.corners
    return (draft.names, Lie(draft.size, (a, b, c, d), draft.places, draft.places)) if draft.names else None


def view_is(view: FurtherView) -> str:
    """The state of a further camera, in a few words."""
    now, first = view.status(), placed()
    told = view.lie is not None and first is not None and view.lie.beside == first[1].places
    known = _("follows the game") if told else _("not shown the table yet")
    return f"{state_of(now, chosen())}, {known}" if now.state != "none" else known


def anywhere(size: tuple[int, int]) -> tuple[Point, ...]:
    """Corners (pixels) to start dragging from, in a picture of this ``size`` in which no table was found."""
    width, height = size
    return (
        (round(width * 0.25), round(height * 0.2)), (round(width * 0.75), round(height * 0.2)),
        (round(width * 0.9), round(height * 0.85)), (round(width * 0.1), round(height * 0.85)),
    )  # fmt: skip


def page(template: str, status: int = 200, **values: object) -> ResponseReturnValue:
    """A page in the device's language, with the draft and the camera's state. ``template``: its name without the ending."""
    state = setup_state()
    seen, status_now = further_view(), viewing().status()
    values = {"problem": None, "notice": session.pop("notice", None), "view": seen.number if seen is not None else None,
              "views": ()} | values
    values["view_is"] = view_is
    camera_texts = {"camera_is": state_of(status_now, chosen()), "why_lost": why_lost(status_now, chosen())}
    return render_template(f"{template}.html", draft=state.draft, camera=status_now, **camera_texts, **values), status


def refuse(problem: str, page: str | None = None, *, asks: str = "") -> ResponseReturnValue:
    """Refuse a form: send the browser to the form's ``page``, by default of the same address, which shows the ``problem`` once
    and keeps what was typed. (If the form were answered directly, the browser's back button would send it again.)"""
    address = page or request.full_path.rstrip("?")
    setup_state().refuse(_phone(), RefusedForm(address.partition("?")[0], problem, request.form, asks))
    return redirect(address, 303)


def refused() -> RefusedForm:
    """The refused form that the asking phone sent from this page; an empty one where there is none, or it was shown already."""
    return setup_state().refused(_phone(), request.path)


def _phone() -> int:
    phone = paired_phone()
    return phone.id if phone is not None else 0


def problem_text(wrong: Wrong) -> str:
    """What is wrong, as a sentence in the page's language."""
    lang = chosen()
    blanks = {name: _blank(value, lang) for name, value in wrong.blanks.items()}
    return filled(wrong.message, blanks, lang)


def _blank(value: object, lang: Lang) -> object:
    if isinstance(value, GameError):
        return why_not(value, lang)
    if isinstance(value, Minor):
        return money(value, lang)
    return grouped(value, lang) if isinstance(value, Points) else value


setup.after_request(limits.never_kept)
