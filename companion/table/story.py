"""Tells a game hand by hand and step by step, and prints that. For any game that can say what each event was.

`frame_said` has the lines that every game with hands and a dealer says alike; `Telling` is what `companion rule` asks of a game
that tells its rulings in words of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct

from companion.table.game import Rules, State
from companion.table.language import LANGS, Lang, catalogue
from companion.table.log import Event, Line, tag
from companion.table.sure import SURE_FROM
from companion.table.text import perhaps, printable, sentence, stopped


class Step(Struct, frozen=True):
    """One thing that happened. ``line``: its number in the log, from 1; ``e``: the event's tag; ``says``: language →
    sentences."""

    line: int
    e: str
    says: dict[Lang, str]


class HandStory(Struct, frozen=True):
    """A hand with its steps. ``order``: the players in the order of play."""

    n: int
    dealer: str
    order: tuple[str, ...]
    steps: tuple[Step, ...]


class Dealt(Protocol):
    """A hand that has at least a number, ``n``, from 1, and a ``dealer``."""

    @property
    def n(self) -> int: ...

    @property
    def dealer(self) -> str: ...


def hand_title(hand: Dealt, lang: Lang) -> str:
    """The title of a hand: its number and dealer."""
    return catalogue(lang).gettext("Hand {n}, dealt by {dealer}").format(n=hand.n, dealer=hand.dealer)


def only_the_outcome(lang: Lang) -> str:
    """The sentence for a hand with nothing known but its outcome."""
    return catalogue(lang).gettext("Only the outcome is known: the table has said it")


class Says(Protocol):
    """Tells a line of hand ``n``, and what followed from it, in one or several sentences; "" for a line that is not told."""

    def __call__(self, before: State, line: Line, after: State, n: int, lang: Lang, /) -> str: ...


def stories(
    rules: Rules, lines: Iterable[Line], says: Says, order: Callable[[State], tuple[str, ...]]
) -> tuple[HandStory, ...]:
    """All hands of a log, the one in progress included. ``order``: gives the order of play from a state in which a hand has just
    begun.

    Raises:
        GameError: the log cannot have happened.
    """
    steps: list[list[Step]] = []
    orders: list[tuple[str, ...]] = []
    state: State | None = None
    for number, line in enumerate(lines, start=1):
        if state is None:
            state = rules.begin(line.event)
            continue
        before, state = state, rules.apply(state, line.event)
        n = rules.hands(before) + rules.in_hand(before)
        if tag(line.event) == "hand":
            steps.append([])
            orders.append(order(state))
        elif n and (sentences := {lang: says(before, line, state, n, lang) for lang in LANGS})["en"]:
            steps[n - 1].append(Step(number, tag(line.event), sentences))
    if state is None:
        return ()
    return tuple(
        HandStory(n, rules.ruling(state, n).dealer, orders[n - 1], tuple(told)) for n, told in enumerate(steps, start=1)
    )


def sentences(said: Iterable[str]) -> str:
    """These sentences one after another, each with a capital letter and a full stop; empty ones left out.

    >>> sentences(["Anna passes", "", "the hand is void?"])
    'Anna passes. The hand is void?'
    """
    return " ".join(stopped(sentence(one)) for one in said if one)


def nothing_paid(lang: Lang, *, over: bool) -> str:
    """The sentence for a hand in which nobody has paid. ``over``: the hand is over, so that nobody will."""
    _ = catalogue(lang).gettext
    return _("nobody pays") if over else _("in progress")


Between = Mapping[int, Sequence[str]]
"""Number of a hand, 0 before the first → what is said between it and the next, a sentence each."""

Doubts = Mapping[int, Collection[Any]]
"""Number of a hand → what of its ruling is not sure, as the game's rules have it: payments, pots, mistakes. Hands without doubt
are left out."""
ALL_SURE: Doubts = MappingProxyType({})
RULING = "ruling"
"""Stands among what is not sure of a hand where that is its ruling as a whole."""
STANDS = 0
"""In place of a hand's number in `Doubts`: the players for whom it is not sure what they have by now."""


def act_sure(line: Line) -> bool:
    """Whether what a line says was done is sure. An `end` says nothing that was done: how sure it is, its hand's ruling is."""
    return line.confidence is None or line.confidence >= SURE_FROM or tag(line.event) == "end"


def ruling_sure(doubts: Doubts, n: int) -> bool:
    """Whether the ruling of hand ``n`` is sure; it is where there is no such hand."""
    return RULING not in doubts.get(n, ())


def printed(
    hands: Iterable[tuple[str, Sequence[str]]], standing: Sequence[str], between: Between, doubts: Doubts = ALL_SURE
) -> str:
    """The text to print: each hand's title with its lines indented below it, then what was said ``between`` it and the next; at
    the end the ``standing``, a line each. Every line of a hand whose ruling is in ``doubts`` has a question mark. Percent stand
    after a plain space, as people type it who search the text."""
    lines = list(between.get(0, ()))
    for n, (title, said) in enumerate(hands, start=1):
        sure = ruling_sure(doubts, n)
        lines += [title, *(f"  {perhaps(one, sure=sure)}" for one in said), *between.get(n, ())]
    if lines:
        lines.append("")
    return "\n".join(printable(line).replace("\u00a0%", " %") for line in (*lines, *standing))


def told_steps(stories: Iterable[HandStory], lang: Lang) -> dict[int, list[str]]:
    """Number of a hand → the sentences of its steps."""
    return {hand.n: [step.says[lang] for step in hand.steps] for hand in stories}


def frame_said(event: Event, n: int, dealer: str, lang: Lang) -> str | None:
    """The sentence for a line that begins or ends a hand, ends the game, or deals cards without naming them; None for any other
    line. ``n``, ``dealer``: of the hand in progress after the line."""
    _ = catalogue(lang).gettext
    match tag(event):
        case "hand":
            return _("Hand {n}: {dealer} deals").format(n=n, dealer=dealer)
        case "end":
            return _("The hand is over")
        case "close":
            return _("The game is over")
        case "deal" if not event.faces:
            return _("{player} is dealt cards").format(player=event.to)
    return None


Stories = tuple[Any, ...]
"""The hands of a game, step by step: frozen structs, which `--json --story` prints as they are."""


class Telling(Protocol):
    """Tells a game in the terminal."""

    def story(self, lines: Iterable[Line], /, *, doubts: Doubts | None = None) -> Stories:
        """All hands of a log, the one in progress included. ``doubts``: what of each hand is not sure: each sentence of that, and
        of a line that is not sure, has a question mark; None: no sentence has one."""

    def text(
        self, state: State, stories: Stories, lang: Lang, between: Between, doubts: Doubts = ALL_SURE, /
    ) -> list[str]:
        """The lines to print: all hands, each with its steps where there are ``stories``, or else its payments; what was said
        ``between`` them; and how everybody stands. ``doubts``: what of each hand is not sure; it has a question mark."""
