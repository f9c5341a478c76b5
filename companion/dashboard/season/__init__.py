"""The pages of the season: the table of players from evening to evening, a page for each player, and an evening's end as a
picture."""

from __future__ import annotations

import logging
from contextlib import suppress

from flask import Flask, Response, request

from companion.dashboard.season import pages, settings  # noqa: F401 (their addresses)
from companion.dashboard.season.context import known_players, remembered, season
from companion.line.season import Keeper
from companion.table.errors import LedgerError, OnlyLookedAt

_log = logging.getLogger(__name__)
__all__ = ["install", "known_players", "remembered"]


def install(app: Flask, keeper: Keeper) -> None:
    """Add the pages and the API of the season to this application, and `known_players` and `remembered` to its templates."""
    app.extensions["season"] = keeper
    app.jinja_env.globals.update(known_players=known_players, remembered=remembered)
    app.register_blueprint(season)
    with suppress(OnlyLookedAt):
        keeper.settle()

    @app.after_request
    def settled(response: Response) -> Response:
        # What begins, takes in or restores an evening makes another one past.
        if request.method == "POST" and request.blueprint in ("setup", "archive") and response.status_code < 400:
            try:
                keeper.settle()
            except LedgerError as error:  # what was asked for is done
                _log.warning("%s", error)
        return response
