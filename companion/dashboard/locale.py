"""The language of a page, as each device has chosen it (Flask-Babel); and the oldest browsers that pages work in, with what
`web/static/came-up.js` says in an older one."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Flask, Response, current_app, request
from flask_babel import Babel

from companion.dashboard.settings import Settings
from companion.table.language import LANGS, NAMES, TRANSLATIONS, Lang, catalogue

SPECTATORS = "Chrome 63, Firefox 60, Safari 12"
"""What TV, overlay, charts and the season need: `tools/older_browsers.py` holds their scripts and sheets to it. Televisions: LG's
webOS 5 (2020), Samsung's Tizen 5.0 (2019)."""

ORGANISERS = "Chrome 88, Firefox 98, Safari 15.4"
"""What the organiser's page, setup, decks and the phone's camera need: `??=`, `dialog`, `inset`."""


def sentences() -> dict[str, str]:
    """The sentences of came-up.js, by the names of its attributes. The script fills in `{found}` and `{needed}`, or `{why}`."""
    texts = {}
    for lang in LANGS:
        _ = catalogue(lang).gettext
        texts[f"old-{lang}"] = _("This browser is too old for this page: it is {found}. The page needs {needed}, or newer.")
        texts[f"not-{lang}"] = _("This page did not come up: please load it again. ({why})")
    return texts


_YEAR_S = 365 * 24 * 3600


_OF_PHONES = ("/pair", "/organiser", "/setup", "/api/organiser")
"""The beginnings of the paths of organisers' pages. A phone's first page is in the phone's own language, the TV's in the
dashboard's."""


BROWSERS = {"SPECTATORS": SPECTATORS, "ORGANISERS": ORGANISERS, "sentences": sentences}
"""Values for templates: the browsers needed, and the sentences for older ones."""


def chosen() -> Lang:
    """The language of the requested page: the one in its address, else the one that the device remembers, else, on an organiser's
    phone, the one that its browser prefers, else the dashboard's."""
    settings: Settings = current_app.extensions["dashboard"].settings
    own = request.accept_languages.best_match(LANGS) if request.path.startswith(_OF_PHONES) else None
    for wish in (request.args.get("lang"), request.cookies.get("lang"), own, settings.lang):
        if wish in LANGS:
            return wish
    return LANGS[0]


def elsewhere(lang: Lang) -> str:
    """The address of the requested page in another language. Where a form was sent, the first page of pairing or setup
    instead."""
    if request.method != "GET":
        return f"{'/pair' if request.path.startswith('/pair') else '/setup'}?lang={lang}"
    query = {**request.args.to_dict(), "lang": lang}
    return f"{request.path}?{urlencode(query)}"


def remember(response: Response, lang: Lang) -> None:
    """Let the device that asks remember this language for its pages."""
    response.set_cookie("lang", lang, max_age=_YEAR_S, samesite="Lax")


def install(app: Flask, *, remembers: bool = True) -> None:
    """Translate the templates of this application into the language of the device that asks, which they get as `lang`.
    ``remembers``: a device remembers the language in the address of a page that it asks for."""
    Babel(app, default_locale=LANGS[0], default_translation_directories=str(TRANSLATIONS), locale_selector=chosen)  # type: ignore[no-untyped-call]
    always = {"langs": LANGS, "names": NAMES, "elsewhere": elsewhere, "browsers": BROWSERS}
    app.context_processor(lambda: {**always, "lang": chosen()})

    @app.after_request
    def remembered(response: Response) -> Response:
        """Remember the language of a page whose address names one; not of what its scripts load, nor of the page that a QR code
        leads to."""
        page = request.method == "GET" and response.mimetype == "text/html" and response.status_code < 400
        if remembers and "lang" in request.args and page and not request.path.startswith("/camera"):
            remember(response, chosen())
        return response
