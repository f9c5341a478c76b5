"""What can be wrong with a table log. None of these is a defect of the program; each is one line for a person.

Tree::

    StuError            (a ValueError)
    ├── Malformed       this is not a line of a table log: no JSON, a missing key, a wrong type
    └── Illegal         the line can be read, but this cannot have happened now
        └── Contradictory   a face that belies one already seen, or a third copy of a card
"""

from __future__ import annotations


class StuError(ValueError):
    """What is wrong, where, and what was expected instead.

    Attributes:
        reason: what is wrong, one sentence without a full stop.
        rule: number of the rule that forbids it (1 to 24), None where no rule speaks of it.
        expected: what could have stood here instead, None where there is nothing useful to say.
        line: number of the line in the log, from 1; None outside a log.
    """

    def __init__(
        self, reason: str, *, rule: int | None = None, expected: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule
        self.expected = expected
        self.line = line

    def at(self, line: int) -> StuError:
        """The same error, said of this line."""
        return type(self)(self.reason, rule=self.rule, expected=self.expected, line=line)

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line is not None else ""
        rule = f" (rule {self.rule})" if self.rule is not None else ""
        expected = f"; expected {self.expected}" if self.expected else ""
        return f"{where}{self.reason}{rule}{expected}"


class Malformed(StuError):
    """Not a line of a table log."""


class Illegal(StuError):
    """This cannot have happened now."""


class Contradictory(Illegal):
    """This face belies one already seen, or is one copy too many."""
