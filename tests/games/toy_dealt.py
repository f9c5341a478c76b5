"""High card with cards that are dealt face down: a camera may catch one, and nobody may see it on a page before it is shown.

As in `toy` all show a number and the lowest pays a token; here it is the number of the card that they were dealt.
"""

import sys
from typing import Literal, get_args

import toy
from msgspec import Struct, to_builtins
from msgspec.structs import replace
from toy import NOT_NOW, End, Hand, Void

from companion.games import Game
from companion.table.errors import Illegal
from companion.table.log import EventBase, LogFormat, tag

Card = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"]


class Begin(EventBase, tag="game", frozen=True):
    v: Literal[1]
    game: Literal["dealt"]
    players: tuple[str, ...]


class Deal(EventBase, tag="deal", frozen=True):
    """``card``: None where nobody has caught it."""

    to: str
    card: Card | None = None


class Show(EventBase, tag="show", frozen=True):
    by: str
    card: Card


class State(Struct, frozen=True):
    """``table``: the game as `toy` plays it; ``dealt``: player and card each, None for one that nobody knows."""

    table: toy.State
    dealt: tuple[tuple[str, str | None], ...] = ()

    def to_dict(self):
        return to_builtins(self)


LOG = LogFormat(Begin | Hand | Deal | Show | End | Void, title="High card dealt table log, one line")


def begin(game):
    return State(toy.begin(game))


def legal_acts(state):
    if state.table.shown is None:
        return toy.legal_acts(state.table)
    dealt, left = dict(state.dealt), [name for name in state.table.players if name not in dict(state.dealt)]
    if left:
        free = [None, *(card for card in get_args(Card) if card not in dealt.values())]
        return (*(Deal(to=left[0], card=card) for card in free), Void())
    acts = [Show(by=act.by, card=str(act.number)) if isinstance(act, toy.Show) else act for act in toy.legal_acts(state.table)]
    known = {card: name for name, card in state.dealt if card is not None}
    return tuple(act for act in acts if not isinstance(act, Show) or _may_be(act, dealt, known))


def _may_be(show, dealt, known):
    return dealt[show.by] == show.card if dealt[show.by] is not None else show.card not in known


def check(state, event):
    return None if event in legal_acts(state) else Illegal(NOT_NOW, what=tag(event))


def apply(state, event):
    if error := check(state, event):
        raise error
    if isinstance(event, Deal):
        return replace(state, dealt=(*state.dealt, (event.to, event.card)))
    table = toy.apply(state.table, toy.Show(by=event.by, number=int(event.card)) if isinstance(event, Show) else event)
    return State(table, state.dealt if table.shown is not None else ())


def waiting(state):
    return toy.waiting(state.table)


def names(state):
    return state.table.players


def hands(state):
    return toy.hands(state.table)


def in_hand(state):
    return toy.in_hand(state.table)


def outcome(state):
    return toy.outcome(state.table)


def ruling(state, n):
    return toy.ruling(state.table, n)


def report(state):
    return state


class DealtPages(toy.HighCardPages):
    def public(self, known, seen, line):
        """A card is dealt, and which one nobody has seen; how sure that is would tell whose card was caught."""
        return (replace(line, event=Deal(to=line.event.to), confidence=None) if isinstance(line.event, Deal) else line,)

    def has(self, state, player, lang):
        shown = dict(state.table.shown or ())
        return super().has(state.table, player, lang) + (f", shows {shown[player]}" if player in shown else "")

    def payments(self, state, lang):
        return super().payments(state.table, lang)

    def comment(self, before, event, after, lang):
        return f"{event.by} shows {event.card}" if isinstance(event, Show) else f"The {tag(event)}"

    def winner(self, state):
        return super().winner(state.table)


rules = sys.modules[__name__]
pages = DealtPages("dealt", rules, most_players=6)
DEALT = Game("dealt", __name__)
