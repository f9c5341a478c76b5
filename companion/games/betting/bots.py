"""Bots for a game with bets: an evening in play, to its `close`."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from companion.table.bots import GameInPlay
from companion.table.log import Event, Line


class BettingEvening(GameInPlay[Any]):
    """An evening in play. Every event goes through the rules: what they refuse is never written."""

    @property
    def hand(self) -> Any:
        """The hand in progress."""
        assert self.state.hand is not None
        return self.state.hand

    def name(self, seat: int) -> str:
        """The name of the player in this seat."""
        found: str = self.state.table.names[seat]
        return found

    @abstractmethod
    def play(self) -> None:
        """A hand, with what happens before and after it."""

    def lines_of(self, hands: int, close: Event) -> tuple[Line, ...]:
        """The log after at most this many hands, with its `close`, unless the game has come to its own end."""
        for _ in range(hands):
            if self.state.over:
                break
            self.play()
        if not self.state.over:
            self.do(close)
        return self.lines
