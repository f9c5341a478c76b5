"""The table log, version 1: one game as JSON Lines, one event a line, in the order things happened.

Events are frozen structs tagged by ``e``; names of players stand for players. Reading is strict about the keys that the
format knows and ignores the others; every error is a `Malformed` that names its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta, Raw, Struct, field

from companion.decks.stu import Kind
from companion.games.stu.rules import reasons
from companion.table.errors import Malformed
from companion.table.log import EventBase, LogFormat

MAX_STAKE = 1_000_000_000
MAX_RICOMPERE = 10_000
"""Ricompere, at most, that can have been paid before the camera came: the price doubles with each, and would only fill memory."""


class HouseRules(Struct, frozen=True, omit_defaults=True):
    """The open questions of the booklet, as this table answers them."""

    salta_on_dealer: Literal["deck", "stop"] = "deck"
    """Rule 15. Past a dealer who shows the Salta the asker draws (``deck``), or keeps the card (``stop``)."""
    backward_run: Literal["choice", "forced"] = "choice"
    """Rule 14. A player who gets the travelling card may keep it (``choice``), or must send it on (``forced``)."""
    two_matti_lowest: Literal["others", "matti"] = "others"
    """Rule 12. With two Matti the lowest of the other cards pays (``others``), or the Matto nearest di mano is the lowest
    card, and its holder neither gains nor loses (``matti``)."""


class Standing(Struct, frozen=True):
    """How a player stood when a camera came in mid-evening."""

    pedine: Annotated[int, Meta(ge=0)]
    virgin: bool


class Partner(Struct, frozen=True, omit_defaults=True):
    """Somebody who shares a ricompera: ``share`` of the whole pot, 0 to 1, if the player wins (rule 10). ``paid``: what they put
    into the price of it, minor units (cents); None: the same share of the price."""

    name: str
    share: Decimal
    paid: Annotated[int, Meta(ge=0)] | None = None


class Variant(Struct, frozen=True, gc=False):
    """What a variant plays differently. ``id``: of the game, as logs say it. ``pedine``: with how many everybody begins, and
    comes back (rules 5, 10, 21); ``matto_pair``: whether two Matti in one hand gain a pedina each (rule 12); else each of them
    pays."""

    id: str = "stu"
    pedine: int = 3
    matto_pair: bool = True


class Game(EventBase, tag="game", frozen=True, kw_only=True):
    """The first line. ``players`` anticlockwise; ``stake`` in minor units (cents); ``dealer`` deals the first hand. A variant
    derives from it, and says another ``game`` and its ``VARIANT``."""

    VARIANT: ClassVar[Variant] = Variant()

    v: Literal[1]
    game: Literal["stu"]
    players: tuple[str, ...]
    stake: Annotated[int, Meta(ge=1, le=MAX_STAKE)]
    currency: Literal["EUR"]
    dealer: str
    edition: Literal["booklet", "piazza-2010"] = "booklet"
    house_rules: HouseRules = HouseRules()
    standing: dict[str, Standing] = field(default_factory=dict)
    ricompere: Annotated[int, Meta(ge=0, le=MAX_RICOMPERE)] = 0

    def __hash__(self) -> int:
        return hash((self.players, self.stake, self.dealer, frozenset(self.standing.items())))


class Hand(EventBase, tag="hand", frozen=True, kw_only=True):
    """A new hand. The dealer rotates by itself; a named one out of rotation is followed (rule 7)."""

    dealer: str | None = None


class Deal(EventBase, tag="deal", frozen=True, kw_only=True):
    """A card dealt, with its face where it was seen."""

    to: str
    card: Kind | None = None


class Sto(EventBase, tag="sto", frozen=True, kw_only=True):
    """Stays."""

    by: str


class Passo(EventBase, tag="passo", frozen=True, kw_only=True):
    """Asks the next player, or sends the travelling card back; of the dealer: a draw follows (rules 6, 11, 14)."""

    by: str


class Swap(EventBase, tag="swap", frozen=True, kw_only=True):
    """Answer: exchanged, unseen, with this player."""

    with_: str = field(name="with")


class Taverna(EventBase, tag="taverna", frozen=True, kw_only=True):
    """Answer: the asked shows the Taverna and gives it away, for ``share`` (0 to 1) of the taker's pot (rule 13)."""

    by: str
    terms: str | None = None
    share: Decimal | None = None


class Draw(EventBase, tag="draw", frozen=True, kw_only=True):
    """The exchange with the deck: the dealer's, or the asker's past a dealer's Salta (rules 6, 15)."""

    by: str
    card: Kind | None = None


class Reveal(EventBase, tag="reveal", frozen=True, kw_only=True):
    """A face is shown: a refusal, an early show, or the showdown."""

    by: str
    card: Kind


