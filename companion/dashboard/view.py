"""What one page shows, as plain frozen values: the JSON of `/api/game` and of every event of `/api/stream`.

Everything here is already said in one language and is fit for everybody's eyes. Sums are minor units (cents) with the text
that people read.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.table.language import Lang

Role = Literal["decides", "asks", "asked", "draws"]
"""What a player is about to do: say sto or passo; wait for the answer to their passo; answer it; take from the deck."""

Status = Literal["no_game", "in_play", "hand_in_progress", "won_unless_reentry", "won", "restarted"]
"""The engine's status of a game, or `no_game` where there is none to show."""


class Sum(msgspec.Struct, frozen=True):
    """An amount of money: `minor` units (cents) and as people read it."""

    minor: int
    text: str


class CardView(msgspec.Struct, frozen=True):
    """A card on the table: `face` is a kind's id once everybody has seen it, else None; `name` is what people call it."""

    face: str | None
    name: str = ""


class Seat(msgspec.Struct, frozen=True):
    """One player, in seat order (anticlockwise). `change` is what the shown ruling does to their pedine, None if nothing."""

    name: str
    pedine: int
    virgin: bool
    in_play: bool
    in_hand: bool
    dealer: bool
    role: Role | None = None
    card: CardView | None = None
    change: int | None = None
    winner: bool = False


class PaymentView(msgspec.Struct, frozen=True):
    """One payment of a ruling: `delta` pedine, `text` says why in words, `rule` is the rule's number, `card` a kind's id."""

    player: str
    delta: int
    cause: str
    rule: int
    text: str
    card: str | None = None


class Ruling(msgspec.Struct, frozen=True):
    """Who pays in a hand and why. `final`: the hand is over. `sure`: not called unsure by the camera side.

    `confidence` is the probability (0…1) that the payments are right, None where nobody measured it (a log by hand).
    """

    hand: int
    final: bool
    sure: bool
    confidence: float | None
    void: bool
    payments: tuple[PaymentView, ...]
    notes: tuple[str, ...] = ()


class Ricompera(msgspec.Struct, frozen=True):
    """Whether an eliminated player may come back, what the next one costs, and how many were paid."""

    open: bool
    price: Sum
    count: int


class Share(msgspec.Struct, frozen=True):
    """What one person takes home of the pot."""

    name: str
    sum: Sum


class View(msgspec.Struct, frozen=True):
    """One page's worth. `hand` is the number of the hand in progress or, between hands, of the last one (0: none yet).

    `happened` is the commentary, oldest first; `message` is the one sentence for the table's middle when no ruling stands.
    """

    lang: Lang
    status: Status
    hand: int
    seats: tuple[Seat, ...]
    pot: Sum
    ricompera: Ricompera
    ruling: Ruling | None
    happened: tuple[str, ...]
    message: str
    winner: str | None = None
    settlement: tuple[Share, ...] = ()
