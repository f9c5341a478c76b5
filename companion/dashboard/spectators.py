"""What spectators get besides the TV: the moviola, the hands that are over, the evening's charts, the chances of paying, notices,
the overlay for streams.

Everything is made from the public side of a `Snapshot` (see `companion.pages.moments`), which has no unseen face in it. A game
without moviola, charts or chances answers as if there were nothing to show yet, or 404.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol

import msgspec
from flask import Flask, Response, abort, current_app, render_template, url_for

from companion.dashboard.answers import answer, encoded, trouble_text
from companion.dashboard.endpoint import CHARTS, MOVIOLA, TEXT, documented
from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.context import NoticesView
from companion.dashboard.organiser.pairing import pairing_state, qr
from companion.dashboard.script_words import own_file, roles, spectator_words
from companion.dashboard.settings import Shows
from companion.dashboard.stream import Frame, event
from companion.pages.earlier import EarlierHand, earlier_hands
from companion.pages.season import told_so_far
from companion.pages.view import View
from companion.table.language import Lang, catalogue
from companion.table.text import listed, short

MAX_NAMED = 3
"""Number of players who are asked by name; more are asked all together."""


class Beat(msgspec.Struct, frozen=True):
    """What a quiet stream says: what the table is told now, and what it is shown besides the game."""

    notices: list[str]
    shows: Shows


class NowView(msgspec.Struct, frozen=True):
    """What the stream would say: the ``id`` of its event, the ``view``, None where the page has it already, and the ``beat``."""

    id: str
    view: View | None
    beat: Beat


class ChancesView(msgspec.Struct, frozen=True):
    """Everybody's chance of paying, 0 to 1. ``id``: that of the stream's event."""

    id: str
    chances: dict[str, float]


class HandsView(msgspec.Struct, frozen=True):
    """The ``hands`` of the shown ``game`` that are over, the newest first; ``game``: the ledger's id, 0 for no game."""

    game: int
    hands: tuple[EarlierHand, ...]


class TableNotice(Protocol):
    """Something that the table is told for as long as it is true, such as `companion.line.notices.Notice`. ``what``: ``show``, or
    a key of `notice_words`; ``places``: the players' numbers from 0, None: for everybody; ``view``: the number of the camera that
    it is about, None where there is only one."""

    @property
    def what(self) -> str: ...

    @property
    def places(self) -> tuple[int, ...] | None: ...

    @property
    def view(self) -> int | None: ...


FindNotices = Callable[[], Sequence[TableNotice]]
"""Gives the notices for the table now. Called from any thread."""


def notice_texts(notices: Iterable[TableNotice], names: tuple[str, ...], lang: Lang) -> list[str]:
    """The notices as sentences. ``names``: the players, in the order of their places."""
    _ = catalogue(lang).gettext
    texts = []
    for notice in notices:
        called = [short(names[place]) for place in notice.places or () if place < len(names)]
        if notice.what == "show" and 0 < len(called) <= MAX_NAMED:
            texts.append(_("Please show the card of {players} once more").format(players=listed(called, lang)))
        elif notice.view is not None:
            texts.append(view_words(lang)[notice.what].format(number=notice.view))
        else:
            texts.append(notice_words(lang)[notice.what])
    return texts


def notice_words(lang: Lang) -> dict[str, str]:
    """`TableNotice.what` → the sentence: what the table is asked, or told of the camera's troubles."""
    _ = catalogue(lang).gettext
    return {
        "show": _("Please show the cards once more"),
        "check": _("The table was out of sight for long: please check the hand on the phone"),
        "moved": _("The camera was moved: one moment"),
        "blocked": _("Something hides the table from the camera"),
        "dark": _("Too dark for the camera: please turn on a light"),
        "frozen": _("The camera's picture stands still"),
        "resized": _("The camera's picture has another shape: please show the table's corners once more on the phone"),
        "black": _("The camera gives only black pictures: is its lens covered?"),
        "nothing": _("The camera sees no table and no cards: where does it look?"),
        "gather": _("Gather the cards on the table: the first hand begins when they are dealt"),
        "elsewhere": _("The table is not where the camera saw it: please show its corners once more on the phone"),
        "gap": _("The camera gives no pictures"),
        "apart": _("The cameras show the same things at different times: what several see counts for less"),
        "stopped": _("The program was not running for a while"),
    }


def view_words(lang: Lang) -> dict[str, str]:
    """`TableNotice.what` → the sentence about the troubles of one of several cameras; the game goes on with the others."""
    _ = catalogue(lang).gettext
    return {
        "moved": _("Camera {number} was moved: one moment"),
        "blocked": _("Something hides the table from camera {number}"),
        "dark": _("Too dark for camera {number}: please turn on a light"),
        "frozen": _("The picture of camera {number} stands still"),
        "resized": _("The picture of camera {number} has another shape: please show the table's corners once more on the phone"),
        "black": _("Camera {number} gives only black pictures: is its lens covered?"),
        "nothing": _("Camera {number} sees no table and no cards: where does it look?"),
        "gather": _("Gather the cards on the table: the first hand begins when they are dealt"),
        "elsewhere": _("Camera {number} does not see the table where it was: please show its corners once more on the phone"),
        "gap": _("Camera {number} gives no pictures"),
        "apart": _("Camera {number} shows things earlier or later than the first one: what both see counts for less"),
        "stopped": _("The program was not running for a while"),
    }


