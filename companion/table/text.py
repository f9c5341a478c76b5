"""Small functions for sentences and names."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from companion.table.language import Lang, catalogue

_MAX_NAME_LETTERS = 24
"""Letters of a name in a sentence: the sentence has to fit on the screen with it."""


def short(name: str) -> str:
    """The name for use in a sentence: cut to 24 letters."""
    return name if len(name) <= _MAX_NAME_LETTERS else name[: _MAX_NAME_LETTERS - 1] + "…"


def sentence(said: str) -> str:
    """The text with a capital first letter."""
    return said[:1].upper() + said[1:]


def stopped(said: str) -> str:
    """The text with a full stop, unless it ends with another mark.

    >>> stopped("Anna pays"), stopped("Anna pays?")
    ('Anna pays.', 'Anna pays?')
    """
    return said if said.endswith((".", "?", "!", "…")) else f"{said}."


def listed(names: Sequence[str], lang: Lang) -> str:
    """The names as a list in words.

    >>> listed(["Anna"], "it"), listed(["Anna", "Bruno", "Elena"], "it"), listed(["Anna", "Bruno"], "en")
    ('Anna', 'Anna, Bruno ed Elena', 'Anna and Bruno')
    """
    if len(names) < 2:
        return "".join(names)
    return catalogue(lang).gettext(" and ").join([", ".join(names[:-1]), names[-1]])


def signed(number: int) -> str:
    """The number with its sign: "+1", "−2", "+0"."""
    return f"{number:+d}".replace("-", "−")


def printable(text: str) -> str:
    """The text with a space in place of each character that cannot be printed: names in a log may hold anything."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def one_line(text: str, most: int = 480) -> str:
    """The text on one line, without characters that control a terminal. Where it is longer than ``most`` characters the middle is
    left out, as errors begin with what is wrong and end with what was expected.

    >>> one_line("0123456789" * 9, most=30)
    '01234567890123456 … 0123456789'
    """
    if len(text) > 4 * most:
        text = text[: 2 * most] + text[-2 * most :]
    plain = " ".join(printable(text).split())
    if len(plain) <= most:
        return plain
    last = most // 3
    return f"{plain[: most - last - 3]} … {plain[-last:]}"


_EMPTY = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that are letters to Unicode, and invisible."""


_JOINER = "\u200d"
"""Joins two emoji into one, such as a family of three people."""


def plain_name(typed: str) -> str:
    """A typed name without invisible characters: control characters and line ends become spaces; characters without width and
    those that change the direction of writing are removed, unless they join two emoji. In Unicode's NFC, without spaces around it
    or doubled in it.

    >>> plain_name("\u202e An\u200bna\\nRita ")
    'Anna Rita'
    """
    shown: list[str] = []
    for at, letter in enumerate(typed):
        kind = unicodedata.category(letter)
        if kind in ("Cc", "Zl", "Zp"):
            shown.append(" ")
        elif letter == _JOINER:
            if _is_sign(shown[-3:]) and _is_sign(typed[at + 1 : at + 2]):
                shown.append(letter)
        elif kind not in ("Cf", "Cs", "Co", "Cn") and letter not in _EMPTY:
            shown.append(letter)
    return unicodedata.normalize("NFC", " ".join("".join(shown).split()))


def _is_sign(letters: Sequence[str]) -> bool:
    """Whether the last of these characters is an emoji, with or without a skin tone, and not a letter."""
    shown = [letter for letter in letters if letter not in _EMPTY]
    kinds = [kind for letter in shown if (kind := unicodedata.category(letter)) not in ("Mn", "Sk")]
    return kinds[-1:] == ["So"]


def perhaps(said: str, *, sure: bool) -> str:
    """The text, with a question mark where it is not sure."""
    return said if sure or asks(said) else f"{said}?"


def asks(said: str) -> bool:
    """Whether a text is not sure, and has its question mark."""
    return said.endswith("?")


MIN_TIMED_SECONDS = 0.1
"""Seconds: a shorter span stands for an unknown time, which the source's clock does not show
(`companion.eyes.following.splices`)."""


def not_seen(seconds: float, lang: Lang) -> str:
    """"8 secondi non visti", "3 minuti non visti"; "Una parte non vista" for less than `MIN_TIMED_SECONDS`, nothing for no
    seconds."""
    say, count = catalogue(lang), max(1, round(seconds))
    if not seconds:
        return ""
    if seconds < MIN_TIMED_SECONDS:
        return str(say.gettext("A part not seen"))
    if count < 120:
        return str(say.ngettext("{n} second not seen", "{n} seconds not seen", count).format(n=count))
    return str(say.gettext("{n} minutes not seen").format(n=round(count / 60)))
