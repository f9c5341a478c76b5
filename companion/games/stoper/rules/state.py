"""What the game is made of: frozen values, cheap to copy, equal when they say the same.

Players are seats, 0 to n-1, clockwise, as the log's first line names them; the turn goes from a seat to the next. Sets of cards
and of seats are bit masks. Money is in minor units.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.games.stoper.rules.cards import Edge, Level, Mask, Size
from companion.games.stoper.rules.log import HouseRules, Mode, Usual
from companion.table.language import spoken
from companion.table.seats import NOBODY, ROUNDS, Seat, Seats
from companion.table.setting import Setting

Phase = Literal["blind", "opening", "exchange", "final", "showdown"]
How = Literal["shown", "alone"]
Unassigned = Literal["no_opening", "parola"]


class Table(Struct, frozen=True):
    """What never changes in a game. ``buy_in``: the chips that a player buys in for; ``usual``: see `log.Usual`."""

    names: tuple[str, ...]
    mode: Mode
    house: HouseRules
    buy_in: int = 0
    usual: Usual | None = None

    def after(self, seat: Seat) -> Seat:
        """The next in turn."""
        return (seat + 1) % len(self.names)

    def round_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn, this one first."""
        return ROUNDS[len(self.names)][seat]

    def named(self, seats: Seats) -> tuple[str, ...]:
        """The names of these players, in the order of the log's first line."""
        return tuple([name for seat, name in enumerate(self.names) if seats >> seat & 1])


class Ranked(Struct, frozen=True, gc=False):
    """A player's hand at a showdown."""

    player: str
    score: int


class Beaten(Struct, frozen=True, omit_defaults=True, gc=False):
    """A player who has shown a score no lower than the winner's, and does not take the pot. ``by``: what decides after the score
    (`cards.edge`), or a false opening. ``better``, ``worse``: the suits, or cards, of winner and player that decide."""

    player: str
    by: Edge | Literal["false_opening"]
    better: str = ""
    worse: str = ""


class Pot(Struct, frozen=True, omit_defaults=True, gc=False):
    """A pot that is awarded, as the report has it. ``ties``: why it is not another's who has shown as much or more."""

    amount: int
    entitled: tuple[str, ...]
    winner: str
    how: How
    ranking: tuple[Ranked, ...]
    ties: tuple[Beaten, ...] = ()


class Returned(Struct, frozen=True, gc=False):
    """What nobody has matched goes back."""

    player: str
    amount: int


class Payment(Struct, frozen=True, gc=False):
    """By how much a hand has changed a stack."""

    player: str
    delta: int


class Opened(Struct, frozen=True, gc=False):
    """Who opened, blind or not, with which total."""

    by: str
    to: int
    blind: bool


class Irregularity(Struct, frozen=True, gc=False):
    """A mistake that the table let pass."""

    kind: Literal["wrong_dealer", "false_opening"]
    player: str


Doubtful = Pot | Ranked | Irregularity
"""What of a ruling can be not sure though its hand is."""


class HandRulings(Struct, frozen=True, gc=False):
    """What a hand came to: an entry of ``hands`` in the report. ``stated``: only the outcome is known, so no pots are."""

    n: int
    dealer: str
    first: str
    deck: Size
    level: Level
    carried_in: int
    opened: Opened | None
    pots: tuple[Pot, ...]
    returned: tuple[Returned, ...]
    unassigned: Unassigned | None
    payments: tuple[Payment, ...]
    irregularities: tuple[Irregularity, ...]
    void: bool
    stated: bool = False


class Carried(Struct, frozen=True, gc=False):
    """What earlier hands left (rules 7, 11).

    ``pot``: nobody's yet; ``level``: the next opening needs it; ``parola``: it is a parola pot; ``said``: whose pot it is, so
    that all others pay to join; ``paid``: per seat, what each has put into it.
    """

    paid: tuple[int, ...]
    pot: int = 0
    level: Level = "donna"
    parola: bool = False
    said: Seats = 0


class Known(Struct, frozen=True, gc=False):
    """What lines have named of a player's cards.

    ``dealt``, ``dealt_count``: of the first three; ``changed``: how many they changed, -1 before; ``discards``: those thrown
    away, where they were named; ``received``, ``received_count``: of those that came for them; ``shown``: all three, or none.
    """

    dealt: Mask = 0
    dealt_count: int = 0
    changed: int = -1
    discards: Mask = 0
    received: Mask = 0
    received_count: int = 0
    shown: Mask = 0

    @property
    def cards(self) -> Mask:
        """All of them."""
        return self.dealt | self.discards | self.received | self.shown


