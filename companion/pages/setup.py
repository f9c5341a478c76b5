"""The steps of setting up an evening that are a game's own, and what can be wrong with what is typed there. Pure.

Camera, table, players and the beginning are every game's. A game may ask for more, each step on a page of its own: the template
`games/WING/STEP.html` at `/setup/STEP`. What it learns lies in the draft of the evening as a frozen value of the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.language import Lang
from companion.table.log import Event

Own: TypeAlias = Any
"""What a game's own steps have learnt: a frozen value that only the game looks into."""

Faces = Callable[[], Sequence[str | None]]
"""Reads the face that lies before each player now, by the camera: a kind's id, None where none can be read; empty without one."""


class Wrong(ValueError):
    """Something that was typed or tapped cannot be. ``message``: why, with its ``blanks``; translated where it is shown."""

    def __init__(self, message: str, **blanks: object) -> None:
        super().__init__(message)
        self.message, self.blanks = message, blanks


def checked(begin: Callable[[Any], State], game: Event, messages: Mapping[str, str]) -> None:
    """Ask the rules for the game that this first line begins. Raises Wrong with the message for what they have against it
    (``messages``: by the reason's code), and whatever they raise where there is none."""
    try:
        begin(game)
    except Illegal as error:
        if error.code in messages:
            raise Wrong(messages[error.code]) from error
        raise


class Fact(NamedTuple):
    """A line of the last page before the beginning. ``step``: where it can be changed, None where it needs no link."""

    label: str
    text: str
    step: str | None = None


class Taken(NamedTuple):
    """What a form came to. ``names``: the players, in the order in which they now sit; ``then``: the next step, None after the
    last."""

    names: tuple[str, ...]
    own: Own
    then: str | None = None


class Step(Protocol):
    """A page with a form."""

    @property
    def name(self) -> str:
        """Its address, and its template's name."""

    def page(self, names: tuple[str, ...], own: Own, form: Mapping[str, str], lang: Lang, faces: Faces) -> dict[str, Any]:
        """What its template is given besides the draft. ``form``: what was typed, where it has just been refused."""

    def take(self, names: tuple[str, ...], own: Own, form: Mapping[str, str]) -> Taken:
        """Take in what was typed.

        Raises:
            Wrong: it cannot be.
        """


class Setup(Protocol):
    """What a game asks for before it begins."""

    @property
    def most_players(self) -> int:
        """How many can play, at most."""

    @property
    def late(self) -> str | None:
        """What to say of an evening that has begun already and is taken over (marked by `N_`); None where that cannot be."""

    @property
    def steps(self) -> Sequence[Step]:
        """The game's own steps; the first one comes after the players."""

    def fresh(self, *, late: bool) -> Own:
        """What is known before anything was typed. ``late``: the evening has begun already."""

    def again(self, first: Event, state: State) -> Own:
        """What is known of another evening at the same table, as the ``first`` line of this one has it and its last ``state``."""

    def seated(self, own: Own, before: tuple[str, ...], names: tuple[str, ...]) -> Own:
        """After the players were named; ``before``: who they were until then."""

    def game_line(self, names: tuple[str, ...], own: Own) -> Event:
        """The first line of the log. Whether the rules allow it is asked afterwards.

        Raises:
            Wrong: something is missing.
        """

    def sums(self, own: Own) -> frozenset[int]:
        """Every sum of money that was typed so far, minor units: a large one is asked about."""

    def facts(self, names: tuple[str, ...], own: Own, lang: Lang) -> tuple[Fact, ...]:
        """What was learnt, to look at before it begins."""
