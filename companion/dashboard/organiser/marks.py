"""What the TV shows as not sure, for the phone to mark the same. Pure."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.dashboard.feed import Snapshot
from companion.table.language import Lang


class Marks(Struct, frozen=True):
    """``hands``: numbers of the hands where the TV shows a ruling or a card as unsure; ``believed``: the players whose pedine or
    chips it shows so; ``sure_from``: the probability from which a line is sure."""

    hands: frozenset[int]
    believed: tuple[str, ...]
    sure_from: float


def marks(snapshot: Snapshot, lang: Lang) -> Marks:
    """What the TV shows as not sure of this game."""
    sure_from, moments = snapshot.settings.view.sure_from, snapshot.moments
    if not moments:
        return Marks(frozenset(), (), sure_from)
    view = snapshot.view(lang)
    hands = {number for number, confidence in moments[-1].doubts if confidence < sure_from}
    if _doubtful(msgspec.to_builtins(view)):
        hands.add(view.hand)
    return Marks(frozenset(hands), tuple(seat.name for seat in view.seats if seat.believed), sure_from)


def _doubtful(shown: Any) -> bool:
    """Whether anything in a view says that it is not sure: a ``sure`` that is false, or something ``doubtful``."""
    if isinstance(shown, dict):
        return any(
            (key == "sure" and value is False) or (key.endswith("doubtful") and value is True) or _doubtful(value)
            for key, value in shown.items()
        )
    return isinstance(shown, list | tuple) and any(map(_doubtful, shown))
