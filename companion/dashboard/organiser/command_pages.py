"""What an organiser's phone says: commands, how a hand that was missed went, what spectators are shown besides the game."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response
from flask.typing import ResponseReturnValue
from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from companion.dashboard.encoding import answer
from companion.dashboard.endpoint import REFUSALS, OneOf, documented
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.context import NotAgreed, OrganiserContext, answered, organiser, organiser_context
from companion.dashboard.organiser.effects import Effect, EffectView, effect
from companion.dashboard.organiser.guard import Instead, organiser_only, paired_phone, posted, refused
from companion.dashboard.organiser.phone_view import ORGANISERS, organiser_views
from companion.dashboard.organiser.reasons import why_not
from companion.dashboard.settings import ShowWish
from companion.dashboard.voice import installed
from companion.editing.commands import Change, Command, Index, Shown, read, read_events
from companion.editing.missed import Telling, telling
from companion.referee.following import Edit
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
    wish = posted(Request)
    context, lang = organiser_context(), chosen()

    def done() -> Response:
        do = read(wish.do, context.editor.game())
        if wish.dry:
            return _would(context, wish, do, lang)

        def agree(found: Edit) -> None:
            context.check_shown(found, lang)
            if wish.expects is not None and _effect(found, lang).mark != wish.expects:
                raise NotAgreed

        phone = paired_phone()
        by = phone.name if phone is not None else ""
        already = not context.editor.do(wish.game, wish.version, do, by=by, tap=wish.tap, agree=agree)
        return answer(context.view(lang, already=already))

    return answered(done, wish.said)


def _would(context: OrganiserContext, wish: Request, do: Command, lang: Lang) -> Response:
    """What a command would do; of a change that later lines do not allow, also what could be done ``instead``."""
    try:
        found = context.editor.would(wish.game, wish.version, do)
    except Illegal as error:
        instead = context.editor.instead(wish.game, wish.version, do) if isinstance(do, Change) else None
        if instead is None:
            raise
        less = Instead(msgspec.to_builtins(instead[0]), _effect(instead[1], lang).without)
        return refused("illegal", 422, why_not(error, lang), instead=less)
    context.check_shown(found, lang)
    shown = _effect(found, lang)
    return answer(EffectView(**asdict(shown), mark=shown.mark))


def _effect(found: Edit, lang: Lang) -> Effect:
    shown = effect(found, lang)
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
