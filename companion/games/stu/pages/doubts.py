"""What of a hand of Lu Stù is not sure: which cards that were shown may be others, and what is paid for them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from companion.decks.stu import RANK, Kind
from companion.games.stu import rules
from companion.games.stu.rules.log import Draw, Reveal, Taverna
from companion.games.stu.rules.state import Cause, Payment
from companion.pages.doubts import doubtful_mistakes
from companion.pages.moments import Moment, is_sure, is_tagged, last_hand

_ALSO_BY: Final[dict[Cause, tuple[Kind, ...]]] = {"two_matti": ("matto",), "taverna_for_nulla": ("nulla", "taverna")}
"""Cause → the cards by which it is paid, whichever player has shown them."""


@dataclass(frozen=True, slots=True)
class Misread:
    """``kinds``: those that were shown, and never surely: they are kinds, not places, as cards change hands. ``shown``: players
    with a card that they have shown, and not surely."""

    kinds: frozenset[str] = frozenset()
    shown: frozenset[tuple[str, str]] = frozenset()

    def has(self, player: str, card: str | None) -> bool:
        """Whether this card of the player's may be another."""
        return card in self.kinds or (player, card) in self.shown

    def decides(self, payment: Payment) -> bool:
        """Whether this would not be paid, or not by this player, if such a card is another."""
        if any(self.has(name, payment.card) for name in (payment.player, *payment.tied)):
            return True
        return any(card in _ALSO_BY.get(payment.cause, ()) for _by, card in self.shown)


def misread(moments: Sequence[Moment], sure_from: float) -> Misread:
    """The cards of the hand on the table that may be others."""
    sure, unsure = set[tuple[str, str]](), set[tuple[str, str]]()
    for moment in last_hand(moments):
        event = moment.event
        if isinstance(event, Reveal | Draw | Taverna):
            card = "taverna" if isinstance(event, Taverna) else event.card
            if card is not None:
                (sure if is_sure(moment, sure_from) else unsure).add((event.by, card))
    kinds = frozenset(card for _by, card in unsure) - {card for _by, card in sure}
    return Misread(kinds, frozenset(unsure - sure))


def doubtful(moments: Sequence[Moment], sure_from: float) -> frozenset[Any]:
    """See `companion.pages.protocol.ForEverybody.doubtful`: payments, and irregularities."""
    hand = last_hand(moments)
    book = rules.ruling(moments[-1].seen, len(hand[0].seen.hands) + 1) if hand else None
    if book is None or book.void:
        return frozenset()
    cards = misread(moments, sure_from)
    paid = {one for one in book.payments if cards.decides(one)}
    return doubtful_mistakes(rules, moments, sure_from) | paid | _unsure_acts(hand, sure_from)


def may_pay(moments: Sequence[Moment], sure_from: float) -> frozenset[str]:
    """The players who would pay or gain in the hand on the table, once it is over, if cards that may be others are: each who has
    such a card, and who has the lowest of the others, the Matti apart."""
    hand = moments[-1].laid
    if hand is None or moments[-1].seen.hand is not None:
        return frozenset()
    cards, names = misread(moments, sure_from), moments[-1].seen.table.names
    shown = [(names[hand.order[at]], face) for at in hand.positions() if (face := hand.face_of(at)) is not None]
    unsure = frozenset(name for name, face in shown if cards.has(name, face))
    sure = [(name, RANK[face]) for name, face in shown if name not in unsure and face != "matto"]
    return unsure | ({min(sure, key=itemgetter(1))[0]} if unsure and sure else frozenset())


def _unsure_acts(hand: Sequence[Moment], sure_from: float) -> frozenset[Payment]:
    """What fell due by an act of this hand that is not sure: a trump that may be another, a passo that may not have been one, a
    penalty."""
    number, known, found = len(hand[0].seen.hands) + 1, Counter[Payment](), set[Payment]()
    for moment in hand:
        book = rules.ruling(moment.seen, number)
        paid = Counter(book.payments if book is not None else ())
        sure = is_sure(moment, sure_from) and (moment.act is None or moment.act >= sure_from)
        if not sure and not is_tagged(moment, "end"):
            found |= set(paid - known)
        known = paid
    return frozenset(found)
