"""The table log, version 1: one game as JSON Lines, one event a line, in the order things happened.

Events are frozen structs tagged by ``e``; names of players stand for players. Reading is strict about the keys that the
format knows and ignores the others; every error is a `Malformed` that names its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from io import BytesIO
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, field

from companion.decks.stu import Kind
from companion.games.stu.rules.errors import Malformed

MAX_STAKE = 1_000_000_000
MAX_RICOMPERE = 10_000
"""More than anybody can have paid before the camera came: a longer price would only fill memory."""


class _Event(Struct, frozen=True, tag_field="e", omit_defaults=True, kw_only=True):
    """What all events share: frozen, tagged by ``e``, keys that say nothing left out."""


class HouseRules(Struct, frozen=True, omit_defaults=True):
    """The open questions of the booklet, as this table answers them."""

    salta_on_dealer: Literal["deck", "stop"] = "deck"
    """Rule 15. Past a dealer who shows the Salta the asker draws (``deck``), or keeps the card (``stop``)."""
    backward_run: Literal["choice", "forced"] = "choice"
    """Rule 14. Who gets the travelling card may keep it (``choice``), or must send it on (``forced``)."""
    two_matti_lowest: Literal["others", "matti"] = "others"
    """Rule 12. With two Matti the lowest of the other cards pays, or the Matto nearest di mano, for nothing."""


class Standing(Struct, frozen=True):
    """How a player stood when a camera came in mid-evening."""

    pedine: Annotated[int, Meta(ge=0)]
    virgin: bool


class Partner(Struct, frozen=True):
    """Somebody who shares a ricompera: ``share`` of the whole pot, 0 to 1, if the player wins (rule 10)."""

    name: str
    share: Decimal


class Game(_Event, tag="game", frozen=True, kw_only=True):
    """The first line. ``players`` anticlockwise; ``stake`` in minor units (cents); ``dealer`` deals the first hand."""

    v: Literal[1]
    game: Literal["stu"]
    players: tuple[str, ...]
    stake: Annotated[int, Meta(ge=1, le=MAX_STAKE)]
    currency: Literal["EUR"]
    dealer: str
    edition: Literal["booklet", "piazza-2010"] = "booklet"
    house_rules: HouseRules = HouseRules()
    standing: dict[str, Standing] = {}
    ricompere: Annotated[int, Meta(ge=0, le=MAX_RICOMPERE)] = 0


class Hand(_Event, tag="hand", frozen=True, kw_only=True):
    """A new hand. The dealer rotates by itself; a named one out of rotation is followed (rule 7)."""

    dealer: str | None = None


class Deal(_Event, tag="deal", frozen=True, kw_only=True):
    """A card dealt, with its face where it was seen."""

    to: str
    card: Kind | None = None


class Sto(_Event, tag="sto", frozen=True, kw_only=True):
    """Stays."""

    by: str


class Passo(_Event, tag="passo", frozen=True, kw_only=True):
    """Asks the next player, or sends the travelling card back; of the dealer: a draw follows (rules 6, 11, 14)."""

    by: str


class Swap(_Event, tag="swap", frozen=True, kw_only=True):
    """Answer: exchanged, unseen, with this player."""

    with_: str = field(name="with")


class Taverna(_Event, tag="taverna", frozen=True, kw_only=True):
    """Answer: the asked shows the Taverna and gives it away, for ``share`` (0 to 1) of the taker's pot (rule 13)."""

    by: str
    terms: str | None = None
    share: Decimal | None = None


class Draw(_Event, tag="draw", frozen=True, kw_only=True):
    """The exchange with the deck: the dealer's, or the asker's past a dealer's Salta (rules 6, 15)."""

    by: str
    card: Kind | None = None


class Reveal(_Event, tag="reveal", frozen=True, kw_only=True):
    """A face is shown: a refusal, an early show, or the showdown."""

    by: str
    card: Kind


class End(_Event, tag="end", frozen=True, kw_only=True):
    """The hand is over: everybody still in has been seen."""


class Rebuy(_Event, tag="rebuy", frozen=True, kw_only=True):
    """Ricompera, perhaps with partners (rule 10)."""

    by: str
    partners: tuple[Partner, ...] = ()


class Matto(_Event, tag="matto", frozen=True, kw_only=True):
    """How many Matti the deck has from now on (rules 7, 12)."""

    in_deck: Literal[1, 2]


class Penalty(_Event, tag="penalty", frozen=True, kw_only=True):
    """One pedina, by the referee of 2010 (rule 24)."""

    player: str
    reason: str | None = None


class Void(_Event, tag="void", frozen=True, kw_only=True):
    """The hand in progress is void."""

    reason: str | None = None


class Split(_Event, tag="split", frozen=True, kw_only=True):
    """The last two share the pot (rule 20): name → share, 0 to 1."""

    shares: dict[str, Decimal]


class Close(_Event, tag="close", frozen=True, kw_only=True):
    """No more ricompere."""


Event = (
    Game | Hand | Deal | Sto | Passo | Swap | Taverna | Draw | Reveal | End
    | Rebuy | Matto | Penalty | Void | Split | Close  # between hands, or at any time
)


class Line(Struct, frozen=True):
    """One line: what happened, when (``t``, seconds into the source), and how sure its writer was (0 to 1)."""

    event: Event
    t: float | None = None
    confidence: float | None = None


