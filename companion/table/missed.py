"""For how long nothing could be seen of a hand, as people say it."""

from __future__ import annotations

from companion.table.language import Lang, catalogue

UNTIMED = 0.1
"""Less than this many seconds are a time of which the source's clock says nothing: see `companion.eyes.following.splices`."""


def not_seen(seconds: float, lang: Lang) -> str:
    """"8 secondi non visti", "3 minuti non visti"; "Una parte non vista" for less than `UNTIMED`, nothing for no seconds."""
    say, count = catalogue(lang), max(1, round(seconds))
    if not seconds:
        return ""
    if seconds < UNTIMED:
        return str(say.gettext("A part not seen"))
    if count < 120:
        return str(say.ngettext("{n} second not seen", "{n} seconds not seen", count).format(n=count))
    return str(say.gettext("{n} minutes not seen").format(n=round(count / 60)))
