"""The stoppata a second time, as a person would play it with the cards face up: lists of (number, suit), no masks, nothing of
the engine's. Slow, and written from the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

Card = tuple[int, str]


@dataclass
class Table:
    """``hands``: each player's cards, in order of play from the mano; ``deck``: all cards; ``rules``: house rules by name."""

    hands: list[list[Card]]
    deck: list[Card]
    rules: dict[str, object]
    laid: list[list[Card]] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    top: Card | None = None
    wanted: int | None = None
    turn: int = 0
    mistakes: list[tuple[int, int]] = field(default_factory=list)
    """Who left a wanted card out, and how many lays there were before the one that went past."""
    lays_so_far: int = 0
    winner: int | None = None

    def __post_init__(self) -> None:
        self.laid = self.laid or [[] for _ in self.hands]

    def copy(self) -> Table:
        return Table([[*hand] for hand in self.hands], self.deck, self.rules, [[*one] for one in self.laid], [*self.pile],
                     self.top, self.wanted, self.turn, [*self.mistakes], self.lays_so_far, self.winner)  # fmt: skip

    def left_of(self, number: int) -> list[Card]:
        return [card for card in self.deck if card[0] == number and card not in self.pile]

    def lays(self) -> Iterator[tuple[int, tuple[Card, ...]]]:
        """Everything that somebody could put down now, by the rules, no matter whose turn has gone by."""
        if self.winner is not None:
            return
        for player in range(len(self.hands)):
            if self.wanted is None and player != self.turn:
                continue
            for cards in self.together(player):
                if self.fits(player, cards):
                    yield player, cards

    def together(self, player: int) -> Iterator[tuple[Card, ...]]:
        """One card, some aces, or all of a number."""
        hand = self.hands[player]
        for card in hand:
            yield (card,)
        aces = [card for card in hand if card[0] == 1]
        for count in range(2, len(aces) + 1):
            yield from combinations(aces, count)
        for number in range(2, 11):
            mine = [card for card in hand if card[0] == number]
            everything = [card for card in self.deck if card[0] == number]
            if self.rules.get("all_at_once") == "left":
                everything = self.left_of(number)
            if len(mine) > 1 and sorted(mine) == sorted(everything):
                yield tuple(mine)

    def fits(self, player: int, cards: tuple[Card, ...]) -> bool:
        number = cards[0][0]
        if self.wanted is None or number == self.wanted:
            return True
        if number != 1:
            return False
        if self.top is not None and self.top[0] == 1:
            return True
        hand = self.hands[player]
        aces = [card for card in hand if card[0] == 1]
        kings = [card for card in hand if card[0] == 10]
        return bool(self.rules.get("three_aces_anytime")) and not kings and len(aces) >= 3 and len(cards) == len(aces)

    def lay(self, player: int, cards: tuple[Card, ...]) -> None:
        if self.wanted is not None:
            at = self.turn
            while at != player:  # the turn goes round from the player who laid last, until somebody lays
                if any(card[0] == self.wanted for card in self.hands[at]):
                    self.mistakes.append((at, self.lays_so_far))
                at = (at + 1) % len(self.hands)
        thrown = self.wanted is not None and cards[0][0] == 1 and self.top is not None and self.top[0] != 1
        for card in cards:
            self.hands[player].remove(card)
            self.laid[player].append(card)
            self.pile.append(card)
        self.turn, self.lays_so_far = player, self.lays_so_far + 1
        if not thrown:
            self.top = cards[-1]
            higher = [number for number in range(self.top[0] + 1, 11) if self.left_of(number)]
            self.wanted = higher[0] if higher else None
        if not self.hands[player]:
            self.winner = player
