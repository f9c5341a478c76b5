"""The page of *Il video della serata*, for paired phones: what will be in it, how far it is, and the file.

Nothing is made before an organiser asks for it, and nothing of it leaves the machine but by their hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
from flask import Blueprint, Flask, Response, abort, current_app, redirect, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct
from numpy.typing import NDArray

from companion.clock import night_of
from companion.dashboard.answers import answer
from companion.dashboard.days import date_text
from companion.dashboard.endpoint import ANY, TEXT, Form, documented
from companion.dashboard.feed import Feed, Snapshot, replayed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.context import organiser_context
from companion.dashboard.organiser.editor import NoGame
from companion.dashboard.organiser.guard import organiser_only, paired_phone
from companion.dashboard.recap.frames import Film, count, frames
from companion.dashboard.recap.making import Playing, Recaps, State, Why, Wish, Work
from companion.dashboard.recap.writing import form
from companion.dashboard.setup.state import page
from companion.dashboard.var import Video
from companion.games import game_of_log
from companion.ledger import DELETED, Ledger
from companion.line.chains import games_before, last_part, stands_before
from companion.pages.recap import Recap, recap
from companion.table.errors import GameError, LedgerError, NotKept
from companion.table.language import Lang, catalogue
from companion.table.money import decimal_mark

video_of = Blueprint("recap", __name__)


class RecapView(Struct, frozen=True):
    """How far the recap of a game is. ``state``: `none`, `waiting` for the end of a hand, `making`, `made`, `failed`; ``share``:
    of the work, 0 to 1; ``why``: it failed, a code."""

    state: State
    share: float
    why: Why


def install(app: Flask, ledger: Ledger, recaps: Recaps | None) -> None:
    """Add the page and its file to this application. ``recaps``: None where none are made; then all of it is 404."""
    feed: Feed = app.extensions["dashboard"]
    app.extensions.update(recaps=recaps, recap_playing=Playing(partial(_look, feed)))
    app.register_blueprint(video_of)


def _look(feed: Feed) -> tuple[str, bool]:
    """The version of the game at the table, and whether a hand of it is played."""
    snapshot = feed.snapshot()
    moments = snapshot.moments
    on = bool(moments) and snapshot.game.rules.in_hand(moments[-1].seen) and feed.shows.now.paused is None
    return snapshot.id, on


def _recaps() -> Recaps:
    found: Recaps | None = current_app.extensions["recaps"]
    return found if found is not None else abort(404, "this program keeps no files: it makes no video")


def _snapshot(game: int) -> Snapshot:
    """A game with all that everybody has seen of it. Aborts with 404 where there is none."""
    ledger: Ledger = current_app.extensions["ledger"]
    feed: Feed = current_app.extensions["dashboard"]
    try:
        version, lines = ledger.at(game)
        if not lines or DELETED in ledger.notes(game):
            abort(404, "nothing is recorded of this game")
        since = ledger.started(game)
    except LedgerError:
        abort(404, "nothing is recorded of this game")
    played = game_of_log(lines)
    before = games_before(ledger, stands_before(ledger, game), feed.settings.view.sure_from)
    return Snapshot(game, version, played, replayed(played, lines), feed.settings, since=since, before=before)


@video_of.get("/organiser/games/<int:game>/recap")
@documented()
@organiser_only
def recap_page(game: int) -> ResponseReturnValue:
    """[The video of the evening](#recap): what will be in it, how far it is, and the file."""
    return _page(game)


def _page(game: int, *, refused: bool = False) -> ResponseReturnValue:
    """The page. ``refused``: another video was asked for while one is being made."""
    snapshot, lang, recaps = _snapshot(game), chosen(), _recaps()
    made, rules = recaps.made(game), snapshot.game.rules
    stands = stands_before(current_app.extensions["ledger"], game)
    values = {
        "game": game, "title": snapshot.game.pages.title, "night": date_text(night_of(snapshot.since), lang),
        "hands": rules.hands(snapshot.moments[-1].seen) if snapshot.moments else 0,
        "made": made, "old": made is not None and (made.version, made.stands) != (snapshot.version, stands),
        "progress": recaps.progress(game),
        "other": recaps.busy not in (None, game), "wish": recaps.wish, "refused": refused, "form": form(),
        "filmed": _filmed(game), "why": why_text(lang),
        "megabytes": f"{made.size / 1e6:.1f}".replace(".", decimal_mark(lang)) if made is not None else "",
    }  # fmt: skip
    return page("setup/recap", 200, **values)


def why_text(lang: Lang) -> dict[Why, str]:
    """Why no recap was made, as sentences."""
    _ = catalogue(lang).gettext
    return {
        "": "",
        "disk": _("The disk is full: make room, then try again."),
        "nothing": _("No hand is over yet: there is nothing to show."),
        "broken": _("The file could not be written. The program’s log says why."),
    }


@video_of.post("/organiser/games/<int:game>/recap")
@documented(body=Form(("money", "film")))
@organiser_only
def make(game: int) -> ResponseReturnValue:
    """Begins to make it, in the background. `money=1`: with sums of money; `film=1`: with pictures of the table, as the VAR shows
    them. While one is being made it begins none: the page says what is in that one, and who asked for it."""
    _snapshot(game)
    money, film = (request.form.get(name) == "1" for name in ("money", "film"))
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    phone = paired_phone()
    wish = Wish(money, film, phone.name if phone is not None else "")
    work = partial(_work, app, game, chosen(), money=money, film=film)
    if not _recaps().begin(game, work, app.extensions["recap_playing"], wish):
        now = _recaps().wish
        if (now.money, now.film) != (money, film) or _recaps().busy != game:
            return _page(game, refused=True)
    return redirect(url_for("recap.recap_page", game=game))


@video_of.post("/organiser/games/<int:game>/recap/delete")
@documented(body=Form(("stop",)))
@organiser_only
def delete(game: int) -> ResponseReturnValue:
    """Deletes it. `stop=1`: deletes nothing, and makes the one that is being made no further."""
    if request.form.get("stop") == "1":
        _recaps().stop(game)
    else:
        _recaps().erase(game)
    return redirect(url_for("recap.recap_page", game=game))


@video_of.get("/api/organiser/recap/<int:game>")
@documented(answer=RecapView)
@organiser_only
def progress(game: int) -> ResponseReturnValue:
    """How far the video of this game is."""
    now = _recaps().progress(game)
    return answer(RecapView(now.state, round(now.share, 3), now.why))


@video_of.get("/organiser/games/<int:game>/recap/file")
@documented(answer=ANY, query={"download": TEXT})
@organiser_only
def file(game: int) -> ResponseReturnValue:
    """The file, MP4 or WebM; `?download=1`. 404: none was made."""
    recaps = _recaps()
    _snapshot(game)
    if (made := recaps.made(game)) is None:
        abort(404, "no video was made of this game")
    try:
        data = recaps.read(made)
    except OSError:
        abort(404, "the video is gone")
    response = Response(data, mimetype=made.form.mimetype)
    kind = "attachment" if request.args.get("download") else "inline"
    response.headers["Content-Disposition"] = f'{kind}; filename="evening-{game}{made.form.suffix}"'
    response.headers["Cache-Control"] = "no-store"
    response.make_conditional(request, accept_ranges=True, complete_length=len(data))  # an iPhone asks for parts
    return response


def _filmed(game: int) -> bool:
    """Whether there is any video of this game now."""
    video: Video = current_app.extensions["video"]
    return video.footage.keeps and video.footage.looked(game) >= 0


def _work(app: Flask, game: int, lang: Lang, *, money: bool, film: bool) -> Work | None:
    """What is to be made, with the game as it stands when its turn has come."""
    with app.app_context():
        stands = stands_before(app.extensions["ledger"], game)
        snapshot, went_on = _snapshot(game), last_part(app.extensions["ledger"], game) is not None
    rules, pages = snapshot.game.rules, snapshot.game.pages
    before = snapshot.before or ()
    told = recap(rules, pages, snapshot.moments, lang, snapshot.settings.view, money=money, before=before, went_on=went_on)
    if told is None:
        return None
    with app.app_context():
        films = _films(snapshot, told, lang) if film else {}
    night = date_text(night_of(snapshot.since), lang)

    def drawn(fps: int) -> tuple[int, Iterator[NDArray[np.uint8]]]:
        return count(told, fps), frames(told, night, films, fps)

    return Work(game, snapshot.version, lang, money, bool(films), told.seconds, drawn, stands)


def _films(snapshot: Snapshot, told: Recap, lang: Lang) -> Mapping[int, Film]:
    """Index of a scene → its video, where the VAR could show one of its hand: of the game at the table, as long as it is kept,
    and with everything covered that the VAR covers."""
    video: Video = current_app.extensions["video"]
    try:
        current = organiser_context().editor.stands()
    except (NoGame, NotKept, GameError):
        return {}
    if current.game_id != snapshot.game_id:
        return {}
    found = {}
    chapters = {current.game.rules.hands(one.before) + 1: one for one in current.evening.chapters if one.played}
    for at, scene in enumerate(told.scenes):
        chapter = chapters.get(scene.hand)
        view = video.view(current, chapter, lang) if chapter is not None else ""
        if chapter is None or isinstance(view, str):
            continue
        cut, stills = view.cuts[-1], []
        for still in cut.stills:
            kept = video.footage.find(current.game_id, still.id)
            if kept is not None:
                stills.append((still.t, partial(video.still, current.game_id, chapter, kept)))
        if stills:
            found[at] = Film(tuple(stills), cut.seconds, catalogue(lang).gettext("The table, as the VAR shows it"))
    return found
