"""Lines of a log that every game with hands and a dealer says alike. Pure."""

from __future__ import annotations

from companion.table.language import Lang, catalogue
from companion.table.log import Event, tag


def frame_said(event: Event, n: int, dealer: str, lang: Lang) -> str | None:
    """What begins or ends a hand, or deals cards that nobody names, as a sentence; None for any other line. ``n``, ``dealer``: of
    the hand in progress after it."""
    _ = catalogue(lang).gettext
    match tag(event):
        case "hand":
            return _("Hand {n}: {dealer} deals").format(n=n, dealer=dealer)
        case "end":
            return _("The hand is over")
        case "close":
            return _("The game is over")
        case "deal" if not event.faces:
            return _("{player} is dealt cards").format(player=event.to)
    return None
