"""What an organiser's phone asks for as JSON: it sends commands, tells a hand that the camera has missed, and chooses what
spectators see besides the game; and it looks up a hand, who said what, and what could stand in a place of a hand."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Response, request
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from companion.dashboard.answers import Instead, answer, posted, refused, why_not
from companion.dashboard.endpoint import JPEG, NUMBER, REFUSALS, TEXT, OneOf, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.context import NotAgreed, OrganiserContext, answered, organiser, organiser_context
from companion.dashboard.organiser.effects import Effect, EffectView, effect
from companion.dashboard.organiser.guard import organiser_only, paired_phone
from companion.dashboard.organiser.lines import HandView, SuggestionView, hand_view, suggested_in, suggestion_views
from companion.dashboard.organiser.phone_view import ORGANISERS, organiser_views
from companion.dashboard.organiser.said import HistoryView, history
from companion.dashboard.settings import ShowWish
from companion.dashboard.voice import installed
from companion.editing.act_changes import ActView, act_views
from companion.editing.commands import Change, Command, Index, Shown, plain, read, read_events
from companion.editing.missed import Telling, telling
from companion.referee.following import Edit
from companion.referee.questions import questions
from companion.table.errors import Illegal
from companion.table.language import Lang


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


class Missed(Struct, frozen=True, forbid_unknown_fields=True):
    """The events so far of a hand that the camera has missed, ``before`` the hand with this id, or of that hand from its start.
    ``game`` and ``version``: what it is told of."""

    game: int
    version: int
    before: Index
    events: Shown


COMMANDED = OneOf(lambda: (*organiser_views(), EffectView))
"""What a command answers: the view after it or, dry, its effect."""


@organiser.post("/api/organiser/command")
@documented(body=Request, answer=COMMANDED, also=REFUSALS)
@organiser_only
def command() -> ResponseReturnValue:
    """[Does something](#commands), or says what it would do.

    200: the view after it or, dry, its effect. 409: made on a version that is past, with the view as it stands. 422: the rules
    forbid it, perhaps with what could be done ``instead``, ``without`` some of the hand's later lines. 400: no command.
    """
    wish, phone = posted(Request), paired_phone()
    return obeyed(organiser_context(), wish, phone.name if phone is not None else "")


def obeyed(context: OrganiserContext, wish: Request, by: str) -> Response:
    """Do a command, and give the answer, also where it is refused. ``by``: the name of the phone that sends it."""
    lang = chosen()

    def done() -> Response:
        do = read(wish.do, context.editor.game())
        if wish.dry:
            return _would(context, wish, do, lang)

        def agree(found: Edit) -> None:
            context.check_shown(found, lang)
            if wish.expects is not None and _effect(context, found, lang).mark != wish.expects:
                raise NotAgreed

        try:
            already = not context.editor.do(wish.game, wish.version, do, by=by, tap=wish.tap, agree=agree)
        except Illegal as error:
            if wish.expects is None:
                raise
            raise NotAgreed from error  # it could be done when it was shown
        return answer(context.view(lang, already=already))

    return answered(done, wish.said, wish.version)


def _would(context: OrganiserContext, wish: Request, do: Command, lang: Lang) -> Response:
    """The answer that says what a command would do. Where later lines do not allow a change, also what could be done
    ``instead``."""
    try:
        found = context.editor.would(wish.game, wish.version, do)
    except Illegal as error:
        instead = context.editor.instead(wish.game, wish.version, do) if isinstance(do, Change) else None
        if instead is None:
            raise
        less = Instead(msgspec.to_builtins(instead[0]), _effect(context, instead[1], lang).without)
        return refused("illegal", 422, why_not(error, lang), instead=less)
    context.check_shown(found, lang)
    shown = _effect(context, found, lang)
    return answer(EffectView(**asdict(shown), mark=shown.mark))


def _effect(context: OrganiserContext, found: Edit, lang: Lang) -> Effect:
    shown = effect(found, lang, context.feed.settings.sure_from, lambda: context.believed(found, lang))
    return replace(shown, already=True) if found.already else shown


@organiser.post("/api/organiser/missed")
@documented(body=Missed, answer=Telling, also=REFUSALS)
@organiser_only
def missed() -> ResponseReturnValue:
    """[How a hand that was missed goes on](#missed)."""
    wish = posted(Missed)

    def found() -> Response:
        editor = organiser_context().editor
        events = read_events(wish.events, editor.game())
        evening = editor.looked_at(wish.game)
        return answer(telling(evening, wish.before, events, chosen()))

    return answered(found)


@organiser.post("/api/organiser/show")
@documented(body=ShowWish, answer=ORGANISERS, also=REFUSALS)
@organiser_only
def show() -> ResponseReturnValue:
    """[What the TV shows besides the game](#show)."""
    wish = posted(ShowWish)
    if wish.voice and not installed():
        return refused("no_voice", 409)
    organiser_context().feed.shows.change(wish)
    return answered(lambda: answer(organiser_context().view(chosen())))


MAX_NAMED_CARDS = 20
"""Number of cards that may be asked about at once."""


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines ``start`` to ``stop`` (excluded) of a hand, as its lines were ``shown``; the rest as in `Request` and
    `companion.editing.commands.Change`."""

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


@organiser.get("/api/organiser/hand/<int:hand>")
@documented(answer=HandView, also=(404, 409))
@organiser_only
def one_hand(hand: int) -> ResponseReturnValue:
    """Any hand, line by line, as `hand` in the view."""

    def found() -> Response:
        context, lang = organiser_context(), chosen()
        evening = context.editor.stands().evening
        chapter = evening.chapter(hand)
        return answer(hand_view(chapter, lang, context.marks(lang), evening.told_later(chapter)))

    return answered(found)


@organiser.get("/api/organiser/named")
@documented(answer=NamedView, query={"cards": TEXT}, also=(400, 404, 409))
@organiser_only
def named() -> ResponseReturnValue:
    """`?cards=` ids with a comma between: what they come to in the game that is on, `{"text": "32: two aces and a figure"}`; `""`
    where there is nothing to say. 400: no cards of this game, or more than 20."""
    cards = request.args.get("cards", "").split(",")

    def found() -> Response:
        current, lang = organiser_context().editor.stands(), chosen()
        if len(cards) > MAX_NAMED_CARDS or not {card for card, _ in current.game.pages.cards(lang)}.issuperset(cards):
            return refused("malformed", 400)
        return answer(NamedView(current.game.pages.named(current.evening.current.after, cards, lang)))

    return answered(found)


@organiser.get("/api/organiser/history")
@documented(answer=list[HistoryView], also=(404, 409))
@organiser_only
def said_so_far() -> ResponseReturnValue:
    """Who said what, the newest first: `[{"entry", "text", "by", "at", "taken_back"}]`, 400 things at most. `by`: the name of the
    phone; `at`: when, local time, `null` where an older version recorded it; `taken_back`: it counts no more."""

    def found() -> Response:
        current, recorded = organiser_context().editor.recorded()
        return answer(history(current.evening, recorded, chosen()))

    return answered(found)


@organiser.get("/api/organiser/suggestions")
@documented(answer=list[SuggestionView], query={"hand": NUMBER, "start": NUMBER, "stop": NUMBER}, also=(400, 404, 409))
@organiser_only
def suggested() -> ResponseReturnValue:
    """What could stand in place of lines `start` to `stop` (excluded) of a `hand`: `?hand=&start=&stop=`. A list of `{"text",
    "events", "probability"}`, the likeliest first; 0: nothing of it was seen."""
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
@documented(body=Place, answer=PlaceView, also=REFUSALS)
@organiser_only
def place() -> ResponseReturnValue:
    """[What could stand in a place of a hand](#place), whole acts and lines."""
    wish, context, lang = posted(Place), organiser_context(), chosen()

    def found() -> Response:
        shown = read_events(wish.shown, context.editor.game())
        where = Change(wish.hand, wish.start, wish.stop, (), shown=shown, beside=wish.beside)
        evening, now = context.editor.place(wish.game, wish.version, where)
        start, stop = now.start, now.stop
        suggestions = suggestion_views(evening, now.hand, start, suggested_in(evening, now.hand, start, stop), lang)
        acts = act_views(evening, now.hand, start, lang) if stop == start + 1 else ()
        lines = tuple(plain(line.event) for line in evening.chapter(now.hand).lines)
        return answer(PlaceView(start, stop, acts, suggestions, lines))

    return answered(found, wish.said, wish.version)


@organiser.get("/api/organiser/picture")
@documented(answer=JPEG, query={"question": TEXT}, also=(404, 409))
@organiser_only
def picture() -> ResponseReturnValue:
    """`?question=` the id of the open question: a picture of what it asks about, JPEG. 404: none."""

    def found() -> Response:
        context = organiser_context()
        open_question = {one.id: one for one in questions(context.editor.stands().evening)}.get(request.args.get("question", ""))
        jpeg = context.picture(open_question) if open_question is not None else None
        if jpeg is None:
            return refused("gone", 404)
        return Response(jpeg, mimetype="image/jpeg")

    return answered(found)
