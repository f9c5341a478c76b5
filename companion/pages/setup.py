"""The steps of setting up an evening that are a game's own, and what can be wrong with what is typed there. Pure.

Camera, table, players and the beginning are every game's. A game may ask for more, each step on a page of its own: the template
`games/ID/STEP.html` at `/setup/STEP`. What it learns lies in the draft of the evening as a frozen value of the game's own.

`usual` and its neighbours have house rules on a form: their values as a form says them, and the usual ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct, to_builtins
from msgspec.structs import fields

from companion.table.errors import Illegal
from companion.table.game import State
from companion.table.language import N_, Lang
from companion.table.log import Event
from companion.table.money import Minor, Points, TooLarge, minor_units, points_of

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


NO_MONEY = N_("“{typed}” is no sum in euros, such as 2 or 2.50.")
NO_POINTS = N_("“{typed}” is no number of points, such as 200.")


def amount(text: str, least: int, most: int, *, points: bool = False, no_sum: str = NO_MONEY) -> int:
    """A typed sum of euros in minor units (cents), or a number of ``points``. Raises Wrong where it is none, and where it is not
    from ``least`` to ``most``: it says which of these it is. ``no_sum``: the message for what is no sum of euros."""
    kind = Points if points else Minor
    try:
        found = points_of(text) if points else minor_units(text)
    except TooLarge:
        found = most + 1
    except ValueError as error:
        raise Wrong(NO_POINTS if points else no_sum, typed=text) from error
    if found > most:
        raise Wrong(N_("“{typed}” is too much: {most} at most."), typed=text, most=kind(most))
    if found < least:
        raise Wrong(N_("“{typed}” is too little: {least} at least."), typed=text, least=kind(least))
    return found


def count(text: str, most: int, message: str, **blanks: object) -> int:
    """A typed whole number from 0 to ``most``. Raises Wrong with the ``message`` elsewhere, in whose blanks it is, too."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most):
        raise Wrong(message, most=Points(most), **blanks)
    return int(text)


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
    def people(self) -> str:
        """What to say of a game at which somebody comes or goes between two hands: what stays (marked by `N_`)."""

    @property
    def first_places(self) -> int:
        """Places that the page of names has before any was added: the fewest that people play with."""

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

    def continued(self, first: Event, state: State) -> Own:
        """What is known of the game that takes the place of this one when somebody comes or goes between two hands: what
        everybody has goes along, so that the money of both adds up.

        Raises:
            Wrong: as it stands now it would not add up.
        """

    def seated(self, own: Own, before: tuple[str, ...], names: tuple[str, ...]) -> Own:
        """After the players were named; ``before``: who they were until then."""

    def game_line(self, names: tuple[str, ...], own: Own) -> Event:
        """The first line of the log. Whether the rules allow it is asked afterwards.

        Raises:
            Wrong: something is missing.
        """

    def said_at_once(self, own: Own) -> Sequence[Event]:
        """What follows the first line, before anybody has said anything: how a game stands that goes on, where that line cannot
        say it."""

    def sums(self, own: Own) -> frozenset[int]:
        """Every sum of money that was typed so far, minor units: a large one is asked about."""

    def facts(self, names: tuple[str, ...], own: Own, lang: Lang) -> tuple[Fact, ...]:
        """What was learnt, to look at before it begins."""


def form_text(value: object) -> str:
    """A house rule's value as a form says it.

    >>> form_text(True), form_text(3), form_text("noted")
    ('true', '3', 'noted')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def meant(text: str) -> object:
    """The value that a form's text stands for: "true", "false", a number, or a word.

    >>> meant("false"), meant("3"), meant("noted")
    (False, 3, 'noted')
    """
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() else text


def picked(form: Mapping[str, str], asked: Iterable[str]) -> dict[str, object]:
    """House rule → the answer on a form, of those that are ``asked`` there."""
    return {name: meant(form[name]) for name in asked if name in form}


def usual(rules: Struct) -> dict[str, Any]:
    """House rule, by its name in a log → the usual answer; ``rules``: as they are where the table has said nothing."""
    return {of.encode_name: getattr(rules, of.name) for of in fields(rules)}


def chosen(rules: Struct) -> dict[str, Any]:
    """House rule, by its name in a log → the answer, of those that are not the usual ones."""
    plain: dict[str, Any] = to_builtins(rules)
    return plain


Asked: TypeAlias = Mapping[str, tuple[str, Mapping[str, str]]]
"""House rule → what it decides, and each answer; the usual one comes first."""


def rules_on_page(rules: Struct, plain: Struct, asked: Asked) -> dict[str, Any]:
    """What a page that asks for house rules is given: ``rules`` as they are now, and as they are in a ``plain`` game."""
    return {
        "rules": asked,
        "picked": {name: form_text(value) for name, value in chosen(rules).items()},
        "defaults": {name: form_text(value) for name, value in usual(plain).items()},
    }


def unusual(rules: Struct, asked: Asked) -> list[Fact]:
    """The house rules that are not the usual ones, to look at."""
    answers = chosen(rules)
    return [Fact(question, said_by[form_text(answers[name])]) for name, (question, said_by) in asked.items() if name in answers]
