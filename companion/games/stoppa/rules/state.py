"""What the game is made of: frozen values, cheap to copy, equal when they say the same.

Players are seats, 0 to n-1, anticlockwise, as the log's first line names them; the turn goes from a seat to the next. Sets of
cards and of seats are bit masks (`companion.games.stoppa.rules.cards`). Money is in minor units.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from companion.decks.italian import Kind
from companion.games.stoppa.rules.cards import Card, Mask
from companion.games.stoppa.rules.log import HouseRules, What
from companion.table.language import spoken
from companion.table.money import Minor
from companion.table.seats import NOBODY, ROUNDS, Seat, put
from companion.table.setting import Setting

__all__ = [
    "NOBODY", "Betting", "Cause", "Declared", "Ending", "Hand", "HandRulings", "How", "Irregularity", "Laid", "Passed",
    "Payment", "Pot", "Ranked", "Seat", "State", "Stoppata", "Table", "put", "to_lay",
]  # fmt: skip

How = Literal["shown", "conceded", "alone", "dealer", "carried", "stated"]
"""Why a punto is somebody's; ``stated``: nobody has told."""
Cause = Literal["stoppata", "misera", "four_kings"]
Ending = Literal["", "stop", "annul", "declared", "grosso"]
"""What ended a hand; "" while it is in progress."""


