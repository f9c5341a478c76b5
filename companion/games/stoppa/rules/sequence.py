"""What a lay does to the sequence: the next number, exhausted ones, closing; aces; all of a number (rules 10 to 14). Pure."""

from __future__ import annotations

from typing import Literal

from companion.games.stoppa.rules.cards import ACE, ACES, KINGS, OF_NUMBER, Mask
from companion.games.stoppa.rules.log import HouseRules

Way = Literal["opens", "goes_on", "ace_on_ace", "thrown", "skips", "wrong"]
"""What a lay of some number is: ``thrown`` are aces put down whatever is wanted, ``wrong`` a number that is not wanted."""


def next_number(deck: Mask, laid: Mask, number: int) -> int:
    """The number that a sequence wants after this one: the next that is not exhausted; 0: the sequence is closed.

    ``deck``: all cards in play; ``laid``: those put down, with the card of ``number``.
    """
    left = deck & ~laid
    for wanted in range(number + 1, 11):
        if left & OF_NUMBER[wanted]:
            return wanted
    return 0


def way_of(house: HouseRules, wants: int, top: int, number: int, count: int, skipped: bool) -> Way:
    """What it is to lay ``count`` cards of this number; ``wants``: 0 when a sequence is to be opened; ``top``: its top number."""
    if not wants:
        return "opens"
    if number == wants:
        return "goes_on"
    if number == ACE:
        if top == ACE:
            return "ace_on_ace"
        if house.three_aces_anytime and count >= 3:
            return "thrown"
    return "skips" if skipped and number > wants else "wrong"


def may_lie_together(house: HouseRules, deck: Mask, laid: Mask, way: Way, number: int, cards: Mask) -> bool:
    """Whether these cards of one number, two or more, may be put down at once."""
    if number == ACE and way in ("opens", "ace_on_ace", "thrown"):
        return True
    whole = OF_NUMBER[number] & deck
    return cards == (whole & ~laid if house.all_at_once == "left" else whole)


def all_aces_known(known: Mask, laid: Mask, cards: Mask) -> bool:
    """Whether a player who throws these aces may hold, as far as is known, no other ace and no Re."""
    return not known & ~laid & ~cards & (ACES | KINGS)
