"""What fills the TV's screen at Lu Stù: a player goes "su saupr" (out), one comes back, or all begin again. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.stu.rules import State
from companion.games.stu.rules.log import Event, Rebuy, Set
from companion.pages.commentary import won
from companion.pages.view import AnnouncementView
from companion.table.language import Lang, catalogue


def announcements(before: State, event: Event, after: State, lang: Lang) -> Iterator[AnnouncementView]:
    """What this event announces. Where all have lost their last pedina, nobody is out, and nobody has paid to come back (rule
    21). Where the table says how it stands, nobody is announced as out or back either."""
    _ = catalogue(lang).gettext
    if after.restarted and not before.restarted:
        yield AnnouncementView("restart", _("Nobody has a pedina left"), (_("All come back,"), _("no more ricompere")))
        return
    pedine = zip(after.table.names, before.pedine, after.pedine, strict=True)
    gone = tuple(name for name, was, now in pedine if was and not now and not isinstance(event, Set))
    if gone:
        yield AnnouncementView("out", _("Out: su saupr"), gone)
    if isinstance(event, Rebuy):
        yield AnnouncementView("back", _("Ricompera"), (event.by,))
    yield from won(before.winner if before.won else None, after.winner if after.won else None, _("The winner"))
