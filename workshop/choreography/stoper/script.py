"""Table log → script of Stoper: what people do, act by act, and which cards everybody was dealt, threw away and received."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from companion.decks.italian_sets import kinds_in
from companion.games.stoper import rules
from companion.games.stoper.rules import State, log
from companion.games.stoper.rules.cards import HAND
from companion.games.stoper.rules.state import Known
from companion.table.game import Rules
from companion.table.log import Line
from workshop.choreography import script
from workshop.choreography.script import Act, Bet, Deal, HeldHand, Note, Over, Say, Show, latest


@dataclass(frozen=True, slots=True)
class AllIn(Act):
    """A player puts all the chips they have in the middle."""

    seat: int


@dataclass(frozen=True, slots=True)
class Knock(Act):
    """A player knocks on the table: busso."""

    seat: int


@dataclass(frozen=True, slots=True)
class Fold(Act):
    """A player throws their cards in, face down."""

    seat: int


@dataclass(frozen=True, slots=True)
class Change(Act):
    """A player puts ``discards`` out, face down, and gets ``received`` for them, the first one now. ``kept``: the discards stay
    beside the place, to be shown when the hand is laid open."""

    seat: int
    discards: tuple[str, ...]
    received: tuple[str, ...]
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Seconds(Act):
    """All have changed, and those who put out two cards get their second ones."""


@dataclass(frozen=True, slots=True)
class Prove(Act):
    """A player turns up the discards that they have kept."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Won(Act):
    """A player takes chips: this ``share`` (0 to 1) of what lies in the middle."""

    seat: int
    share: float


@dataclass(frozen=True, slots=True)
class Buy(Act):
    """A player buys chips, and puts them before their place."""

    seat: int

@dataclass(frozen=True, slots=True)
class HandScript(HeldHand):
    """``deck``: ids of the cards of this hand. ``stakes``: who pays when the hand begins."""

    deck: tuple[str, ...]
    stakes: tuple[Bet | AllIn, ...]


Script = script.Script[HandScript]


class _Reading(script.Reading[HandScript]):
    NAME = "Stoper"
    RULES: ClassVar[Rules] = rules
    GAME = log.Game
    HAND = log.Hand

    def opened(self, index: int, before: State, after: State) -> _Open:
        """The hand that the line with this index begins."""
        return _Open(index, before, after)


def read_script(lines: Sequence[Line], rng: Random) -> Script:
    """The script of a log. ``rng``: as of `Reading.script`.

    Raises:
        ScriptError: no game line first, or a line that cannot have happened.
    """
    return _Reading().script(lines, rng)


@dataclass(frozen=True, slots=True)
class _Changes(Act):
    """A `cambio` line whose cards are not settled yet."""

    seat: int


