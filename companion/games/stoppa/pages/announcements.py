"""What fills the TV's screen at Stoppa: who has won most, once the game is over. Nobody is ever out. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.stoppa.pages.rulings import winner
from companion.games.stoppa.rules import State
from companion.games.stoppa.rules.log import Event
from companion.pages.commentary import won
from companion.pages.view import AnnouncementView
from companion.table.language import Lang, catalogue


def announcements(before: State, event: Event, after: State, lang: Lang) -> Iterator[AnnouncementView]:
    """What this event announces."""
    return won(winner(before), winner(after), catalogue(lang).gettext("The winner"))
