"""The words of Stoppa's own scripts, by the names that they call them by."""

from __future__ import annotations

from companion.table.language import Lang, catalogue


def tv_words(lang: Lang) -> dict[str, str]:
    """For the TV and the overlay."""
    _ = catalogue(lang).gettext
    return {
        "held": _("{n} in hand"),
        "passed": _("passes"),
        "left_of": _("{left} of {number} in the hands"),
        "gone": _("all {number} are out"),
    }
