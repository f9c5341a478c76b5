"""The referee over streams of Stoper's sightings and of what the phone tells, and figures over what it makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.games import GAMES
from companion.games.stoper.rules import log as tl
from companion.games.stoper.rules import waiting
from companion.games.stoper.sightings import Sighting
from companion.line.prompter import WAIT_SECONDS, Prompter
from companion.referee import Evening, at_the_end, observe
from companion.referee.corrections import Correction, correct
from companion.table.errors import Illegal
from companion.table.game import Turn
from companion.table.log import Line
from workshop.bench.stoper.scoring import PlayedHand, exactly, played, same_changes
from workshop.scoring import Verdict, verdicts_on
from workshop.streams.adversary import ruled
from workshop.streams.stoper.noise import Noise, corrupt, sure_at
from workshop.streams.stoper.truth import evenings, ideal, told


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict[PlayedHand], ...]:
    """The verdicts on the hands that are over in two logs of one evening, matched by the time that they share.

    Raises:
        companion.table.errors.GameError: one of the logs cannot have happened.
    """
    really, found = (tuple(hand for hand in played(lines) if hand.over) for lines in (true, seen))
    return verdicts_on(really, found, same_changes)


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """As of `adversary.Ruled`. ``showdowns``: hands in which somebody showed; ``compared``: share of those with all payments
    right; ``exact``: those told to the card, too. ``exchanges``: share of exchanges of a card or two that are reported, with the
    right number.
    """

    hands: int
    showdowns: int
    right: float
    compared: float
    exact: float
    sure_but_wrong: float
    unsure: float
    exchanges: float
    calibration: float


def figures(verdicts: Iterable[Verdict[PlayedHand]]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true is not None]
    compared = [verdict for verdict in verdicts if verdict.true is not None and verdict.true.compared]
    changes = sum(len(hand.changed) for hand in true)
    return StreamFigures(
        **ruled(verdicts),
        showdowns=len(compared),
        compared=sum(verdict.right for verdict in compared) / len(compared) if compared else 1.0,
        exact=sum(map(exactly, compared)) / len(compared) if compared else 1.0,
        exchanges=sum(len(verdict.found) for verdict in verdicts) / changes if changes else 1.0,
    )


THUMB = 1.0
"""Seconds from a word to its tap."""


def evening_of(game: tl.Game, seen: Sequence[Sighting], words: Iterable[Line]) -> Evening:
    """The evening that the referee makes of a stream when nobody is asked. What cannot have happened, the phone does not tell."""
    evening, now, words = Evening.of(GAMES["stoper"], game), 0.0, tuple(words)
    phone = Prompter(words, THUMB, served)
    taps = (((line.t or 0.0) + wait, None) for line in words for wait in (THUMB, THUMB + WAIT_SECONDS + 0.1))
    for now, one in sorted([*((sure_at(one), one) for one in seen), *taps], key=lambda moment: moment[0]):
        evening = phone(evening, now)
        if one is not None:
            evening = observe(evening, one)
    return phone(at_the_end(evening), now + THUMB)


def served(evening: Evening, line: Line) -> Evening:
    """The evening with this line, where it fits once all who are still waited for in the exchange are told to be served."""
    current = evening.current
    hand, turn = current.after.hand, waiting(current.after)
    if hand is None or not isinstance(turn, Turn) or turn.step != "cambio" or isinstance(line.event, tl.Cambio | tl.Hand):
        return evening
    names, at = current.after.table.names, len(current.lines)
    events = (*(tl.Cambio(by=names[seat], n=0) for seat in hand.todo), line.event)
    try:
        return correct(evening, Correction(current.id, at, at, events, t=line.t))
    except Illegal:
        return evening


def measured(hands: int, noise: Noise, seed: int, *, phone: bool = True) -> Iterator[tuple[Verdict[PlayedHand], ...]]:
    """The verdicts on what the referee makes of spoilt streams with ``hands`` hands in all, one evening at a time; with no
    ``phone`` nobody tells a word."""
    for number, true in enumerate(evenings(hands, seed)):
        game = true[0].event
        seen = corrupt(ideal(true), noise, len(game.players), Random(f"noise {seed} {number}"))
        yield compare(true, evening_of(game, seen, told(true) if phone else ()).log)
