"""What of a hand of Lu Stù is not sure: which cards that were shown may be others, and what is paid for them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.stu import rules
from companion.games.stu.rules.log import Draw, Reveal, Taverna
from companion.pages.doubts import doubtful_mistakes
from companion.pages.moments import Moment, is_sure, last_hand


@dataclass(frozen=True, slots=True)
class Misread:
    """``kinds``: those that were shown, and never surely: they are kinds, not places, as cards change hands. ``shown``: players
    with a card that they have shown, and not surely."""

    kinds: frozenset[str] = frozenset()
    shown: frozenset[tuple[str, str]] = frozenset()

    def has(self, player: str, card: str | None) -> bool:
        """Whether this card of the player's may be another."""
        return card in self.kinds or (player, card) in self.shown


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
    paid = {one for one in book.payments if cards.has(one.player, one.card)}
    return doubtful_mistakes(rules, moments, sure_from) | paid
