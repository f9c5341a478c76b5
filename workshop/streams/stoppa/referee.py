"""The referee over streams of Stoppa's sightings and of what the phone tells, and figures over what it makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from companion.games import GAMES
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Sighting
from companion.referee import Evening, observe
from companion.referee.corrections import Correction, belated, correct
from companion.table.errors import Illegal
from companion.table.log import Event, Line
from workshop.bench.stoppa.scoring import PlayedHand, played, same_cards
from workshop.scoring import Verdict, verdicts_on
from workshop.streams.adversary import ruled
from workshop.streams.stoppa.noise import Noise, corrupt
from workshop.streams.stoppa.truth import Told, evenings, ideal, standing, told


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict[PlayedHand], ...]:
    """The verdicts on the hands that are over in two logs of one evening, matched by the time that they share.

    Raises:
        companion.table.errors.GameError: one of the logs cannot have happened.
    """
    really, found = (tuple(hand for hand in played(lines) if hand.over) for lines in (true, seen))
    return verdicts_on(really, found, same_cards)


def stoppata_right(verdict: Verdict[PlayedHand]) -> bool:
    """Whether what the stoppata costs whom is right, whatever the phone has told of the rest."""
    return verdict.true is not None and verdict.seen is not None and verdict.true.amounts == verdict.seen.amounts


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """As of `adversary.Ruled`; ``stoppata``: share of hands whose stoppata's payments are right; ``laid``: of cards laid that are
    reported, with the right player."""

    hands: int
    right: float
    stoppata: float
    sure_but_wrong: float
    unsure: float
    laid: float
    calibration: float


def figures(verdicts: Iterable[Verdict[PlayedHand]]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true is not None]
    cards = sum(len(hand.laid) for hand in true)
    return StreamFigures(
        **ruled(verdicts),
        stoppata=sum(map(stoppata_right, verdicts)) / max(len(true), 1),
        laid=sum(len(verdict.found) for verdict in verdicts) / cards if cards else 1.0,
    )


def evening_of(game: tl.Game, stream: Iterable[Sighting | Told]) -> Evening:
    """The evening that the referee makes of a stream when nobody is asked. What cannot have happened, the phone does not tell."""
    evening = Evening.of(GAMES["stoppa"], game)
    for one in stream:
        evening = tell(evening, one) if isinstance(one, Told) else observe(evening, one)
    return evening


def tell(evening: Evening, told: Told) -> Evening:
    """The evening with a line told by thumb, after all that is known by then.

    The person with the phone sees at which punto the hand stands and who has dealt, and puts that right first. What cannot have
    happened is not told.
    """
    evening = _as_it_stands(evening, told)
    current = evening.current
    at = len(current.lines)
    ways: list[tuple[Event, ...]] = [(told.event,)]
    if isinstance(told.event, tl.Declare):  # what the eyes have read may speak against some of the cards
        ways.append((replace(told.event, cards=()),))
    for events in ways:
        try:
            return correct(evening, Correction(current.id, at, at, events, t=told.t))
        except Illegal:
            continue
    return belated(evening, ways[-1], told.t) or evening


def _as_it_stands(evening: Evening, told: Told) -> Evening:
    """The evening with the dealer and the punto put right, as far as that can be done."""
    if told.dealer is None:
        return evening
    return _with_punto(_with_dealer(evening, told.dealer), told)


def _with_dealer(evening: Evening, told: str) -> Evening:
    dealer, _ = standing(evening.current.after)
    lines = evening.current.lines
    hand = next((at for at, line in enumerate(lines) if isinstance(line.event, tl.Hand)), None)
    if dealer is None or hand is None or dealer == told:
        return evening
    return _corrected(evening, Correction(evening.current.id, hand, hand + 1, (tl.Hand(dealer=told),), t=lines[hand].t))


def _with_punto(evening: Evening, told: Told) -> Evening:
    dealer, phase = standing(evening.current.after)
    lines, number = evening.current.lines, evening.current.id
    if dealer is None:
        return evening
    at, deals = len(lines), len(evening.current.after.table.deals)
    if phase < told.phase:
        missing = tuple(tl.Piccolo() if count < deals else tl.Grosso() for count in range(phase, told.phase))
        return _corrected(evening, Correction(number, at, at, missing, t=told.t))
    if told.phase < phase and all(isinstance(line.event, tl.Piccolo | tl.Grosso) for line in lines[told.phase - phase :]):
        return _corrected(evening, Correction(number, at + told.phase - phase, at, (), t=told.t))
    return evening


def _corrected(evening: Evening, correction: Correction) -> Evening:
    try:
        return correct(evening, correction)
    except Illegal:
        return evening


def merged(seen: Iterable[Sighting], told: Iterable[Told]) -> tuple[Sighting | Told, ...]:
    """Both in the order of time in which they are reported."""
    return tuple(sorted([*seen, *told], key=lambda one: one.t))


def spoilt(true: tuple[Line, ...], noise: Noise, seed: str, *, phone: bool = True) -> tuple[Sighting | Told, ...]:
    """The stream of a true timed log, spoilt by the adversary; with no ``phone`` nobody tells a word."""
    seen = corrupt(ideal(true), noise, len(true[0].event.players), Random(f"noise {seed}"))
    return merged(seen, told(true) if phone else ())


def measured(hands: int, noise: Noise, seed: int, *, phone: bool = True) -> Iterator[tuple[Verdict[PlayedHand], ...]]:
    """The verdicts on what the referee makes of spoilt streams with ``hands`` hands in all, one evening at a time."""
    for number, true in enumerate(evenings(hands, seed)):
        made = evening_of(true[0].event, spoilt(true, noise, f"{seed} {number}", phone=phone))
        yield compare(true, made.log)
