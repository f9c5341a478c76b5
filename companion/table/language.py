"""The pages' two languages (gettext). What a page says stands where it is said, in English; the Italian of it, and nothing else,
in `translations/it/LC_MESSAGES/messages.po`. The program reads the `.mo` beside it, which ``make words`` compiles.

In a request `_`, in templates and from `flask_babel`, speaks the language of the device that asks (see `locale`). What is pure
takes the language as an argument and speaks through `catalogue`. Blanks are filled by `str.format`, which reads no braces in what
it puts in; Italian makes room there for the ear. Of the standard library alone, so that rules can
mark their reasons.

“a” and “e” take a d before a name that begins with the same vowel (“ad Anna”, “ed Elena”), and before no other, as the Accademia
della Crusca advises. That is done where the blanks of a message are filled (`Phrase`), so that no message has to think of it.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Mapping
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path
from string import Formatter
from typing import Final, Literal

_LAST_WORD = re.compile(r"(?:^|[^\w’'])([aAeE]) $")
_parse = Formatter().parse


_MAY_NEED_IT = re.compile(r"(?:^|[^\w’'])[aAeE] (?:\{|$)")


class Phrase(str):
    """An Italian message with “a” or “e” before a blank, or at the end. `format` and `join` are those of `str`, but add the d
    where it belongs; they return plain strings."""

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
    """The message as a `Phrase` where it may need the d. Not for a message whose blanks a page's script fills."""
    return Phrase(message) if _MAY_NEED_IT.search(message) else message


def after(said: str, what: str) -> str:
    """``said`` and ``what`` joined, with the d where it belongs.

    >>> after("passa a ", "Anna"), after("passa a ", "Elena"), after("Anna e ", "Elena"), after("da ", "Anna")
    ('passa ad Anna', 'passa a Elena', 'Anna ed Elena', 'da Anna')
    """
    found = _LAST_WORD.search(said)
    if found is not None and what and unicodedata.normalize("NFD", what[0])[0].lower() == found[1].lower():
        said = f"{said[:-1]}d "
    return said + what


TRANSLATIONS = Path(__file__).resolve().parent.parent / "translations"

Lang = Literal["it", "en"]
"""The languages: Italian first."""

LANGS: Final[tuple[Lang, ...]] = ("it", "en")

NAMES: dict[Lang, str] = {"it": "Italiano", "en": "English"}
"""Language → its own name for itself."""


def spoken(format_spec: str) -> Lang:
    """The language that a format specification names, such as ``en`` in ``f"{state:en}"``; Italian where it names none.

    Raises:
        ValueError: it names another.
    """
    for lang in LANGS:
        if format_spec in (lang, ""):
            return lang
    raise ValueError(f"no language {format_spec!r}: expected {' or '.join(LANGS)}")


def N_(message: str) -> str:  # noqa: N802 (gettext's own name for it)
    """The message unchanged. The call marks it for the catalogue, as it is translated only where it is shown."""
    return message


class PluralMessage(str):
    """A message that counts something. The text itself is the plural; ``one``: the singular; ``by``: the blank that holds the
    number."""

    one: str
    by: str


def NN_(one: str, several: str, by: str) -> PluralMessage:  # noqa: N802 (as N_)
    """As `N_`, for a message that counts something: "1 player", "2 players"."""
    message = PluralMessage(several)
    message.one, message.by = one, by
    return message


def filled(message: str, blanks: Mapping[str, object], lang: Lang) -> str:
    """A message that `N_` or `NN_` has marked, with its ``blanks``.

    >>> filled(NN_("{number} player", "{number} players", "number"), {"number": 1}, "en")
    '1 player'
    """
    say = catalogue(lang)
    if isinstance(message, PluralMessage) and isinstance(many := blanks[message.by], int):
        text = say.ngettext(message.one, message, many)
    else:
        text = say.gettext(message)
    return text.format(**blanks)


class Italian(GNUTranslations):
    """The Italian catalogue: messages in which a name may follow “a” or “e” are `Phrase`s."""

    def gettext(self, message: str) -> str:
        return phrase(super().gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return phrase(super().ngettext(msgid1, msgid2, n))

    def pgettext(self, context: str, message: str) -> str:
        return phrase(super().pgettext(context, message))

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return phrase(super().npgettext(context, msgid1, msgid2, n))


@functools.cache
def catalogue(lang: Lang) -> NullTranslations:
    """The translations into this language, with `gettext`, `ngettext` and `pgettext`. For English they return the messages
    themselves."""
    return translation("messages", TRANSLATIONS, [lang], class_=Italian if lang == "it" else GNUTranslations, fallback=True)
