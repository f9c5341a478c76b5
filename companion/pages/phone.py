"""What an organiser's phone shows of any game, as plain frozen values, already said in one language. For organisers only: cards
that nobody has shown yet may be in it.

A game may add keys of its own: what may come next in it derives from `Next`, how it stands from `Score` and `PlayerView`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.pages.view import Figure
from companion.table.log import Event
from companion.table.money import Sum


class PlayerView(Struct, frozen=True, kw_only=True):
    """A player as they stand now, in seat order. ``has``: what they have, in words."""

    name: str
    has: str
    in_play: bool
    dealer: bool


class Score(Struct, frozen=True, kw_only=True):
    """How the game stands. ``phase``: what it is doing, a code as `View.status`; ``status``: the same as a sentence; ``points``:
    its amounts are points, not money."""

    phase: str
    status: str
    players: tuple[PlayerView, ...]
    points: bool = False
    winner: str | None = None
    figures: tuple[Figure, ...] = ()


class Offer(Struct, frozen=True):
    """One tap: what the button says, and the events that have then happened. ``card``: its drawing stands on the button."""

    label: str
    events: tuple[Event, ...]
    card: str | None = None


class Amounts(Struct, frozen=True, kw_only=True):
    """An act with an amount, as a bet is: a tap for each of the likely amounts, and a pad for any other.

    Attributes:
        label: what it is, without the amount: "Anna raises to".
        event: the act with the ``least`` amount. key: by which the amount stands in it.
        likely: amounts with what their buttons say, the likeliest first; all that a player has may be the last of them.
        least, most: what it can be, in minor units of money (cents) or, where it is played for ``points``, in points.
        below: why it cannot be less, with the rule; "" where that needs no saying.
        all_in: what is said in place of more than ``most``, which then is ``most``; "" where more cannot be said.
        perhaps: up to this it can be more than ``most`` all the same, where a hand before that was not sure went otherwise; 0
            where it cannot. over: what more than ``most`` says.
        unit, units: an amount that others are counted in, and how: 200 and "= {n} misere"; 0 and "" for none.
    """

    label: str
    event: Event
    key: str
    likely: tuple[Sum, ...]
    least: int
    most: int
    points: bool = False
    below: str = ""
    all_in: str = ""
    perhaps: int = 0
    over: str = ""
    unit: int = 0
    units: str = ""


class Pick(Struct, frozen=True, kw_only=True):
    """An act with cards, which are picked by suit and number.

    Attributes:
        label: what it is: "Anna shows".
        event: the act, with no cards in it yet. key: by which they stand in it.
        kinds: the cards that can be in it. least, most: how many at once; where ``most`` is 1 a tap is the act.
        groups: the only sets of two or more that can be; None: any.
        known: those that are known to be the player's. room: how many of the others at most.
        deck: the cards that are played with, where those are not all of the game's; empty: all.
        named: what picked cards come to is asked of the server (`Pages.named`), and said before they are taken.
    """

    label: str
    event: Event
    kinds: tuple[str, ...]
    key: str = "cards"
    least: int = 1
    most: int = 1
    groups: tuple[tuple[str, ...], ...] | None = None
    known: tuple[str, ...] = ()
    room: int = 99
    deck: tuple[str, ...] = ()
    named: bool = False


class Choice(Struct, frozen=True):
    """A value of a `Field` with what its button says; None: the key is left out."""

    value: bool | str | int | None
    text: str


class Field(Struct, frozen=True, kw_only=True):
    """A key of a `Form`'s event. ``choices``: one of them is chosen, or ``several``; ``amounts``: it can be any amount, too.

    ``within``: the keys of the objects, from the event on, in which it stands. ``letters``: how many at most of free text, 0
    where it is none. Fields that follow one another and have the same ``label`` stand together.
    """

    key: str
    label: str
    choices: tuple[Choice, ...] = ()
    several: bool = False
    amounts: Amounts | None = None
    within: tuple[str, ...] = ()
    letters: int = 0


class Form(Struct, frozen=True, kw_only=True):
    """An act with several values that can be changed. ``event``: as it stands; ``label``: the button that sends it.

    ``only_changed``: values that were not changed are left out, and if none was there is nothing to send. ``total``: the sum that
    the amounts within an object must have; None: any. ``hint``: what to know before.
    """

    label: str
    event: Event
    fields: tuple[Field, ...]
    only_changed: bool = False
    total: int | None = None
    hint: str = ""


class Doer(Struct, frozen=True, kw_only=True):
    """A player, and what they can be said to have done. ``now``: it is they who most probably do something next."""

    name: str
    offers: tuple[Offer, ...] = ()
    amounts: Amounts | None = None
    pick: Pick | None = None
    now: bool = False


class More(Struct, frozen=True, kw_only=True):
    """What is rarer: a button that leads to ``offers``, ``picks``, ``amounts`` and a ``form``, or does its only offer; what any
    of them does is shown before it is done. ``key``: the button's own; ``label``: what it says. ``due``: it is wanted now, and
    stands beside what comes next."""

    key: str
    label: str
    offers: tuple[Offer, ...] = ()
    picks: tuple[Pick, ...] = ()
    amounts: tuple[Amounts, ...] = ()
    form: Form | None = None
    due: bool = False


class Next(Struct, frozen=True, kw_only=True):
    """What may come next.

    Attributes:
        title: what the game waits for.
        offers: the likeliest first. likely: the first of them most probably comes.
        rows: players with their offers, all at a glance: a table of cards. doers: players to choose one from, the likeliest
            first.
        more: what is rarer. void: a hand can be declared void.
    """

    title: str
    offers: tuple[Offer, ...] = ()
    likely: bool = True
    rows: tuple[Doer, ...] = ()
    doers: tuple[Doer, ...] = ()
    more: tuple[More, ...] = ()
    void: bool = False


class HandSummary(Struct, frozen=True):
    """What one hand came to, or comes to so far.

    Attributes:
        n: its number, from 1. title: which hand it is.
        paid: a sentence for each payment; that nobody paid, or that the hand is void.
        notes: what else there is to say of it, a sentence each.
        payers: who paid, in a few words, for a list of hands.
        pays: somebody has paid in it. doubtful: something of it is not sure, and has a question mark.
    """

    n: int
    title: str
    paid: tuple[str, ...]
    notes: tuple[str, ...]
    payers: str
    pays: bool
    doubtful: bool = False


class Difference(Struct, frozen=True):
    """Something that is one thing now and would be another."""

    what: str
    now: str
    then: str


class Act(Struct, frozen=True):
    """An act that anybody may be said to have done, when a line is put in by hand.

    Attributes:
        e: its key in the log. text: what it is called. who: the key that names the player.
        card: whether a card's face belongs to it. cards, amount: the keys of its cards and of its amount; "" for none.
        more: what else stands in it.
    """

    e: str
    text: str
    who: str
    card: Literal["", "may", "must"] = ""
    cards: str = ""
    amount: str = ""
    more: dict[str, str] = {}


class ChoiceText(Struct, frozen=True):
    """An answer to a question, as on a button. ``card``: the kind whose drawing goes with it."""

    text: str
    card: str | None = None
