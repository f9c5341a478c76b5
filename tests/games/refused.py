"""Refusals as the tests read them: the blanks of a sentence, and its Italian."""

from __future__ import annotations

import string

from companion.table.language import PluralMessage, catalogue


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def italian_of(text: str) -> list[str]:
    """The Italian of a message; of one that counts something for one and for several."""
    say = catalogue("it")
    return [say.ngettext(text.one, text, n) for n in (1, 2)] if isinstance(text, PluralMessage) else [say.gettext(text)]
