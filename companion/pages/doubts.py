"""What of a hand is not sure, also where it is sure who pays: a card that was shown and may be another, a mistake that nobody may
have made. `Pages.doubtful` says it of one hand; TV, phones, sheet, CSV, `companion rule` and the season ask it there, and nowhere
else. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from companion.pages.moments import Moment, end_of, follow, is_sure, is_tagged, last_hand, ruling_sure, stands_in, unsure_hands
from companion.pages.ruling import believed
from companion.pages.view import ViewSettings
from companion.table.game import Over, Rules
from companion.table.language import LANGS, Lang, catalogue
from companion.table.log import Line
from companion.table.story import Doubts
from companion.table.sure import SURE_FROM

if TYPE_CHECKING:
    from companion.pages.protocol import ForEverybody, Pages


def doubtful_mistakes(rules: Rules, moments: Sequence[Moment], sure_from: float) -> frozenset[Any]:
    """Those irregularities of the hand in progress or, between hands, of the last one, that a line which is not sure may have
    made up: the one with which they came to light, or one before it. Nobody is blamed for what may have been misread."""
    hand = last_hand(moments)
    number = rules.hands(hand[0].seen) + 1 if hand else 0
    if not hand or not mistakes(rules, hand[-1], number):
        return frozenset()
    known: tuple[Any, ...] = ()
    doubtful, unsure = set[Any](), False
    for moment in hand:
        unsure = unsure or not (is_sure(moment, sure_from) or is_tagged(moment, "end"))
        found = mistakes(rules, moment, number)
        doubtful |= {one for one in found if unsure and one not in known}
        known = found
    return frozenset(doubtful)


def mistakes(rules: Rules, moment: Moment, number: int) -> tuple[Any, ...]:
    """The irregularities of a hand by then; none in a game that has none."""
    return getattr(rules.ruling(moment.seen, number), "irregularities", ())


def doubts(rules: Rules, pages: ForEverybody, moments: Sequence[Moment], sure_from: float) -> Doubts:
    """What of each hand is not sure. ``sure_from``: probability from which a line is sure."""
    found = ((n, pages.doubtful(hand, sure_from)) for n, hand in hands_told(rules, moments) if has_doubts(hand, sure_from))
    return {n: doubtful for n, doubtful in found if doubtful}


def unsure_rulings(rules: Rules, moments: Sequence[Moment], sure_from: float) -> Iterator[int]:
    """Number of each hand that is over, and whose ruling is not sure; and of the one in progress, where what it came to so far is
    not."""
    last = moments[-1]
    yield from sorted(unsure_hands(last, sure_from))
    if rules.in_hand(last.seen) and not ruling_sure(last, sure_from):
        yield rules.hands(last.seen) + 1


def unsure_text(unsure: int, lang: Lang) -> str:
    """How many hands are not sure, and nobody has confirmed them, as a sentence; "" for none."""
    said = catalogue(lang).ngettext(
        "{n} hand was not sure, and nobody has confirmed it", "{n} hands were not sure, and nobody has confirmed them", unsure
    )
    return said.format(n=unsure) if unsure else ""


def end_confidence(rules: Rules, pages: ForEverybody, moments: Sequence[Moment]) -> float | None:
    """How probable it is that a game has come to what its last moment says: as its last ruling; of a game that is over, and where
    what somebody has hangs on an earlier hand that is not sure, as the least sure hand. None where nobody measured it."""
    last = moments[-1]
    surely = dict(last.sure)
    if isinstance(rules.waiting(last.seen), Over) and unsure_hands(last, SURE_FROM):
        view = pages.view(moments, LANGS[0], ViewSettings(SURE_FROM, 0))
        if believed(view):
            return min(surely.values())
    return surely.get(rules.hands(last.seen))


def is_end_sure(rules: Rules, pages: Pages, lines: Sequence[Line], sure_from: float) -> bool:
    """Whether it is sure how a game stands by its log, who has won it, say (`end_confidence`). Only where a line is not sure is
    every hand followed: a list has hundreds of games. Raises GameError where the log cannot have happened."""
    if all(line.confidence is None or line.confidence >= sure_from or stands_in(line) for line in lines):
        return True
    confidence = end_confidence(rules, pages, tuple(follow(rules, pages, lines)))
    return confidence is None or confidence >= sure_from


def has_doubts(hand: Sequence[Moment], sure_from: float) -> bool:
    """Whether any line of a hand is not sure, its `end` apart: that says who pays."""
    return not all(is_sure(moment, sure_from) or is_tagged(moment, "end") for moment in hand)


def least_sure(rules: Rules, pages: ForEverybody, moments: Sequence[Moment]) -> dict[int, tuple[float]]:
    """Number of each hand that rests on a card which may be another → how sure its least sure line is."""
    found = {}
    for n, hand in hands_told(rules, moments):
        if has_doubts(hand, SURE_FROM) and pages.doubtful(hand, SURE_FROM) - frozenset(mistakes(rules, hand[-1], n)):
            told = (one.confidence for moment in hand if moment.event is not None for one in moment.lines)
            found[n] = (min(one for one in told if one is not None),)
    return found


def hands_told(rules: Rules, moments: Sequence[Moment]) -> Iterator[tuple[int, Sequence[Moment]]]:
    """The number of each hand, and its moments with those up to the next. Where a line ends one hand and begins another, it is
    taken for the `end` of the first."""
    begun = [at for at, moment in enumerate(moments) if moment.begins]
    for at, end in pairwise((*begun, len(moments))):
        hand = tuple(moments[at:end])
        if end < len(moments) and (over := moments[end].ended) is not None:
            hand += (replace(hand[-1], seen=over, event=end_of(rules), lines=(), begins=False),)
        yield rules.hands(hand[0].seen) + 1, hand
