"""The table log of Stoppa, version 1: events as frozen structs tagged by ``e``; names of players stand for players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct, field

from companion.decks.italian import Kind
from companion.table.log import EventBase, LogFormat

MOST = 1_000_000_000
"""The largest amount of a line, in minor units (cents)."""

Amount = Annotated[int, Meta(ge=1, le=MOST)]
Balance = Annotated[int, Meta(ge=-MOST, le=MOST)]
What = Literal["four_kings", "misera", "no_stoppata"]
"""What a player can declare before the stoppata (rule 9)."""


class HouseRules(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The open questions, as this table answers them. An unknown one is an error."""

    pass_: Literal["final", "checks"] = field(default="final", name="pass")
    """Rule 5. A player who passes before the first bet is out (``final``), or may still come in after it (``checks``)."""
    bet_min: Amount = 1
    """Rule 5. The smallest first bet."""
    grosso_nobody: Literal["dealer", "carried"] = "dealer"
    """Rule 8. With no bet the punto grosso goes to the dealer, or is carried into the next hand."""
    no_stoppata: Literal["three_twos_no_king", "three_aces_no_king", "four_aces_no_king", "three_aces"] = "three_twos_no_king"
    """Rule 9. The hand that prevents the stoppata."""
    declaration_price: Literal["misera"] | Amount = "misera"
    """Rule 9. What each pays to a misera or to four kings."""
    two_misere: Literal["priority", "each"] = "priority"
    """Rule 9. Of several misere the first in order of play is paid by all, or each by those without one."""
    three_aces_anytime: bool = False
    """Rule 14. Three or four aces and no Re may be thrown out of turn of number."""
    cards_per_misera: Literal[2, 3] = 2
    """Rule 15. Cards left for which the player who stopped is paid once."""
    stoppata_unit: Literal["misera"] | Amount = "misera"
    """Rule 15. What is paid for them."""
    all_at_once: Literal["deck", "left"] = "deck"
    """Rule 13. All cards of a number together: all of the deck, or all that are left."""


class Game(EventBase, tag="game", frozen=True, kw_only=True):
    """The first line. ``players`` anticlockwise; amounts in minor units; ``dealer`` deals the first hand.

    ``small`` is one punto piccolo; ``removed`` the Re that three play without; ``standing`` each player's balance so far;
    ``hands_before`` how many hands were played before the log begins, for the giro only; ``points``: no money is played for, all
    amounts are points.
    """

    v: Literal[1]
    game: Literal["stoppa"]
    players: tuple[str, ...]
    misera: Amount
    small: Amount
    currency: Literal["EUR"]
    dealer: str
    removed: Kind | None = None
    house_rules: HouseRules = HouseRules()
    standing: dict[str, Balance] | None = None
    hands_before: Annotated[int, Meta(ge=0)] = 0
    points: bool = False

    def __hash__(self) -> int:
        return hash((self.players, self.misera, self.small, self.dealer, self.removed, self.house_rules, self.hands_before))


class Hand(EventBase, tag="hand", frozen=True, kw_only=True):
    """A new hand: everybody pays the misera. The dealer moves by itself; a named one out of rotation is followed (rule 3)."""

    dealer: str | None = None


class Piccolo(EventBase, tag="piccolo", frozen=True, kw_only=True):
    """The next iteration is dealt, and the betting on it begins (rule 7)."""


class Grosso(EventBase, tag="grosso", frozen=True, kw_only=True):
    """The betting on the punto grosso begins (rule 8)."""


class Deal(EventBase, tag="deal", frozen=True, kw_only=True):
    """Cards dealt in the iteration last begun, with the faces that are known."""

    to: str
    cards: Annotated[int, Meta(ge=0)] | None = None
    faces: tuple[Kind, ...] = ()


class Punto(EventBase, tag="punto", frozen=True, kw_only=True):
    """The first bet (rule 5)."""

    by: str
    to: Amount


