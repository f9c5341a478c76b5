"""What one player at the table knows, and nothing else: all that a bot may decide by."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.decks.stu import Kind
from companion.games.stu.rules.state import Hand, Mask, Position, Token


class View(Struct, frozen=True, gc=False):
    """A hand as the player at position ``me`` sees it. Positions, tokens and masks as in `companion.games.stu.rules.state`.

    Attributes:
        own: the card before this player.
        asked: whom a passo would ask; `NOBODY` where it goes to the deck.
        holds: which token lies before each position (everybody sees cards move), -1 for those out.
        faces: kind of each token that this player has held or that was shown to all, None for the others.
        kept, passed: tokens somebody stayed with, and tokens somebody passed on.
        dealer: the dealer's position, the last.
        matti: how many Matti the deck has.
    """

    me: Position
    own: Kind
    asked: Position
    holds: tuple[Token, ...]
    faces: tuple[Kind | None, ...]
    kept: Mask
    passed: Mask
    dealer: Position
    matti: int


class Memory:
    """Who has seen which cards in this hand, and what was done with them. ``deck``: the kind of each token."""

    def __init__(self, players: int, deck: Sequence[Kind]) -> None:
        self.deck = deck
        self.seen: list[Mask] = [0] * players
        self.shown: Mask = 0
        self.kept: Mask = 0
        self.passed: Mask = 0

    def look(self, position: Position, token: Token) -> None:
        """This player looks at the card that now lies before them."""
        self.seen[position] |= 1 << token

    def show(self, token: Token) -> None:
        """Everybody sees this card."""
        self.shown |= 1 << token

    def view(self, hand: Hand, me: Position, asked: Position) -> View:
        """The hand as this player sees it: of the deck, only the faces that this player has seen."""
        known = self.seen[me] | self.shown
        deck = self.deck
        return View(
            me,
            deck[hand.holds[me]],
            asked,
            hand.holds,
            tuple([deck[token] if known >> token & 1 else None for token in range(len(hand.faces))]),
            self.kept,
            self.passed,
            len(hand.order) - 1,
            hand.matti,
        )
