"""What a history of a hand of Lu Stù says about things that people at the table know.

- ``exchange:0:1``: the player at place 0 asked the one at place 1, and they exchanged their cards: ``yes`` or ``no``
- ``back:1:0``: the same for an offer in the backward run
- ``asked:0:1``: place 0 asked place 1, whatever came of it: ``yes`` or ``no``; backward only where a trump lay face up there, so
  that there was nothing to see
- ``draw:3``: place 3 exchanged a card with the deck: ``yes`` or ``no``
- ``card:2@9.80``: the face that place 2 showed at 9.80 s, a kind's id; ``card:2``: the face there that the eyes never saw
- ``rebuy:4``: place 4 came back before the hand
- ``dealt@30.00-60.00``: how many hands were dealt between these times (seconds), in which nothing could be seen; ``played@…``:
  how many were played as a whole
- ``gnaffata:2``, ``bbummata:2``: who paid when place 2 showed its Gnao or Bragon: a place, or ``nobody``
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from companion.games.stu.referee.history import History
from companion.games.stu.rules import State, apply
from companion.games.stu.rules.log import Draw, Passo, Rebuy, Reveal, Swap, Taverna
from companion.games.stu.rules.state import Hand
from companion.games.stu.sightings import Shown, Sighting
from companion.referee.values import Fact, Facts
from companion.table.log import Event

FactKind = Literal["exchange", "back", "asked", "draw", "card", "gnaffata", "bbummata", "dealt", "played", "rebuy"]
DEALINGS: frozenset[FactKind] = frozenset({"dealt", "played"})
"""Kinds about a time in which nothing could be seen."""
PLAINEST: tuple[FactKind, ...] = (
    "dealt", "played", "gnaffata", "bbummata", "draw", "exchange", "card", "back", "asked", "rebuy",
)  # fmt: skip
"""Kinds of questions, the plainest first: of several that settle about the same, the plainest is asked."""
NOBODY = "nobody"
YES, NO = "yes", "no"

Faces = frozenset[tuple[int, float]]
"""The faces that the eyes saw: place, and time in seconds as in the log."""


def _faces_seen(sightings: Iterable[Sighting]) -> Faces:
    """The faces among these sightings."""
    return frozenset((shown.place, round(shown.t, 2)) for shown in sightings if isinstance(shown, Shown))


def facts_of(history: History, before: State, sightings: tuple[Sighting, ...]) -> Facts:
    """All facts in this history. ``before``: the engine's state before the hand; ``sightings``: what the eyes saw of the hand."""
    seen = _faces_seen(sightings)
    seats = {name: seat for seat, name in enumerate(before.table.names)}
    found: Facts = {}

    def note(kind: FactKind, places: tuple[int, ...], value: str, t: float, at: str = "") -> None:
        key = ":".join((kind, *map(str, places))) + at
        found[key] = Fact(key, kind, places, t), value

    state = before
    for line in history.lines:
        event, hand, t = line.event, state.hand, line.t or 0.0
        state = apply(state, event)
        if isinstance(event, Rebuy):
            note("rebuy", (seats[event.by],), YES, t)
        if hand is None:
            continue
        ask = hand.asking
        if isinstance(event, Swap | Taverna) and ask is not None:
            note("back" if ask.back else "exchange", (hand.order[ask.asker], hand.order[ask.asked]), YES, t)
        elif isinstance(event, Draw):
            note("draw", (seats[event.by],), YES, t)
        elif isinstance(event, Reveal):
            place = seats[event.by]
            note("card", (place,), event.card, t, f"@{t:.2f}" if (place, t) in seen else "")
        elif isinstance(event, Passo):
            asked = state.hand.asking if state.hand is not None else None
            if asked is not None and not asked.back:
                note("asked", (hand.order[asked.asker], hand.order[asked.asked]), YES, t)
            elif asked is None and hand.back >= 0:
                note("asked", (hand.order[hand.back], hand.order[hand.before(hand.back)]), YES, t)
        for payment in (state.hand or state.hands[-1]).payments[len(hand.payments) :]:
            if payment.by is not None and _met(event, hand, payment.by):
                kind: FactKind = "gnaffata" if payment.cause == "gnaffata" else "bbummata"
                note(kind, (seats[payment.by],), str(seats[payment.player]), t)
    return found


def _met(event: Event, hand: Hand, holder: str) -> bool:
    """Whether this act itself met the holder's Gnao or Bragon, and not a card that runs back into one that lies face up."""
    if isinstance(event, Reveal):
        return event.by == holder
    return isinstance(event, Passo) and hand.back < 0


def default_of(fact: Fact) -> str | None:
    """What a history says about a fact that it does not mention: that it was not so; None for faces, and for hands dealt in a
    hole."""
    if fact.kind == "card" or fact.kind in DEALINGS:
        return None
    return NOBODY if fact.kind in ("gnaffata", "bbummata") else NO


def fact_of(key: str) -> Fact:
    """The fact with this key; its time is the one in the key, else 0.

    Raises:
        ValueError: there is no such kind of fact.
    """
    body, _, at = key.partition("@")
    if body in DEALINGS:
        start, _, until = at.partition("-")
        return dealings(float(start), float(until), whole=body == "played")
    kind, *places = body.split(":")
    for known in get_args(FactKind):
        if kind == known and places:
            return Fact(key, known, tuple(map(int, places)), float(at or 0))
    raise ValueError(f"{key!r} is not a fact: expected one such as exchange:0:1")


def dealings(t: float, until: float, *, whole: bool) -> Fact:
    """How many hands were dealt from ``t`` to ``until`` seconds, while nothing could be seen; played as a ``whole``, where what
    was seen before and afterwards is not of the same hand anyway."""
    kind: FactKind = "played" if whole else "dealt"
    return Fact(f"{kind}@{t:.2f}-{until:.2f}", kind, (), t)


def is_unseen(fact: Fact) -> bool:
    """Whether the fact is about a face that the eyes never saw."""
    return fact.kind in DEALINGS or (fact.kind == "card" and "@" not in fact.key)
