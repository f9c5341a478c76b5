"""The organiser's page and its JSON under `/api/organiser`: everything here needs a paired phone."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Flask, Response, current_app, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.dashboard.feed import Feed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import pairing
from companion.dashboard.organiser.commands import Change, Command, Events, Index, Insert, mended
from companion.dashboard.organiser.desk import FindScribe
from companion.dashboard.organiser.effects import effect
from companion.dashboard.organiser.guard import csrf_token, organiser_only, refused
from companion.dashboard.organiser.lines import hand_view, left_out, suggested_in, suggestion_views
from companion.dashboard.organiser.missed import telling
from companion.dashboard.organiser.reasons import why_not
from companion.dashboard.organiser.room import Moment, Notices, Room, answered, encoded, events, room_of
from companion.dashboard.script_words import organiser_words
from companion.dashboard.shows import Show
from companion.dashboard.stream import Listeners
from companion.decks.stu import KINDS
from companion.decks.stu import NAMES as CARD_NAMES
from companion.games.stu.rules import Illegal
from companion.ledger import Ledger, Phones
from companion.referee.questions import questions
from companion.table.language import Lang

MOST_BYTES = 64 * 1024
"""A command is shorter than this."""

organiser = Blueprint("organiser", __name__)
organiser.after_request(pairing.no_store)


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A command and what it was made on. ``dry``: say what it would do, and do nothing."""

    game: int
    version: int
    do: Command
    dry: bool = False


class Missed(Struct, frozen=True, forbid_unknown_fields=True):
    """What has been told so far of a hand that was missed, ``before`` the one with this id; on which game and version."""

    game: int
    version: int
    before: Index
    events: Events


def install(
    app: Flask, ledger: Ledger, feed: Feed, listeners: Listeners, notices: Notices, find: FindScribe | None, moment: Moment | None
) -> None:
    """The organiser's pages for this application; `pairing.install` comes first. ``notices``: what the table is told."""
    app.extensions["organiser"] = Room(ledger, feed, listeners, notices, find, moment)
    app.register_blueprint(organiser)


@organiser.get("/organiser")
@organiser_only
def page() -> ResponseReturnValue:
    """The page; everything on it comes from the stream."""
    lang = chosen()
    data = {
        "strings": organiser_words(lang),
        "csrf": csrf_token(),
        "lang": lang,
        "api": "/api/organiser",
        "stream": url_for("organiser.stream", lang=lang),
        "cards": url_for("card", name="CARD.svg"),
        "kinds": [[kind, CARD_NAMES[kind].it] for kind in KINDS],
        "patience_s": room_of().feed.settings.patience,
        "pair": url_for("pairing.pair", next="/organiser"),
        "setup": "setup" in current_app.blueprints,
    }
    return render_template("organiser.html", page=data)


@organiser.get("/api/organiser")
@organiser_only
def view() -> ResponseReturnValue:
    """The game as organisers see it: `view.PhoneView`."""
    return answered(lambda: Response(room_of().view(chosen()), mimetype="application/json"))