class Vedo(EventBase, tag="vedo", frozen=True, kw_only=True):
    """Brings the own bets to the highest total (rule 5)."""

    by: str


class Rilancio(EventBase, tag="rilancio", frozen=True, kw_only=True):
    """Raises to this total (rule 5)."""

    by: str
    to: Amount


class Passo(EventBase, tag="passo", frozen=True, kw_only=True):
    """Passes (rule 5)."""

    by: str


class Show(EventBase, tag="show", frozen=True, kw_only=True):
    """Lays cards open: at a comparison, or cards left in hand when the stoppata is over (rules 6, 16)."""

    by: str
    cards: tuple[Kind, ...]


class Muck(EventBase, tag="muck", frozen=True, kw_only=True):
    """Concedes a comparison without showing (rule 6)."""

    by: str


class Declare(EventBase, tag="declare", frozen=True, kw_only=True):
    """Declares a hand before the stoppata (rule 9)."""

    by: str
    what: What
    cards: tuple[Kind, ...] = ()


class Lay(EventBase, tag="lay", frozen=True, kw_only=True):
    """Puts down, in this order: a card, own aces, or all of a number. ``skipped``: the table went on without a wanted card;
    ``forced``: nobody has told of this lay, it follows from rule 10 and from the cards that were named before."""

    by: str
    cards: tuple[Kind, ...]
    skipped: bool = False
    forced: bool = False


class Back(EventBase, tag="back", frozen=True, kw_only=True):
    """All agree: the last lays that stand are taken back (rule 16)."""

    lays: Annotated[int, Meta(ge=1)]


class Annul(EventBase, tag="annul", frozen=True, kw_only=True):
    """All agree: no stoppata in this hand (rule 16)."""


class Giro(EventBase, tag="giro", frozen=True, kw_only=True):
    """Calls the giro (rule 18)."""

    BESIDE: ClassVar[bool] = True

    by: str


class Void(EventBase, tag="void", frozen=True, kw_only=True):
    """The hand in progress is undone (rule 17)."""

    reason: str | None = None


class End(EventBase, tag="end", frozen=True, kw_only=True):
    """The hand is over."""


class Set(EventBase, tag="set", frozen=True, kw_only=True):
    """How it stands, as the table says between hands: balances; players who are not named keep theirs."""

    BESIDE: ClassVar[bool] = True

    standing: dict[str, Balance]
    reason: str | None = None

    def __hash__(self) -> int:
        return hash((frozenset(self.standing.items()), self.reason))

    @property
    def names(self) -> tuple[str, ...]:
        """Who is named."""
        return tuple(self.standing)


class Close(EventBase, tag="close", frozen=True, kw_only=True):
    """The game is over (rule 19)."""

    BESIDE: ClassVar[bool] = True


Event = (
    Game | Hand | Piccolo | Grosso | Deal | Punto | Vedo | Rilancio | Passo | Show | Muck
    | Declare | Lay | Back | Annul | Giro | Void | Set | End | Close
)  # fmt: skip


def new_game(
    players: Iterable[str],
    misera: int,
    small: int,
    dealer: str,
    *,
    removed: Kind | None = None,
    house_rules: HouseRules | None = None,
    standing: dict[str, int] | None = None,
    hands_before: int = 0,
    points: bool = False,
) -> Game:
    """The first line of a log. `companion.games.stoppa.begin` says whether such a game can be."""
    return Game(
        v=1,
        game="stoppa",
        players=tuple(players),
        misera=misera,
        small=small,
        currency="EUR",
        dealer=dealer,
        removed=removed,
        house_rules=house_rules or HouseRules(),
        standing=standing,
        hands_before=hands_before,
        points=points,
    )


LOG = LogFormat(Event, title="Stoppa table log, one line")
"""How a log of Stoppa is read."""

decode_line, numbered_lines, read_lines, schema = LOG.decode_line, LOG.numbered_lines, LOG.read_lines, LOG.schema
