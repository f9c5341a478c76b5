"""The pages about the machine that the program runs on: what it lacks, with a button to mend each, and the backups of the
evenings."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from flask import Response, abort, current_app, redirect, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from flask_babel import ngettext

from companion.dashboard.answers import trouble_text
from companion.dashboard.days import day_text, moment_text
from companion.dashboard.ending import ending
from companion.dashboard.endpoint import Form, documented
from companion.dashboard.feed import Feed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import organiser_only
from companion.dashboard.organiser.pairing import pairing_state
from companion.dashboard.setup.phrases import state_of
from companion.dashboard.setup.state import page, setup, setup_state
from companion.games import log_format
from companion.ledger import Ledger
from companion.line import autostart, doctor, page_watch
from companion.line.backups import Backups, Unreachable, Why
from companion.line.copies import Copy
from companion.table.errors import CompanionError
from companion.table.language import N_, Lang, catalogue

_WHY: dict[Why, str] = {
    "": N_("is the stick plugged in, and is there room on it?"),
    "gone": N_("the stick is not plugged in."),
    "full": N_("no room is left on the stick."),
    "read-only": N_("nothing can be written on the stick. Has it a lock switch? Else take another."),
    "here": N_("this machine’s own disk refuses it. Is there room on it?"),
}
"""Why a copy was not made, after a colon."""


@dataclass(frozen=True)
class Row:
    """One thing that was looked at. ``button``: what its one button says; ``to``: the page that it leads to, "" to look again;
    ``posts``: the address that it sends ``fields`` to instead. ``type``: a command for the machine's own keyboard."""

    title: str
    ok: bool
    text: str
    button: str = ""
    to: str = ""
    posts: str = ""
    type: str = ""
    fields: dict[str, str] = field(default_factory=dict)


@setup.get("/doctor")
@documented()
@organiser_only
def machine() -> ResponseReturnValue:
    """What this machine has and lacks, with one button for each thing."""
    return page("setup/doctor", rows=list(rows()))


@setup.post("/doctor/autostart")
@documented(body=Form())
@organiser_only
def start_with_the_machine() -> ResponseReturnValue:
    """From now on the program starts with the machine. Redirects."""
    try:
        autostart.switch_on()
        session["notice"] = _("From now on the program starts with the machine.")
    except (CompanionError, OSError) as error:
        session["notice"] = _("The machine refused: {why}").format(why=error)
    return redirect(url_for("setup.machine"))


@setup.get("/backups")
@documented(also=(404,))
@organiser_only
def copies() -> ResponseReturnValue:
    """The copies of the evenings: where they go, when the last one was made, and each that can be brought back, from every stick
    that is plugged in."""
    return _copies()


@setup.post("/backups")
@documented(body=Form(("folder",)), also=(400, 404))
@organiser_only
def choose_place() -> ResponseReturnValue:
    """`folder`: the stick for a copy every night of play, one of those that the page lists; "" for none. The first copy is made
    at once, if anything was played. What the stick holds of other machines and tables stays."""
    backups, wish = _backups(), request.form.get("folder", "")
    try:
        backups.choose(Path(wish) if wish else None)
    except Unreachable:
        return _copies(_("The stick is not plugged in, or cannot be written: try again, or take another."))
    return _made(backups) if wish else redirect(url_for("setup.copies"))


@setup.post("/backups/now")
@documented(body=Form(), also=(400, 404))
@organiser_only
def copy_now() -> ResponseReturnValue:
    """A copy is made at once. Redirects."""
    return _made(_backups())


@setup.post("/backups/restore")
@documented(body=Form(("copy", "sure")), also=(400, 404, 409))
@organiser_only
def restore_copy() -> ResponseReturnValue:
    """`copy`: the name and place of one that the page lists. 409 asks first; with `sure=1` the program begins again with it. The
    evenings of now stand among the copies then."""
    found = {_name(one): one for one in _backups().copies()}.get(request.form.get("copy", ""))
    if found is None:
        return _copies(_("This copy is not there any more: choose another."))
    try:
        with Ledger.look(found.path, log_format) as ledger:
            games = len([ledger.lines(entry.id) for entry in ledger.games()])
    except (CompanionError, OSError):
        return _copies(_("This copy cannot be read: choose another."))
    if request.form.get("sure") != "1":
        return page("setup/restore", 409, copy=found, name=_name(found), when=_night(found), games=games)
    ending().begin_again(found.path)
    return page("setup/restoring")


def notice(backups: Backups | None, lang: Lang) -> list[str]:
    """A sentence for phones where the last copy on the chosen stick is old; none where all is well."""
    days = backups.old_days() if backups is not None else None
    if days is None:
        return []
    ngettext = catalogue(lang).ngettext
    return [ngettext(
        "The last copy of the evenings is {days} day old: plug in its stick",
        "The last copy of the evenings is {days} days old: plug in its stick", days,
    ).format(days=days)]  # fmt: skip


def _backups() -> Backups:
    found: Backups | None = current_app.extensions["backups"]
    if found is None:
        abort(404, "no copies are made: the program only shows a game")
    return found


def _copies(problem: str | None = None) -> ResponseReturnValue:
    backups = _backups()
    listed = [(_name(one), _night(one), _place(one), _("{size} MB").format(size=f"{one.size / 1e6:.1f}"))
              for one in backups.copies()]
    return page("setup/backups", 400 if problem else 200, problem=problem, listed=listed, places=backups.places(),
                unwritable=backups.unwritable(), place=backups.chosen, fixed=backups.fixed is not None, state=_state(backups),
                beside=backups.beside)  # fmt: skip