def new_game(
    players: Iterable[str],
    stake: int,
    dealer: str,
    *,
    edition: Literal["booklet", "piazza-2010"] = "booklet",
    house_rules: HouseRules | None = None,
    standing: dict[str, Standing] | None = None,
    ricompere: int = 0,
) -> Game:
    """The first line of a log. Whether such a game can be is `companion.games.stu.begin`'s to say."""
    return Game(
        v=1,
        game="stu",
        players=tuple(players),
        stake=stake,
        currency="EUR",
        dealer=dealer,
        edition=edition,
        house_rules=house_rules or HouseRules(),
        standing=standing or {},
        ricompere=ricompere,
    )


class _Stamp(Struct):
    t: float | None = None
    confidence: float | None = None


_decode_event = msgspec.json.Decoder(Event).decode
_decode_stamp = msgspec.json.Decoder(_Stamp).decode
_decode_plain = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(decimal_format="number").encode


def decode_line(raw: bytes) -> Line:
    """One line of a log, without its line break.

    ``t`` and ``confidence`` are no keys of the log format: where they make no sense they are passed over.

    Raises:
        Malformed: no JSON object, an unknown ``e``, a missing key, a wrong type.
    """
    try:
        if not raw.isascii():
            raw.decode("utf-8")
        event = _decode_event(raw)
        if b"null" in raw or isinstance(event, Taverna | Rebuy | Split):
            _refuse_lookalikes(_decode_plain(raw), event)
    except UnicodeDecodeError as error:
        raise Malformed(f"not UTF-8: {error.reason} at byte {error.start + 1}", expected="a JSON object") from None
    except RecursionError:
        raise Malformed("nested too deeply", expected="a flat JSON object") from None
    except msgspec.ValidationError as error:
        raise Malformed(_plain_words(str(error))) from None
    except msgspec.DecodeError as error:
        raise Malformed(f"not JSON: {error}", expected="one JSON object on a line") from None
    if b'"t"' not in raw and b'"confidence"' not in raw:
        return Line(event)
    try:
        stamp = _decode_stamp(raw)
    except msgspec.DecodeError:
        return Line(event)
    return Line(event, stamp.t, stamp.confidence)


def encode_line(line: Line) -> bytes:
    """The line as JSON, without a line break. `decode_line` gives it back."""
    raw = _encode(line.event)
    for key, value in (("t", line.t), ("confidence", line.confidence)):
        if value is not None:
            raw = raw[:-1] + b',"' + key.encode() + b'":' + _encode(value) + b"}"
    return raw


def numbered_lines(data: bytes) -> Iterator[tuple[int, Line]]:
    """The lines of a log with their numbers, from 1, one at a time. Empty lines are passed over, but counted.

    Raises:
        Malformed: at the first line that cannot be read, naming it.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise Malformed("begins with a byte order mark", expected="plain UTF-8", line=1)
    for number, raw in enumerate(BytesIO(data), start=1):
        stripped = raw.strip(b" \t\r\n")
        if not stripped:
            continue
        try:
            yield number, decode_line(stripped)
        except Malformed as error:
            raise error.at(number) from None


def read_lines(data: bytes) -> tuple[Line, ...]:
    """All lines of a log.

    Raises:
        Malformed: a line that cannot be read, naming it.
    """
    return tuple(line for _, line in numbered_lines(data))


def write_lines(lines: Iterable[Line]) -> bytes:
    """A log, each line ended by a line feed."""
    return b"".join(encode_line(line) + b"\n" for line in lines)


def schema() -> dict[str, Any]:
    """The JSON Schema of one line: any one of the events, with unknown keys allowed."""
    found = _as_written(msgspec.json.schema(Event))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Lu Stù table log, one line", **found}


def _as_written(node: Any) -> Any:
    """The library's schema with shares as the numbers that a log holds, and without the null that stands for a key left out."""
    if isinstance(node, list):
        return [_as_written(item) for item in node if item != {"type": "null"}]
    if not isinstance(node, dict):
        return node
    if node.get("format") == "decimal":
        return {"type": "number", "minimum": 0, "maximum": 1}
    plain = {key: _as_written(value) for key, value in node.items() if not (key == "default" and value is None)}
    return plain.pop("anyOf")[0] | plain if len(plain.get("anyOf", ())) == 1 else plain


def _refuse_lookalikes(raw: Any, event: Event) -> None:
    """Refuse what the decoder lets pass: ``null`` for a key that is left out, and a share written as a string."""
    for struct_field in msgspec.structs.fields(event):
        value = raw.get(struct_field.encode_name, UNSET)
        if value is None:
            raise Malformed(f"`{struct_field.encode_name}` is null", expected="the key left out, or a value")
        if struct_field.encode_name == "share":
            _refuse_text(value)
        elif struct_field.encode_name == "shares":
            for share in value.values():
                _refuse_text(share)
        elif struct_field.encode_name == "partners" and value is not UNSET:
            for partner in value:
                _refuse_text(partner["share"])


def _refuse_text(share: object) -> None:
    if isinstance(share, str):
        raise Malformed("a share is written as text", expected="a number from 0 to 1")


def _plain_words(message: str) -> str:
    """A validation message of msgspec, with its path in front: "`players`: Expected `array`, got `str`"."""
    said, _, path = message.partition(" - at `$")
    key = path.rstrip("`").lstrip(".")
    return f"`{key}`: {said}" if key else said
