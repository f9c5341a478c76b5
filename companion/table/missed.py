"""How long a hand was not seen, in words."""

from __future__ import annotations

from companion.table.language import Lang, catalogue

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
