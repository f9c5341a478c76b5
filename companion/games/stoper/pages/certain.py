"""What is not sure of the hand on the table: hands laid open, and how many cards somebody changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.stoper import rules
from companion.games.stoper.rules.log import Cambio, End, Show
from companion.games.stoper.rules.state import Irregularity
from companion.pages.moments import Moment, doubtful_mistakes, is_sure, last_hand


@dataclass(frozen=True, slots=True)
class UnsureLines:
    """Players by name: whose open cards are not sure, and of whom it is not sure how many cards they ``changed``. ``ended``: the
    log says by itself that the hand is over, and how sure all of it is. ``mistakes``: see `doubtful_mistakes`."""

    shown: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    ended: bool = False
    mistakes: frozenset[Irregularity] = frozenset()


def doubts(moments: Sequence[Moment], sure_from: float) -> UnsureLines:
    """What is not sure of the hand in progress or, between hands, of the last one, by the confidence of its lines."""
    hand = last_hand(moments)
    unsure = [moment.event for moment in hand if not is_sure(moment, sure_from)]
    return UnsureLines(
        frozenset(event.by for event in unsure if isinstance(event, Show)),
        frozenset(event.by for event in unsure if isinstance(event, Cambio)),
        any(isinstance(moment.event, End) for moment in hand),
        doubtful_mistakes(rules, moments, sure_from),
    )
