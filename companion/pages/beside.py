"""What was told of the game beside its hands: ricompere, agreements on the pot, chips bought, how it stands. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from companion.pages.moments import Moment, is_sure, is_tagged
from companion.table.game import Rules
from companion.table.language import Lang
from companion.table.sure import SURE_FROM
from companion.table.text import perhaps

if TYPE_CHECKING:
    from companion.pages.protocol import Pages


class Beside(NamedTuple):
    """A line beside the hands, as a sentence: ``text``. ``hand``: number of the hand before it, 0 before the first, or of the one
    in which it was told (``within``). ``set``: the table has said how it stands. ``line``: its place in the log, from 1."""

    hand: int
    within: bool
    text: str
    set: bool
    line: int


def beside_hands(
    rules: Rules, pages: Pages, moments: Iterable[Moment], lang: Lang, sure_from: float = SURE_FROM
) -> Iterator[Beside]:
    """All lines of a game that belong to none of its hands (`companion.table.log.EventBase`), in their order; one less probable
    than ``sure_from`` has a question mark."""
    for line, (before, now) in enumerate(pairwise(moments), start=2):
        if now.event is not None and now.event.BESIDE:
            within = rules.in_hand(before.seen)
            text = _line_text(pages, before, now, lang, sure_from)
            yield Beside(rules.hands(before.seen) + within, within, text, is_tagged(now, "set"), line)


def _line_text(pages: Pages, before: Moment, now: Moment, lang: Lang, sure_from: float) -> str:
    return perhaps(pages.line_text(before.seen, now.event, now.seen, lang), sure=is_sure(now, sure_from))
