"""The organiser's page and its JSON under `/api/organiser`: everything here needs a paired phone."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Flask, Response, current_app, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from companion.dashboard import secure
from companion.dashboard.encoding import answer
from companion.dashboard.feed import Feed
from companion.dashboard.front.places import Places
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.act_changes import ActView, act_views
from companion.dashboard.organiser.commands import Change, Command, Index, Shown, read, read_events
from companion.dashboard.organiser.context import (
    FindPicture,
    NotAgreed,
    Notices,
    OrganiserContext,
    answered,
    organiser_context,
)
from companion.dashboard.organiser.editor import FindScribe, NoGame, Would
from companion.dashboard.organiser.effects import Effect, EffectView, effect
from companion.dashboard.organiser.guard import Instead, csrf_token, organiser_only, paired_phone, refused
from companion.dashboard.organiser.lines import SuggestionView, hand_view, plain, suggested_in, suggestion_views
from companion.dashboard.organiser.missed import telling
from companion.dashboard.organiser.reasons import why_not
from companion.dashboard.organiser.said import history
from companion.dashboard.script_words import organiser_words
from companion.dashboard.shows import ShowWish
from companion.dashboard.stream import Follower, followed
from companion.dashboard.voice import installed
from companion.dashboard.wings import own_file
from companion.decks.lists import SUITED
from companion.games import Game
from companion.ledger import Ledger, Phones
from companion.referee.questions import questions
from companion.table.errors import Illegal
from companion.table.language import Lang

MOST_BYTES = 64 * 1024
"""A command is shorter than this."""

MOST_NAMED = 20
"""Cards that are asked about at once."""

organiser = Blueprint("organiser", __name__)
organiser.after_request(secure.never_kept)


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """A command and what it was made on: ``game``, ``version`` and ``said`` as in the view.

    ``dry``: say what it would do, and do nothing. ``expects``: the mark of the effect that was shown and confirmed. ``tap``: a
    token of the tap: sent twice, the command is done once, also after a restart.
    """

    game: int
    version: int
    do: Command
    dry: bool = False
    said: Index | None = None
    expects: str | None = None
    tap: Annotated[str, Meta(max_length=64)] = ""


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines ``start`` to ``stop`` (excluded) of a hand, as its lines were ``shown``; the rest as in `Request` and `Change`."""

    game: int
    version: int
    hand: Index
    start: Index
    stop: Index
    shown: Shown
    beside: Index | None = None
    said: Index | None = None


class NamedView(Struct, frozen=True):
    """What some cards come to, as ``text``; "" where there is nothing to say."""

    text: str


class PlaceView(Struct, frozen=True):
    """What could stand in a `Place`, wherever it is by now: whole ``acts`` and ``suggestions``, the likeliest first; and the
    events of the hand's lines as they are ``shown`` now."""

    start: int
    stop: int
    acts: tuple[ActView, ...]
    suggestions: tuple[SuggestionView, ...]
    shown: tuple[dict[str, Any], ...]


class Missed(Struct, frozen=True, forbid_unknown_fields=True):
    """What has been told so far of a hand that was missed, ``before`` the one with this id, or of that hand told anew; of which
    game, at which version."""

    game: int
    version: int
    before: Index
    events: Shown


def install(
    app: Flask, ledger: Ledger, feed: Feed, places: Places, notices: Notices, find: FindScribe | None,
    find_picture: FindPicture | None,
) -> None:  # fmt: skip
    """The organiser's pages for this application; `pairing.install` comes first. ``notices``: what the table is told."""
    app.extensions["organiser"] = OrganiserContext(ledger, feed, places, notices, find, find_picture)
    app.register_blueprint(organiser)


@organiser.get("/organiser")
@organiser_only
def page() -> ResponseReturnValue:
    """The page; everything on it comes from the stream."""
    lang, game = chosen(), organiser_context().feed.snapshot().game
    data = {
        "wing": game.id,
        "own_script": own_file(game.id, "organiser.js"),
        "strings": {**organiser_words(lang), **game.pages.phone_words(lang)},
        "csrf": csrf_token(),
        "phone": phone.name if (phone := paired_phone()) is not None else "",
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
    }
    return render_template("organiser.html", page=data, title=game.pages.title, own_style=own_file(game.id, "organiser.css"))


