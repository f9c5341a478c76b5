"""What a history of a hand of Stoper says about things that people at the table know: those that decide who is paid.

- ``won@1``: who took the first pot, a place; ``nobody`` where none took it
- ``face:2@9.80/17/coppe-6``: which card the eyes saw at 9.80 s before place 2, in episode 17, most probably this one: its id
- ``dealer``: who dealt the hand, a place
"""

from __future__ import annotations

from typing import Literal, get_args

from companion.decks.italian import KINDS
from companion.games.stoper.referee.history import History
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.sightings import Shown, Sighting
from companion.referee.values import Fact, Facts

FactKind = Literal["won", "face", "dealer"]
PLAINEST: tuple[FactKind, ...] = ("won", "face", "dealer")
"""Of several questions that settle about the same, the one whose kind comes first here is asked."""
NOBODY = "nobody"


def facts_of(history: History, before: State, sightings: tuple[Sighting, ...]) -> Facts:
    """All facts in this history. ``before``: the engine's state before the hand; ``sightings``: what the eyes saw of the hand."""
    found: Facts = {}
    one = ruling(history.state, len(before.hands) + 1)
    if one is None or one.void:
        return found
    names = before.table.names

    def note(kind: FactKind, value: str, place: int | None = None, at: str = "", t: float = history.acted) -> None:
        key = kind + (f":{place}" if place is not None else "") + (f"@{at}" if at else "")
        found.setdefault(key, (Fact(key, kind, () if place is None else (place,), t), value))

    note("dealer", str(names.index(one.dealer)))
    for number, pot in enumerate(one.pots, start=1):
        note("won", str(names.index(pot.winner)), at=str(number))
    if one.unassigned is not None:
        note("won", NOBODY, at="1")
    looks = {look.episode: look for look in sightings if isinstance(look, Shown)}
    for hand in history.reading.hands if history.reading is not None else ():
        for episode, card in hand.read:
            if (look := looks.get(episode)) is not None:
                at = "/".join((f"{look.t:.2f}", str(episode), *(kind for kind, _ in look.alternatives[:1])))
                note("face", KINDS[card], hand.seat, at, look.t)
    return found


def default_of(fact: Fact) -> str | None:
    """What a history says about a fact that it does not mention: nothing."""
    return None


def fact_of(key: str) -> Fact:
    """The fact with this key; its time is the one in the key, else 0.

    Raises:
        ValueError: there is no such kind of fact.
    """
    body, _, at = key.partition("@")
    kind, *places = body.split(":")
    for known in get_args(FactKind):
        if kind == known and len(places) == (kind == "face") and bool(at) == (kind != "dealer"):
            t = float(at.split("/")[0]) if kind == "face" else 0.0
            return Fact(key, known, tuple(map(int, places)), t)
    raise ValueError(f"{key!r} is not a fact: expected one such as won@1")


def is_unseen(fact: Fact) -> bool:
    """Whether the eyes have seen nothing of it: none is so."""
    return False
