"""What the game is made of: frozen values, cheap to copy, equal when they say the same.

Players are seats, 0 to n-1, anticlockwise, as the log's first line names them. Inside a hand they are *positions* in
the order of play: 0 is di mano, the dealer is last. Sets of positions and of tokens are bit masks. A card is a *token*:
a number that stands for one physical card of this hand. Its face may become known later, and then tells where the card was
before.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.decks.stu import DECK, Kind
from companion.games.stu.rules.log import HouseRules, Variant
from companion.table.language import spoken
from companion.table.setting import Setting

Cause = Literal[
    "gnaffata", "bbummata", "lowest", "matto", "two_matti", "n_llev_e_n_matt", "taverna_for_nulla", "penalty", "stated"
]
"""Why somebody pays or gains; ``stated``: somebody has said that they do, but not why."""
IrregularityKind = Literal["passed_unbeatable", "should_have_refused", "exposed_early", "wrong_dealer"]
Status = Literal["in_play", "hand_in_progress", "won_unless_reentry", "won", "restarted"]
Mask = int
Seat = int
Position = int
Token = int

NOBODY: Position = -1

RULE_OF: dict[Cause, int] = {
    "gnaffata": 14,
    "bbummata": 16,
    "lowest": 8,
    "matto": 12,
    "two_matti": 12,
    "n_llev_e_n_matt": 12,
    "taverna_for_nulla": 13,
    "penalty": 24,
}
"""The rule under which each payment falls due; 0 for what was stated, as nobody knows it."""


@lru_cache(maxsize=4096)
def _members(mask: Mask) -> tuple[int, ...]:
    """The numbers that stand in a bit mask, ascending."""
    return tuple([number for number in range(mask.bit_length()) if mask >> number & 1])


class Payment(Struct, frozen=True, omit_defaults=True, gc=False, cache_hash=True):
    """A pedina paid (``delta`` -1), gained (1), or neither (0), in the order in which they fell due; for what was stated, all
    pedine at once. ``tied``: players whose card was as low as the one that pays, but further from di mano (rule 19).
    ``since_set``: a penalty told after the table had set how it stands since the hand was over."""

    player: str
    delta: int
    cause: Cause
    rule: int
    by: str | None = None
    card: Kind | None = None
    tied: tuple[str, ...] = ()
    since_set: bool = False


class Irregularity(Struct, frozen=True, gc=False):
    """A mistake that the table let pass."""

    kind: IrregularityKind
    player: str


class HandRulings(Struct, frozen=True, omit_defaults=True, gc=False, cache_hash=True):
    """What a hand came to: an entry of ``hands`` in the report. ``dealer`` and ``out`` are names; ``stated``: only the outcome is
    known."""

    n: int
    dealer: str
    payments: tuple[Payment, ...]
    out: tuple[str, ...]
    irregularities: tuple[Irregularity, ...]
    void: bool
    stated: bool = False


class Ask(Struct, frozen=True, gc=False):
    """An answer that is awaited: ``asker`` offers a card to ``asked`` (positions).

    ``back`` marks an offer of the backward run; ``by_itself`` one that follows without a passo (rule 14).
    """

    asker: Position
    asked: Position
    back: bool = False
    by_itself: bool = False


class Ceded(Struct, frozen=True, gc=False):
    """A Taverna that changed hands by agreement in this hand (rule 13): token and positions."""

    token: Token
    giver: Position
    taker: Position


class Suspicion(Struct, frozen=True, gc=False):
    """A mistake of this player if the card turns out to have this rank or a higher one."""

    kind: IrregularityKind
    position: Position
    rank: int


Faces = tuple[Kind | None, ...]
"""Per token, the card's kind; None while unseen."""
Suspicions = tuple[tuple[Suspicion, ...], ...]
"""Per token, the mistakes that its face would prove; empty once it has been seen."""


