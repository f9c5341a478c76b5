"""What an organiser can do to an evening, as frozen values; `companion.editing.edit` does it, or says why it cannot be."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, json
from msgspec.structs import replace

from companion.games import Game
from companion.table.log import Event

MAX_EVENTS = 200
"""Greatest number of lines in one command: more than the longest hand of a game, in which six bet in every round."""
MAX_SHOWN = 500
"""Greatest number of a hand's lines: far more than thirty-nine players need."""
MAX_TEXT_LENGTH = 200
MAX_OUTCOME_NUMBER = 10**15
"""The largest number that is read of a player's outcome, minor units of money among them; `with_outcome` has the game's own."""


class _Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """What all commands share: frozen, tagged by ``what``."""


Events = Annotated[tuple[Any, ...], Meta(max_length=MAX_EVENTS)]
"""As they come from a phone: plain dicts, until `read` has made events of them."""
SomeEvents = Annotated[tuple[Any, ...], Meta(min_length=1, max_length=MAX_EVENTS)]
Shown = Annotated[tuple[Any, ...], Meta(max_length=MAX_SHOWN)]
"""All lines of a hand as a phone showed them, by their events."""
Index = Annotated[int, Meta(ge=0)]


class Say(_Command, tag="say", frozen=True):
    """This happened next, in the hand in progress or between hands."""

    events: SomeEvents


class Change(_Command, tag="change", frozen=True):
    """Lines ``start`` to ``stop`` (excluded) of the hand with this id give way to ``events``: changed, inserted or deleted.

    ``shown``: all lines of the hand as the phone showed them; None to trust the indices. ``beside``: index of the line that the
    events were put before, or after; None where they stand in place of some. ``mend``: later lines that could then not have
    happened go with it, of this hand and of later ones, and an answer that must come first is put in.
    """

    hand: Index
    start: Index
    stop: Index
    events: Events = ()
    shown: Shown | None = None
    beside: Index | None = None
    mend: bool = False


class Insert(_Command, tag="insert", frozen=True):
    """Before the hand with this id, one was played that the camera has missed: ``events``, from its `hand` to its end."""

    hand: Index
    events: SomeEvents


class Answer(_Command, tag="answer", frozen=True):
    """The answer to a question; ``choice`` None: "don't know"."""

    question: Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)]
    choice: Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)] | None = None


class Confirm(_Command, tag="confirm", frozen=True):
    """The hand with this id was just so. ``shown``: as in `Change`."""

    hand: Index
    shown: Shown | None = None


class Outcome(_Command, tag="outcome", frozen=True):
    """The hand with this id came to just this, and nobody can tell the rest. ``paid``: player → what they paid, or had left: see
    `companion.pages.protocol.Outcomes`."""

    hand: Index
    paid: Annotated[dict[str, Annotated[int, Meta(ge=0, le=MAX_OUTCOME_NUMBER)]], Meta(max_length=MAX_EVENTS)]


class Undo(_Command, tag="undo", frozen=True):
    """What was said last is taken back. ``entry``: just that entry of the record, or nothing; None: whatever it is."""

    entry: Index | None = None


class Redo(_Command, tag="redo", frozen=True):
    """What was taken back last is said again. ``entry``: as in `Undo`, the withdrawal."""

    entry: Index | None = None


Command = Say | Change | Insert | Answer | Confirm | Outcome | Undo | Redo


class NoEvent(ValueError):
    """What was sent is no event of the game."""


class StaleVersion(ValueError):
    """What the command speaks of is no more, or something else has happened in its place: it is to be looked at again."""


def read(command: Command, game: Game) -> Command:
    """The command with the game's own events in it. Raises NoEvent where it has no such event."""
    if isinstance(command, Say | Change | Insert):
        command = replace(command, events=read_events(command.events, game))
    if isinstance(command, Change | Confirm) and command.shown is not None:
        command = replace(command, shown=read_events(command.shown, game))
    return command


def read_events(plain: tuple[Any, ...], game: Game) -> tuple[Event, ...]:
    """The game's events that plain dicts say. Raises NoEvent where one says none."""
    try:
        return tuple(game.rules.LOG.event(one) for one in plain)
    except ValidationError as error:
        raise NoEvent(str(error)) from error


def plain(event: Event) -> dict[str, Any]:
    """The event as in a table log: what `read_events` reads."""
    found: dict[str, Any] = json.decode(json.encode(event))
    return found
