"""Which language a page is in, each device as it has chosen (Flask-Babel); and which browsers it comes up in, and what one that
is older says (`web/static/came-up.js`)."""

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
    """What came-up.js says, by the name of its attribute. It fills in `{found}` and `{needed}`, or `{why}`."""
    texts = {}
    for lang in LANGS:
        _ = catalogue(lang).gettext
        texts[f"old-{lang}"] = _("This browser is too old for this page: it is {found}. The page needs {needed}, or newer.")
        texts[f"not-{lang}"] = _("This page did not come up: please load it again. ({why})")
    return texts


_YEAR_S = 365 * 24 * 3600


_OF_PHONES = ("/pair", "/organiser", "/setup", "/api/organiser")
"""How the addresses of organisers' phones begin: their first page comes in the phone's own language, the TV's in the house's."""


BROWSERS = {"SPECTATORS": SPECTATORS, "ORGANISERS": ORGANISERS, "sentences": sentences}
"""What templates say of browsers."""


def chosen() -> Lang:
    """The language of the page that is asked for: as its address says, else as the device remembers, else, on an organiser's
    phone, the one that its browser likes best, else the dashboard's own."""
    settings: Settings = current_app.extensions["dashboard"].settings
    own = request.accept_languages.best_match(LANGS) if request.path.startswith(_OF_PHONES) else None
    for wish in (request.args.get("lang"), request.cookies.get("lang"), own, settings.lang):
        if wish in LANGS:
            return wish
    return LANGS[0]


def elsewhere(lang: Lang) -> str:
    """The address of the page that is asked for, in another language; of one that a form led to, its first page."""
    if request.method != "GET":
        return f"{'/pair' if request.path.startswith('/pair') else '/setup'}?lang={lang}"
    query = {**request.args.to_dict(), "lang": lang}
    return f"{request.path}?{urlencode(query)}"


def remember(response: Response, lang: Lang) -> None:
    """Let the device that asks have its pages in this language from now on."""
    response.set_cookie("lang", lang, max_age=_YEAR_S, samesite="Lax")


def install(app: Flask, *, remembers: bool = True) -> None:
    """Let the templates of this application speak the language of the device that asks, and know it as `lang`. ``remembers``: a
    page that is asked for in a language lets the device keep it."""
    Babel(app, default_locale=LANGS[0], default_translation_directories=str(TRANSLATIONS), locale_selector=chosen)  # type: ignore[no-untyped-call]
    always = {"langs": LANGS, "names": NAMES, "elsewhere": elsewhere, "browsers": BROWSERS}
    app.context_processor(lambda: {**always, "lang": chosen()})

    @app.after_request
    def remembered(response: Response) -> Response:
        """A page that was asked for in a language is a choice; what its scripts ask for is none, nor what a QR code leads to."""
        page = request.method == "GET" and response.mimetype == "text/html" and response.status_code < 400
        if remembers and "lang" in request.args and page and not request.path.startswith("/camera"):
            remember(response, chosen())
        return response
