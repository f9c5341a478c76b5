"""High card, a whole game for the house in one module. Two to six sit clockwise with three tokens each. In a hand all show a
number of their own, and the lowest pays a token; once somebody has none the game is over, and the player with most has won."""

import sys
from typing import Annotated, Literal

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from companion.games import Game
from companion.pages.plain import PlainPages
from companion.pages.view import PaymentView
from companion.table.errors import Illegal, Reason
from companion.table.game import Between, Over, Turn
from companion.table.log import EventBase, LogFormat, tag


class Begin(EventBase, tag="game", frozen=True):
    v: Literal[1]
    game: Literal["highcard"]
    players: tuple[str, ...]


class Hand(EventBase, tag="hand", frozen=True):
    pass


class Show(EventBase, tag="show", frozen=True):
    by: str
    number: Annotated[int, Meta(ge=1, le=9)]


class End(EventBase, tag="end", frozen=True):
    pass


class Void(EventBase, tag="void", frozen=True):
    pass


class State(Struct, frozen=True):
    """``shown``: player and number each, None between hands. ``paid``: who paid each hand, "" for a void one."""

    players: tuple[str, ...]
    tokens: tuple[int, ...]
    shown: tuple[tuple[str, int], ...] | None = None
    paid: tuple[str, ...] = ()

    def to_dict(self):
        return to_builtins(self)


LOG = LogFormat(Begin | Hand | Show | End | Void, title="High card table log, one line")
NOT_NOW = Reason("not_now", "{what} is not possible now")


def begin(game):
    if not 2 <= len(set(game.players)) == len(game.players) <= 6:
        raise Illegal(NOT_NOW, what="a game of this many")
    return State(game.players, (3,) * len(game.players))


def legal_acts(state):
    if state.shown is None:
        return (Hand(),) if all(state.tokens) else ()
    held, taken = dict(state.shown), {number for _, number in state.shown}
    shows = [Show(by=name, number=n) for name in state.players if name not in held for n in range(1, 10) if n not in taken]
    return (*(shows or [End()]), Void())


def check(state, event):
    return None if event in legal_acts(state) else Illegal(NOT_NOW, what=tag(event))


def apply(state, event):
    if error := check(state, event):
        raise error
    match event:
        case Hand():
            return replace(state, shown=())
        case Show():
            return replace(state, shown=(*state.shown, (event.by, event.number)))
        case Void():
            return replace(state, shown=None, paid=(*state.paid, ""))
    payer = outcome(state)
    tokens = tuple(count - (name == payer) for name, count in zip(state.players, state.tokens, strict=True))
    return State(state.players, tokens, None, (*state.paid, payer))


def waiting(state):
    return Turn("show", None) if in_hand(state) else Between() if all(state.tokens) else Over()


def names(state):
    return state.players


def hands(state):
    return len(state.paid)


def in_hand(state):
    return state.shown is not None


def outcome(state):
    if in_hand(state):
        return min(state.shown, key=lambda one: one[1])[0] if len(state.shown) == len(state.players) else ""
    return state.paid[-1] if state.paid else ""


def ruling(state, n):
    so_far = (*state.paid, outcome(state)) if in_hand(state) else state.paid
    return so_far[n - 1] if 1 <= n <= len(so_far) else None


def report(state):
    return state


class HighCardPages(PlainPages):
    title, clockwise = "High card", True

    def has(self, state, player, lang):
        return f"{state.tokens[state.players.index(player)]} tokens"

    def payments(self, state, lang):
        payer = outcome(state)
        return (PaymentView(payer, -1, "lowest", 0, f"{payer} showed the lowest number"),) if payer else ()

    def comment(self, before, event, after, lang):
        return f"{event.by} shows {event.number}" if isinstance(event, Show) else f"The {tag(event)}"

    def winner(self, state):
        return max(state.players, key=lambda name: state.tokens[state.players.index(name)])


rules = sys.modules[__name__]
pages = HighCardPages("highcard", rules, most_players=6)
HIGH_CARD = Game("highcard", __name__)
