"""The acts of a tournament's organiser, as frozen values: they are its log, from which everything else is worked out."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.tournament.stu import Proposal

MAX_PEOPLE = 400
MAX_NAME_LENGTH = 30
MAX_TABLES = 60
"""Greatest number of tables of a round."""
MAX_HALL = 2000
"""Greatest number of names of a hall's own tables in a draw."""

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
MAX_CENTS = 10**7
Cents = Annotated[int, Meta(ge=0, le=MAX_CENTS)]
UnixSeconds = Annotated[int, Meta(ge=0, le=2**53)]
Pot = Literal["table", "common"]
"""Whom the stakes are for: those who win each table, or who wins the final."""
TableNumber = Annotated[int, Meta(ge=1, le=MAX_PEOPLE)]


class _Act(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """The base of all acts; each is tagged by ``what``."""


class Begin(_Act, tag="begin", frozen=True):
    """A tournament begins; the last one, if any, has been won. ``least``, ``most``: people at a table; ``go_on``: how many of
    each table go on to the next round, its winner alone, or the last two (rule 20); ``stake``: what each person pays, cents;
    ``points``: for the first of a table, the second, …; ``pot``: each table plays for the stakes of its own people, or the final
    for those of all; ``final_stake``: what each person of the final pays besides, cents."""

    least: Annotated[int, Meta(ge=2, le=39)] = 8
    most: Annotated[int, Meta(ge=2, le=39)] = 12
    go_on: Annotated[int, Meta(ge=1, le=2)] = 1
    stake: Cents = 200
    points: Annotated[tuple[Annotated[int, Meta(ge=0, le=10**6)], ...], Meta(max_length=12)] = (10, 6, 4, 3, 2, 1)
    pot: Pot = "table"
    final_stake: Cents = 0


class Enrol(_Act, tag="enrol", frozen=True):
    """These people play. After the draw of the first round they are late, and each sits down at the table with fewest people."""

    names: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MAX_PEOPLE)]


class Leave(_Act, tag="leave", frozen=True):
    """Somebody stops playing; their seat stays empty."""

    name: Name


class Paid(_Act, tag="paid", frozen=True):
    """Somebody has paid the stake, or (``final``) that of the final; or (``paid`` False) has not paid it after all."""

    name: Name
    paid: bool = True
    final: bool = False


class Draw(_Act, tag="draw", frozen=True):
    """The next round is drawn, with this printed seed. ``tables``: how many; 0: as few as the bounds allow; ``hall``: what the
    hall's own tables are called, for the round's tables to be played at, those that are on first."""

    seed: Annotated[int, Meta(ge=0, le=10**9)]
    tables: Annotated[int, Meta(ge=0, le=MAX_TABLES)] = 0
    hall: Annotated[tuple[Name, ...], Meta(max_length=MAX_HALL)] = ()


class At(_Act, tag="at", frozen=True):
    """This table of the round is played at the table that the hall calls ``hall``; "": it is not said at which."""

    table: TableNumber
    hall: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]


class Over(_Act, tag="over", frozen=True):
    """The game of a table of this round is over. ``places``: who was first, second, …, as far as told, but at least those who go
    on."""

    table: TableNumber
    places: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=39)]


class Ring(_Act, tag="ring", frozen=True):
    """The organiser rings the bell ``at`` this time, Unix time, seconds: in place of a clock, it proposes to all tables to hurry
    in this way. Each table does as it likes."""

    proposes: Proposal
    at: UnixSeconds


class Undo(_Act, tag="undo", frozen=True):
    """The last act that is still valid is taken back."""


Act = Begin | Enrol | Leave | Paid | Draw | At | Over | Ring | Undo