NOTHING_KNOWN = Known()


class Hand(Struct, frozen=True, gc=False):
    """A hand in progress, or the last one over.

    Attributes:
        stacks_before, before: chips and what was carried when it began, for a void one and the payments.
        deck: its cards. order: who takes part, in turn from First.
        carried: what earlier hands left, with what was paid to join.
        sums: per seat, what it counts as having put in. credit: the part that a dealer who pays nothing has not really put in.
        live: still in. todo: who must act in this phase, in turn.
        totals, high: per seat, what each has put in during this phase, and the highest of them.
        opened: by whom. raiser: who opened or raised last. blinds: how many there were.
        blind_open: the last blind raiser has not had their word; nobody else may raise.
        reraised: somebody has raised after a blind, other than the last blind raiser.
        looked: somebody has said a word other than a blind, or changed cards: the first cards are dealt.
        bussed: somebody has said busso in this final phase.
        known: per seat, what is known of the cards.
        conceded: who mucked, in that order.
    """

    n: int
    dealer: Seat
    size: Size
    deck: Mask
    level: Level
    stacks_before: tuple[int, ...]
    before: Carried
    order: tuple[Seat, ...]
    carried: int
    sums: tuple[int, ...]
    credit: int
    live: Seats
    known: tuple[Known, ...]
    totals: tuple[int, ...]
    irregularities: tuple[Irregularity, ...] = ()
    phase: Phase = "opening"
    todo: tuple[Seat, ...] = ()
    high: int = 0
    opened: Opened | None = None
    raiser: Seat = NOBODY
    blinds: int = 0
    blind_open: bool = False
    reraised: bool = False
    looked: bool = False
    bussed: bool = False
    conceded: tuple[Seat, ...] = ()

    @property
    def first(self) -> Seat:
        """The player taking part at the dealer's left."""
        return self.order[0]

    @property
    def pot(self) -> int:
        """All that is in, also what will go back."""
        return self.carried + sum(self.sums) - self.credit

    @property
    def blind_raiser(self) -> Seat:
        """The seat that made the last blind; NOBODY where there was none."""
        return self.order[self.blinds - 1] if self.blinds else NOBODY

    def round_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats that take part, in turn from this one on."""
        at = self.order.index(seat)
        return self.order[at:] + self.order[:at]


class State(Struct, frozen=True, gc=False):
    """A game of Stoper: frozen, hashable. Printed, it says what `companion rule` says of its log.

    Attributes:
        stacks: per seat, chips.
        dealer: from this seat on, the first who takes part deals the next hand.
        carried: what earlier hands left. cip, invito: those of the last hand, cip 0 before the first.
        brought: all that was brought in and bought, or was set. away: who was said to sit out the last hand.
        hands: those that are over. hand: the one in progress. ended: the one over last, while cards of it may be shown.
        end_may_follow: an `end` would change nothing. closed: by a `close`.
        settings: how it stood, as the table has said between hands.
    """

    table: Table
    stacks: tuple[int, ...]
    dealer: Seat
    carried: Carried
    brought: int
    cip: int = 0
    invito: int = 0
    away: Seats = 0
    hands: tuple[HandRulings, ...] = ()
    hand: Hand | None = None
    ended: Hand | None = None
    end_may_follow: bool = False
    closed: bool = False
    settings: tuple[Setting, ...] = ()

    @property
    def winner(self) -> Seat:
        """The seat that has won the tournament, the last one with chips; NOBODY while there is none (rule 5)."""
        if self.table.mode == "torneo" and self.hand is None and not self.carried.pot:
            left = [seat for seat, stack in enumerate(self.stacks) if stack]
            if len(left) == 1:
                return left[0]
        return NOBODY

    @property
    def over(self) -> bool:
        """Whether no hand can follow."""
        return self.closed or self.winner != NOBODY

    def __str__(self) -> str:
        return format(self, "it")

    def __format__(self, language: str) -> str:
        """The game as `companion rule` prints it, in Italian or as ``f"{state:en}"`` in English."""
        from companion.games.stoper.words import rulings  # only here: what prints a state stands above the rules

        return rulings(self, spoken(language))


__all__ = [
    "NOBODY", "NOTHING_KNOWN", "Carried", "Hand", "HandRulings", "How", "Irregularity", "Known", "Opened", "Payment", "Phase",
    "Pot", "Ranked", "Returned", "Seat", "Seats", "State", "Table", "Unassigned",
]  # fmt: skip
