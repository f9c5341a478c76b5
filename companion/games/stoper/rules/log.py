"""The table log of Stoper, version 1: events as frozen structs tagged by ``e``; names of players stand for players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from companion.decks.italian import Kind
from companion.games.stoper.rules.cards import Level, Size
from companion.table.log import EventBase, LogFormat

MOST = 1_000_000_000
"""The largest amount of a line, in minor units (cents)."""

Amount = Annotated[int, Meta(ge=1, le=MOST)]
AmountOrZero = Annotated[int, Meta(ge=0, le=MOST)]
Mode = Literal["cash", "torneo"]


class HouseRules(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The open questions, as this table answers them. An unknown one is an error."""

    ace_pair_third: Literal["figure", "any"] = "figure"
    """Rule 15. What counts beside two aces: a figure alone, or any card."""
    deck_follows: Literal["seated", "start"] = "seated"
    """Rule 1. The deck of a tournament shrinks with those left, or stays."""
    dealer_pays: bool = True
    """Rule 3. Whether the dealer pays cip and invito."""
    bet_min: Literal["cip"] | Amount = "cip"
    """Rules 6, 10. The smallest opening and the smallest punto."""
    opening_point: Literal["over_10", "figure_only"] = "over_10"
    """Rule 6. Whether a score above one figure's opens, too."""
    false_opening: Literal["noted", "forfeit"] = "noted"
    """Rule 6. A player who is proved to have opened without what it takes is noted, or cannot win a showdown."""
    blind_speaks_last: Literal["always", "unless_reraised"] = "always"
    """Rule 4. Whether the last blind raiser speaks last also after a raise by somebody else."""
    no_chips_no_opening: Literal["play_on", "thrown_in"] = "play_on"
    """Rule 7. In cash, when nobody opens and somebody in has no chips: the hand goes on, or the cards are thrown in."""
    carry_join: Literal["parola_only", "always"] = "parola_only"
    """Rule 7. Whether a player who joins a pot that nobody opened for pays what they are short of, as after parola."""
    parola_level: Literal["keep", "step"] = "keep"
    """Rule 11. After parola at least a Cavallo opens, or a figure higher than before."""
    parola_join: Literal["difference", "absent_only"] = "difference"
    """Rule 11. A player who joins a parola pot pays what they are short of; or nothing, if they have put in anything."""


class Standing(Struct, frozen=True):
    """What earlier hands left. ``paid``: what each has put into the pot; ``said``: who said parola, or has joined since."""

    level: Level
    pot: AmountOrZero
    paid: dict[str, AmountOrZero]
    parola: bool
    said: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((self.level, self.pot, self.parola, self.said))


class Usual(Struct, frozen=True, omit_defaults=True):
    """What the table has settled on for its hands, for phones to begin them with. The rules do not look at it: each `hand` says
    what it is played for. ``deck``: None for the one that goes with the number of players; ``chip``: the smallest chip;
    ``buy_in``: the chips that a player buys in for, None where it is what most begin with."""

    cip: Amount
    invito: AmountOrZero = 0
    deck: Size | None = None
    chip: Amount | None = None
    buy_in: Amount | None = None


class Game(EventBase, tag="game", frozen=True, kw_only=True):
    """The first line. ``players`` clockwise; ``stacks``: chips of each, all the same or by name; ``dealer`` of the first hand.

    ``standing``: how the pot stands, for a log that begins in mid-evening; ``usual``: what hands are played for, where the table
    has settled it. Amounts are in minor units.
    """

    v: Literal[1]
    game: Literal["stoper"]
    players: tuple[str, ...]
    mode: Mode
    stacks: AmountOrZero | dict[str, AmountOrZero]
    currency: Literal["EUR"]
    dealer: str
    house_rules: HouseRules = HouseRules()
    standing: Standing | None = None
    usual: Usual | None = None

    def __hash__(self) -> int:
        return hash((self.players, self.mode, self.dealer, self.house_rules, self.standing, self.usual))


class Hand(EventBase, tag="hand", frozen=True, kw_only=True):
    """A new hand: those who take part pay cip and invito, which are as last time where they are left out (rules 2, 3).

    ``absent``: who sits it out (cash); ``join``: who pays to come into a carried pot; ``deck``: for this hand alone.
    """

    dealer: str | None = None
    cip: Amount | None = None
    invito: AmountOrZero | None = None
    absent: tuple[str, ...] = ()
    join: tuple[str, ...] = ()
    deck: Size | None = None


class Deal(EventBase, tag="deal", frozen=True, kw_only=True):
    """Cards dealt: the first three, or those received for cards changed; with the faces that are known (rules 2, 8)."""

    to: str
    cards: Annotated[int, Meta(ge=0)] | None = None
    faces: tuple[Kind, ...] = ()


