"""What people do at every game with cards in the hand, one act at a time. Cards are named by id, players are seats."""

from __future__ import annotations

from dataclasses import dataclass

from workshop.choreography.acts import Act


@dataclass(frozen=True, slots=True)
class Bet(Act):
    """A player puts money in the middle."""

    seat: int


@dataclass(frozen=True, slots=True)
class Say(Act):
    """A player says a word: nothing moves."""

    seat: int


@dataclass(frozen=True, slots=True)
class Show(Act):
    """A player lays ``cards`` open before them."""

    seat: int
    cards: tuple[str, ...]
