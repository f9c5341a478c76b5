"""Hands kept as texts, so that a restart need not decode a whole evening again; players' names in them can be changed. Pure:
the ledger keeps the texts.

A text says what was reported about one hand, how many of the log's lines are its own and, of a hand that is over, how probable
its outcome is. The hand in progress is decoded again, and so is a past one as soon as somebody asks for its histories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from companion.referee.chapter import Chapter, decoded
from companion.referee.evening import Evening
from companion.referee.record import (
    Entry,
    Fixed,
    Inserted,
    JointCorrection,
    Record,
    Saw,
    StatedLine,
    WrittenFix,
    decode_entry,
    decode_sighting,
    encode_entry,
    encode_sighting,
    read_fix,
)
from companion.referee.sighting_model import ChipUncertainty, Refereed
from companion.referee.values import HandReports, KeptHand
from companion.table.log import Line
from companion.table.renaming import Renaming

# Names: sightings have places and no names; what people have said is events, and the name of a phone.


L = TypeVar("L", Line, StatedLine)


def lines(told: tuple[L, ...], renaming: Renaming) -> tuple[L, ...]:
    """Lines with the names as they are to be."""
    return tuple(replace(line, event=renaming.event(line.event)) for line in told)


def entry(text: str, game: Refereed, renaming: Renaming) -> str:
    """An entry of the record as it is written, with the names as they are to be. Raises UnreadableRecord."""
    return encode_entry(_entry(decode_entry(text, game), renaming), game).decode()


def _entry(told: Entry, renaming: Renaming) -> Entry:
    if isinstance(told, Saw):
        return told
    told = replace(told, by=renaming.text(told.by))
    if isinstance(told, Fixed):
        return fix(told, renaming)
    if isinstance(told, JointCorrection):
        return replace(told, fixes=tuple(fix(one, renaming) for one in told.fixes))
    if isinstance(told, Inserted):
        return replace(told, lines=lines(told.lines, renaming))
    return told


def fix(told: Fixed, renaming: Renaming) -> Fixed:
    """A correction with the names as they are to be."""
    return replace(told, lines=lines(told.lines, renaming), removed=lines(told.removed, renaming), by=renaming.text(told.by))


def events_of(told: Entry) -> tuple[object, ...]:
    """The events that an entry of the record tells."""
    if isinstance(told, JointCorrection):
        return tuple(event for one in told.fixes for event in events_of(one))
    if isinstance(told, Fixed):
        return (*(line.event for line in told.lines), *(line.event for line in told.removed))
    if isinstance(told, Inserted):
        return tuple(line.event for line in told.lines)
    return ()

class _Kept(Struct):
    """A hand on disk: the fields of `HandReports`, and how many ``lines`` of the log are its own.

    ``probability``: how probable the outcome of one that is over is.
    """

    id: int
    sightings: tuple[dict[str, Raw], ...] = ()
    cleared: float | None = None
    fixes: tuple[WrittenFix, ...] = ()
    answers: tuple[tuple[str, str | None], ...] = ()
    closed: bool = False
    surely: float = 1.0
    unruled: bool = False
    untold: bool = False
    missed: bool = False
    doubted: ChipUncertainty = ()
    owned: float = 1.0
    later: tuple[Raw, ...] = ()
    lines: int = 0
    probability: float | None = None


class Unkept(ValueError):
    """The stored texts are not those of this evening, or a newer program has written them, so that the evening must be decoded
    again."""


_encode = msgspec.json.Encoder(decimal_format="number").encode
_decode = msgspec.json.Decoder(_Kept).decode
_decode_aside = msgspec.json.Decoder(tuple[dict[str, Raw], ...]).decode


def encode_hand(chapter: Chapter) -> str:
    """One hand as a text."""
    reports, game = chapter.reports, chapter.game
    kept: dict[str, Any] = {
        "id": reports.id,
        "sightings": [encode_sighting(sighting, game) for sighting in reports.sightings],
        "cleared": reports.cleared,
        "fixes": reports.fixes,
        "answers": reports.answers,
        "closed": reports.closed,
        "surely": reports.surely,
        "unruled": reports.unruled,
        "untold": reports.earlier_unruled,
        "missed": reports.missed,
        "doubted": reports.doubted,
        "owned": reports.owned,
        "later": reports.later,
        "lines": len(chapter.lines),
        "probability": chapter.probability if reports.closed else None,
    }
    return _encode(kept).decode()


def renamed_hand(text: str, game: Refereed, renaming: Renaming) -> str:
    """The text of a hand with the players' names as they are to be.

    Raises:
        Unkept: a newer program has written it.
    """
    try:
        kept = _decode(text)
        fixes = [fix(read_fix(one, game), renaming) for one in kept.fixes]
        later = [renaming.event(game.rules.LOG.decode_event(bytes(event))) for event in kept.later]
    except (msgspec.MsgspecError, ValueError) as error:
        raise Unkept(str(error)) from None
    plain = {name: getattr(kept, name) for name in kept.__struct_fields__}
    return _encode(plain | {"fixes": fixes, "later": later}).decode()


def encode_aside(evening: Evening) -> str:
    """What is kept beside the hands, as a text."""
    return _encode([encode_sighting(sighting, evening.game) for _, sighting in evening.aside]).decode()


def restored(game: Refereed, record: Record, log: Sequence[Line], hands: Sequence[str], aside: str = "[]") -> Evening:
    """The evening as it was kept. ``log``: its table log; ``hands``: the texts of all its hands, in order of play.

    Raises:
        Unkept: these do not belong together.
    """
    try:
        state = game.rules.begin(record.game)
        at, chapters = 1, []
        *past, current = map(_decode, hands)
        for kept in past:
            lines = tuple(log[at : at + kept.lines])
            if not kept.closed or len(lines) != kept.lines:
                raise Unkept(f"hand {kept.id} is not over, or lines of it are missing")
            chapter = Chapter(game, _reports(kept, game), state, kept=KeptHand(lines, kept.probability))
            chapters.append(chapter)
            at, state = at + kept.lines, chapter.after
        if at + current.lines != len(log):
            raise Unkept(f"the hands have {at + current.lines} lines, the log {len(log)}")
        chapters.append(decoded(game, _reports(current, game), state))
        seen = [decode_sighting(written, game) for written in _decode_aside(aside)]
        keys = [game.sighting_model.aside(sighting) for sighting in seen] if game.sighting_model is not None else []
    except (msgspec.MsgspecError, ValueError, KeyError) as error:
        raise error if isinstance(error, Unkept) else Unkept(str(error)) from None
    return Evening(game, record, tuple(chapters), tuple(zip(keys, seen, strict=True)))


def _reports(kept: _Kept, game: Refereed) -> HandReports:
    return HandReports(
        kept.id,
        tuple(decode_sighting(written, game) for written in kept.sightings),
        kept.cleared,
        tuple(read_fix(fix, game) for fix in kept.fixes),
        kept.answers,
        kept.closed,
        kept.surely,
        kept.unruled,
        kept.untold,
        kept.missed,
        kept.doubted,
        kept.owned,
        tuple(game.rules.LOG.decode_event(bytes(event)) for event in kept.later),
    )