class Buio(EventBase, tag="buio", frozen=True, kw_only=True):
    """The next blind: buio, controbuio, over; what it costs follows from the pot (rule 4)."""

    by: str


class Apro(EventBase, tag="apro", frozen=True, kw_only=True):
    """Opens with this total (rule 6)."""

    by: str
    to: Amount


class Parola(EventBase, tag="parola", frozen=True, kw_only=True):
    """Before an opening: passes the word (rule 6). In the final phase, before a bet: parola (rules 9, 11)."""

    by: str


class Busso(EventBase, tag="busso", frozen=True, kw_only=True):
    """The word goes on (rule 9). Of the last blind raiser: does not raise (rule 4)."""

    by: str


class Punto(EventBase, tag="punto", frozen=True, kw_only=True):
    """The first bet of the final phase (rule 10)."""

    by: str
    to: Amount


class Vedo(EventBase, tag="vedo", frozen=True, kw_only=True):
    """Brings the own total to the highest, or as near as the stack goes (rule 10)."""

    by: str


class Rilancio(EventBase, tag="rilancio", frozen=True, kw_only=True):
    """Raises to this total (rule 10)."""

    by: str
    to: Amount


class Passo(EventBase, tag="passo", frozen=True, kw_only=True):
    """Leaves the hand; before an opening, passes the word (rules 6, 9)."""

    by: str


class Cambio(EventBase, tag="cambio", frozen=True, kw_only=True):
    """Changes ``n`` cards; ``discards``: which, where they were seen (rule 8)."""

    DECIDES: ClassVar[bool] = False

    by: str
    n: Literal[0, 1, 2]
    discards: tuple[Kind, ...] | None = None


class Show(EventBase, tag="show", frozen=True, kw_only=True):
    """Lays the three cards open (rule 14); ``discards``: with those that were kept to prove the opening (rule 6)."""

    by: str
    cards: tuple[Kind, ...]
    discards: tuple[Kind, ...] | None = None


class Muck(EventBase, tag="muck", frozen=True, kw_only=True):
    """Concedes a showdown without showing (rule 14)."""

    by: str


class Chips(EventBase, tag="chips", frozen=True, kw_only=True):
    """Buys chips, between hands (rule 5)."""

    BESIDE: ClassVar[bool] = True

    by: str
    amount: Amount


class Set(EventBase, tag="set", frozen=True, kw_only=True):
    """How it stands, as the table says between hands: chips, and what is carried. Players who are not named, and what is left
    out, stay as they are."""

    BESIDE: ClassVar[bool] = True

    stacks: dict[str, AmountOrZero]
    level: Level | None = None
    pot: AmountOrZero | None = None
    reason: str | None = None

    def __hash__(self) -> int:
        return hash((frozenset(self.stacks.items()), self.level, self.pot, self.reason))

    @property
    def names(self) -> tuple[str, ...]:
        """Who is named."""
        return tuple(self.stacks)


class Void(EventBase, tag="void", frozen=True, kw_only=True):
    """The hand in progress is undone (rule 17)."""

    reason: str | None = None


class End(EventBase, tag="end", frozen=True, kw_only=True):
    """The hand is over; it is by itself, so this changes nothing."""


class Close(EventBase, tag="close", frozen=True, kw_only=True):
    """The game is over (rule 17)."""

    BESIDE: ClassVar[bool] = True


Event = (
    Game | Hand | Deal | Buio | Apro | Parola | Busso | Punto | Vedo | Rilancio | Passo | Cambio | Show | Muck
    | Chips | Set | Void | End | Close
)  # fmt: skip


def new_game(
    players: Iterable[str],
    stacks: int | Mapping[str, int],
    dealer: str,
    *,
    mode: Mode = "cash",
    house_rules: HouseRules | None = None,
    standing: Standing | None = None,
    usual: Usual | None = None,
) -> Game:
    """The first line of a log. `companion.games.stoper.begin` says whether such a game can be."""
    return Game(
        v=1,
        game="stoper",
        players=tuple(players),
        mode=mode,
        stacks=stacks if isinstance(stacks, int) else dict(stacks),
        currency="EUR",
        dealer=dealer,
        house_rules=house_rules or HouseRules(),
        standing=standing,
        usual=usual,
    )


LOG = LogFormat(Event, title="Stoper table log, one line")
"""How a log of Stoper is read."""

decode_line, numbered_lines, read_lines, schema = LOG.decode_line, LOG.numbered_lines, LOG.read_lines, LOG.schema
