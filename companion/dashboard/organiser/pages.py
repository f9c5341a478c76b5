"""The organiser's page and its JSON under `/api/organiser`: everything here needs a paired phone."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator

import msgspec
from flask import Blueprint, Flask, Response, current_app, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.language import catalogue
from companion.dashboard.locale import chosen
from companion.dashboard.organiser import pairing
from companion.dashboard.organiser.commands import Change, Command, Events, Index, Insert, mended
from companion.dashboard.organiser.desk import Desk, FindScribe, NoGame, StaleVersion
from companion.dashboard.organiser.effects import effect
from companion.dashboard.organiser.guard import csrf_token, organiser_only, refused
from companion.dashboard.organiser.lines import hand_view, left_out, suggested_in, suggestion_views
from companion.dashboard.organiser.missed import telling
from companion.dashboard.organiser.reasons import PAGE, why_not
from companion.dashboard.organiser.view import phone_view
from companion.dashboard.script_words import organiser_words
from companion.dashboard.settings import Settings
from companion.dashboard.shows import Show
from companion.dashboard.stream import Listeners
from companion.dashboard.view import Lang
from companion.ledger import Ledger, LedgerError, Phones
from companion.referee.corrections import Stale
from companion.referee.questions import Contradicted, NotAsked, Question, questions
from companion.referee.undo import NothingThere
from companion.scribe import NotKept
from companion.stu import Illegal, StuError
from companion.stu.cards import KINDS
from companion.stu.cards import NAMES as CARD_NAMES

_log = logging.getLogger(__name__)

MOST_BYTES = 64 * 1024
"""A command is shorter than this."""

Moment = Callable[[float, tuple[int, ...]], bytes | None]
"""A JPEG of these places at so many seconds into the evening; None where there is none."""

Notices = Callable[[Snapshot, Lang], list[str]]
"""What the table is told now of the camera's troubles, as sentences."""

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


class Room:
    """What the organiser's pages of one application share."""

    def __init__(
        self, ledger: Ledger, feed: Feed, listeners: Listeners, notices: Notices, find: FindScribe | None, moment: Moment | None
    ) -> None:
        self.desk = Desk(ledger, feed.game, find)
        self.feed, self.listeners, self.notices, self.moment = feed, listeners, notices, moment

    def view(self, lang: Lang) -> bytes:
        """The view as JSON. Raises NoGame, NotKept, LedgerError, StuError."""
        return _json(phone_view(self.desk.stands(), self.feed.stage.now, lang, lambda asked: self.moment is not None))

    def beat(self, lang: Lang) -> bytes:
        """What a quiet stream says: {"notices": what the table is told of the camera}. Raises LedgerError."""
        return _json({"notices": self.notices(self.feed.snapshot(), lang)})

    def mark(self) -> object:
        """Another as soon as a phone should be shown something new."""
        return self.desk.mark(), self.feed.stage.now

    def wait(self, mark: object, seconds: float) -> None:
        """Wait until there is another `mark`, at most so long. Raises LedgerError when the ledger is closed."""
        self.desk.wait(lambda: self.mark() != mark, seconds)

    def picture(self, asked: Question) -> bytes | None:
        """The picture of what a question asks about."""
        return self.moment(asked.t, asked.places) if self.moment is not None else None


def install(
    app: Flask, ledger: Ledger, feed: Feed, listeners: Listeners, notices: Notices, find: FindScribe | None, moment: Moment | None
) -> None:
    """The organiser's pages for this application; `pairing.install` comes first. ``notices``: what the table is told."""
    app.extensions["organiser"] = Room(ledger, feed, listeners, notices, find, moment)
    app.register_blueprint(organiser)


def _room() -> Room:
    found: Room = current_app.extensions["organiser"]
    return found


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
        "patience_s": _room().feed.settings.patience,
        "pair": url_for("pairing.pair", next="/organiser"),
        "setup": "setup" in current_app.blueprints,
    }
    return render_template("organiser.html", page=data)


@organiser.get("/api/organiser")
@organiser_only
def view() -> ResponseReturnValue:
    """The game as organisers see it: `view.PhoneView`."""
    return _answered(lambda: Response(_room().view(chosen()), mimetype="application/json"))


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
    room, lang = _room(), chosen()

    def done() -> Response:
        if asked.dry:
            try:
                before, after = room.desk.would(asked.game, asked.version, asked.do)
            except Illegal as error:
                if isinstance(asked.do, Change) and (instead := _instead(room, asked.do, lang)):
                    return refused("illegal", 422, why_not(error, lang), instead=instead)
                raise
            hand = asked.do.hand if isinstance(asked.do, Change | Insert) else after.current.id
            return Response(_json(effect(before, after, hand, lang)), mimetype="application/json")
        room.desk.do(asked.game, asked.version, asked.do)
        return Response(room.view(lang), mimetype="application/json")

    return _answered(done)


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
        evening = _room().desk.looked_at(asked.game, asked.version)
        return Response(_json(telling(evening, asked.before, asked.events, chosen())), mimetype="application/json")

    return _answered(found)


