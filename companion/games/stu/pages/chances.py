"""The chances of paying for spectators, where the organiser wants them shown: from what everybody at the table has seen. Pure.

The odds, and NumPy with them, are imported where a chance is worked out: a command that rules on a log needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.games.stu.rules.log import Hand
from companion.pages.moments import Moment

if TYPE_CHECKING:
    from companion.games.stu.odds import PublicHand

SAMPLES = 3000
"""Samples. A chance is off by about one in a hundred with these, and is shown in steps of five."""


def chances(moments: Sequence[Moment]) -> dict[str, float]:
    """Player → chance (0…1) of losing a pedina from now to the end of the hand; empty between hands."""
    from companion.games.stu.odds import odds

    view = public_view(moments)
    if view is None:
        return {}
    return {
        one.name: round(sum(chance for delta, chance in one.deltas.items() if delta < 0), 3)
        for one in odds(view, samples=SAMPLES).players
    }


def public_view(moments: Sequence[Moment]) -> PublicHand | None:
    """The hand in progress as the odds take it, made of nothing but `Moment.seen` and public events; None between hands."""
    from companion.games.stu.odds import Heard, listen, public_hand

    if not moments or moments[-1].seen.hand is None:
        return None
    begin = next(i for i in range(len(moments) - 1, 0, -1) if isinstance(moments[i].event, Hand))
    heard = Heard()
    for before, now in zip(moments[begin - 1 : -1], moments[begin:], strict=True):
        if now.event is not None:
            heard = listen(heard, before.seen, now.seen, now.event)
    return public_hand(moments[-1].seen, heard)
