"""What a game's wing has in `web/`: its scripts and style sheets go by its id, and are loaded where they are there."""

from __future__ import annotations

from pathlib import Path

from flask import current_app, url_for

from companion.games import shown_games


def own_file(wing: str, name: str) -> str | None:
    """The address of `web/static/games/WING/NAME`, None where the game has no such file."""
    folder = Path(current_app.static_folder or "")
    path = f"games/{wing}/{name}"
    return url_for("static", filename=path) if (folder / path).is_file() else None


def house_title() -> str:
    """What pages of no game in particular are headed: the games that are played here."""
    return " · ".join(game.pages.title for game in shown_games())
