"""Table log → script of Lu Stù: what people do at the table, act by act, as the rules engine follows the log.

The engine knows after every line which physical card (token) each player holds. The script gives each token a card of the deck,
so that the face that is shown late is the one that was dealt early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from companion.decks.stu import COPIES, KINDS
from companion.games.stu import rules
from companion.games.stu.rules import Hand as HandState
from companion.games.stu.rules import State
from companion.games.stu.rules import log as tl
from companion.table.errors import ScriptError
from companion.table.game import Rules
from companion.table.log import Line
from workshop.choreography import script
from workshop.choreography.script import Act, Note, Over


@dataclass(frozen=True, slots=True)
class Stay(Act):
    """A player stays."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ask(Act):
    """``asker`` asks ``asked`` to exchange; None where a dealer will draw. ``back``: in a backward run."""

    asker: int
    asked: int | None
    back: bool = False


@dataclass(frozen=True, slots=True)
class Exchange(Act):
    """``asker`` gives the card ``given`` to ``asked`` and takes the card ``taken``."""

    asker: int
    asked: int
    given: str
    taken: str


@dataclass(frozen=True, slots=True)
class Show(Act):
    """A player turns their card face up; ``answer``: because they were asked."""

    seat: int
    card: str
    answer: bool


@dataclass(frozen=True, slots=True)
class DrawCard(Act):
    """The card ``old`` goes under the deck, and the deck's top card, ``new``, comes to the place."""

    seat: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Leave(Act):
    """Out in mid-hand: the card goes face down under the deck."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Pedine(Act):
    """How many pedine are to lie before a player from now on (a virgin shows none)."""

    seat: int
    shown: int
    announced: bool
    """The payment was called out when it fell due, so that it may be made at once."""

MAX_PLAYERS = 20


@dataclass(frozen=True, slots=True)
class HandScript(script.HandScript):
    """``cards``: seat → id of the card dealt to it. ``deals``: seat → index of its ``deal`` line, where there is one. ``deck``:
    ids of the cards that are played with."""

    cards: dict[int, str]
    deals: dict[int, int]
    deck: tuple[str, ...]


Script = script.Script[HandScript]


def card_id(kind: str, copy: int) -> str:
    """The id of one of the 40 cards: ``gnao.0``, ``gnao.1``."""
    return f"{kind}.{copy}"


def kind_of(card: str) -> str:
    """The kind of a card id."""
    return card.rpartition(".")[0]


class _Reading(script.Reading[HandScript]):
    NAME = "Stu"
    RULES: ClassVar[Rules] = rules
    GAME = tl.Game
    HAND = tl.Hand

    def begun(self, lines: Sequence[Line]) -> State:
        """As of `Reading`; no game of too many players."""
        state: State = super().begun(lines)
        if len(state.players) > MAX_PLAYERS:
            raise ScriptError(f"line 1: {len(state.players)} players: a clip shows 2 to {MAX_PLAYERS}; take a log with fewer")
        return state

    def opened(self, index: int, before: State, after: State) -> _Open:
        """The hand that the line with this index begins."""
        assert after.hand is not None
        return _Open(index, after.hand, after.matti)

    def between(self, index: int, before: State, after: State) -> Iterator[Act]:
        """The acts of a line before the first hand, or between two."""
        return _between(index, before, after)

    def next_dealer(self, state: State) -> int:
        """The seat that deals next, where no hand is in progress."""
        dealer: int = state.next_dealer()
        return dealer


def read_script(lines: Sequence[Line], rng: Random) -> Script:
    """The script of a log. ``rng`` picks the faces of cards that nobody ever sees.

    Raises:
        ScriptError: no game line first, too many players, or a line that cannot have happened.
    """
    return _Reading().script(lines, rng)


def shown_pedine(state: State) -> tuple[int, ...]:
    """How many pedine lie before each seat: a virgin shows none."""
    return tuple(0 if player.virgin else player.pedine for player in state.players)


def _pedine(before: State, after: State, announced: bool) -> Iterator[Act]:
    for seat, (old, new) in enumerate(zip(shown_pedine(before), shown_pedine(after), strict=True)):
        if old != new:
            yield Pedine(None, seat, new, announced)


def _between(index: int, before: State, after: State) -> Iterator[Act]:
    yield from _pedine(before, after, announced=True)
    yield Note(index)


class _Open:
    """A hand that is still being read: its acts name cards by their tokens until all faces are known."""

    def __init__(self, index: int, hand: HandState, matti: int) -> None:
        self.line = index
        self.order = hand.order
        self.dealer = hand.dealer
        self.matti = matti
        self.dealt = dict(zip(hand.order, hand.holds, strict=True))
        self.deals: dict[int, int] = {}
        self.acts: list[Act] = []
        self.faces: dict[int, str] = {}

    def follow(self, index: int, event: tl.Event, before: State, after: State) -> None:
        """Add the acts of this line."""
        old, new = before.hand, after.hand
        if old is None:
            self.acts.extend(_between(index, before, after))
            return
        self.acts.extend(self._done(index, event, before, old, new))
        if isinstance(event, tl.End) and new is None:
            self._at_last(old)
        self.acts.extend(_pedine(before, after, announced=not isinstance(event, tl.End | tl.Void)))
        if new is None:
            ended = isinstance(event, tl.End | tl.Void)
            self.acts.append(Over(index if ended else None, isinstance(event, tl.Void)))
            return
        self.faces.update({token: face for token, face in enumerate(new.faces) if face is not None})
        self.acts.extend(
            Leave(None, self.order[position], str(old.holds[position]))
            for position in old.positions()
            if not new.still_in(position)
        )
        ask = new.asking
        if ask is not None and ask != old.asking and not isinstance(event, tl.Passo):
            self.acts.append(Ask(None, self.order[ask.asker], self.order[ask.asked], ask.back))

    def _done(
        self, index: int, event: tl.Event, before: State, old: HandState, new: HandState | None
    ) -> Iterator[Act]:
        names = before.table.names
        match event:
            case tl.Deal():
                self.deals[names.index(event.to)] = index
            case tl.Sto():
                seat = names.index(event.by)
                yield from self._stays_before(seat, old)
                yield Stay(index, seat)
            case tl.Passo():
                seat = names.index(event.by)
                yield from self._stays_before(seat, old)
                if new is not None and new.drawing >= 0 and old.drawing < 0:
                    yield Ask(index, seat, None)
                elif new is not None and new.asking is not None and new.asking != old.asking:
                    yield Ask(index, seat, self.order[new.asking.asked], new.asking.back)
                else:
                    yield Note(index)
            case tl.Swap() | tl.Taverna():
                ask = old.asking
                assert ask is not None
                given, taken = str(old.holds[ask.asker]), str(old.holds[ask.asked])
                if isinstance(event, tl.Taverna):
                    self.faces[old.holds[ask.asked]] = "taverna"
                    yield Show(None, self.order[ask.asked], taken, answer=True)
                yield Exchange(index, self.order[ask.asker], self.order[ask.asked], given, taken)
            case tl.Draw():
                seat = names.index(event.by)
                position = self.order.index(seat)
                if old.drawing < 0:
                    yield from self._stays_before(seat, old)
                if new is not None:
                    yield DrawCard(index, seat, str(old.holds[position]), str(new.holds[position]))
            case tl.Reveal():
                seat = names.index(event.by)
                position = self.order.index(seat)
                self.faces[old.holds[position]] = event.card
                asked = old.asking is not None and old.asking.asked == position
                yield Show(index, seat, str(old.holds[position]), asked)
            case tl.End() | tl.Void():
                pass
            case _:
                yield Note(index)

    def _stays_before(self, seat: int, old: HandState) -> Iterator[Act]:
        """The acts of those whose turn was before this player's: they have stayed, as a log need not say `sto`."""
        for position in range(max(old.turn, 0), self.order.index(seat)):
            if old.still_in(position):
                yield Stay(None, self.order[position])

    def _at_last(self, old: HandState) -> None:
        """The end of the showdown: those who have not spoken have stayed, before the first card was shown; then all show."""
        showdown = len(self.acts)
        while showdown and isinstance(self.acts[showdown - 1], Show | Pedine) and not getattr(
            self.acts[showdown - 1], "answer", False
        ):
            showdown -= 1
        stays = [Stay(None, self.order[p]) for p in old.positions() if p >= old.turn]
        self.acts[showdown:showdown] = stays
        # A face known from its deal needs no reveal in the log; at the table everybody turns their card.
        self.acts += [
            Show(None, self.order[p], str(old.holds[p]), answer=False)
            for p in old.positions()
            if not old.is_shown(old.holds[p])
        ]

    def close(self, rng: Random) -> HandScript:
        """The finished hand, with ids of real cards in place of tokens."""
        deck = [card_id(kind, copy) for kind in KINDS for copy in range(self.matti if kind == "matto" else COPIES)]
        free = deck.copy()
        rng.shuffle(free)
        ids: dict[str, str] = {}
        for token, face in self.faces.items():
            card = next(card for card in free if kind_of(card) == face)
            free.remove(card)
            ids[str(token)] = card
        for name in (*map(str, self.dealt.values()), *(t for act in self.acts for t in _tokens(act))):
            if name not in ids:
                ids[name] = free.pop()
        acts = tuple(_named(act, ids) for act in self.acts)
        cards = {seat: ids[str(token)] for seat, token in self.dealt.items()}
        return HandScript(self.line, self.dealer, self.order, acts, cards, self.deals, tuple(deck))


def _tokens(act: Act) -> tuple[str, ...]:
    match act:
        case Exchange():
            return act.given, act.taken
        case DrawCard():
            return act.old, act.new
        case Show() | Leave():
            return (act.card,)
    return ()


def _named(act: Act, ids: dict[str, str]) -> Act:
    match act:
        case Exchange():
            return replace(act, given=ids[act.given], taken=ids[act.taken])
        case DrawCard():
            return replace(act, old=ids[act.old], new=ids[act.new])
        case Show() | Leave():
            return replace(act, card=ids[act.card])
    return act
