"""The hands of a game that are over, as everybody saw them: what each came to, and what happened in it, line by line. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from companion.pages.doubts import doubts
from companion.pages.moments import Moment, hands_as_told, is_sure, is_tagged, unsure_hands
from companion.pages.protocol import Pages
from companion.pages.ruling import doubted_hand
from companion.table.game import Rules
from companion.table.language import Lang
from companion.table.text import perhaps, sentence


class EarlierHand(Struct, frozen=True):
    """A hand that is over.

    Attributes:
        n: its number, from 1. title: which hand it is.
        payers: who paid, in a few words, for a list of hands.
        paid: a sentence for each payment. notes: what else there is to say of it, a sentence each.
        lines: what happened from its deal until the next one, in order; one that is not sure has a question mark. What stands in
            for what nobody told is in none of them.
        sure: so is what it came to; where not, `paid` and `notes` are questions.
    """

    n: int
    title: str
    payers: str
    paid: tuple[str, ...]
    notes: tuple[str, ...]
    lines: tuple[str, ...]
    sure: bool


def earlier_hands(
    rules: Rules, pages: Pages, moments: Sequence[Moment], lang: Lang, sure_from: float
) -> tuple[EarlierHand, ...]:  # fmt: skip
    """The hands that are over, the newest first. ``sure_from``: the probability from which something is sure."""
    if not moments:
        return ()
    over = rules.hands(moments[-1].seen)
    doubtful = doubts(rules, pages, moments, sure_from)
    unsure = unsure_hands(moments[-1], sure_from)
    said = _lines(rules, pages, moments, lang, sure_from)
    found = []
    for played in hands_as_told(rules, moments):
        number = rules.hands(played.before) + 1
        if number > over:
            break  # it goes on
        sure = number not in unsure
        told = doubted_hand(pages.hand(played.before, played.told, lang, doubtful.get(number, ())), sure=sure)
        found.append(EarlierHand(told.n, told.title, told.payers, told.paid, told.notes, tuple(said[number]), sure))
    return tuple(reversed(found))


def _lines(
    rules: Rules, pages: Pages, moments: Iterable[Moment], lang: Lang, sure_from: float
) -> dict[int, list[str]]:  # fmt: skip
    """Hand's number → its lines; 0: what was told before the first. What is told between two hands stands with the one before."""
    found: dict[int, list[str]] = defaultdict(list)
    for before, now in pairwise(moments):
        if now.event is None:
            continue
        number = rules.hands(now.seen) + rules.in_hand(now.seen)
        text = sentence(pages.line_text(before.seen, now.event, now.seen, lang))
        sure = is_sure(now, sure_from) or is_tagged(now, "end")  # it is over; what it came to may be in doubt
        found[number].append(perhaps(text, sure=sure))
    return found
