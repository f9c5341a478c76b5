"""What fills the TV's screen at Stoper: who is out of a tournament, and who has won. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.stoper.pages.rulings import winner
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Event, Set
from companion.games.stoper.rules.report import in_play
from companion.pages.commentary import won
from companion.pages.view import AnnouncementView
from companion.table.language import Lang, catalogue


def announcements(before: State, event: Event, after: State, lang: Lang) -> Iterator[AnnouncementView]:
    """What this event announces."""
    _ = catalogue(lang).gettext
    gone = after.table.named(in_play(before) & ~in_play(after)) if _can_go_out(event, after) else ()
    if gone:
        yield AnnouncementView("out", _("Out of the game"), gone)
    yield from won(winner(before), winner(after), _("The winner"))


def _can_go_out(event: Event, after: State) -> bool:
    """In a game for cash nobody is out, as they may buy chips; nor where the table says how it stands."""
    return after.table.mode == "torneo" and not isinstance(event, Set)