class End(EventBase, tag="end", frozen=True, kw_only=True):
    """The hand is over: everybody still in has been seen."""


class Rebuy(EventBase, tag="rebuy", frozen=True, kw_only=True):
    """Ricompera, perhaps with partners (rule 10)."""

    BESIDE: ClassVar[bool] = True

    by: str
    partners: tuple[Partner, ...] = ()


class Matto(EventBase, tag="matto", frozen=True, kw_only=True):
    """How many Matti the deck has from now on (rules 7, 12)."""

    BESIDE: ClassVar[bool] = True

    in_deck: Literal[1, 2]


class Penalty(EventBase, tag="penalty", frozen=True, kw_only=True):
    """One pedina, by the referee of 2010 (rule 24)."""

    player: str
    reason: str | None = None


class Void(EventBase, tag="void", frozen=True, kw_only=True):
    """The hand in progress is void."""

    reason: str | None = None


class Set(EventBase, tag="set", frozen=True, kw_only=True):
    """How it stands, as the table says between hands; players who are not named keep what they have. The pot and the next price
    follow from ``ricompere``."""

    BESIDE: ClassVar[bool] = True

    standing: dict[str, Standing]
    ricompere: Annotated[int, Meta(ge=0, le=MAX_RICOMPERE)] | None = None
    reason: str | None = None

    def __hash__(self) -> int:
        return hash((frozenset(self.standing.items()), self.ricompere, self.reason))

    @property
    def names(self) -> tuple[str, ...]:
        """Who is named."""
        return tuple(self.standing)


class Split(EventBase, tag="split", frozen=True, kw_only=True):
    """The last two share the pot (rule 20): name → share, 0 to 1."""

    BESIDE: ClassVar[bool] = True

    shares: dict[str, Decimal]

    def __hash__(self) -> int:
        return hash(frozenset(self.shares.items()))


class Close(EventBase, tag="close", frozen=True, kw_only=True):
    """No more ricompere."""

    BESIDE: ClassVar[bool] = True


Event = (
    Game | Hand | Deal | Sto | Passo | Swap | Taverna | Draw | Reveal | End
    | Rebuy | Matto | Penalty | Void | Set | Split | Close  # between hands, or at any time
)


def new_game(
    players: Iterable[str],
    stake: int,
    dealer: str,
    *,
    edition: Literal["booklet", "piazza-2010"] = "booklet",
    house_rules: HouseRules | None = None,
    standing: dict[str, Standing] | None = None,
    ricompere: int = 0,
    of: type[Game] = Game,
) -> Game:
    """The first line of a log; ``of``: that of a variant. `companion.games.stu.begin` says whether such a game can be."""
    return of(
        v=1,
        game=of.VARIANT.id,  # type: ignore[arg-type]  # a variant says its own
        players=tuple(players),
        stake=stake,
        currency="EUR",
        dealer=dealer,
        edition=edition,
        house_rules=house_rules or HouseRules(),
        standing=standing or {},
        ricompere=ricompere,
    )


_shares = msgspec.json.Decoder(dict[str, Raw]).decode
_partners = msgspec.json.Decoder(tuple[dict[str, Raw], ...]).decode


def _refuse_text(keys: Mapping[str, Raw], event: Event) -> None:
    """Refuse a share written as text, which the decoder takes for the number that it spells, and a partner's null."""
    match event:
        case Taverna():
            shares = [keys.get("share", b"")]
        case Rebuy():
            partners = _partners(keys["partners"]) if event.partners else ()
            shares = [partner["share"] for partner in partners]
            if any(bytes(partner.get("paid", b"")) == b"null" for partner in partners):
                raise Malformed(reasons.PAID_NULL, expected="the key left out, or a value")
        case _:
            shares = list(_shares(keys["shares"]).values())
    if any(bytes(share).startswith(b'"') for share in shares):
        raise Malformed(reasons.SHARE_AS_TEXT, expected="a number from 0 to 1")


def log_format(events: Any, title: str) -> LogFormat:
    """How a log is read: of Lu Stù, or of a variant with another first line among its ``events``, a union of structs."""
    return LogFormat(events, title=title, refuse=_refuse_text, looked_at=(Taverna, Rebuy, Split))


def format_for(first: type[Game], title: str) -> LogFormat:
    """How a log of a variant is read that begins with the line ``first``, and has Lu Stù's other lines."""
    return log_format(reduce(or_, (first, *(one for one in get_args(Event) if one is not Game))), title)


LOG = log_format(Event, "Lu Stù table log, one line")
"""How a log of Lu Stù is read."""

decode_line, numbered_lines, read_lines, schema = LOG.decode_line, LOG.numbered_lines, LOG.read_lines, LOG.schema
