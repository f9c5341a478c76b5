"""The pedine on the table against the engine's: a lasting difference is reported, and never overrules the engine.

What is no difference: a player who shows none (some hide theirs, and a virgin has none on the table); a pedina that is taken away
when it is lost, or only at the hand's end; what any history of the hand in progress would explain; anything that has not lasted
`LASTING` seconds.
"""

from __future__ import annotations

from msgspec import Struct

from companion.games.stu.rules import State
from companion.games.stu.sightings import PedineSeen
from companion.referee.evening import Evening

LASTING = 30.0
"""Seconds that a difference must have stood, and that the table has after a hand to take away what was lost."""
BELIEVED = 0.7
"""A count less probable than this is not compared."""


class PedineDiffer(Struct, frozen=True):
    """Before ``player`` (at ``place``) lie ``shown`` pedine since ``t`` seconds, and it should be ``expected``.

    ``virgin``: none should lie there, because the player has never paid one. ``out``: because the player has none left.
    """

    t: float
    place: int
    player: str
    shown: int
    expected: int
    virgin: bool = False
    out: bool = False


def differences(evening: Evening, now: float | None = None) -> tuple[PedineDiffer, ...]:
    """Where the table shows other pedine than it should, by place. ``now``: seconds, None for the time of the last sighting."""
    now = evening.t if now is None else now
    settled = evening.settled
    possible = (settled, *(history.state for history in evening.current.outcome))
    over = [chapter.reports.cleared for chapter in evening.chapters if chapter.reports.cleared is not None]
    quiet_since = max(over, default=0.0)
    found = []
    for seen in sorted((sighting for _, sighting in evening.aside), key=lambda seen: seen.place):
        lasted = now - max(seen.t, quiet_since)
        right = {_on_the_table(state, seen.place) for state in possible}
        if lasted < LASTING or seen.probability < BELIEVED or seen.count == 0 or seen.count in right:
            continue
        found.append(_difference(seen, settled))
    return tuple(found)


def _on_the_table(state: State, place: int) -> int:
    """How many should lie there: none of a virgin's, who gets them when the first is lost (rule 9)."""
    return 0 if state.virgins[place] else state.pedine[place]


def _difference(seen: PedineSeen, state: State) -> PedineDiffer:
    virgin = state.virgins[seen.place] and state.pedine[seen.place] > 0
    return PedineDiffer(
        t=seen.t,
        place=seen.place,
        player=state.table.names[seen.place],
        shown=seen.count,
        expected=_on_the_table(state, seen.place),
        virgin=virgin,
        out=state.pedine[seen.place] == 0,
    )