class Hand(Struct, frozen=True, gc=False, cache_hash=True):
    """A hand in progress. Positions, tokens and masks as the module says.

    Attributes:
        order: seats in the order of play. places: the position of each seat, NOBODY for those who take no part.
        present: who is still in.
        holds: token of each position, NOBODY for those out.
        faces: what is known of each card.
        shown: tokens that lie face up before a player.
        fresh: how many cards of the deck nobody has held yet, after everybody's deal.
        under: tokens put under the deck, the first to be drawn first.
        turn: the next to decide; ``len(order)`` when all have.
        asking: the answer awaited. drawing: who must now draw. back: who may keep or send on the travelling card.
        dealt: positions with a `deal` line. touched: those who acted, showed or exchanged.
        early: positions that showed a card while nobody asked them, until somebody acts.
        suspicions: what would be a mistake.
        refused: (token of the asker's card, token of the Taverna) for each forward passo a Taverna refused.
        opened: who began a backward run, until it is answered or somebody acts: a `passo` of theirs repeats the offer already
        made.
        pedine_before, virgins_before: how everybody stood when the hand began, for a void.
    """

    n: int
    dealer: Seat
    order: tuple[Seat, ...]
    places: tuple[Position, ...]
    present: Mask
    holds: tuple[Token, ...]
    faces: Faces
    fresh: int
    matti: int
    pedine_before: tuple[int, ...]
    virgins_before: tuple[bool, ...]
    shown: Mask = 0
    under: tuple[Token, ...] = ()
    turn: Position = 0
    asking: Ask | None = None
    drawing: Position = NOBODY
    back: Position = NOBODY
    dealt: Mask = 0
    touched: Mask = 0
    early: tuple[Position, ...] = ()
    suspicions: Suspicions = ()
    ceded: tuple[Ceded, ...] = ()
    refused: tuple[tuple[Token, Token], ...] = ()
    opened: Position = NOBODY
    payments: tuple[Payment, ...] = ()
    out: tuple[str, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()

    @property
    def dealer_position(self) -> Position:
        """The dealer's place in the order of play: the last."""
        return len(self.order) - 1

    def still_in(self, position: Position) -> bool:
        """Whether this position is still in the hand."""
        return bool(self.present >> position & 1)

    def is_shown(self, token: Token) -> bool:
        """Whether this card lies face up before a player."""
        return bool(self.shown >> token & 1)

    @property
    def unshown(self) -> int:
        """The number of those still in whose card does not lie face up."""
        return self.present.bit_count() - self.shown.bit_count()

    def face_of(self, position: Position) -> Kind | None:
        """The face of the card this position holds, as far as it is known."""
        return self.faces[self.holds[position]] if self.still_in(position) else None

    def positions(self) -> tuple[Position, ...]:
        """The positions still in, in the order of play."""
        return _members(self.present)

    def after(self, position: Position) -> Position:
        """The next still in after this position; ``len(order)`` when there is none."""
        ahead = self.present >> position + 1
        return position + (ahead & -ahead).bit_length() if ahead else len(self.order)

    def before(self, position: Position) -> Position:
        """The one still in before this position; NOBODY when there is none."""
        return (self.present & ((1 << position) - 1)).bit_length() - 1


class Agreement(Struct, frozen=True, gc=False):
    """A share of the pot that somebody may get (rules 10, 13, 20).

    ``share`` (0 to 1, the decimal as written) goes to ``to`` when one of ``winners`` wins. ``hand`` is the number of
    the hand in which a Taverna was ceded, 0 for the others; ``terms``: what else was agreed for it. ``paid``: what a
    partner put into the price of the ricompera, minor units.
    """

    kind: Literal["taverna", "partner", "split"]
    winners: tuple[str, ...]
    to: str
    share: Decimal
    hand: int = 0
    terms: str = ""
    paid: int = 0


class Lapsed(Struct, frozen=True, gc=False):
    """An agreement that no longer counts, and why: by which ``rule`` (10: the player has come back again; 20: the last two have
    agreed again; 21: all have come back), after which ``hand``: its number, 0 before the first."""

    agreed: Agreement
    hand: int
    rule: Literal[10, 20, 21]


class Table(Struct, frozen=True, gc=False, cache_hash=True):
    """What the first line fixes for the whole game."""

    names: tuple[str, ...]
    stake: int
    piazza: bool
    house: HouseRules
    variant: Variant = Variant()


class State(Struct, frozen=True, gc=False, cache_hash=True):
    """A game as it stands after the events so far.

    Attributes:
        pedine, virgins: per seat. A virgin has never paid a pedina (rule 9).
        next_seat: from here anticlockwise the next dealer is looked for.
        matti: how many Matti the deck has.
        ricompere: how many were paid.
        closed: no ricompera is possible any more (rule 21, or `close`).
        hands: what the finished hands came to. hand: the hand in progress, None between hands.
        last_ended: index in ``hands`` of the hand that ended last and is not void, -1 while there is none.
        agreements: shares of the pot, in the order noted. lapsed: those that no longer count, as they lapsed.
        paid: who paid how much (minor units) of the ricompere that the log tells of, in the order paid.
        restarted: rule 21 has just been applied. restarts: numbers of the hands after which it was.
        won: the game is over. end_may_follow: a final was just won outright, and its `end` may still be said.
        settings: how it stood, as the table has said between hands.
        virgins_then: for each hand that is over, who were virgins when it began, by seat.
    """

    table: Table
    pedine: tuple[int, ...]
    virgins: tuple[bool, ...]
    next_seat: Seat
    ricompere: int = 0
    matti: int = 2
    closed: bool = False
    hands: tuple[HandRulings, ...] = ()
    hand: Hand | None = None
    last_ended: int = -1
    agreements: tuple[Agreement, ...] = ()
    lapsed: tuple[Lapsed, ...] = ()
    paid: tuple[tuple[str, int], ...] = ()
    restarted: bool = False
    won: bool = False
    end_may_follow: bool = False
    settings: tuple[Setting, ...] = ()
    virgins_then: tuple[tuple[bool, ...], ...] = ()
    restarts: tuple[int, ...] = ()

    def without(self, lapsing: Iterable[Agreement], rule: Literal[10, 20, 21]) -> State:
        """The state in which these agreements no longer count, by this rule."""
        ended = tuple(lapsing)
        kept = tuple(one for one in self.agreements if one not in ended)
        gone = tuple(Lapsed(one, self.last_ended + 1, rule) for one in ended)
        return replace(self, agreements=kept, lapsed=(*self.lapsed, *gone)) if ended else self

    def __str__(self) -> str:
        return format(self, "it")

    def __format__(self, language: str) -> str:
        """The game as `companion rule` prints it, in Italian or as ``f"{state:en}"`` in English."""
        from companion.games.stu.words import rulings  # only here: what prints a state stands above the rules

        return rulings(self, spoken(language))

    def _repr_svg_(self) -> str:
        """The table as a notebook shows it."""
        from companion.games.stu.drawing import table  # only here, as above

        return table(self)

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody at the table as they stand now, in the order of the seats."""
        return tuple(
            Player(name, pedine, virgin and pedine > 0, pedine > 0)
            for name, pedine, virgin in zip(self.table.names, self.pedine, self.virgins, strict=True)
        )

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """Seats with a pedina left."""
        return tuple([seat for seat, pedine in enumerate(self.pedine) if pedine > 0])

    @property
    def deck(self) -> int:
        """How many cards the deck has now."""
        return DECK - 2 + self.matti

    @property
    def ricompere_open(self) -> bool:
        """Whether an eliminated player may come back between hands: a virgin is in play (rule 10)."""
        if self.closed or self.won:
            return False
        return any(virgin and pedine > 0 for virgin, pedine in zip(self.virgins, self.pedine, strict=True))

    @property
    def status(self) -> Status:
        """What the game is doing."""
        if self.hand is not None:
            return "hand_in_progress"
        if self.won:
            return "won"
        if self.restarted:
            return "restarted"
        return "won_unless_reentry" if len(self.in_play) == 1 else "in_play"

    @property
    def winner(self) -> str | None:
        """The player who has won, or has won unless somebody comes back."""
        if self.hand is not None or (seats := self.in_play)[1:]:
            return None
        return self.table.names[seats[0]]

    def next_dealer(self) -> Seat:
        """The seat that deals the next hand as things now stand: the first in play from ``next_seat`` on (rule 7)."""
        seats = len(self.pedine)
        return next((s % seats for s in range(self.next_seat, self.next_seat + seats) if self.pedine[s % seats]), 0)


class Player(Struct, frozen=True, gc=False):
    """An entry of ``players`` in the report."""

    name: str
    pedine: int
    virgin: bool
    in_play: bool
