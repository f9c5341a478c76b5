"""What the organiser's pages of one application share: the game as phones see it, its stream, and the answers to errors."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Hashable

from flask import Blueprint, Response, current_app
from msgspec import Struct

from companion.dashboard import limits
from companion.dashboard.answers import PAGE, encoded, refused, why_not
from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.front.fairness import Places
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.editor import EveningEditor, FindRecorder, NoGame
from companion.dashboard.organiser.lines import Marks, marks
from companion.dashboard.organiser.phone_view import phone_view
from companion.dashboard.organiser.said import overtaken
from companion.dashboard.organiser.showable import Unshown, check_evening
from companion.dashboard.stream import Broadcasts, Frame, event
from companion.editing.commands import NoEvent, StaleVersion
from companion.ledger import Ledger
from companion.referee.corrections import Stale
from companion.referee.following import Edit, NothingThere
from companion.referee.questions import Contradicted, NotAsked, Question
from companion.table.errors import GameError, NotKept
from companion.table.language import Lang, catalogue

_log = logging.getLogger(__name__)

organiser = Blueprint("organiser", __name__)
organiser.after_request(limits.never_kept)


class NoticesView(Struct, frozen=True):
    """What the table is told now, as sentences."""

    notices: list[str]


FindPicture = Callable[[float, tuple[int, ...]], bytes | None]
"""A JPEG of these places at a time, seconds into the evening; None where there is none."""

Notices = Callable[[Snapshot, Lang], list[str]]
"""What the table is told now of the camera's troubles, as sentences."""


class OrganiserContext:
    """What the organiser's pages of one application share."""

    def __init__(
        self, ledger: Ledger, feed: Feed, places: Places, notices: Notices, find: FindRecorder | None,
        find_picture: FindPicture | None,
    ) -> None:  # fmt: skip
        self.editor = EveningEditor(ledger, feed.game_id, find)
        self.feed, self.places, self.notices = feed, places, notices
        self.broadcasts = Broadcasts(self, feed.settings.heartbeat)
        self._find_picture = find_picture

    def view(self, lang: Lang, *, already: bool = False) -> bytes:
        """The phone's view as JSON. ``already``: the view says that what was asked for was the case already.

        Raises NoGame, NotKept, LedgerError, GameError."""
        pictured = self._find_picture is not None
        view = phone_view(self.editor.stands(), self.feed.shows.now, lang, self.marks(lang), pictured=pictured)
        return encoded({**view, "already": True} if already else view)

    def marks(self, lang: Lang) -> Marks:
        """What the TV shows as unsure. Raises LedgerError."""
        return marks(self.feed.snapshot(), lang)

    def check_shown(self, found: Edit, lang: Lang) -> None:
        """Raises Unshown where a page could not show what a command makes of the shown game."""
        if not found.already:
            now, then = self.feed.snapshot(), self.feed.foreseen(found.after.log)
            check_evening(found.before, found.after, now, then, self.feed.shows.now, lang)

    def believed(self, found: Edit, lang: Lang) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """For which players the TV shows as not sure what they have, before a command and after it. Raises LedgerError."""
        return marks(self.feed.snapshot(), lang).believed, marks(self.feed.foreseen(found.after.log), lang).believed

    def beat(self, lang: Lang) -> bytes:
        """The event of a quiet stream: {"notices": the sentences that the table is to read now}. Raises LedgerError."""
        return encoded(NoticesView(self.notices(self.feed.snapshot(), lang)))

    def mark(self) -> Hashable:
        """A value that differs once there is something new to show on phones."""
        return self.editor.mark(), self.feed.shows.now

    def look(self, lang: Lang, before: Frame | None) -> Frame:
        """The next frame of phones' stream (`companion.dashboard.stream.Source`)."""
        mark, shown = self.mark(), self.feed.notices_mark()  # before the view is made: what happens meanwhile is another event
        same = before is not None and before.mark == mark
        view = before.view if before is not None and same else event("view", view_or_why(self, lang))
        return Frame(mark, shown, view, event("beat", self.beat(lang)))

    def wait(self, before: Frame, seconds: float) -> bool:
        """Wait until there is something new to show on phones, at most this many ``seconds``. False: the server ends."""
        return self.feed.wait(lambda: self.mark() != before.mark or self.feed.notices_mark() != before.shown, seconds)

    def picture(self, question: Question) -> bytes | None:
        """The picture of what a question asks about, as JPEG; None where there is none."""
        return self._find_picture(question.t, question.places) if self._find_picture is not None else None


def organiser_context() -> OrganiserContext:
    """The `OrganiserContext` of the current application."""
    found: OrganiserContext = current_app.extensions["organiser"]
    return found


def view_or_why(context: OrganiserContext, lang: Lang) -> bytes:
    """The phone's view as JSON or, where there is none, JSON that says why. Raises LedgerError."""
    try:
        return context.view(lang)
    except NoGame:
        return _no_view("no_game", lang)
    except (NotKept, GameError) as error:
        _log.warning("the organiser's page cannot go on with this game: %s", error)
        return _no_view("not_kept", lang)


class NotAgreed(ValueError):
    """A command would do something else than what was shown to the person who confirmed it."""


def answered(answer: Callable[[], Response], said: int | None = None, version: int | None = None) -> Response:
    """The answer that ``answer`` makes, or the refusal that goes with the error it raises. ``said``, ``version``: how many things
    had been said by hand, and the log's version, when the phone was tapped, so that the refusal can tell what has come in
    between; None: not known."""
    lang = chosen()
    try:
        return answer()
    except (StaleVersion, Stale):
        context = organiser_context()
        why = overtaken(context.editor.stands().evening, said, lang) if said is not None else ""
        return refused("stale", 409, why or None, view=json.loads(view_or_why(context, lang)))
    except NotAgreed:
        return _moved("changed", said, version, lang)
    except Unshown:
        return refused("unshown", 422)
    except NoEvent:
        return refused("malformed", 400)
    except GameError as error:
        return refused("illegal", 422, why_not(error, lang))
    except Contradicted:
        return refused("contradicted", 422)
    except NotAsked:
        return _moved("not_asked", said, version, lang)
    except NothingThere:
        return refused("nothing", 422)
    except NoGame:
        return refused("no_game", 404)
    except KeyError:
        return refused("gone", 404)
    except NotKept as error:
        _log.warning("%s", error)
        return refused("not_kept", 409)


def _moved(error: str, said: int | None, version: int | None, lang: Lang) -> Response:
    """The refusal of what holds no longer: it says what has come in between, where something has since ``said`` and ``version``
    (as of `answered`)."""
    context = organiser_context()
    now, why = context.editor.stands(), ""
    if said is not None and (now.evening.record.said > said or version not in (None, now.version)):
        why = overtaken(now.evening, said, lang)
    return refused(error, 409, why or None, view=json.loads(view_or_why(context, lang)))


def _no_view(error: str, lang: Lang) -> bytes:
    # Not `refused`: the stream goes on when its request is long over.
    return encoded({"error": error, "message": catalogue(lang).gettext(PAGE[error])})
