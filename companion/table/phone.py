"""What an organiser's phone shows of any game, as plain frozen values, already said in one language. For organisers only: cards
that nobody has shown yet may be in it.

A game may add keys of its own: what may come next in it derives from `Next`, how it stands from `Score` and `PlayerView`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.table.log import Event
from companion.table.view import Figure


class PlayerView(Struct, frozen=True, kw_only=True):
    """A player as they stand now, in seat order. ``has``: what they have, in words."""

    name: str
    has: str
    in_play: bool
    dealer: bool


class Score(Struct, frozen=True, kw_only=True):
    """How the game stands. ``phase``: what it is doing, a code as `View.status`; ``status``: the same as a sentence."""

    phase: str
    status: str
    players: tuple[PlayerView, ...]
    winner: str | None = None
    figures: tuple[Figure, ...] = ()


class Offer(Struct, frozen=True):
    """One tap: what the button says, and the events that have then happened. ``card``: its drawing stands on the button."""

    label: str
    events: tuple[Event, ...]
    card: str | None = None


class Next(Struct, frozen=True, kw_only=True):
    """What may come next. ``title``: what the game waits for; ``offers``: the likeliest first; ``likely``: the first of them most
    probably comes; ``void``: a hand can be declared void."""

    title: str
    offers: tuple[Offer, ...] = ()
    likely: bool = True
    void: bool = False


class HandSummary(Struct, frozen=True):
    """What one hand came to, or comes to so far.

    Attributes:
        n: its number, from 1. title: which hand it is.
        paid: a sentence for each payment; that nobody paid, or that the hand is void.
        notes: what else there is to say of it, a sentence each.
        payers: who paid, in a few words, for a list of hands.
        pays: somebody has paid in it.
    """

    n: int
    title: str
    paid: tuple[str, ...]
    notes: tuple[str, ...]
    payers: str
    pays: bool


class Difference(Struct, frozen=True):
    """Something that is one thing now and would be another."""

    what: str
    now: str
    then: str


class Act(Struct, frozen=True):
    """An act that anybody may be said to have done, when a line is put in by hand: its key ``e`` in the log, what it is called,
    the key that names the player, and whether a card's face belongs to it."""

    e: str
    text: str
    who: str
    card: Literal["", "may", "must"] = ""


class ChoiceText(Struct, frozen=True):
    """An answer to a question, as on a button. ``card``: the kind whose drawing goes with it."""

    text: str
    card: str | None = None
