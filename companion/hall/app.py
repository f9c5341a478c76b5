"""The hall's Flask application: what tables send to, the big screen, one table in full, the organisers' phone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, request
from flask_babel import gettext

from companion.assets import asset
from companion.dashboard import answers, limits, locale, season, source, transfer
from companion.dashboard.answers import refused
from companion.dashboard.ending import Ending
from companion.dashboard.front.fairness import Places
from companion.dashboard.organiser import guard, pairing
from companion.dashboard.organiser.pairing import Pin, PinState, new_pin
from companion.dashboard.script_words import house_title
from companion.dashboard.season.context import theme
from companion.dashboard.settings import DEFAULTS, Settings
from companion.hall import evenings, organisers, roles, screens, table_api, tournaments
from companion.hall.bell import Bell, SharedBell
from companion.hall.database import Database, HallDown
from companion.hall.held import CODE, PIN, InDatabase
from companion.hall.intake import Intake
from companion.hall.overview import Overview
from companion.hall.phones import HallPhones
from companion.hall.seats import CodeState, PairingCode, Seats
from companion.hall.shown import Showing
from companion.hall.tournaments import Tournaments
from companion.hall.years import HallSeason


class HallFeed:
    """Stands in for `companion.dashboard.feed.Feed`, which parts of the dashboard ask for the game that is shown: a hall shows
    none of its own."""

    trouble = None

    def __init__(self, settings: Settings, bell: Bell) -> None:
        self.settings, self._bell = settings, bell
        self.stopped = False

    def game_id(self) -> None:
        """The id of the game that is shown: None."""

    def stop(self) -> None:
        """Wake every stream that waits, so that it ends: the server stops."""
        self.stopped = True
        self._bell.ring()


@dataclass(frozen=True)
class Hall:
    """What the pages of one hall share."""

    database: Database
    settings: Settings
    bell: Bell
    feed: HallFeed
    seats: Seats
    code: PairingCode
    intake: Intake
    showing: Showing
    tournament: Tournaments
    overview: Overview
    season: HallSeason
    places: Places

    def close(self) -> None:
        """End the hall's threads, and close its connections to the database."""
        self.showing.close()
        self.bell.close()
        self.database.close()


class HallDoorkeeper(guard.Doorkeeper):
    """Lets in paired phones by their cookie, as on a table, and tables by their token."""

    def __init__(self, app: Flask, seats: Seats) -> None:
        super().__init__(app)
        self._seats = seats

    def claims(self, environ: Mapping[str, Any]) -> bool:
        """Whether the request carries this hall's cookie, or a table's token."""
        return self._seats.claims(_token(environ)) or super().claims(environ)

    def knows(self, environ: Mapping[str, Any]) -> bool:
        """Whether the cookie's phone is still paired, or the table of the token still in the hall. Raises HallDown."""
        return self._seats.claims(_token(environ)) or super().knows(environ)


def _token(environ: Mapping[str, Any]) -> str:
    return str(environ.get("HTTP_AUTHORIZATION", "")).removeprefix("Bearer ")


def open_hall(database: Database, settings: Settings = DEFAULTS, key: str = "", *, shared: bool = False,
              keep_all: bool = False) -> Hall:  # fmt: skip
    """A hall over this database, whose threads run until `Hall.close`. ``key``: SHA-256 of its certificate's public key
    (hexadecimal), "" without a certificate; ``shared``: other processes serve the same hall; ``keep_all``: tables also send their
    notes and reports, so that the game of a lost table can be made again. Raises HallDown."""
    tournament, seats = Tournaments(database), Seats(database)
    bell = SharedBell(database, seats.learn) if shared else Bell()
    hall = Hall(
        database, settings, bell, HallFeed(settings, bell), seats,
        PairingCode(key, held=InDatabase(database, CODE, CodeState, CodeState)), Intake(database, keeps_all=keep_all),
        Showing(database, bell, settings), tournament,
        Overview(database, tournament.round, bell=tournament.bell, final=tournament.final),
        HallSeason(database, settings.sure_from), Places(settings.listeners, settings.reserved),
    )  # fmt: skip
    hall.showing.start()
    return hall


def create_hall_app(hall: Hall) -> Flask:
    """The Flask application of this hall. Raises AssetMissing, HallDown."""
    web = asset("web")
    app = Flask(__name__, template_folder=str(web / "templates"), static_folder=None)
    transfer.install(app, web / "static")
    app.url_map.converters["int"] = limits.Id
    limits.install(app)
    app.extensions.update(dashboard=hall.feed, hall=hall, ending=Ending())
    app.extensions["doorkeeper"] = lambda: HallDoorkeeper(app, hall.seats)
    app.context_processor(lambda: {"house": house_title(), "first_page": gettext("The big screen"), "theme": theme()})
    locale.install(app)
    answers.install(app)
    pairing.install(app, phones := HallPhones(hall.database), Pin(held=InDatabase(hall.database, PIN, PinState, new_pin)))
    roles.install(app, phones)
    limits.limit(
        app, lambda: hall.seats.claims(_token(request.environ)) or guard.paired_phone() is not None, lambda: refused("malformed",
                                                                                                                     413)
    )
    source.install(app)
    app.register_blueprint(table_api.tables)
    app.register_blueprint(organisers.organisers)
    app.register_blueprint(tournaments.tournaments)
    app.register_blueprint(evenings.evenings)
    season.install(app, hall.season)
    screens.install(app, hall)
    app.after_request(limits.never_kept_of_api)

    @app.errorhandler(HallDown)
    def down(error: HallDown) -> Response:
        return refused("hall_down", 503)

    @app.get("/cards/<name>")
    def card(name: str) -> Response:
        return transfer.sent(web / "cards", name, max_age=3600)

    return app


