"""The season: players remembered from evening to evening, the table, their pages, an evening's end as a picture."""

from __future__ import annotations

from flask import Flask

from companion.dashboard.season import pages, settings  # noqa: F401 (their addresses)
from companion.dashboard.season.context import known_players, remembered, season
from companion.line.season import SeasonKeeper

__all__ = ["install", "known_players", "remembered"]


def install(app: Flask, keeper: SeasonKeeper) -> None:
    """The pages and the API for this application; templates of setting up find `known_players` and `remembered`."""
    app.extensions["season"] = keeper
    app.jinja_env.globals.update(known_players=known_players, remembered=remembered)
    app.register_blueprint(season)
