"""What a game waits for: the one place that knows. The steps of a hand:

``blind``
    ``who`` may make the next blind; or says a word, and blinds are over.
``open``
    ``who`` opens or passes the word. ``answer``: sees, raises or passes, after an opening, a blind or a bet.
``raise``
    ``who`` made the last blind and may raise; the exchange may also begin.
``cambio``
    ``who`` changes cards or is served.
``speak``
    ``who`` speaks in the final phase, before a bet.
``show``
    All still in show or concede.
"""

from __future__ import annotations

from companion.games.stoper.rules.state import State
from companion.table.game import Between, Over, Turn, Waiting


def waiting(state: State) -> Waiting:
    """What the table waits for."""
    hand = state.hand
    if hand is None:
        return Over() if state.over else Between()
    if not hand.todo:
        return Turn("show", None)
    seat = hand.todo[0]
    if hand.phase == "blind":
        step = "blind"
    elif hand.phase == "exchange":
        step = "cambio"
    elif hand.high:
        step = "raise" if hand.blind_open and seat == hand.blind_raiser else "answer"
    else:
        step = "speak" if hand.phase == "final" else "open"
    return Turn(step, state.table.names[seat])


def expected(state: State) -> str:
    """What the table waits for, in words for an error."""
    hand = state.hand
    match waiting(state):
        case Over():
            return "close, or nothing"
        case Between():
            return "hand, or close"
        case Turn("blind", who) if hand is not None and hand.high:
            return f"the next buio, vedo or passo by {who}"
        case Turn("blind", who):
            return f"buio, apro or parola by {who}"
        case Turn("open", who):
            return f"apro or parola by {who}"
        case Turn("raise", who):
            return f"rilancio or busso by {who}, or the exchange"
        case Turn("cambio", who):
            return f"cambio by {who}"
        case Turn("speak", who):
            return f"punto, busso, parola or passo by {who}"
        case Turn("answer", who) if hand is not None and hand.blind_open:
            return f"vedo or passo by {who}"
        case Turn("answer", who):
            return f"vedo, rilancio or passo by {who}"
    return "show or muck by those still in"
