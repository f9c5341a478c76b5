"""Which language a page is in: each device has its own choice (Flask-Babel)."""

from __future__ import annotations

from flask import Flask, Response, current_app, request
from flask_babel import Babel

from companion.dashboard.settings import Settings
from companion.table.language import LANGS, NAMES, TRANSLATIONS, Lang

_YEAR_S = 365 * 24 * 3600


def chosen() -> Lang:
    """The language of the page that is asked for: as its address says, else as the device remembers, else the dashboard's own."""
    settings: Settings = current_app.extensions["dashboard"].settings
    for wish in (request.args.get("lang"), request.cookies.get("lang"), settings.lang):
        if wish in LANGS:
            return wish
    return LANGS[0]


def remember(response: Response, lang: Lang) -> None:
    """Let the device that asks have its pages in this language from now on."""
    response.set_cookie("lang", lang, max_age=_YEAR_S, samesite="Lax")


def install(app: Flask) -> None:
    """Let the templates of this application speak the language of the device that asks, and know it as `lang`."""
    Babel(app, default_locale=LANGS[0], default_translation_directories=str(TRANSLATIONS), locale_selector=chosen)  # type: ignore[no-untyped-call]
    app.context_processor(lambda: {"lang": chosen(), "langs": LANGS, "names": NAMES})
