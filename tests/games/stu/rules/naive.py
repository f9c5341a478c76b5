"""One hand played a second time, by a plain procedure that shares nothing with the engine: cards open, lists changed in place.

It knows no log, no unseen faces and no mistakes, only who passes what to whom and who pays; the engine must come to the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

NUMERALS = [str(number) for number in range(11)]
ORDER = ["matto", "leone", "mascherone", "secchia", "nulla", *NUMERALS, "taverna", "gnao", "salta", "bragon", "cucco"]
VALUE = {kind: place - 5 for place, kind in enumerate(ORDER)}


@dataclass(eq=False)
class Card:
    kind: str
    stopped_by: Card | None = None


@dataclass
class NaiveHand:
    """``cards`` in the order of play, the dealer last; ``deck`` from the top; ``choose`` answers each question of a player."""

    cards: list[Card | None]
    deck: list[Card]
    pedine: list[int]
    salta_on_dealer: str
    backward_run: str
    two_matti_lowest: str
    choose: Callable[[], bool]
    paid: list[tuple[int, int, str]] = field(default_factory=list)
    ceded: dict[int, tuple[Card, int]] = field(default_factory=dict)

    def play(self) -> list[tuple[int, int, str]]:
        """Who paid or gained how much, and why, in order."""
        dealer = len(self.cards) - 1
        turn = 0
        while turn < dealer:
            if self.cards[turn] is None or not self.choose():
                turn += 1
                continue
            turn = self.passes(turn, dealer)
            if sum(card is not None for card in self.cards) == 1:
                return self.paid
        if self.choose():
            self.from_deck(dealer)
        self.showdown()
        return self.paid

    def passes(self, asker: int, dealer: int) -> int:
        """A forward passo; who decides next."""
        for asked in range(asker + 1, dealer + 1):
            met = self.cards[asked]
            if met is None:
                continue
            done = asked if asked == dealer else asked + 1
            if VALUE[met.kind] <= 10:
                self.exchange(asker, asked)
                return asked
            if met.kind == "salta":
                if asked == dealer and self.salta_on_dealer == "deck":
                    self.from_deck(asker)
                if asked == dealer:
                    return dealer
                continue
            if met.kind == "taverna":
                if self.choose():
                    self.exchange(asker, asked)
                    self.ceded[asker] = (met, asked)
                    return asked
                mine = self.cards[asker]
                assert mine is not None
                mine.stopped_by = met
            if met.kind == "bragon":
                self.pay(asker, "bbummata")
            if met.kind == "gnao":
                self.pay(asker, "gnaffata")
                if self.cards[asker] is not None:
                    self.run_back(asker)
            return done
        raise AssertionError("there is always a dealer")

    def run_back(self, offering: int) -> None:
        first = True
        while True:
            previous = offering - 1
            if not any(self.cards[:offering]):
                return
            if not first and self.backward_run == "choice" and not self.choose():
                return
            first = False
            while previous >= 0 and (self.cards[previous] is None or self.cards[previous].kind == "salta"):  # type: ignore[union-attr]
                previous -= 1
            if previous < 0:
                return
            met = self.cards[previous]
            assert met is not None
            if self.ceded.get(previous) == (met, offering):
                del self.ceded[previous]
            elif VALUE[met.kind] > 10:
                if met.kind in ("gnao", "bragon"):
                    self.pay(offering, "gnaffata" if met.kind == "gnao" else "bbummata")
                return
            self.exchange(offering, previous)
            offering = previous

    def exchange(self, a: int, b: int) -> None:
        self.cards[a], self.cards[b] = self.cards[b], self.cards[a]

    def from_deck(self, player: int) -> None:
        self.cards[player] = self.deck.pop(0)

    def pay(self, player: int, why: str) -> None:
        self.paid.append((player, -1, why))
        self.pedine[player] -= 1
        if self.pedine[player] == 0:
            self.cards[player] = None

    def showdown(self) -> None:
        table = [(player, card) for player, card in enumerate(self.cards) if card is not None]
        mad = [player for player, card in table if card.kind == "matto"]
        sane = [(VALUE[card.kind], player, card) for player, card in table if card.kind != "matto"]
        if len(mad) == 2 and (self.two_matti_lowest == "matti" or not sane):
            self.paid += [(mad[0], 0, "n_llev_e_n_matt"), (mad[1], 1, "two_matti")]
            return
        for player in mad:
            self.paid.append((player, 1, "two_matti") if len(mad) == 2 else (player, -1, "matto"))
        _, payer, card = min(sane, key=lambda entry: entry[:2])
        tavern = card.stopped_by if card.kind == "nulla" else None
        holder = [player for player, other in table if other is tavern]
        self.paid.append((holder[0], -1, "taverna_for_nulla") if tavern and holder else (payer, -1, "lowest"))
