"""What was told of the game beside its hands: ricompere, agreements on the pot, chips bought, how it stands. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.pages.moments import Moment, is_tagged
from companion.pages.protocol import Pages
from companion.table.game import Rules
from companion.table.language import Lang


class Beside(NamedTuple):
    """A line beside the hands, as a sentence: ``text``. ``hand``: number of the hand before it, 0 before the first, or of the one
    in which it was told (``within``). ``set``: the table has said how it stands."""

    hand: int
    within: bool
    text: str
    set: bool


def beside_hands(rules: Rules, pages: Pages, moments: Sequence[Moment], lang: Lang) -> Iterator[Beside]:
    """All lines of a game that belong to none of its hands (`Pages.beside_hands`), in their order."""
    for before, now in pairwise(moments):
        if is_tagged(now, *pages.beside_hands):
            within = rules.in_hand(before.seen)
            text = pages.line_text(before.seen, now.event, now.seen, lang)
            yield Beside(rules.hands(before.seen) + within, within, text, is_tagged(now, "set"))
