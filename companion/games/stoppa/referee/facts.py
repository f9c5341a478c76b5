"""What a history of a hand of Stoppa says about things that people at the table know: those that decide who pays.

- ``stopped``: who laid their last card, a place; ``nobody``
- ``left:2``: how many cards place 2 had left when the stoppata was over
- ``won@piccolo-1``, ``won@grosso``: who took a punto, a place; ``nobody`` where it is carried
- ``dealer``: who dealt the hand, a place
"""

from __future__ import annotations

from typing import Literal, get_args

from companion.games.stoppa.referee.history import History
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.sightings import Sighting
from companion.referee.facts import Fact, Facts

FactKind = Literal["stopped", "left", "won", "dealer"]
PLAINEST: tuple[FactKind, ...] = ("stopped", "left", "won", "dealer")
"""Of several questions that settle about the same, the one whose kind comes first here is asked."""
NOBODY = "nobody"


def facts_of(history: History, before: State, sightings: tuple[Sighting, ...]) -> Facts:
    """All facts in this history. ``before``: the engine's state before the hand."""
    found: Facts = {}
    one = ruling(history.state, len(before.hands) + 1)
    if one is None or one.void:
        return found
    names, t = before.table.names, history.acted

    def note(kind: FactKind, value: str, place: int | None = None, at: str = "") -> None:
        key = kind + (f":{place}" if place is not None else "") + (f"@{at}" if at else "")
        found[key] = Fact(key, kind, () if place is None else (place,), t), value

    note("dealer", str(names.index(one.dealer)))
    for pot in one.pots:
        note("won", NOBODY if pot.winner is None else str(names.index(pot.winner)), at=pot.phase)
    if one.stoppata is not None and not one.stoppata.annulled:
        winner = one.stoppata.winner
        note("stopped", NOBODY if winner is None else str(names.index(winner)))
        for name, laid in one.stoppata.laid.items() if winner is not None else ():
            note("left", str(before.table.size - laid), names.index(name))
    return found


def default_of(fact: Fact) -> str | None:
    """What a history says about a fact that it does not mention: nothing, but that nobody has stopped."""
    return NOBODY if fact.kind == "stopped" else None


def fact_of(key: str) -> Fact:
    """The fact with this key; its time is not known.

    Raises:
        ValueError: there is no such kind of fact.
    """
    body, _, at = key.partition("@")
    kind, *places = body.split(":")
    for known in get_args(FactKind):
        if kind == known and len(places) == (kind == "left") and bool(at) == (kind == "won"):
            return Fact(key, known, tuple(map(int, places)), 0.0)
    raise ValueError(f"{key!r} is not a fact: expected one such as left:2")


def is_unseen(fact: Fact) -> bool:
    """Whether the eyes have seen nothing of it: cards left in a hand."""
    return fact.kind == "left"
