"""What deserves the whole screen of the TV: somebody is out, has come back, has won. Pure.

A game says what an event of its log announces (`Pages.announcements`): from what players have alone one cannot tell, as somebody
who is in play again need not have paid for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from companion.pages.moments import Moment, is_tagged
from companion.pages.protocol import Pages
from companion.pages.view import AnnouncementView, View
from companion.table.game import Rules
from companion.table.language import Lang

MAX_HANDS = 2
"""Number of hands, the one in progress among them, whose announcements are kept in a view: a page may miss some versions."""


def announced(rules: Rules, pages: Pages, moments: Sequence[Moment], view: View, lang: Lang) -> tuple[AnnouncementView, ...]:
    """What the last hands have announced, oldest first, without what is only believed; ``view``: of these moments."""
    return tuple(
        shown
        for before, now in pairwise(_lately(moments))
        for said in pages.announcements(before.seen, now.event, now.seen, lang)
        if (shown := _as_far_as_sure(replace(said, hand=rules.hands(now.seen)), view)) is not None
    )


def _lately(moments: Sequence[Moment]) -> Sequence[Moment]:
    """The last hands, with the moment before them."""
    begun = 0
    for at in range(len(moments) - 1, 0, -1):
        begun += is_tagged(moments[at], "hand")
        if begun == MAX_HANDS:
            return moments[at - 1 :]
    return moments


def _as_far_as_sure(said: AnnouncementView, view: View) -> AnnouncementView | None:
    believed = {seat.name for seat in view.seats if seat.believed}
    if said.kind in ("out", "back"):
        names = tuple(name for name in said.names if name not in believed)
        return replace(said, names=names) if names else None
    return None if believed or (view.ruling is not None and not view.ruling.sure) else said


def won(winner_before: str | None, winner: str | None, title: str) -> Iterator[AnnouncementView]:
    """That somebody has won by what has just happened."""
    if winner is not None and winner_before is None:
        yield AnnouncementView("won", title, (winner,))