class _Open:
    """A hand that is still being read. ``proved``: seats that lay their discards open with their hand."""

    def __init__(self, index: int, before: State, after: State) -> None:
        assert after.hand is not None
        self.line, self.hand, self.names = index, after.hand, after.table.names
        self.order = self.hand.order
        paid = [seat for seat, now in enumerate(after.stacks) if now < before.stacks[seat]]
        self.stakes = tuple(_bet(None, seat, after) for seat in paid)
        self.deals: dict[tuple[int, int], int] = {}
        self.acts: list[Act] = []
        self.dealt = False
        self.proved: set[int] = set()

    def follow(self, index: int, event: log.Event, before: State, after: State) -> None:
        """Add the acts of this line."""
        if before.hand is not None and not self.dealt and not isinstance(event, log.Buio | log.Void):
            self.dealt = True
            self.acts.append(Deal(None))
        acts = list(self._done(index, event, after))
        known = latest(after, self.hand.n)
        if known is not None:
            if self.hand.phase == "exchange" and known.phase != "exchange":
                acts.append(Seconds(None))
            self.hand = known
        if before.hand is not None and after.hand is None:
            void = isinstance(event, log.Void)
            acts += [] if void else self._won(after)
            acts.append(Over(None, void))
        self.acts += acts

    def _won(self, state: State) -> Iterator[Act]:
        """The acts in which the winners, one after the other, take their shares of what lies in the middle."""
        ruling = state.hands[-1]
        won: dict[str, int] = {}
        for back in ruling.returned:
            won[back.player] = back.amount
        for pot in ruling.pots:
            won[pot.winner] = won.get(pot.winner, 0) + pot.amount
        left = sum(won.values())
        for name, amount in won.items():
            yield Won(None, self.names.index(name), amount / left)
            left -= amount

    def _done(self, index: int, event: log.Event, after: State) -> Iterator[Act]:
        names = self.names
        match event:
            case log.Deal():
                seat = names.index(event.to)
                if self.hand.known[seat].changed >= 0 or (0, seat) in self.deals:
                    yield Note(index)
                else:
                    self.deals[0, seat] = index
            case log.Buio() | log.Apro() | log.Punto() | log.Vedo() | log.Rilancio():
                yield _bet(index, names.index(event.by), after)
            case log.Busso():
                yield Knock(index, names.index(event.by))
            case log.Parola():
                yield Say(index, names.index(event.by))
            case log.Passo():
                seat = names.index(event.by)
                known = latest(after, self.hand.n)
                stays = known is None or known.live >> seat & 1
                yield Say(index, seat) if stays else Fold(index, seat)
            case log.Muck():
                yield Fold(index, names.index(event.by))
            case log.Cambio():
                yield _Changes(index, names.index(event.by))
            case log.Show():
                seat = names.index(event.by)
                yield Show(None if event.discards else index, seat, event.cards)
                if event.discards:
                    self.proved.add(seat)
                    yield Prove(index, seat, event.discards)
            case log.Chips():
                yield Buy(index, names.index(event.by))
            case _:
                yield Note(index)

    def close(self, rng: Random) -> HandScript:
        """The finished hand: every card that was named goes to the one who had it, the others to players who have room."""
        hand = self.hand
        named = 0
        for known in hand.known:
            named |= known.cards
        free = list(kinds_in(hand.deck & ~named))
        rng.shuffle(free)
        cards = {seat: settled(hand.known[seat], free, rng) for seat in self.order}
        if not self.dealt and not any(isinstance(act, Over) for act in self.acts):
            self.acts.append(Deal(None))
        acts = tuple(
            Change(act.line, act.seat, cards[act.seat].discards, cards[act.seat].received, act.seat in self.proved)
            if isinstance(act, _Changes)
            else act
            for act in self.acts
        )
        dealt = ({seat: own.dealt for seat, own in cards.items()},)
        return HandScript(self.line, hand.dealer, self.order, acts, dealt, self.deals, kinds_in(hand.deck), self.stakes)


def _bet(line: int | None, seat: int, after: State) -> Bet | AllIn:
    all_in = after.hand is not None and not after.stacks[seat]
    return AllIn(line, seat) if all_in else Bet(line, seat)


@dataclass(frozen=True, slots=True)
class Cards:
    """A player's cards in a hand: the three ``dealt``, those put out, and those that came for them."""

    dealt: tuple[str, ...]
    discards: tuple[str, ...]
    received: tuple[str, ...]


def settled(known: Known, free: list[str], rng: Random) -> Cards:
    """Which cards a player had, and when, by what is ``known``; what nobody saw is taken from the ``free`` cards."""
    count = max(known.changed, 0)
    if known.shown:
        came = list(kinds_in(known.received & known.shown))
        others = list(kinds_in(known.shown & ~known.received & ~known.dealt))
        rng.shuffle(others)
        came += others[: count - len(came)]
        kept = [card for card in kinds_in(known.shown) if card not in came]
        out = list(kinds_in(known.discards or known.dealt & ~known.shown))
        out += [free.pop() for _ in range(count - len(out))]
        dealt = kept + out
    else:
        dealt = list(kinds_in(known.dealt | known.discards))
        dealt += [free.pop() for _ in range(HAND - len(dealt))]
        out = list(kinds_in(known.discards)) or rng.sample(dealt, count)
        came = list(kinds_in(known.received))
        came += [free.pop() for _ in range(count - len(came))]
    rng.shuffle(dealt)
    rng.shuffle(out)
    rng.shuffle(came)
    return Cards(tuple(dealt), tuple(out), tuple(came))
