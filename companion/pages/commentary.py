"""What a page says of what has just happened: the last sentences of the commentary, and what fills the TV's screen. Pure.

A game says what an event of its log announces (`Pages.announcements`), such as that somebody is out, has come back or has won.
What players have does not tell it: somebody who is in play again need not have paid for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Protocol

from msgspec.structs import replace

from companion.pages.doubts import doubts
from companion.pages.moments import Moment, is_sure, is_tagged, ruling_sure
from companion.pages.protocol import ForEverybody
from companion.pages.ruling import believed
from companion.pages.view import AnnouncementView, Figure, View
from companion.table.game import Rules, State
from companion.table.language import Lang, catalogue
from companion.table.text import listed, perhaps, sentence, short


class Ended(Protocol):
    """What a hand that is over has come to, in any game."""

    @property
    def void(self) -> bool: ...


def deals(player: str, hands: Sequence[Ended], lang: Lang) -> str:
    """Who deals next, after these hands: after a void one it is the same dealer again."""
    _ = catalogue(lang).gettext
    if not hands:
        said = _("About to begin: {player} deals")
    else:
        said = _("{player} deals again") if hands[-1].void else _("{player} deals next")
    return said.format(player=short(player))


def last_said(
    moments: Sequence[Moment], names: Sequence[str], most: int, happened: Callable[[State, Moment], Sequence[str]],
    is_sure: Callable[[Moment], bool] = lambda moment: True,
) -> tuple[str, ...]:  # fmt: skip
    """The last ``most`` sentences of what ``happened`` after a state with a moment, oldest first; long ``names`` are cut. What is
    not sure has a question mark; nothing is said of lines that stand in for what was not told."""
    said: list[str] = []
    long = [name for name in names if short(name) != name]
    for at in range(len(moments) - 1, 0, -1):
        if moments[at].event is None:
            continue
        for told in reversed(happened(moments[at - 1].seen, moments[at])):
            for name in long:
                told = told.replace(name, short(name))
            said.append(perhaps(sentence(told), sure=is_sure(moments[at])))
        if len(said) >= most:
            break
    return tuple(reversed(said[:most]))


def leads(best: Sequence[str], has: str, doubtful: Collection[str], lang: Lang) -> Iterator[Figure]:
    """Who leads, the ``best``, and what each of them ``has``; nothing where nobody does."""
    if best:
        names = listed([short(name) for name in best], lang)
        said = perhaps(f"{names}: {has}", sure=not doubtful)
        yield Figure(catalogue(lang).gettext("In the lead"), said)


MAX_HANDS = 2
"""Number of hands, the one in progress among them, whose announcements are kept in a view: a page may miss some versions."""


def announced(
    rules: Rules, pages: ForEverybody, moments: Sequence[Moment], view: View, lang: Lang, sure_from: float
) -> tuple[AnnouncementView, ...]:
    """What the last hands have announced, oldest first, without what is only believed; ``view``: of these moments."""
    lately = _lately(moments)
    found = [
        (rules.hands(before.seen) + 1, shown)
        for before, now in pairwise(lately)
        for said in pages.announcements(before.seen, now.event, now.seen, lang, ruling_sure(now, sure_from))
        if (shown := as_far_as_sure(replace(said, hand=rules.hands(now.seen)), view, now, sure_from)) is not None
    ]
    rare = any(said.kind == "rare" for _n, said in found)
    unsure = doubts(rules, pages, lately, sure_from) if rare else {}  # a rare hand may be one of other cards
    return tuple(said for n, said in found if said.kind != "rare" or n not in unsure)


def _lately(moments: Sequence[Moment]) -> Sequence[Moment]:
    """The last hands, with the moment before them."""
    begun = 0
    for at in range(len(moments) - 1, 0, -1):
        begun += is_tagged(moments[at], "hand")
        if begun == MAX_HANDS:
            return moments[at - 1 :]
    return moments


def as_far_as_sure(said: AnnouncementView, view: View, now: Moment, sure_from: float) -> AnnouncementView | None:
    """What is sure of an announcement, in a view that came after it; None for nothing. ``now``: the moment that announced it."""
    if said.kind == "card":  # so must be what it answers
        return said if is_sure(now, sure_from) and (now.act is None or now.act >= sure_from) else None
    doubted = believed(view)
    if said.kind in ("out", "back"):
        names = tuple(name for name in said.names if name not in doubted)
        return replace(said, names=names) if names else None
    return None if doubted or (view.ruling is not None and not view.ruling.sure) else said


def won_aloud(view: View) -> Iterator[str]:
    """Who has won, as a sentence; nothing while it rests on a ruling that is not sure."""
    if view.status == "won" and not believed(view):
        yield f"{view.message}."


def won(
    winner_before: str | None, winner: str | None, title: str, beneath: Sequence[str] = ()
) -> Iterator[AnnouncementView]:  # fmt: skip
    """The announcement that somebody has won by what has just happened; none where nobody has. ``beneath``: the lines below the
    name."""
    if winner is not None and winner_before is None:
        yield AnnouncementView("won", title, (winner,), beneath=tuple(beneath))
