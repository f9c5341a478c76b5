"""All errors that people may see.

Tree::

    CompanionError                what a person can mend: one line, exit status 2, never a traceback
    ├── AssetMissing              a file that the program brings is not there
    ├── GameError                 (also a ValueError) something is wrong with a game's table log
    │   ├── Malformed             not a line of a table log: no JSON, a missing key, a wrong type
    │   └── Illegal               it can be read, but it cannot have happened now
    │       ├── Contradictory     a face that contradicts one already seen, or a copy too many
    │       └── Unfitting         what somebody fixed in a later hand could not have happened then
    ├── TableError                a TABLE.json that cannot be used
    ├── SourceError               a camera, stream or video that gives no pictures
    ├── UnreadablePicture         a file that is no picture
    ├── BadModel                  a model's file that cannot be used
    ├── BadDeck                   a file that is no enrolled deck, or a damaged one
    ├── CannotEnrol               photos that no deck can be made of
    ├── LedgerError               a file that cannot be used as a ledger
    │   └── OnlyLookedAt          a change of a ledger that another program writes
    ├── NotKept                   a game that can be shown, and not gone on with
    ├── NotShown                  a game that has rules for its logs, but no pages or no eyes
    ├── CannotServe               an address that cannot be had
    ├── SimulatorError            a game that bots cannot play
    ├── ScriptError               a log that cannot be filmed
    ├── ClipError                 a clip that cannot be written
    ├── BadRecipe                 a recipe of a data set that cannot be read
    └── CannotTrain               a training run that cannot begin or go on

Anything else that is raised is a defect of the program, and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

from companion.table.language import filled


class CompanionError(Exception):
    """Something a person can mend. The message says what was wrong, where, what was expected and what to do."""


class AssetMissing(CompanionError):
    """A file that belongs to the program (weights, web files, the bundled clip) is not there."""


class Reason(NamedTuple):
    """Why something is wrong: a ``code`` that never changes, and the sentence in English.

    ``text`` has no full stop; its blanks are filled with the error's values, in the language of the page (`language.filled`).
    """

    code: str
    text: str


Expected = str | Callable[[], str] | None
"""What could have stood there instead; a function where finding the words takes time that nobody may want to spend."""


class GameError(CompanionError, ValueError):
    """What is wrong with a game's log, where, and what was expected instead.

    Attributes:
        code: the reason's code, such as ``out_of_turn``.
        text: the reason's sentence in English, with its blanks. values: what fills them.
        rule: number of the rule that forbids it, None where no rule speaks of it.
        line: number of the line in the log, from 1; None outside a log.
    """

    def __init__(
        self, reason: Reason | str, *, rule: int | None = None, expected: Expected = None, line: int | None = None,
        **values: object,
    ) -> None:  # fmt: skip
        self.code, self.text = reason if isinstance(reason, Reason) else ("", reason)
        self.values = values
        self.rule = rule
        self.line = line
        self._expected = expected
        super().__init__(self.text)

    @property
    def reason(self) -> str:
        """What is wrong, one sentence without a full stop."""
        return filled(self.text, self.values, "en") if self.values else self.text

    @property
    def expected(self) -> str | None:
        """What could have stood here instead, None where there is nothing useful to say."""
        if callable(self._expected):
            self._expected = self._expected()
        return self._expected

    def at(self, line: int) -> Self:
        """The same error with the number of this line."""
        reason = Reason(self.code, self.text) if self.code else self.text
        return type(self)(reason, rule=self.rule, expected=self._expected, line=line, **self.values)

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line is not None else ""
        rule = f" (rule {self.rule})" if self.rule is not None else ""
        expected = f"; expected {self.expected}" if self.expected else ""
        return f"{where}{self.reason}{rule}{expected}"


class Malformed(GameError):
    """Not a line of a table log."""


class Illegal(GameError):
    """This cannot have happened now."""


class Contradictory(Illegal):
    """This face contradicts one already seen, or is one copy too many."""


class Unfitting(Illegal):
    """What somebody fixed in a later hand could not have happened then."""


class TableError(CompanionError):
    """A TABLE.json that cannot be used; the message says where and what was expected."""


class SourceError(CompanionError):
    """A source that cannot be opened, or that stopped giving pictures; the message says which and what to try.

    ``text``, with ``values`` in its blanks: the same for gettext; "" where it is in English alone.
    """

    def __init__(self, reason: Reason | str, **values: object) -> None:
        self.text, self.values = (reason.text, values) if isinstance(reason, Reason) else ("", {})
        super().__init__(reason.text.format(**values) if isinstance(reason, Reason) else reason)


class UnreadablePicture(CompanionError):
    """A file that is no picture that OpenCV can read; the message names it."""


class BadModel(CompanionError):
    """A model file that is missing, damaged or of another making."""


class BadDeck(CompanionError):
    """A file that is not the whole of an enrolled deck; the message is one line that names the file."""


class CannotEnrol(CompanionError):
    """Photos that no deck can be made of; the message says which card is left without one, and why."""


class LedgerError(CompanionError):
    """The file cannot be used as a ledger; the message is one line that names the file and says what to do."""


class OnlyLookedAt(LedgerError):
    """A change of a ledger that is only looked at here."""


class NotKept(CompanionError):
    """The ledger does not hold what this game's log was made of: it can be shown, and not gone on with."""


class NotShown(CompanionError):
    """A game that has rules but no pages, or no eyes; the message names it and says what can be done with its logs."""


class CannotServe(CompanionError):
    """The address is taken or is not this machine's."""


class SimulatorError(CompanionError):
    """No such table can be simulated."""


class ScriptError(CompanionError):
    """A log that cannot be played out before the camera; the message names the line and what was expected."""


class ClipError(CompanionError):
    """A clip cannot be written."""


class BadRecipe(CompanionError):
    """A recipe that cannot be cooked; the message says where and what was expected."""


class CannotTrain(CompanionError):
    """Training that cannot begin or go on; the message says what is missing."""