class Table(Struct, frozen=True):
    """What never changes in a game. ``deals``: cards to each in every iteration; ``deck``: all cards in play; ``points``: the
    amounts are points, not money."""

    names: tuple[str, ...]
    misera: int
    small: int
    house: HouseRules
    deck: Mask
    deals: tuple[int, ...]
    size: int
    points: bool = False

    @property
    def big(self) -> int:
        """The punto grosso of a hand into which nothing was carried (rule 4)."""
        return len(self.names) * self.misera - len(self.deals) * self.small

    def in_reason(self, minor: int) -> int:
        """An amount in the blank of a reason: money, or points."""
        return minor if self.points else Minor(minor)

    def after(self, seat: Seat) -> Seat:
        """The next in turn."""
        return (seat + 1) % len(self.names)

    def round_from(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats in turn, this one first."""
        return ROUNDS[len(self.names)][seat]


class Ranked(Struct, frozen=True, gc=False):
    """A player's best group at a comparison: how many cards, what they are worth."""

    player: str
    cards: int
    score: int


class Pot(Struct, frozen=True, gc=False):
    """A punto that is decided, as the report has it. ``prize`` is without the bets, ``bets`` all bets."""

    phase: str
    prize: int
    bets: int
    winner: str | None
    how: How
    ranking: tuple[Ranked, ...]


class Payment(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a player owes another after the punti. ``cards``: left in hand, of a stoppata."""

    payer: str = field(name="from")
    to: str
    amount: int
    cause: Cause
    cards: int | None = None


class Irregularity(Struct, frozen=True, omit_defaults=True, gc=False):
    """A mistake that the table let pass. ``card`` and ``line`` (of the lay that went past it) of one omitted."""

    kind: Literal["wrong_dealer", "omitted", "undeclared"]
    player: str
    card: Kind | None = None
    line: int | None = None


Doubtful = Pot | Ranked | Irregularity
"""What of a ruling can be not sure though its hand is."""


class Declared(Struct, frozen=True, gc=False):
    """What a player declared, as said."""

    player: str
    what: What


class Stoppata(Struct, frozen=True, gc=False):
    """Cards that each player has laid; ``winner`` None before the stop, and where the stoppata was annulled."""

    winner: str | None
    laid: dict[str, int]
    annulled: bool

    def __hash__(self) -> int:
        return hash((self.winner, tuple(self.laid.items()), self.annulled))


class HandRulings(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a hand came to: an entry of ``hands`` in the report. ``stated``: only the outcome of its stoppata is known."""

    n: int
    dealer: str
    mano: str
    pots: tuple[Pot, ...]
    declared: tuple[Declared, ...] | None
    stoppata: Stoppata | None
    payments: tuple[Payment, ...]
    irregularities: tuple[Irregularity, ...]
    void: bool
    stated: bool = False


class Betting(Struct, frozen=True, gc=False):
    """The betting on one punto, and its comparison (rules 5, 6).

    Attributes:
        phase: ``piccolo-1`` … ``grosso``. prize: without the bets.
        totals: what each seat has put in. high: the highest of them, 0 before the first bet.
        out: seats that have passed for good.
        todo: seats that still must act, in turn; empty when the betting is over.
        comparing: who is still in must show or concede.
        shown: per seat, the cards laid open at this comparison. mucked: seats that conceded.
        decided: the pot is somebody's, or is carried.
    """

    phase: str
    prize: int
    totals: tuple[int, ...]
    todo: tuple[Seat, ...]
    high: int = 0
    out: Mask = 0
    comparing: bool = False
    shown: tuple[Mask, ...] = ()
    mucked: Mask = 0
    decided: bool = False

    @property
    def bets(self) -> int:
        """All bets, those of players who passed later too."""
        return sum(self.totals)

    def still_in(self, without: Mask = 0) -> tuple[Seat, ...]:
        """The seats that have bet, have not passed, and need to do nothing more; ``without`` these."""
        away = self.out | without
        for seat in self.todo:
            away |= 1 << seat
        return tuple([seat for seat, total in enumerate(self.totals) if total and not away >> seat & 1])


class Laid(Struct, frozen=True, gc=False):
    """A `lay` that stands: who laid which cards; and the sequence before it, for taking it back."""

    seat: Seat
    cards: Mask
    top: Card
    wants: int
    last: Seat


class Passed(Struct, frozen=True, gc=False):
    """A turn that went by: with the `lay` of this line, while these cards were wanted and not yet on the table."""

    line: int
    cards: Mask


class Hand(Struct, frozen=True, gc=False):
    """A hand in progress, or the last one over.

    Attributes:
        balances_before, carried_in: how the money stood when it began, for a void.
        iteration: how many punti piccoli were dealt.
        betting: on the punto in play or last played; None before the first.
        pots: those decided.
        known: per seat, the cards that lines have named. dealt_in: per iteration, the cards known to be of it.
        named: the cards in the order in which they were named. unseen: those that only a `deal` has named.
        declared: as said. payments: of declarations or of the stoppata.
        begun: a card was laid, taken back or not. lays: those that stand. laid: per seat, the cards of those.
        top, wants, last: of the sequence: its top card (-1: none), the wanted number (0: no sequence is open), who laid last.
        passed: per seat, the turns that went by and are not yet proved to be mistakes.
        undeclared: seats that are noted for it. ending: what the hand was over with. winner: who stopped.
        stated: per seat, how many cards were laid, where only that is known of the hand; else None.
    """

    n: int
    dealer: Seat
    balances_before: tuple[int, ...]
    carried_in: int
    known: tuple[Mask, ...]
    dealt_in: tuple[Mask, ...]
    laid: tuple[Mask, ...]
    passed: tuple[tuple[Passed, ...], ...]
    irregularities: tuple[Irregularity, ...] = ()
    iteration: int = 0
    betting: Betting | None = None
    pots: tuple[Pot, ...] = ()
    named: tuple[Card, ...] = ()
    unseen: Mask = 0
    declared: tuple[Declared, ...] = ()
    payments: tuple[Payment, ...] = ()
    begun: bool = False
    lays: tuple[Laid, ...] = ()
    top: Card = -1
    wants: int = 0
    last: Seat = NOBODY
    undeclared: Mask = 0
    ending: Ending = ""
    winner: Seat = NOBODY
    stated: tuple[int, ...] | None = None

    def many_laid(self, seat: Seat) -> int:
        """Cards that this player has laid, without those taken back."""
        return self.laid[seat].bit_count() if self.stated is None else self.stated[seat]

    @property
    def on_pile(self) -> Mask:
        """The cards of all lays that stand."""
        return sum(self.laid)  # no card is laid twice

    @property
    def grosso_decided(self) -> bool:
        """Whether the punto grosso is somebody's: the stoppata may begin."""
        return self.betting is not None and self.betting.decided and self.betting.phase == "grosso"


def to_lay(table: Table, hand: Hand) -> Seat:
    """The seat that is to open a sequence, or laid last and may go on."""
    return table.after(hand.dealer) if hand.last == NOBODY else hand.last


class State(Struct, frozen=True, gc=False):
    """A game of Stoppa: frozen, hashable. Printed, it says what `companion rule` says of its log.

    Attributes:
        balances: per seat, what everybody has won or lost so far, bets on the table paid.
        carried: a punto grosso that nobody took, for the next hand.
        hands: those that are over. hand: the one in progress. ended: the one over last, while cards of it may be shown.
        ended_said: an `end` has followed it.
        dealer: of the next hand. counted: hands over that count for the giro, those before the log too.
        last_hand: number of the last of all, once the giro is called; 0 before.
        over: the giro is played out, or the game closed. closed: by a `close`.
        line: number of the line of the log that was applied last.
        bets: the totals that bets and raises went to last, each once, the newest first: likely to be said again.
        settings: how it stood, as the table has said between hands.
    """

    table: Table
    balances: tuple[int, ...]
    dealer: Seat
    counted: int = 0
    carried: int = 0
    hands: tuple[HandRulings, ...] = ()
    hand: Hand | None = None
    ended: Hand | None = None
    ended_said: bool = False
    last_hand: int = 0
    over: bool = False
    closed: bool = False
    line: int = 1
    bets: tuple[int, ...] = ()
    settings: tuple[Setting, ...] = ()

    @property
    def in_last_hand(self) -> bool:
        """Whether the hand in progress is the last of a called giro: it has no stoppata (rule 18)."""
        return self.hand is not None and self.last_hand == self.counted + 1

    def __str__(self) -> str:
        return format(self, "it")

    def __format__(self, language: str) -> str:
        """The game as `companion rule` prints it, in Italian or as ``f"{state:en}"`` in English."""
        from companion.games.stoppa.words import rulings  # only here: what prints a state stands above the rules

        return rulings(self, spoken(language))
