"""The Flask application factory: the TV's page, its JSON, its stream, the log for download."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from flask import Flask, Response, abort, make_response, render_template, request

from companion.assets import asset
from companion.dashboard import (
    answers,
    archive,
    decks,
    export,
    hall_page,
    health,
    learnt,
    limits,
    locale,
    openapi,
    phone_camera,
    receipt,
    season,
    setup,
    source,
    spectators,
    start,
    transfer,
    var,
    voice,
)
from companion.dashboard.answers import answer, refused
from companion.dashboard.ending import Ending
from companion.dashboard.endpoint import EVENTS, JPEG, SVG, TABLE_LOG, TEXT, THEME, VIEW, documented
from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.front.fairness import Places
from companion.dashboard.organiser import guard, pages, pairing
from companion.dashboard.organiser.context import FindPicture
from companion.dashboard.organiser.editor import FindRecorder
from companion.dashboard.phone_camera import PhoneDoor
from companion.dashboard.recap import pages as recap_pages
from companion.dashboard.recap.making import Recaps
from companion.dashboard.script_words import house_title
from companion.dashboard.season.context import theme as theme_asked
from companion.dashboard.settings import DEFAULTS, Settings
from companion.dashboard.setup import machine_pages
from companion.dashboard.spectators import FindNotices, NowView
from companion.dashboard.stream import Broadcasts, Follower, data_of, followed
from companion.ledger import Ledger, Phones
from companion.line.backups import Backups
from companion.line.camera import Camera
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.footage import Footage
from companion.line.season import SeasonKeeper
from companion.table.language import Lang

if TYPE_CHECKING:
    from companion.line.teaching.teaching import Teaching

LivePicture = Callable[[], bytes | None]
"""Gives the camera's newest picture as JPEG, None where there is none just now. Called from any thread."""

_YEAR_S, _HOUR_S = 365 * 24 * 3600, 3600


