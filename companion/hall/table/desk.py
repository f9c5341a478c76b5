"""What the hall asks of the table's own program: its open questions, each complete, and that it does a command as if a paired
phone had sent it."""

from __future__ import annotations

import time
from collections.abc import Hashable

import msgspec
from flask import Flask
from msgspec.structs import replace

from companion.dashboard.organiser.api import Request, obeyed
from companion.dashboard.organiser.context import OrganiserContext
from companion.dashboard.organiser.editor import CurrentEvening, NoGame
from companion.dashboard.organiser.phone_view import question_view
from companion.hall.messages import BELL_SECONDS, Done, LangTexts, OpenChoice, OpenQuestion, Rung, TableCommand
from companion.hall.table.call import Call
from companion.referee.questions import questions
from companion.table.errors import GameError, NotKept
from companion.table.language import LANGS, Lang, catalogue
from companion.tournament.stu import PROPOSALS

MAX_QUESTIONS = 100


class Desk:
    """The organiser's side of one application. Any thread may ask; raises LedgerError as the ledger does."""

    def __init__(self, app: Flask) -> None:
        self._app, self.call = app, Call()
        self._rang: tuple[str, float] | None = None
        self._context: OrganiserContext = app.extensions["organiser"]

    def mark(self) -> Hashable:
        """A value that differs once there is something new to send to the hall. Cheap."""
        return self._context.editor.mark(), self.call.token

    def shows(self) -> int | None:
        """The id of the game that the table shows; None for none."""
        return self._context.feed.game_id()

    def questions(self) -> tuple[OpenQuestion, ...]:
        """The open questions, the newest hand's first, at most `MAX_QUESTIONS`."""
        try:
            current = self._context.editor.stands()
            return tuple(_open_question(current, number) for number in range(len(questions(current.evening))))[:MAX_QUESTIONS]
        except (NoGame, NotKept, GameError):
            return ()  # a log that is only looked at asks nothing

    def hear(self, bell: Rung | None) -> None:
        """Take in whether the hall's bell has rung lately."""
        self._rang = (bell.proposes, time.monotonic() - bell.since_s) if bell is not None else None

    def rings(self, lang: Lang) -> str:
        """What the hall's bell proposes, as a sentence, for `BELL_SECONDS` from when it rang; "" else."""
        _, rang = catalogue(lang).gettext, self._rang
        if rang is None or time.monotonic() - rang[1] > BELL_SECONDS:
            return ""
        proposal = PROPOSALS.get(rang[0])  # type: ignore[call-overload] # any text
        return _("The hall’s bell: {proposal}").format(proposal=_(proposal)) if proposal else _("The hall’s bell has rung")

    def obey(self, told: TableCommand) -> Done:
        """Do a command of an organiser in the hall, and say what became of it. A command that was done before is not done
        again."""
        try:
            wish = msgspec.json.decode(told.body, type=Request)
        except msgspec.DecodeError:
            return Done(told.id, 400)
        status, messages = 200, LangTexts()
        for lang in LANGS:
            with self._app.test_request_context(f"/api/organiser/command?lang={lang}", method="POST"):
                response = obeyed(self._context, replace(wish, dry=False), told.by)
            if response.status_code == 200:
                return Done(told.id, 200)
            status, messages[lang] = response.status_code, msgspec.json.decode(response.data)["message"]
        return Done(told.id, status, messages)


def _open_question(current: CurrentEvening, number: int) -> OpenQuestion:
    one = questions(current.evening)[number]
    views = {lang: question_view(current.evening, current.game, one, lang) for lang in LANGS}
    first = views[LANGS[0]]
    choices = tuple(
        OpenChoice(choice.id, {lang: views[lang].choices[index].text
                               for lang in LANGS}) for index, choice in enumerate(first.choices)
    )
    text: LangTexts = {lang: view.text for lang, view in views.items()}
    return OpenQuestion(one.id, current.game_id, current.version, current.evening.record.said, one.n, text, choices)
