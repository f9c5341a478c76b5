"""The pedine on the table compared with the engine's: a lasting difference is reported, but never overrules the engine.

Not a difference: a player who shows none (some hide theirs, and a virgin has none on the table); a pedina that is taken away when
it is lost, or only at the end of the hand; anything that some history of the hand in progress explains; anything that has not
lasted `LASTING_SECONDS` seconds.
"""

from __future__ import annotations

from msgspec import Struct

from companion.games.stu.rules import State
from companion.games.stu.sightings import PedineSeen
from companion.referee.evening import Evening

LASTING_SECONDS = 30.0
"""Seconds that a difference must have lasted, and that the table has after a hand to take away what was lost."""
MIN_BELIEVED_PROBABILITY = 0.7
"""Probability below which a count is not compared."""


class PedineDiffer(Struct, frozen=True):
    """Since ``t`` seconds ``shown`` pedine have lain before ``player`` (at ``place``), where there should be ``expected``.

    ``virgin``: there should be none, because the player has never lost one. ``out``: because the player has none left.
    """

    t: float
    place: int
    player: str
    shown: int
    expected: int
    virgin: bool = False
    out: bool = False


def differences(evening: Evening, now: float | None = None) -> tuple[PedineDiffer, ...]:
    """Where the pedine on the table differ from what they should be, by place. ``now``: seconds; None: that of the last
    sighting."""
    now = evening.t if now is None else now
    settled = evening.settled
    possible = (settled, *(history.state for history in evening.current.outcome))
    over = [chapter.reports.cleared for chapter in evening.chapters if chapter.reports.cleared is not None]
    quiet_since = max(over, default=0.0)
    found = []
    for seen in sorted((sighting for _, sighting in evening.aside), key=lambda seen: seen.place):
        lasted = now - max(seen.t, quiet_since)
        right = {_on_the_table(state, seen.place) for state in possible}
        if lasted < LASTING_SECONDS or seen.probability < MIN_BELIEVED_PROBABILITY or seen.count == 0 or seen.count in right:
            continue
        found.append(_difference(seen, settled))
    return tuple(found)


def _on_the_table(state: State, place: int) -> int:
    """How many should lie there: none of a virgin, who gets them when the first is lost (rule 9)."""
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
