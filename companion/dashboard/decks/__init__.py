"""The pages on which organisers choose a deck, teach one card by card, try it, and download or upload its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask

from companion.dashboard.decks import pages, teaching, trial
from companion.dashboard.decks.context import decks
from companion.dashboard.setup.deck_choice import notices

if TYPE_CHECKING:
    from companion.line.teaching.teaching import Teaching


__all__ = ["install", "notices", "pages", "teaching", "trial"]


def install(app: Flask, teaching: Teaching | None) -> None:
    """Add the pages to this application, after `companion.dashboard.setup.install`. ``teaching``: None where no decks are
    kept."""
    app.extensions["decks"] = teaching
    app.jinja_env.globals["decks_kept"] = teaching is not None
    app.register_blueprint(decks)