class Spectators:
    """What the spectators' pages of one application share. Every method may be called from any thread.

    Attributes:
        more_notices: gives more sentences for everybody at the table, such as a hall's. Called from any thread.
    """

    def __init__(self, feed: Feed, find_notices: FindNotices | None) -> None:
        self.feed = feed
        self._find_notices = find_notices
        self.more_notices: Callable[[Lang], list[str]] = lambda lang: []
        self._lock = threading.Lock()
        self._reckoned: tuple[str, dict[str, float]] = ("", {})
        self._told: dict[Lang, tuple[str, HandsView]] = {}
        feed.notices_mark = self.notices_mark

    def page(self, lang: Lang) -> dict[str, Any]:
        """The values for a page's scripts: the game, the texts, the addresses, the settings."""
        settings, snapshot = self.feed.settings, self.feed.snapshot()
        game = snapshot.game
        return {
            "wing": game.id,
            "clockwise": game.pages.clockwise,
            "strings": {**spectator_words(lang), "roles": roles(lang), **game.pages.tv_words(lang)},
            "stream": url_for("stream", lang=lang),
            "now": url_for("now", lang=lang),
            "hands": url_for("show_hands", lang=lang),
            "moviola": url_for("show_moviola", lang=lang) if game.pages.moviola is not None else None,
            "var": url_for("var.video", hand=0),
            "calls": url_for("voice.api_calls", lang=lang),
            "chances": url_for("show_chances") if game.pages.chances is not None else None,
            "shows": msgspec.to_builtins(self.feed.shows.now),
            "cards": url_for("card", name="CARD.svg"),
            "patience_s": settings.patience,
            "live_interval_s": settings.live_interval,
            "corrected_s": settings.corrected,
            "moment_s": settings.moment,
            "rest_s": settings.rest,
            "began": {"game": snapshot.game_id or 0, "minutes": int(time.time() - snapshot.since) // 60},
            "moviola_step_s": settings.moviola_step,
        }

    def template_context(self, lang: Lang) -> dict[str, Any]:
        """The values for a page's template: the game's title, what it can show, and the addresses of its own scripts and
        styles."""
        game = self.feed.snapshot().game
        return {
            "page": self.page(lang),
            "title": game.pages.title,
            "clockwise": game.pages.clockwise,
            "charts": game.pages.charts is not None,
            "own_script": own_file(game.id, "tv.js"),
            "own_style": own_file(game.id, "tv.css"),
        }

    def follow(self) -> dict[str, str] | None:
        """The ``address`` at which spectators follow on their own phones, with its QR ``code``; None where only this machine can
        reach it."""
        urls = pairing_state().urls
        return {"address": urls[0], "code": qr(urls[0] + url_for("tv"))} if urls else None

    def invitation(self) -> dict[str, str] | None:
        """What a TV shows while there is no game: the ``address`` that leads an organiser's phone to the setup, its QR ``code``,
        and ``pin_at``, the address at which this machine shows the PIN; None where only this machine can reach it. The PIN itself
        is not in it, as everybody reads the TV."""
        urls = pairing_state().urls
        if not urls:
            return None
        address = urls[0] + (url_for("setup.home") if "setup" in current_app.blueprints else url_for("organiser.page"))
        pin_at = f"localhost:{pairing_state().port or urls[0].rpartition(':')[2]}{url_for('pairing.show')}"
        return {"address": address, "code": qr(address), "pin_at": pin_at}

    def look(self, lang: Lang, before: Frame | None) -> Frame:
        """The stream's next frame (`companion.dashboard.stream.Source`)."""
        snapshot, shows, mark = self.feed.snapshot(), self.feed.shows.now, self.notices_mark()
        same = before is not None and before.mark == snapshot.id
        view = before.view if before is not None and same else event("view", encoded(snapshot.view(lang)), snapshot.id)
        return Frame(snapshot.id, (shows, mark), view, event("beat", encoded(Beat(self.notices(snapshot, lang), shows))))

    def wait(self, before: Frame, seconds: float) -> bool:
        """Wait until the stream has something new to say, at most this many ``seconds``. False: the server ends."""
        feed = self.feed
        return feed.wait(
            lambda: feed.newest_id() != before.mark or (feed.shows.now, self.notices_mark()) != before.shown, seconds
        )

    def notices_mark(self) -> Hashable:
        """A value that differs once the notices do."""
        found, trouble = self._find_notices() if self._find_notices is not None else (), self.feed.trouble
        kinds = tuple((one.what, one.places, one.view) for one in found)
        return kinds, trouble.what if trouble is not None else None, tuple(self.more_notices("it"))

    def notices(self, snapshot: Snapshot, lang: Lang) -> list[str]:
        """The notices for the table now, as sentences."""
        notices = self._find_notices() if self._find_notices is not None and snapshot.moments else ()
        names = snapshot.game.rules.names(snapshot.moments[-1].seen) if notices else ()
        trouble = self.feed.trouble
        told = [trouble_text(trouble, lang)] if trouble is not None else []
        return [*told, *notice_texts(notices, names, lang), *self.more_notices(lang)]

    def chances(self, snapshot: Snapshot) -> dict[str, float]:
        """Player → chance of paying, 0 to 1; calculated once for all pages."""
        with self._lock:
            if self._reckoned[0] != snapshot.id:
                chances = snapshot.game.pages.chances
                self._reckoned = (snapshot.id, chances(snapshot.settled) if chances is not None else {})
            return self._reckoned[1]

    def hands(self, snapshot: Snapshot, lang: Lang) -> HandsView:
        """The hands that are over; told once for all pages."""
        with self._lock:
            if self._told.get(lang, ("",))[0] != snapshot.id:
                game, sure_from = snapshot.game, snapshot.settings.view.sure_from
                told = earlier_hands(game.rules, game.pages, snapshot.moments, lang, sure_from)
                self._told[lang] = snapshot.id, HandsView(snapshot.game_id or 0, told)
            return self._told[lang][1]


def install(app: Flask, feed: Feed, theme: Callable[[], str], find_notices: FindNotices | None) -> Spectators:
    """Add the pages and the JSON behind them: `/overlay`, `/charts`, `/api/hands`, `/api/moviola`, `/api/charts`,
    `/api/chances`, `/api/notices`. ``theme`` is that of the request being answered."""
    found = Spectators(feed, find_notices)
    app.extensions["spectators"] = found

    @app.get("/overlay")
    @documented(query={"layout": TEXT, "delay": TEXT})
    def overlay() -> str:
        """Players, pedine, ruling and commentary on a transparent ground, for OBS. `?layout=lower`, a lower third,
        `corner`, a box in the upper left corner, and `line`, one line at the bottom, say who pays, price, virgins, the last card
        shown; `?delay=8` shows everything eight seconds later, as late as the stream."""
        return render_template("overlay.html", **found.template_context(chosen()))

    @app.get("/charts")
    @documented(also=(404,))
    def show_charts() -> str:
        """The evening in figures."""
        snapshot, lang = feed.snapshot(), chosen()
        charts = snapshot.game.pages.charts
        if charts is None:
            abort(404, "this game has no charts")
        figures = charts.figures(snapshot.moments, lang)
        told = told_so_far(snapshot.game.rules, snapshot.game.pages, snapshot.moments, ended=False)
        values = {
            "page": found.page(lang), "title": snapshot.game.pages.title, "theme": theme(),
            "charts": figures, "drawn": charts.drawing(figures, lang),
            "unsure": told.unsure(snapshot.settings.view.sure_from) if told is not None else 0,
        }  # fmt: skip
        return render_template(f"games/{snapshot.game.id}/charts.html", **values)

    @app.get("/api/charts")
    @documented(answer=CHARTS)
    def api_charts() -> Response:
        """[The figures behind the charts](#api-charts)."""
        snapshot = feed.snapshot()
        charts = snapshot.game.pages.charts
        return answer(charts.figures(snapshot.moments, chosen()) if charts is not None else None)

    @app.get("/api/hands")
    @documented(answer=HandsView)
    def show_hands() -> Response:
        """[The hands that are over](#api-hands), the newest first, each with what happened in it."""
        return answer(found.hands(feed.snapshot(), chosen()))

    @app.get("/api/moviola")
    @documented(answer=MOVIOLA)
    def show_moviola() -> Response:
        """[The last hand that is over](#api-moviola), step by step; `null` before there is one."""
        snapshot = feed.snapshot()
        moviola = snapshot.game.pages.moviola
        return answer(moviola(snapshot.moments, chosen()) if moviola is not None else None)

    @app.get("/api/chances")
    @documented(answer=ChancesView, also=(404,))
    def show_chances() -> Response:
        """[Everybody's chance of paying](#api-chances). 404: they are not shown."""
        if not feed.shows.now.odds:
            abort(404, "the chances are not shown: an organiser can switch them on")
        snapshot = feed.snapshot()
        return answer(ChancesView(snapshot.id, found.chances(snapshot)))

    @app.get("/api/notices")
    @documented(answer=NoticesView)
    def api_notices() -> Response:
        """What the table is asked, or told of the troubles of camera and [disk](ledger.md#disk): `{"notices": [sentence, …]}`."""
        return answer(NoticesView(found.notices(feed.snapshot(), chosen())))

    return found