def _made(backups: Backups) -> Response | ResponseReturnValue:
    try:
        made = backups.make()
    except Unreachable as error:
        message = _WHY[error.why]
        return _copies(_("No copy was made: {why}").format(why=_(message)))
    session["notice"] = (
        _("A copy of the evenings was made.") if made is not None
        else _("Nothing was played here yet: the first copy is made with the first evening.")
    )  # fmt: skip
    return redirect(url_for("setup.copies"))


def _name(copy: Copy) -> str:
    return str(copy.path) if copy.stick else f"{'here' if copy.here else 'there'}/{copy.path.name}"


def _place(copy: Copy) -> str:
    """Where it lies and, where they are not this machine's, whose evenings it holds."""
    if copy.here:
        return _("on this machine")
    where = _("on the stick {name}").format(name=copy.stick) if copy.stick else _("on the stick")
    whose = "" if copy.own else _("evenings of another machine or table")
    return f"{where} · {whose}" if whose else where


def _night(copy: Copy) -> str:
    if copy.aside:
        when = moment_text(datetime.datetime.fromisoformat(copy.aside).timestamp(), chosen())
        return _("before a copy was brought back, {when}").format(when=when)
    if copy.until:
        when = moment_text(datetime.datetime.fromisoformat(copy.until).timestamp(), chosen())
        return _("{file}, with all that was played until {when}").format(file=copy.path.name, when=when)
    return day_text(datetime.date.fromisoformat(copy.night), chosen()) if copy.night else _("before an update")


def _state(backups: Backups) -> str:
    """The state of the copies, as a sentence."""
    if backups.problem is not None:
        message = _WHY[backups.why]
        return _("The last copy was not made: {why}").format(why=_(message))
    if backups.chosen is None:
        return _("Copies lie on this machine alone: if its disk dies, they are gone, too. Plug in a stick and choose it.")
    if backups.made is None:
        return _("There is no copy of this machine’s evenings on the stick yet.")
    when = moment_text(backups.made, chosen())
    if (days := backups.old_days()) is not None:
        return ngettext("The last copy on the stick is {days} day old ({when}).",
                        "The last copy on the stick is {days} days old ({when}).", days).format(days=days, when=when)  # fmt: skip
    return _("The last copy on the stick: {when}.").format(when=when)


def rows() -> Iterator[Row]:
    """The rows of the page about this machine, the most urgent first. What somebody may have mended meanwhile is checked
    again."""
    again = _("Look again")
    if urls := pairing_state().urls:
        yield Row(_("Network"), True, _("Phones and televisions reach this machine at {url}").format(url=urls[0]))
    else:
        yield Row(_("Network"), False,
                  _("No phone reaches this machine: connect it to the bar’s network. If it is, start the program"
                                         " with:"), again, type=doctor.FOR_ALL)  # fmt: skip
    yield from needed()
    if (backups := current_app.extensions["backups"]) is not None:
        well = backups.problem is None and backups.chosen is not None and backups.old_days() is None
        yield Row(_("Copies of the evenings"), well, _state(backups), _("Copies"), url_for("setup.copies"))
    yield _row_of(_("Voice"), doctor.voice(), again)
    yield _row_of(_("Television"), doctor.browser(page_watch.installed_browser(), autostart.kiosk_is_on()), again,
                type=doctor.KIOSK_BROWSER)
    if (starts := autostart.is_on()) is not None:
        yield Row(_("Starting"), True, _("The program starts with the machine.")
                  if starts else _("The program is started by hand."),
                  "" if starts else _("Start with the machine"), posts="" if starts else url_for("setup.start_with_the_machine"))


def needed() -> Iterator[Row]:
    """Of those, what an evening cannot do without on this machine itself, in the order in which it matters."""
    again = _("Look again")
    yield _camera(again)
    feed: Feed = current_app.extensions["dashboard"]
    backups: Backups | None = current_app.extensions["backups"]
    if feed.trouble is not None:
        yield Row(_("Evenings"), False, trouble_text(feed.trouble, chosen()), again)
    elif backups is not None:
        yield _row_of(_("Evenings"), kept := doctor.evenings(backups.beside.parent), again, type=kept.mend or "")
    if backups is not None:
        yield _row_of(_("Disk"), doctor.disk(backups.beside), again, _("Make room: delete or move what is not needed."))
    yield _row_of(_("Memory"), doctor.memory(), again, _("Close other programs."))


def _camera(again: str) -> Row:
    status, closed = setup_state().camera.status(), doctor.closed_cameras()
    title, choose = _("Camera"), url_for("setup.camera")
    if closed and not status.source:
        return Row(title, False,
                   _("{camera} may not be opened by this user. Type this on the machine, then log in again:").format(
            camera=closed[0]), again, type=doctor.LET_IN)  # fmt: skip
    if status.source:
        good = status.state in ("live", "held", "opening", "ended") and not status.amiss
        return Row(title, good, state_of(status, chosen()), _("Camera check"), url_for("setup.check"))
    return Row(title, True,
               _("None is chosen. A webcam or an old phone sees the table; without one the game is kept with the phone."),
               _("Choose a camera"), choose)  # fmt: skip


def _row_of(title: str, finding: doctor.Finding, again: str, mend: str = "", type: str = "") -> Row:
    """``mend``: a sentence that says what to do; or ``type``: the command that does it."""
    mend = mend or _("Type this on the machine:") if type else mend
    message = finding.text
    text = _(message).format(**finding.blanks) if message else finding.found
    if finding.ok:
        return Row(title, True, text)
    return Row(title, False, f"{text}. {mend}", again, type=type)