def _grid(game: Game, lang: Lang) -> dict[str, list[list[str]]] | None:
    """The suits (columns) and numbers (rows) of the game's cards, each as the part of an id and what it is called; None where its
    cards have none."""
    if game.cards not in SUITED:
        return None
    suits, numbers = SUITED[game.cards]
    called = [[[str(id), name.it if lang == "it" else name.en] for id, name in part.items()] for part in (suits, numbers)]
    return {"suits": called[0], "numbers": called[1]}


@organiser.get("/api/organiser")
@organiser_only
def view() -> ResponseReturnValue:
    """The game as organisers see it: `phone_view.PhoneView`."""
    return answered(lambda: Response(organiser_context().view(chosen()), mimetype="application/json"))


@organiser.post("/api/organiser/command")
@organiser_only
def command() -> ResponseReturnValue:
    """Do a `Request`'s command: 200 and the view after it, or, dry, an `effects.Effect`. 409: made on a version that is past,
    with the view as it stands; 422: the rules forbid it, perhaps with what could be done ``instead``, ``without`` some of the
    hand's later lines; 400: no command."""
    if (request.content_length or MOST_BYTES + 1) > MOST_BYTES:
        return refused("malformed", 413)
    try:
        asked = msgspec.json.decode(request.get_data(), type=Request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return refused("malformed", 400)
    context, lang = organiser_context(), chosen()

    def done() -> Response:
        game = context.editor.game()
        try:
            do = read(asked.do, game)
        except msgspec.ValidationError:
            return refused("malformed", 400)
        if asked.dry:
            return _would(context, asked, do, lang)

        def agree(found: Would) -> None:
            if asked.expects is not None and _effect(found, lang).mark != asked.expects:
                raise NotAgreed

        phone = paired_phone()
        by = phone.name if phone is not None else ""
        already = not context.editor.do(asked.game, asked.version, do, by=by, tap=asked.tap, agree=agree)
        return Response(context.view(lang, already=already), mimetype="application/json")

    return answered(done, asked.said)


def _would(context: OrganiserContext, asked: Request, do: Command, lang: Lang) -> Response:
    """What a command would do; of a change that later lines do not allow, also what could be done ``instead``."""
    try:
        found = context.editor.would(asked.game, asked.version, do)
    except Illegal as error:
        instead = context.editor.instead(asked.game, asked.version, do) if isinstance(do, Change) else None
        if instead is None:
            raise
        less = Instead(msgspec.to_builtins(instead[0]), _effect(instead[1], lang).without)
        return refused("illegal", 422, why_not(error, lang), instead=less)
    shown = _effect(found, lang)
    return answer(EffectView(**asdict(shown), mark=shown.mark))


def _effect(found: Would, lang: Lang) -> Effect:
    shown = effect(found.before, found.after, lang, found.found)
    return replace(shown, already=True) if found.already else shown


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
        editor = organiser_context().editor
        game = editor.game()
        try:
            told = read_events(asked.events, game)
        except msgspec.ValidationError:
            return refused("malformed", 400)
        evening = editor.looked_at(asked.game)
        return answer(telling(evening, asked.before, told, chosen()))

    return answered(found)


@organiser.post("/api/organiser/show")
@organiser_only
def show() -> ResponseReturnValue:
    """What spectators see besides the game: a `shows.ShowWish`. 200 and the view after it."""
    try:
        wish = msgspec.json.decode(request.get_data(), type=ShowWish)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return refused("malformed", 400)
    if wish.voice and not installed():
        return refused("no_voice", 409)
    organiser_context().feed.shows.change(wish)
    return answered(lambda: Response(organiser_context().view(chosen()), mimetype="application/json"))


@organiser.get("/api/organiser/hand/<int:hand>")
@organiser_only
def one_hand(hand: int) -> ResponseReturnValue:
    """Any hand of the game, line by line: `lines.HandView`."""

    def found() -> Response:
        chapter = organiser_context().editor.stands().evening.chapter(hand)
        return answer(hand_view(chapter, chosen()))

    return answered(found)


@organiser.get("/api/organiser/named")
@organiser_only
def named() -> ResponseReturnValue:
    """What these ``cards`` (ids, a comma between) come to in the game that is on, as ``text``."""
    cards = request.args.get("cards", "").split(",")

    def found() -> Response:
        current, lang = organiser_context().editor.stands(), chosen()
        if len(cards) > MOST_NAMED or not {card for card, _ in current.game.pages.cards(lang)}.issuperset(cards):
            return refused("malformed", 400)
        return answer(NamedView(current.game.pages.named(current.evening.current.after, cards, lang)))

    return answered(found)


@organiser.get("/api/organiser/history")
@organiser_only
def said_so_far() -> ResponseReturnValue:
    """Who said what, and when: `said.HistoryView`s, the newest first."""

    def found() -> Response:
        current, recorded = organiser_context().editor.recorded()
        return answer(history(current.evening, recorded, chosen()))

    return answered(found)


@organiser.get("/api/organiser/suggestions")
@organiser_only
def suggested() -> ResponseReturnValue:
    """What could stand instead of lines ``start`` to ``stop`` of a ``hand``: `lines.SuggestionView`s, the likeliest first."""
    try:
        hand, start, stop = (int(request.args[key]) for key in ("hand", "start", "stop"))
    except (KeyError, ValueError):
        return refused("malformed", 400)

    def found() -> Response:
        evening = organiser_context().editor.stands().evening
        if not 0 <= start <= stop <= len(evening.chapter(hand).lines):
            raise KeyError(hand)
        found = suggested_in(evening, hand, start, stop)
        views = suggestion_views(evening, hand, start, found, chosen())
        return answer(views)

    return answered(found)


@organiser.post("/api/organiser/place")
@organiser_only
def place() -> ResponseReturnValue:
    """What could stand in a `Place` of a hand, wherever that is by now: whole ``acts`` (`act_changes.ActView`) and
    ``suggestions`` (`lines.SuggestionView`), the likeliest first; and the events of the hand's lines as they are now."""
    if (request.content_length or MOST_BYTES + 1) > MOST_BYTES:
        return refused("malformed", 413)
    try:
        asked = msgspec.json.decode(request.get_data(), type=Place)
        context, lang = organiser_context(), chosen()
        shown = read_events(asked.shown, context.editor.game())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return refused("malformed", 400)
    except NoGame:
        return refused("no_game", 404)

    def found() -> Response:
        where = Change(asked.hand, asked.start, asked.stop, (), shown=shown, beside=asked.beside)
        evening, now = context.editor.place(asked.game, asked.version, where)
        start, stop = now.start, now.stop
        suggestions = suggestion_views(evening, now.hand, start, suggested_in(evening, now.hand, start, stop), lang)
        acts = act_views(evening, now.hand, start, lang) if stop == start + 1 else ()
        lines = tuple(plain(line.event) for line in evening.chapter(now.hand).lines)
        return answer(PlaceView(start, stop, acts, suggestions, lines))

    return answered(found, asked.said)


@organiser.get("/api/organiser/picture")
@organiser_only
def picture() -> ResponseReturnValue:
    """The picture of what an open ``question`` asks about, as JPEG."""

    def found() -> Response:
        context = organiser_context()
        asked = {one.id: one for one in questions(context.editor.stands().evening)}.get(request.args.get("question", ""))
        jpeg = context.picture(asked) if asked is not None else None
        if jpeg is None:
            return refused("gone", 404)
        return Response(jpeg, mimetype="image/jpeg")

    return answered(found)


@organiser.get("/api/organiser/stream")
@organiser_only
def stream() -> ResponseReturnValue:
    """The view as server-sent events, whenever it has changed, and beats with what the table is told, as `/api/stream` has them;
    `event: unpaired` once the phone has been withdrawn."""
    context, lang = organiser_context(), chosen()
    phones: Phones = current_app.extensions["phones"]
    token = str(session["phone"])
    follower = Follower(may=lambda: phones.find(token) is not None, sorry=b"event: unpaired\ndata: {}\n\n")
    return followed(context.broadcasts.of(lang), follower, context.places, context.feed.settings.retry, own=True)
