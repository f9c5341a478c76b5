"""The pages' two languages (gettext). What a page says stands where it is said, in English; the Italian of it, and nothing else,
in `translations/it/LC_MESSAGES/messages.po`. The program reads the `.mo` beside it, which ``make words`` compiles.

In a request `_`, in templates and from `flask_babel`, speaks the language of the device that asks (see `locale`). What is pure
takes the language as an argument and speaks through `catalogue`. Blanks are filled by `str.format`, which reads no braces in what
it puts in; Italian makes room there for the ear (`companion.table.euphony`). Of the standard library alone, so that rules can
mark their reasons.
"""

from __future__ import annotations

import functools
from gettext import GNUTranslations, NullTranslations, translation
from pathlib import Path
from typing import Final, Literal

from companion.table.euphony import phrase

TRANSLATIONS = Path(__file__).resolve().parent.parent / "translations"

Lang = Literal["it", "en"]
"""The languages: Italian first."""

LANGS: Final[tuple[Lang, ...]] = ("it", "en")

NAMES: dict[Lang, str] = {"it": "Italiano", "en": "English"}
"""What each language calls itself."""


def spoken(format_spec: str) -> Lang:
    """The language that a format specification names, as of ``f"{state:en}"``; Italian where it names none.

    Raises:
        ValueError: it names another.
    """
    for lang in LANGS:
        if format_spec in (lang, ""):
            return lang
    raise ValueError(f"no language {format_spec!r}: expected {' or '.join(LANGS)}")


def N_(message: str) -> str:  # noqa: N802 (gettext's own name for it)
    """The message itself: marks, for the catalogue, what is translated only where it is shown."""
    return message


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
    """What says things in this language: its `gettext`, `ngettext`, `pgettext`. English is what the messages are written in."""
    return translation("messages", TRANSLATIONS, [lang], class_=Italian if lang == "it" else GNUTranslations, fallback=True)