@organiser.post("/api/organiser/command")
@organiser_only
def command() -> ResponseReturnValue:
    """Do a `Request`'s command: 200 and the view after it, or, dry, an `view.Effect`. 409: made on a version that is past,
    with the view as it stands; 422: the rules forbid it, perhaps with what could be done ``instead``, ``without`` some of the
    hand's later lines; 400: no command."""
    if (request.content_length or MOST_BYTES + 1) > MOST_BYTES:
        return refused("malformed", 413)
    try:
        asked = msgspec.json.decode(request.get_data(), type=Request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return refused("malformed", 400)
    room, lang = room_of(), chosen()

    def done() -> Response:
        if asked.dry:
            try:
                before, after = room.desk.would(asked.game, asked.version, asked.do)
            except Illegal as error:
                if isinstance(asked.do, Change) and (instead := _instead(room, asked.do, lang)):
                    return refused("illegal", 422, why_not(error, lang), instead=instead)
                raise
            hand = asked.do.hand if isinstance(asked.do, Change | Insert) else after.current.id
            return Response(encoded(effect(before, after, hand, lang)), mimetype="application/json")
        room.desk.do(asked.game, asked.version, asked.do)
        return Response(room.view(lang), mimetype="application/json")

    return answered(done)


@organiser.post("/api/organiser/missed")
@organiser_only
def missed() -> ResponseReturnValue:
    """How a hand that was `Missed` goes on: `missed.Telling`. 422: it cannot have been so, and why."""
    if (request.content_length or MOST_BYTES + 1) > MOST_BYTES:
        return refused("malformed", 413)
    try:
        asked = msgspec.json.decode(request.get_data(), type=Missed)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return refused("malformed", 400)

    def found() -> Response:
        evening = room_of().desk.looked_at(asked.game, asked.version)
        return Response(encoded(telling(evening, asked.before, asked.events, chosen())), mimetype="application/json")

    return answered(found)


@organiser.post("/api/organiser/show")
@organiser_only
def show() -> ResponseReturnValue:
    """What spectators see besides the game: a `shows.Show`. 200 and the view after it."""
    try:
        wish = msgspec.json.decode(request.get_data(), type=Show)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return refused("malformed", 400)
    room_of().feed.stage.change(wish)
    return answered(lambda: Response(room_of().view(chosen()), mimetype="application/json"))


@organiser.get("/api/organiser/hand/<int:hand>")
@organiser_only
def one_hand(hand: int) -> ResponseReturnValue:
    """Any hand of the game, line by line: `view.HandView`."""

    def found() -> Response:
        chapter = room_of().desk.stands().evening.chapter(hand)
        return Response(encoded(hand_view(chapter, chosen())), mimetype="application/json")

    return answered(found)


@organiser.get("/api/organiser/suggestions")
@organiser_only
def suggested() -> ResponseReturnValue:
    """What could stand instead of lines ``start`` to ``stop`` of a ``hand``: `view.SuggestionView`s, the likeliest first."""
    try:
        hand, start, stop = (int(request.args[key]) for key in ("hand", "start", "stop"))
    except (KeyError, ValueError):
        return refused("malformed", 400)

    def found() -> Response:
        evening = room_of().desk.stands().evening
        if not 0 <= start <= stop <= len(evening.chapter(hand).lines):
            raise KeyError(hand)
        found = suggested_in(evening, hand, start, stop)
        views = suggestion_views(evening, hand, start, found, chosen())
        return Response(encoded(views), mimetype="application/json")

    return answered(found)


@organiser.get("/api/organiser/picture")
@organiser_only
def picture() -> ResponseReturnValue:
    """The picture of what an open ``question`` asks about, as JPEG."""

    def found() -> Response:
        asked = {one.id: one for one in questions(room_of().desk.stands().evening)}.get(request.args.get("question", ""))
        jpeg = room_of().picture(asked) if asked is not None else None
        if jpeg is None:
            return refused("gone", 404)
        return Response(jpeg, mimetype="image/jpeg")

    return answered(found)


@organiser.get("/api/organiser/stream")
@organiser_only
def stream() -> ResponseReturnValue:
    """The view as server-sent events, whenever it has changed, and beats with what the table is told, as `/api/stream` has them;
    `event: unpaired` once the phone has been withdrawn."""
    room, lang = room_of(), chosen()
    if not room.listeners.enter():
        response = Response("too many pages follow this table already: close one\n", 503)
        response.headers["Retry-After"] = "5"
        return response
    phones: Phones = current_app.extensions["phones"]
    token = str(session["phone"])
    response = Response(events(room, lang, lambda: phones.find(token) is not None), mimetype="text/event-stream")
    response.call_on_close(room.listeners.leave)
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _instead(room: Room, change: Change, lang: Lang) -> dict[str, object] | None:
    """What could be done in place of a change that later lines of the hand do not allow, and which of them would go."""
    evening = room.desk.stands().evening
    found = mended(evening, change)
    if found is None:
        return None
    return {"do": msgspec.json.decode(msgspec.json.encode(found)), "without": left_out(evening, change, found, lang)}
