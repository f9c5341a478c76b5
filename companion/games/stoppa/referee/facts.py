"""What a history of a hand of Stoppa says about things that people at the table know: those that decide who pays.

- ``stopped``: who laid their last card, a place; ``nobody``
- ``left:2``: how many cards place 2 had left when the stoppata was over
- ``won@piccolo-1``, ``won@grosso``: who took a punto, a place; ``nobody`` where it is carried
- ``whose@9.80/17/coppe-6``: who put down the card that the eyes saw at 9.80 s, in episode 17, most probably this one: a place;
  ``nobody`` where no card was put down then
- ``number@9.80/17``: its number
- ``missed@6``: who put down a card of this number that the eyes did not see, a place; ``nobody``
- ``dealer``: who dealt the hand, a place
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from companion.games.stoppa.referee.history import History
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.rules.cards import INDEX, Card, number_of
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.sightings import Laid, Sighting
from companion.referee.values import Fact, Facts

FactKind = Literal["stopped", "won", "whose", "number", "missed", "left", "dealer"]
PLAINEST: tuple[FactKind, ...] = ("stopped", "won", "whose", "number", "missed", "left", "dealer")
"""Of several questions that settle about the same, the one whose kind comes first here is asked."""
NOBODY = "nobody"
WITH_PLACE: frozenset[FactKind] = frozenset({"left"})
"""Kinds whose key names a place."""
WITH_DETAIL: frozenset[FactKind] = frozenset({"won", "whose", "number", "missed"})
"""Kinds whose key has a detail after an ``@``."""


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
    for pot in one.pots:
        note("won", NOBODY if pot.winner is None else str(names.index(pot.winner)), at=pot.phase)
    if one.stoppata is None or one.stoppata.annulled:
        return found
    winner = one.stoppata.winner
    note("stopped", NOBODY if winner is None else str(names.index(winner)))
    for name, laid in one.stoppata.laid.items() if winner is not None else ():
        note("left", str(before.table.size - laid), names.index(name))
    seen = {look.episode: look for look in sightings if isinstance(look, Laid)}
    read = {card: seen[episode] for episode, card in history.episodes if episode in seen}
    for card, seat, t in _laid(history):
        if (look := read.get(card)) is not None:
            at = f"{look.t:.2f}/{look.episode}"
            note("whose", str(seat), at="/".join((at, *(kind for kind, _ in look.alternatives[:1]))), t=look.t)
            note("number", str(number_of(card)), at=at, t=look.t)
        else:
            note("missed", str(seat), at=str(number_of(card)), t=t)
    return found


def _laid(history: History) -> Iterator[tuple[Card, int, float]]:
    """Every card that was laid, by whom, and when."""
    names = history.state.table.names
    for line in history.lines:
        if isinstance(line.event, Lay):
            for kind in line.event.cards:
                yield INDEX[kind], names.index(line.event.by), line.t or 0.0


def default_of(fact: Fact) -> str | None:
    """What a history says about a fact that it does not mention: that there was no such card, and nobody stopped; of all else
    nothing."""
    return NOBODY if fact.kind in ("stopped", "whose", "missed") else None


def fact_of(key: str) -> Fact:
    """The fact with this key; its time is the one in the key, else 0.

    Raises:
        ValueError: there is no such kind of fact.
    """
    body, _, at = key.partition("@")
    kind, *places = body.split(":")
    for known in get_args(FactKind):
        if kind == known and len(places) == (kind in WITH_PLACE) and bool(at) == (kind in WITH_DETAIL):
            t = float(at.split("/")[0]) if kind in ("whose", "number") else 0.0
            return Fact(key, known, tuple(map(int, places)), t)
    raise ValueError(f"{key!r} is not a fact: expected one such as left:2")


def is_unseen(fact: Fact) -> bool:
    """Whether the eyes have seen nothing of it: cards left in a hand, and a card that was put down unseen."""
    return fact.kind in ("left", "missed")
