"""Table log → script of Stoppa: what people do, act by act, and which cards everybody was dealt in each iteration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from companion.games.stoppa import rules
from companion.games.stoppa.rules import Hand, State, log
from companion.games.stoppa.rules.cards import INDEX, Mask, kinds_in, mask_of
from companion.games.stoppa.rules.state import Pot, Table
from companion.table.game import Rules
from companion.table.log import Line
from workshop.choreography import script
from workshop.choreography.script import Act, Bet, Deal, HeldHand, Note, Over, Say, Show, latest


@dataclass(frozen=True, slots=True)
class Won(Act):
    """A punto is decided: ``seat`` takes its money (None: it stays where it is), with ``whole`` all of it; those who have shown
    take their cards up again."""

    seat: int | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Lay(Act):
    """A player puts ``cards`` on the pile, together."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeBack(Act):
    """Cards that were laid go back to the hands they came from: (seat, cards) of each lay, the last one first."""

    lays: tuple[tuple[int, tuple[str, ...]], ...]

Script = script.Script[HeldHand]


class _Reading(script.Reading[HeldHand]):
    NAME = "Stoppa"
    RULES: ClassVar[Rules] = rules
    GAME = log.Game
    HAND = log.Hand

    def opened(self, index: int, before: State, after: State) -> _Open:
        """The hand that the line with this index begins."""
        return _Open(index, after)


def read_script(lines: Sequence[Line], rng: Random) -> Script:
    """The script of a log. ``rng``: as of `Reading.script`.

    Raises:
        ScriptError: no game line first, or a line that cannot have happened.
    """
    return _Reading().script(lines, rng)


class _Open:
    """A hand that is still being read."""

    def __init__(self, index: int, after: State) -> None:
        assert after.hand is not None
        self.line, self.table, self.hand = index, after.table, after.hand
        self.order = self.table.round_from(self.table.after(self.hand.dealer))
        self.deals: dict[tuple[int, int], int] = {}
        self.acts: list[Act] = []

    def follow(self, index: int, event: log.Event, before: State, after: State) -> None:
        """Add the acts of this line."""
        acts = list(self._done(index, event))
        known = latest(after, self.hand.n)
        if known is not None:
            won = [self._won(pot) for pot in known.pots[len(self.hand.pots) :]]
            # A new phase decides the punto before it; everything else is what decides one.
            ends_it = isinstance(event, log.Piccolo | log.Grosso | log.Lay | log.Declare | log.Annul)
            acts = [*won, *acts] if ends_it else [*acts, *won]
            self.hand = known
        if before.hand is not None and after.hand is None:
            acts.append(Over(None, isinstance(event, log.Void)))
        self.acts += acts

    def _won(self, pot: Pot) -> Won:
        seat = None if pot.winner is None else self.table.names.index(pot.winner)
        return Won(None, seat, whole=pot.phase == "grosso")

    def _done(self, index: int, event: log.Event) -> Iterator[Act]:
        names = self.table.names
        match event:
            case log.Piccolo():
                yield Deal(index, self.hand.iteration)
            case log.Deal():
                said = self.hand.iteration - 1, names.index(event.to)
                if said in self.deals:
                    yield Note(index)
                self.deals.setdefault(said, index)
            case log.Punto() | log.Vedo() | log.Rilancio():
                yield Bet(index, names.index(event.by))
            case log.Passo() | log.Muck() | log.Giro():
                yield Say(index, names.index(event.by))
            case log.Show():
                yield Show(index, names.index(event.by), event.cards)
            case log.Declare():
                yield Show(index, names.index(event.by), event.cards)
            case log.Lay():
                yield Lay(index, names.index(event.by), event.cards)
            case log.Back():
                taken = self.hand.lays[len(self.hand.lays) - event.lays :]
                yield TakeBack(index, tuple((lay.seat, kinds_in(lay.cards)) for lay in reversed(taken)))
            case _:
                yield Note(index)

    def close(self, rng: Random) -> HeldHand:
        """The finished hand: every card that was named goes to the one who had it, the others to players who have room."""
        table, hand = self.table, self.hand
        known = 0
        for mask in hand.known:
            known |= mask
        free = list(kinds_in(table.deck & ~known))
        rng.shuffle(free)
        hands = [_spread(table, hand, own, free, rng) for own in hand.known]
        dealt = tuple({seat: cards[number] for seat, cards in enumerate(hands)} for number in range(hand.iteration))
        return HeldHand(self.line, hand.dealer, self.order, tuple(self.acts), dealt, self.deals)


def _spread(table: Table, hand: Hand, own: Mask, free: list[str], rng: Random) -> list[tuple[str, ...]]:
    """A player's cards of each iteration: those known to be of it, then others that are known, then any that are ``free``."""
    piles = [list(kinds_in(own & of)) for of in hand.dealt_in]
    placed = mask_of(INDEX[card] for pile in piles for card in pile)
    others = list(kinds_in(own & ~placed))
    rng.shuffle(others)
    for pile, count in zip(piles[: hand.iteration], table.deals, strict=False):
        while len(pile) < count:
            pile.append(others.pop() if others else free.pop())
        rng.shuffle(pile)
    return [tuple(pile) for pile in piles]
