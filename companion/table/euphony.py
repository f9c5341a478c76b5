"""What is put into an Italian message, as the ear wants it: “a” and “e” take a d before a name that begins with the same vowel
(“ad Anna”, “ed Elena”), and before no other. That is what the Accademia della Crusca advises.

Done where the blanks of a message are filled, so that no message has to think of it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from string import Formatter

_LAST_WORD = re.compile(r"(?:^|[^\w’'])([aAeE]) $")
_parse = Formatter().parse


_MAY_NEED_IT = re.compile(r"(?:^|[^\w’'])[aAeE] (?:\{|$)")


class Phrase(str):
    """A message in Italian in which “a” or “e” stands before a blank, or at the end. `format` and `join` are those of `str`, with
    the d where it belongs; they give plain strings, which is what goes to the pages."""

    def format(self, *args: object, **kwargs: object) -> str:
        said = ""
        for literal, name, spec, conversion in _parse(self):
            said += literal
            if name is not None:
                blank = f"{{{name}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"
                said = after(said, blank.format(*args, **kwargs))
        return said

    def join(self, iterable: Iterable[str], /) -> str:
        first, *others = list(iterable) or [""]
        for other in others:
            first = after(first + self, other)
        return first


def phrase(message: str) -> str:
    """The message, a `Phrase` where it may need the d. One that scripts fill, which is sent as it is, must be none."""
    return Phrase(message) if _MAY_NEED_IT.search(message) else message


def after(said: str, what: str) -> str:
    """``said``, and then ``what``.

    >>> after("passa a ", "Anna"), after("passa a ", "Elena"), after("Anna e ", "Elena"), after("da ", "Anna")
    ('passa ad Anna', 'passa a Elena', 'Anna ed Elena', 'da Anna')
    """
    found = _LAST_WORD.search(said)
    if found is not None and what and unicodedata.normalize("NFD", what[0])[0].lower() == found[1].lower():
        said = f"{said[:-1]}d "
    return said + what
