"""The organiser's page and its JSON under `/api/organiser`: everything here needs a paired phone."""

from __future__ import annotations

import msgspec
from flask import Flask, current_app, render_template, session, url_for
from flask.typing import ResponseReturnValue

from companion.dashboard import recap
from companion.dashboard.answers import answer
from companion.dashboard.endpoint import EVENTS, documented
from companion.dashboard.feed import Feed
from companion.dashboard.front.fairness import Places
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import api  # noqa: F401 (its addresses)
from companion.dashboard.organiser.context import (
    FindPicture,
    Notices,
    OrganiserContext,
    answered,
    organiser,
    organiser_context,
)
from companion.dashboard.organiser.editor import FindRecorder
from companion.dashboard.organiser.guard import csrf_token, organiser_only, paired_phone
from companion.dashboard.organiser.phone_names import phone_name
from companion.dashboard.organiser.phone_view import ORGANISERS
from companion.dashboard.script_words import organiser_words, own_file
from companion.dashboard.stream import Follower, event, followed
from companion.decks.lists import SUITED
from companion.games import Game
from companion.ledger import Ledger, Phones
from companion.table.language import Lang, catalogue

REFUSED_PEOPLE = "refused_people"
"""In a phone's session, until its page has shown it: why nobody can come or go now."""


def install(
    app: Flask, ledger: Ledger, feed: Feed, places: Places, notices: Notices, find: FindRecorder | None,
    find_picture: FindPicture | None,
) -> None:  # fmt: skip
    """Add the organiser's pages to this application, after `pairing.install`. ``notices``: gives what the table is told now."""
    app.extensions["organiser"] = OrganiserContext(ledger, feed, places, notices, find, find_picture)
    app.register_blueprint(organiser)


@organiser.get("/organiser")
@documented()
@organiser_only
def page() -> ResponseReturnValue:
    """The page."""
    lang, game = chosen(), organiser_context().feed.snapshot().game
    message = game.pages.setup.people
    data = {
        "wing": game.id,
        "own_script": own_file(game.id, "organiser.js"),
        "strings": {**organiser_words(lang), **game.pages.phone_words(lang)},
        "csrf": csrf_token(),
        "phone": phone_name(phone.name, lang) if (phone := paired_phone()) is not None else "",
        "lang": lang,
        "api": "/api/organiser",
        "stream": url_for("organiser.stream", lang=lang),
        "cards": url_for("card", name="CARD.svg"),
        "kinds": [list(card) for card in game.pages.cards(lang)],
        "grid": _grid(game, lang),
        "acts": msgspec.to_builtins(game.pages.acts(lang)),
        "moviola": game.pages.moviola is not None,
        "odds": game.pages.chances is not None,
        "var": current_app.extensions["video"].footage.keeps,
        "lessons": "lessons" in current_app.blueprints,
        "patience_s": organiser_context().feed.settings.patience,
        "pair": url_for("pairing.pair", next="/organiser"),
        "setup": "setup" in current_app.blueprints,
        "people_help": catalogue(lang).gettext(message),
        "people_refused": session.pop(REFUSED_PEOPLE, ""),
        "recap": recap.kept(),
    }
    return render_template("organiser.html", page=data, title=game.pages.title, own_style=own_file(game.id, "organiser.css"))


def _grid(game: Game, lang: Lang) -> dict[str, list[list[str]]] | None:
    """The suits (columns) and numbers (rows) of the game's cards, each as a part of the cards' ids and in words; None where the
    cards have none."""
    if game.cards not in SUITED:
        return None
    suits, numbers = SUITED[game.cards]
    called = [[[str(id), name.it if lang == "it" else name.en] for id, name in part.items()] for part in (suits, numbers)]
    return {"suits": called[0], "numbers": called[1]}


@organiser.get("/api/organiser")
@documented(answer=ORGANISERS, also=(404, 409))
@organiser_only
def view() -> ResponseReturnValue:
    """[The game as organisers see it](#api-organiser)."""
    return answered(lambda: answer(organiser_context().view(chosen())))


@organiser.get("/api/organiser/stream")
@documented(answer=EVENTS, also=(503,))
@organiser_only
def stream() -> ResponseReturnValue:
    """The same as server-sent events: `view`, `beat` (`{"notices": […]}`), and `unpaired` once the phone has been withdrawn."""
    context, lang = organiser_context(), chosen()
    phones: Phones = current_app.extensions["phones"]
    token = str(session["phone"])
    follower = Follower(may=lambda: phones.find(token) is not None, sorry=event("unpaired", b"{}"))
    return followed(context.broadcasts.of(lang), follower, context.places, context.feed.settings.retry, own=True)
