"""The pages' two languages (gettext). What a page says stands where it is said, in English; the Italian of it, and nothing else,
in `translations/it/LC_MESSAGES/messages.po`. The program reads the `.mo` beside it, which ``make words`` compiles.

In a request `_`, in templates and from `flask_babel`, speaks the language of the device that asks (see `locale`). What is pure
takes the language as an argument and speaks through `catalogue`. Blanks are filled by `str.format`, which reads no braces in what
it puts in. Of the standard library alone, so that rules can mark their reasons.
"""

from __future__ import annotations

import functools
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final, Literal

TRANSLATIONS = Path(__file__).resolve().parent.parent / "translations"

Lang = Literal["it", "en"]
"""The languages: Italian first."""

LANGS: Final[tuple[Lang, ...]] = ("it", "en")

NAMES: dict[Lang, str] = {"it": "Italiano", "en": "English"}
"""What each language calls itself."""


def N_(message: str) -> str:  # noqa: N802 (gettext's own name for it)
    """The message itself: marks, for the catalogue, what is translated only where it is shown."""
    return message


@functools.cache
def catalogue(lang: Lang) -> NullTranslations:
    """What says things in this language: its `gettext`, `ngettext`, `pgettext`. English is what the messages are written in."""
    return translation("messages", TRANSLATIONS, [lang], fallback=True)