def create_app(
    ledger: Ledger, *, settings: Settings = DEFAULTS, live_picture: LivePicture | None = None, camera: Camera | None = None,
    recorder: FindRecorder | None = None, moment: FindPicture | None = None, notices: FindNotices | None = None,
    footage: Footage | None = None,
    door: PhoneDoor | None = None,
    corrections: CorrectionsLearnt | None = None,
    teaching: Teaching | None = None,
    backups: Backups | None = None,
    recaps: Recaps | None = None,
) -> Flask:  # fmt: skip
    """The dashboard of one ledger. It shows only what everybody at the table has seen (see `companion.pages.moments`).

    `/` the TV (`?lang=it|en`, `?theme=dark|light`, both remembered); `/api/game` the view as JSON (`companion.pages.view.View`);
    `/api/stream` the same as server-sent events, sent whenever something has changed; `/api/log` the table log without
    unseen faces; `/cards/<kind>.svg` the drawings; `/live.jpg` the camera's picture, where `live_picture` is given.
    With a `camera`, `/setup` for organisers (`companion.dashboard.setup`), and the past games (`companion.dashboard.archive`).
    `/season`: players from evening to evening (`companion.dashboard.season`).
    `/organiser` for paired phones (`companion.dashboard.organiser`): ``recorder`` keeps the game that the camera follows,
    ``moment`` has pictures of it. What else spectators get: `companion.dashboard.spectators`;
    ``notices`` are for the table; ``footage`` is the last minutes of video (`companion.dashboard.var`). ``door``: lets a phone be
    the camera (`companion.dashboard.phone_camera`); ``corrections``: what they teach the eyes; ``teaching``: keeps and teaches
    decks (`companion.dashboard.decks`); ``backups``: copies of the ledger; ``recaps``: videos of evenings
    (`companion.dashboard.recap`). `/start` for this machine's own browser, where a
    camera side is there (`companion.dashboard.start`). `/healthz` and `/metrics`: `companion.dashboard.health`.
    Raises AssetMissing when the web files are not there.
    """
    web = asset("web")
    app = Flask(__name__, template_folder=str(web / "templates"), static_folder=None)
    transfer.install(app, web / "static")
    app.url_map.converters["int"] = limits.Id
    limits.install(app)
    feed = Feed(ledger, settings)
    app.extensions.update(dashboard=feed, ledger=ledger, ending=Ending(), backups=backups)
    app.context_processor(lambda: {"house": house_title()})
    locale.install(app)
    answers.install(app)
    places = Places(settings.listeners, settings.reserved)
    pairing.install(app, Phones(ledger))
    limits.limit(app, lambda: guard.paired_phone() is not None, lambda: refused("malformed", 413))
    season.install(app, SeasonKeeper(ledger, allowed=settings.season, sure_from=settings.sure_from))
    if camera is not None:
        setup.install(app, ledger, camera)
        feed.shows.rests = lambda on: camera.rest(on)
        archive.install(app, ledger)
        decks.install(app, teaching)
        start.install(app, ledger, camera, backups)
        recap_pages.install(app, ledger, recaps)
    phone_camera.install(app, camera, door)

    def theme() -> str:
        return theme_asked() or "dark"

    public = spectators.install(app, feed, theme, notices)
    receipt.install(app, feed, theme)
    broadcasts = Broadcasts(public, settings.heartbeat)

    def told_phones(snapshot: Snapshot, lang: Lang) -> list[str]:
        more: Callable[[Lang], list[str]] = app.extensions.get("more_notices", lambda lang: [])
        own = machine_pages.notice(backups, lang)
        return [*decks.notices(app, lang), *own, *public.notices(snapshot, lang), *more(lang)]

    pages.install(app, ledger, feed, places, told_phones, recorder, moment)
    hall_page.install(app)
    health.install(app, feed, camera, lambda: len(places))
    var.install(app, feed, footage)
    learnt.install(app, corrections)
    voice.install(app, feed)
    export.install(app, ledger)
    openapi.install(app)
    source.install(app)
    app.after_request(limits.never_kept_of_api)

    @app.get("/")
    @documented(query={"theme": THEME, "moviola": TEXT, "kiosk": TEXT})
    def tv() -> Response:
        """The TV. `?theme=dark` or `light` and `?lang=`, both remembered; `?moviola` plays the last hand at once;
        `?kiosk` shows no pointer, and on this machine's own screen, while no phone is paired yet, how to pair one."""
        context = public.template_context(locale.chosen())
        response = make_response(
            render_template("tv.html", theme=theme(), live=live_picture is not None, invitation=public.invitation(),
                            follow=public.follow(), season_on=app.extensions["season"].on,
                            kiosk="kiosk" in request.args, pairs=start.pairs(), **context)
        )
        if "theme" in request.args:
            response.set_cookie("theme", theme(), max_age=_YEAR_S, samesite="Lax")
        return response

    @app.get("/api/game")
    @documented(answer=VIEW)
    def game() -> Response:
        """[The game as the TV shows it](#api-game)."""
        return answer(feed.snapshot().view(locale.chosen()))

    @app.get("/api/stream")
    @documented(answer=EVENTS, also=(503,))
    def stream() -> Response:
        """[The same as server-sent events](#stream). 503: too many pages follow already: ask `/api/now` meanwhile."""
        follower = Follower(request.headers.get("Last-Event-ID", ""))
        return followed(broadcasts.of(locale.chosen()), follower, places, settings.retry, own=guard.on_this_machine())

    @app.get("/api/now")
    @documented(answer=NowView, query={"seen": TEXT})
    def now() -> Response:
        """What the stream would say, for pages that find no place there: `id`, `view` (`null` where `?seen=` is that id) and
        `beat`."""
        frame = broadcasts.of(locale.chosen()).newest()
        view = data_of(frame.view) if request.args.get("seen") != frame.mark else b"null"
        return answer(b'{"id":"%s","view":%s,"beat":%s}' % (str(frame.mark).encode(), view, data_of(frame.beat)))

    @app.get("/api/log")
    @documented(answer=TABLE_LOG, also=(404,))
    def log() -> Response:
        """The [table log](table-log.md) as everybody has seen the game, `application/x-ndjson`. 404: no game yet."""
        snapshot = feed.snapshot()
        if snapshot.game_id is None:
            abort(404, "no game yet")
        response = Response(snapshot.log(), mimetype="application/x-ndjson")
        response.headers["Content-Disposition"] = f'attachment; filename="{snapshot.game.id}-{snapshot.game_id}.jsonl"'
        return response

    @app.get("/cards/<name>")
    @documented(answer=SVG)
    def card(name: str) -> Response:
        """A drawing: `cucco.svg`, `back.svg`, `ramino-10h.svg`, …"""
        return transfer.sent(web / "cards", name, max_age=_HOUR_S)

    @app.get("/live.jpg")
    @documented(answer=JPEG, also=(404,))
    def picture() -> Response:
        """In `companion demo`, the clip's newest picture; 404 elsewhere, where the camera is for organisers."""
        jpeg = live_picture() if live_picture else None
        if jpeg is None:
            abort(404, "no live picture")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    return app
