"""What pages are told of a deck that is being taught: plain values, without pictures or arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.decks.lists import BACK, ListId
from companion.table.errors import Reason

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CardView:
    """A card of the list, or the back. ``marks``: of its photos; ``skipped``: left out on purpose; ``like``: a photo's mark and
    the other card that it looks the same as, where nobody has said that it is right."""

    id: str
    marks: tuple[str, ...] = ()
    skipped: bool = False
    like: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class TeachingProgress:
    """A draft. ``each``: photos of every card that are wanted; ``cards`` in the list's order, the back last."""

    name: str
    list: ListId
    each: int
    cards: tuple[CardView, ...]

    @property
    def taken(self) -> int:
        """Cards with a photo at least, the back among them."""
        return sum(bool(card.marks) for card in self.cards)

    @property
    def missing(self) -> tuple[str, ...]:
        """Cards without a photo that nobody has skipped."""
        return tuple(card.id for card in self.cards if not card.marks and not card.skipped)

    @property
    def faces(self) -> bool:
        """Whether there is a face, without which there is no deck."""
        return any(card.marks for card in self.cards if card.id != BACK)

    def open(self, card: CardView) -> bool:
        """Whether a photo of this card is still wanted."""
        return len(card.marks) < self.each and not card.skipped

    def next_after(self, card: str) -> str | None:
        """The next card that a photo is wanted of, round the list, this one last; None when there is none."""
        ids = [one.id for one in self.cards]
        start = ids.index(card) + 1 if card in ids else 0
        return next((one.id for one in (*self.cards[start:], *self.cards[:start]) if self.open(one)), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a photo. ``mark``: it is kept; "": it is not, for the ``refusal``. ``like``: another card that it looks the
    same as."""

    card: str
    mark: str = ""
    refusal: Reason | None = None
    like: str | None = None


@dataclass(frozen=True, slots=True)
class Tried:
    """A card of a trial. ``card``: what it was named, None for nothing; ``probability`` of that; ``right``: what the organiser
    says, None before that; ``was``: which card it really was, where that was said."""

    mark: str
    card: str | None
    probability: float
    right: bool | None = None
    was: str | None = None


State = Literal["no_camera", "elsewhere", "enough", "none", "refused", "moving", "before", "taken"]
"""No picture; another phone watches; nothing is wanted of this card; no card lies there; one that cannot be taken; one that does
not lie still yet; the one before lies there still; taken."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera sees. ``quads``: cards' corners in its picture of ``size`` (width, height), pixels; ``refusal``: why no
    card can be taken; ``outcome`` and ``tried``: what became of the one that was."""

    state: State
    size: tuple[int, int] | None = None
    quads: tuple[tuple[Point, ...], ...] = ()
    refusal: Reason | None = None
    outcome: Outcome | None = None
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class Making:
    """A deck that is being made: ``done``: how many cards are done, ``of``: how many there are. ``failed``: why it cannot be
    made. ``ready``: it is on the shelf. ``right``, ``like_pedine``: as of `companion.line.teaching.sight.Made`."""

    done: int
    of: int
    failed: Reason | None = None
    ready: bool = False
    right: float = 0.0
    like_pedine: bool = False
