"""For showing a hand of Lu Stù once more: which lines decided who pays, and which faces lay open for everybody, and when."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.games.stu.referee.history import History
from companion.games.stu.rules import State, apply
from companion.games.stu.rules.log import Draw, End, Reveal, Swap, Taverna
from companion.games.stu.sightings import Shown, Sighting
from companion.referee.clips import FaceUp
from companion.table.log import Line


def deciding(before: State, lines: Sequence[Line]) -> tuple[int, ...]:
    """The lines (indices) at which pedine were won or lost. Of those that were paid at the end: where the payer showed the card,
    and the exchange that had brought it there."""
    names = before.table.names
    moved: dict[str, int] = {}
    shown: dict[str, int] = {}
    found: set[int] = set()
    state = before
    for index, line in enumerate(lines):
        event, hand = line.event, state.hand
        state = apply(state, event)
        if hand is None:
            continue
        if isinstance(event, Swap | Taverna) and hand.asking is not None:
            for position in (hand.asking.asker, hand.asking.asked):
                moved[names[hand.order[position]]] = index
        elif isinstance(event, Draw):
            moved[event.by] = index
        elif isinstance(event, Reveal):
            shown[event.by] = index
        told = state.hand if state.hand is not None else state.hands[-1]
        for payment in told.payments[len(hand.payments) :]:
            if not payment.delta:
                continue
            if not isinstance(event, End):
                found.add(index)
            found.update(at[payment.player] for at in (shown, moved) if isinstance(event, End) and payment.player in at)
    return tuple(sorted(found))


def faces_up(history: History, before: State, sightings: tuple[Sighting, ...]) -> tuple[FaceUp, ...]:
    """The cards that lay face up before their player in this history, by the rules, and that the eyes have seen so. ``before``:
    the engine's state before the hand."""
    looks = sorted((one.t, one.place) for one in sightings if isinstance(one, Shown))
    lying: dict[int, tuple[int, str, float]] = {}  # place → card, kind, since when
    found: list[FaceUp] = []
    state = before
    for line in history.lines:
        state, t = apply(state, line.event), line.t
        hand = state.hand
        if hand is None:
            continue
        for position, place in enumerate(hand.order):
            card = hand.holds[position]
            if place in lying and (not hand.still_in(position) or card != lying[place][0] or not hand.is_shown(card)):
                _, kind, since = lying.pop(place)
                if t is not None:
                    found.append(FaceUp(place, kind, since, t))
            face = hand.face_of(position)
            if place not in lying and t is not None and face is not None and hand.is_shown(card):
                # A face that is shown under a hand is open in the log from then on, in the picture only later.
                since = next((at for at, where in looks if where == place and at >= t - 0.01), math.inf)
                lying[place] = card, face, since
    found += [FaceUp(place, kind, since, math.inf) for place, (_, kind, since) in lying.items()]
    return tuple(one for one in found if one.since < one.until)