@organiser.post("/api/organiser/show")
@organiser_only
def show() -> ResponseReturnValue:
    """What spectators see besides the game: a `shows.Show`. 200 and the view after it."""
    try:
        wish = msgspec.json.decode(request.get_data(), type=Show)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return refused("malformed", 400)
    _room().feed.stage.change(wish)
    return _answered(lambda: Response(_room().view(chosen()), mimetype="application/json"))


@organiser.get("/api/organiser/hand/<int:hand>")
@organiser_only
def one_hand(hand: int) -> ResponseReturnValue:
    """Any hand of the game, line by line: `view.HandView`."""

    def found() -> Response:
        chapter = _room().desk.stands().evening.chapter(hand)
        return Response(_json(hand_view(chapter, chosen())), mimetype="application/json")

    return _answered(found)


@organiser.get("/api/organiser/suggestions")
@organiser_only
def suggested() -> ResponseReturnValue:
    """What could stand instead of lines ``start`` to ``stop`` of a ``hand``: `view.SuggestionView`s, the likeliest first."""
    try:
        hand, start, stop = (int(request.args[key]) for key in ("hand", "start", "stop"))
    except (KeyError, ValueError):
        return refused("malformed", 400)

    def found() -> Response:
        evening = _room().desk.stands().evening
        if not 0 <= start <= stop <= len(evening.chapter(hand).lines):
            raise KeyError(hand)
        found = suggested_in(evening, hand, start, stop)
        views = suggestion_views(evening, hand, start, found, chosen())
        return Response(_json(views), mimetype="application/json")

    return _answered(found)


@organiser.get("/api/organiser/picture")
@organiser_only
def picture() -> ResponseReturnValue:
    """The picture of what an open ``question`` asks about, as JPEG."""

    def found() -> Response:
        asked = {one.id: one for one in questions(_room().desk.stands().evening)}.get(request.args.get("question", ""))
        jpeg = _room().picture(asked) if asked is not None else None
        if jpeg is None:
            return refused("gone", 404)
        return Response(jpeg, mimetype="image/jpeg")

    return _answered(found)


@organiser.get("/api/organiser/stream")
@organiser_only
def stream() -> ResponseReturnValue:
    """The view as server-sent events, whenever it has changed, and beats with what the table is told, as `/api/stream` has them;
    `event: unpaired` once the phone has been withdrawn."""
    room, lang = _room(), chosen()
    if not room.listeners.enter():
        response = Response("too many pages follow this table already: close one\n", 503)
        response.headers["Retry-After"] = "5"
        return response
    phones: Phones = current_app.extensions["phones"]
    token = str(session["phone"])
    response = Response(_events(room, lang, lambda: phones.find(token) is not None), mimetype="text/event-stream")
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


def _events(room: Room, lang: Lang, paired: Callable[[], bool]) -> Iterator[bytes]:
    settings: Settings = room.feed.settings
    yield f"retry: {settings.retry * 1000:.0f}\n\n".encode()
    seen: object = None
    try:
        while not room.feed.stopped:
            if not paired():
                yield b"event: unpaired\ndata: {}\n\n"
                return
            mark = room.mark()
            if mark != seen:
                seen = mark  # before the view is made: what happens meanwhile is another event
                yield b"event: view\ndata: %s\n\n" % _view_or_why(room, lang)
            else:
                yield b"event: beat\ndata: %s\n\n" % room.beat(lang)
            room.wait(mark, settings.heartbeat)
    except LedgerError:
        return


def _view_or_why(room: Room, lang: Lang) -> bytes:
    try:
        return room.view(lang)
    except NoGame:
        return _no_view("no_game", lang)
    except (NotKept, StuError) as error:
        _log.warning("the organiser's page cannot go on with this game: %s", error)
        return _no_view("not_kept", lang)


def _answered(answer: Callable[[], Response]) -> Response:
    """What ``answer`` gives, or why not."""
    lang = chosen()
    try:
        return answer()
    except (StaleVersion, Stale):
        return refused("stale", 409, view=json.loads(_view_or_why(_room(), lang)))
    except StuError as error:
        return refused("illegal", 422, why_not(error, lang))
    except Contradicted:
        return refused("contradicted", 422)
    except NotAsked:
        return refused("not_asked", 409, view=json.loads(_view_or_why(_room(), lang)))
    except NothingThere:
        return refused("nothing", 422)
    except NoGame:
        return refused("no_game", 404)
    except KeyError:
        return refused("gone", 404)
    except NotKept as error:
        _log.warning("%s", error)
        return refused("not_kept", 409)


def _no_view(error: str, lang: Lang) -> bytes:
    # Not `refused`: the stream goes on when its request is long over.
    return _json({"error": error, "message": catalogue(lang).gettext(PAGE[error])})


def _json(value: object) -> bytes:
    # Of the library's own: a price may have more digits than msgspec writes.
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":")).encode()
