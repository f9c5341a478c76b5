"""What the organiser's pages of one application share: the game as phones see it, its stream, and answers to what goes wrong."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator

import msgspec
from flask import Response, current_app

from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.desk import Desk, FindScribe, NoGame, StaleVersion
from companion.dashboard.organiser.guard import refused
from companion.dashboard.organiser.reasons import PAGE, why_not
from companion.dashboard.organiser.view import phone_view
from companion.dashboard.settings import Settings
from companion.dashboard.stream import Listeners
from companion.games.stu.rules import GameError
from companion.ledger import Ledger
from companion.referee.corrections import Stale
from companion.referee.questions import Contradicted, NotAsked, Question
from companion.referee.undo import NothingThere
from companion.table.errors import LedgerError, NotKept
from companion.table.language import Lang, catalogue

_log = logging.getLogger(__name__)

Moment = Callable[[float, tuple[int, ...]], bytes | None]
"""A JPEG of these places at so many seconds into the evening; None where there is none."""

Notices = Callable[[Snapshot, Lang], list[str]]
"""What the table is told now of the camera's troubles, as sentences."""


class Room:
    """What the organiser's pages of one application share."""

    def __init__(
        self, ledger: Ledger, feed: Feed, listeners: Listeners, notices: Notices, find: FindScribe | None, moment: Moment | None
    ) -> None:
        self.desk = Desk(ledger, feed.game, find)
        self.feed, self.listeners, self.notices, self.moment = feed, listeners, notices, moment

    def view(self, lang: Lang) -> bytes:
        """The view as JSON. Raises NoGame, NotKept, LedgerError, GameError."""
        return encoded(phone_view(self.desk.stands(), self.feed.stage.now, lang, lambda asked: self.moment is not None))

    def beat(self, lang: Lang) -> bytes:
        """What a quiet stream says: {"notices": what the table is told of the camera}. Raises LedgerError."""
        return encoded({"notices": self.notices(self.feed.snapshot(), lang)})

    def mark(self) -> object:
        """Another as soon as a phone should be shown something new."""
        return self.desk.mark(), self.feed.stage.now

    def wait(self, mark: object, seconds: float) -> None:
        """Wait until there is another `mark`, at most so long. Raises LedgerError when the ledger is closed."""
        self.desk.wait(lambda: self.mark() != mark, seconds)

    def picture(self, asked: Question) -> bytes | None:
        """The picture of what a question asks about."""
        return self.moment(asked.t, asked.places) if self.moment is not None else None


def room_of() -> Room:
    """The room of the application that is being asked."""
    found: Room = current_app.extensions["organiser"]
    return found


def events(room: Room, lang: Lang, paired: Callable[[], bool]) -> Iterator[bytes]:
    """The stream of one phone: the view whenever it has changed, beats in between; until it is no longer ``paired``."""
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
                yield b"event: view\ndata: %s\n\n" % view_or_why(room, lang)
            else:
                yield b"event: beat\ndata: %s\n\n" % room.beat(lang)
            room.wait(mark, settings.heartbeat)
    except LedgerError:
        return


def view_or_why(room: Room, lang: Lang) -> bytes:
    """The view as JSON or, where there is none, why not. Raises LedgerError."""
    try:
        return room.view(lang)
    except NoGame:
        return _no_view("no_game", lang)
    except (NotKept, GameError) as error:
        _log.warning("the organiser's page cannot go on with this game: %s", error)
        return _no_view("not_kept", lang)


def answered(answer: Callable[[], Response]) -> Response:
    """What ``answer`` gives, or why not."""
    lang = chosen()
    try:
        return answer()
    except (StaleVersion, Stale):
        return refused("stale", 409, view=json.loads(view_or_why(room_of(), lang)))
    except GameError as error:
        return refused("illegal", 422, why_not(error, lang))
    except Contradicted:
        return refused("contradicted", 422)
    except NotAsked:
        return refused("not_asked", 409, view=json.loads(view_or_why(room_of(), lang)))
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
    return encoded({"error": error, "message": catalogue(lang).gettext(PAGE[error])})


def encoded(value: object) -> bytes:
    """As JSON."""
    # Of the library's own: a price may have more digits than msgspec writes.
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":")).encode()
