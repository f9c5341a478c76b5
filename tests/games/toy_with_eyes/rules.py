"""The rules of Bassa, and its log."""

import sys
from typing import Literal

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from companion.decks.stu import KINDS, RANK, Kind
from companion.table.errors import Illegal, Reason
from companion.table.game import Between, Over, Turn
from companion.table.log import EventBase, LogFormat, tag


class Begin(EventBase, tag="game", frozen=True):
    v: Literal[1]
    game: Literal["bassa"]
    players: tuple[str, ...]


class HandLine(EventBase, tag="hand", frozen=True):
    pass


class Show(EventBase, tag="show", frozen=True):
    by: str
    card: Kind


class End(EventBase, tag="end", frozen=True):
    pass


class Void(EventBase, tag="void", frozen=True):
    pass


class Hand(Struct, frozen=True):
    """``dealer``: a seat; ``shown``: player and card, in the order in which they were shown."""

    dealer: int
    shown: tuple[tuple[str, Kind], ...] = ()


class State(Struct, frozen=True):
    """``hand``: None between hands; ``ruled``: who paid with which card in each hand, two empty words for a void one."""

    players: tuple[str, ...]
    tokens: tuple[int, ...]
    dealer: int
    hand: Hand | None = None
    ruled: tuple[tuple[str, str], ...] = ()

    def to_dict(self):
        return to_builtins(self)


LOG = LogFormat(Begin | HandLine | Show | End | Void, title="Bassa table log, one line")
NOT_NOW = Reason("not_now", "{what} is not possible now")


def begin(game):
    if not 2 <= len(set(game.players)) == len(game.players) <= 6:
        raise Illegal(NOT_NOW, expected="2 to 6 players of different names", what=f"a game of {len(game.players)}")
    return State(game.players, (3,) * len(game.players), len(game.players) - 1)


def legal_acts(state):
    if state.hand is None:
        return (HandLine(),) if all(state.tokens) else ()
    showed = [name for name, _ in state.hand.shown]
    cards = [card for _, card in state.hand.shown]
    left = [kind for kind in KINDS if cards.count(kind) < 2]
    shows = [Show(by=name, card=kind) for name in state.players if name not in showed for kind in left]
    return (*(shows or [End()]), Void())


def check(state, event):
    return None if event in legal_acts(state) else Illegal(NOT_NOW, what=tag(event))


def apply(state, event):
    if error := check(state, event):
        raise error
    match event:
        case HandLine():
            return replace(state, hand=Hand(state.dealer))
        case Show():
            return replace(state, hand=replace(state.hand, shown=(*state.hand.shown, (event.by, event.card))))
    paid = outcome(state) if isinstance(event, End) else ("", "")
    tokens = tuple(count - (name == paid[0]) for name, count in zip(state.players, state.tokens, strict=True))
    following = state.dealer if isinstance(event, Void) else (state.dealer + 1) % len(state.players)
    return State(state.players, tokens, following, None, (*state.ruled, paid))


def waiting(state):
    return Turn("show", None) if in_hand(state) else Between() if all(state.tokens) else Over()


def names(state):
    return state.players


def hands(state):
    return len(state.ruled)


def in_hand(state):
    return state.hand is not None


def outcome(state):
    """The player who pays, and the card; two empty words as long as nobody does."""
    if in_hand(state):
        return min(state.hand.shown, key=lambda one: RANK[one[1]]) if len(state.hand.shown) == len(state.players) else ("", "")
    return state.ruled[-1] if state.ruled else ("", "")


def ruling(state, n):
    so_far = (*state.ruled, outcome(state)) if in_hand(state) else state.ruled
    return so_far[n - 1] if 1 <= n <= len(so_far) else None


def report(state):
    return state


rules = sys.modules[__name__]
