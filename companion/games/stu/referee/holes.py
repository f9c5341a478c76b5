"""Times in which nothing of the table could be seen: what may have happened in a hand, and whether another one was dealt.

A hole is an `Unseen` of the whole table with the `Resumed` that followed it, once that has come. From then on it is known which
cards lie just as before, and so were hardly exchanged, and where the deck lies now, which goes on with every deal. The length of
a hole shorter than `MIN_TIMED_SECONDS` by the source's clock is not known (`companion.eyes.following.splices`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from companion.eyes.sighting import CameraMoved, Unseen
from companion.games.stu.referee.history import History
from companion.games.stu.referee.moves import draws, runs_back, swaps
from companion.games.stu.rules import State
from companion.games.stu.rules.state import Hand, Position
from companion.games.stu.sightings import Appeared, DeckExchanged, Exchanged, Resumed, Shown, Sighting
from companion.table.text import MIN_TIMED_SECONDS

SLICE_SECONDS = 2.5
"""Seconds of a hole in which about one act happens."""
MAX_SLICES = 5
"""Acts in a hole that are considered, at most."""
ACT_SECONDS = 4.0
"""Mean seconds between acts."""
MIN_IDLE_LOG = math.log(0.5)
"""Least logarithm of the probability that nothing happens in a slice, however long it is: players think, or leave the table."""
LAIN_AS_BEFORE, LIES_DIFFERENTLY = math.log(0.05 / 0.6), math.log(0.95 / 0.4)
"""Logarithms of likelihood ratios, exchanged to untouched, of a card that lies just as one lay there before, and of one that lies
differently. Both were measured on the bench."""
DEAL_SECONDS = 5.0
"""Seconds, at least, in which a hand ends and the next is dealt."""
DEAL_MIDDLE, DEAL_SPREAD, DEAL_MOST = 18.0, 3.0, 0.8
"""The probability that a new hand has been dealt is a logistic curve of the hole's length: its middle and its spread, seconds,
and the probability in a very long hole."""
HAND_MIDDLE, HAND_SPREAD = 32.0, 4.0
"""The middle and the spread, seconds, of the same curve for a whole hand that was dealt, played and gathered."""
REST_SECONDS = 10.0
"""Seconds for which a hand goes on after a hole began in it, by a guess."""
DEALT_SAME, DEALT_MOVED = 0.05 / 0.6, 0.95 / 0.4
"""Likelihood ratios of a new deal: for each card that lies as before, and for each that lies differently."""
TURNED_RATIO = 300.0
"""Likelihood ratio of a new deal for each place where a card lay face up and now lies a back, or another card."""
STILL_OPEN = 0.1
"""Likelihood ratio of a new deal for each card that still lies face up."""
DECK_ELSEWHERE, DECK_THERE = 0.03, 0.3
"""Probabilities that the deck lies beside another player than the dealer, and that it stays in one place all evening."""

COMPARED_SECONDS = 2.0
"""Seconds after a hole until it is known how the table lies."""
DEALT_SECONDS = 1.5
"""Seconds after the end of a hole: a card that appears later than this was dealt after the hole."""

UNTIMED_SECONDS = 20.0
"""Assumed length of a hole of unknown length, in seconds: long enough for a new deal."""

AT_ITS_END = 0.5
"""Seconds before the end of a hole: what was seen later than this counts as seen at its end, as times are only so exact."""

DEALS: Final = ("0", "1", "2")
"""The numbers of hands that may have been dealt in a hole."""


@dataclass(frozen=True, slots=True)
class Hole:
    """``unseen``: when; ``resumed``: how the table lay afterwards, None until it has been looked at. ``compared``: the same
    hand's cards lay there before and afterwards."""

    unseen: Unseen
    resumed: Resumed | None
    compared: bool = False

    @property
    def seconds(self) -> float:
        """How long it was, or is taken to have been."""
        measured = self.unseen.until - self.unseen.t
        return measured if measured >= MIN_TIMED_SECONDS else UNTIMED_SECONDS

    def at(self, seconds: float) -> float:
        """The source's time this many ``seconds`` after the hole began."""
        return self.unseen.t + (self.unseen.until - self.unseen.t) * seconds / self.seconds

    @property
    def key(self) -> str:
        """Unique in its hand."""
        return f"{self.unseen.t:.2f}-{self.unseen.until:.2f}"


@dataclass(frozen=True, slots=True)
class Behind:
    """A part of a hole, from ``t`` to ``until`` by the source's clock, in which about one act may have happened. ``seconds``: how
    long it was, or is taken to have been; ``end``: of the hole."""

    t: float
    until: float
    seconds: float
    end: float
    same: frozenset[int]
    moved: frozenset[int]


def holes_within(sightings: Iterable[Sighting]) -> tuple[Hole, ...]:
    """The holes in which something may have happened in the hand: not those before its first card was seen to be dealt."""
    sightings = tuple(sightings)
    first = min((one.t for one in sightings if isinstance(one, Appeared)), default=-math.inf)
    return tuple(hole for hole in holes(sightings) if first <= hole.unseen.until + DEALT_SECONDS)


def holes(sightings: Iterable[Sighting]) -> tuple[Hole, ...]:
    """The holes among these sightings, by time."""
    sightings = tuple(sightings)
    resumed = {one.t: one for one in sightings if isinstance(one, Resumed)}
    times = [one.t for one in sightings if not isinstance(one, Unseen | Resumed | CameraMoved)]
    first, last = min(times, default=math.inf), max(times, default=-math.inf)
    return tuple(
        Hole(one, resumed.get(one.t), first < one.t and last >= one.until)
        for one in sightings if isinstance(one, Unseen) and one.places is None
    )  # fmt: skip


def awaited(sightings: Iterable[Sighting], t: float) -> bool:
    """Whether at ``t`` seconds the eyes are about to report how the table lies after a hole."""
    ends = (hole.unseen.until for hole in holes(sightings) if hole.resumed is None)
    return any(end <= t <= end + COMPARED_SECONDS for end in ends)


def parts(hole: Hole) -> Iterator[Behind]:
    """The hole in parts."""
    count = min(MAX_SLICES, max(1, round(hole.seconds / SLICE_SECONDS)))
    length = hole.seconds / count
    lies = hole.resumed if hole.compared else None
    same, moved = (frozenset(lies.same), frozenset(lies.moved)) if lies is not None else (frozenset(), frozenset())
    for number in range(count):
        yield Behind(hole.at(number * length), hole.at((number + 1) * length), length, hole.unseen.until, same, moved)


def behind(history: History, hand: Hand, part: Behind) -> Iterator[History]:
    """What ``history`` may have become in this part of a hole: one act, or none."""
    history = replace(history, unseen_until=part.end)
    seconds = part.seconds
    happened = math.log(-math.expm1(-max(seconds, 0.1) / ACT_SECONDS))
    yield replace(history, weight=history.weight + max(-seconds / ACT_SECONDS, MIN_IDLE_LOG))
    if history.showing:
        return
    places = [hand.order[position] for position in hand.positions()]
    if history.exchange_expected:
        pair = [place for place in places if history.state.table.names[place] in history.exchange_expected]
        cost = happened + _lies(part, pair)
        yield replace(history, weight=history.weight + cost, exchange_expected=frozenset(), acted=part.until)
    for position in hand.positions():
        neighbour = hand.after(position)
        if neighbour < len(hand.order):
            cost = happened + _lies(part, [hand.order[position], hand.order[neighbour]])
            for giver, taker in ((position, neighbour), (neighbour, position)):
                yield from _marked(swaps(history, history.player(giver), history.player(taker), cost, part), part)
    dealer: Position = hand.dealer_position
    if dealer in hand.positions():
        yield from _marked(draws(history, dealer, happened + _lies(part, [hand.order[dealer]]), part), part)
    yield from _marked(runs_back(history, happened, part.t), part)


def _marked(found: Iterable[History], part: Behind) -> Iterator[History]:
    for one in found:
        yield replace(one, unseen_until=part.end)


def _lies(part: Behind, places: Iterable[int]) -> float:
    """Logarithm of the likelihood ratio of an exchange between these places, by how their cards lie afterwards."""
    return sum(LAIN_AS_BEFORE if place in part.same else LIES_DIFFERENTLY if place in part.moved else 0.0 for place in places)


def began_in(hole: Hole, sightings: Iterable[Sighting]) -> bool:
    """Whether the first card of the hand was seen at the end of the hole: it was dealt in it, or between two looks."""
    first = min((one.t for one in sightings if isinstance(one, Appeared)), default=math.inf)
    return hole.unseen.t <= first and first >= hole.unseen.until - AT_ITS_END


def ended_in(hole: Hole, sightings: Iterable[Sighting]) -> bool:
    """Whether nothing of the hand was seen after the hole, and no card lay there: it ended in it, or had ended before."""
    lies = hole.resumed
    later = any(isinstance(one, Appeared | Shown | Exchanged | DeckExchanged) and one.t >= hole.unseen.until for one in sightings)
    return not later and (lies is None or not (lies.backs or lies.faces))


def over_in(hole: Hole, sightings: Iterable[Sighting]) -> float:
    """When a hand that ended in the hole was over, by a guess (seconds of the source)."""
    return hole.at(_rest(hole, sightings))


def _rest(hole: Hole, sightings: Iterable[Sighting]) -> float:
    """Seconds from the hole's beginning to the end of the hand that was on, by a guess: 0 where all had shown their cards."""
    sightings = [one for one in sightings if one.t < hole.unseen.t]
    dealt, shown = ({one.place for one in sightings if isinstance(one, kind)} for kind in (Appeared, Shown))
    return 0.0 if dealt <= shown else min(REST_SECONDS, hole.seconds / 2)


def deals(hole: Hole, before: State, sightings: Iterable[Sighting]) -> dict[str, float]:
    """The probabilities that no, one or two hands (`DEALS`) were dealt in the hole beside the one that the sightings are of.

    ``before``: the state before that hand. Where that hand began in the hole, the others were played in it as a whole.
    """
    sightings = tuple(sightings)
    if hole.seconds < DEAL_SECONDS:
        return {"0": 1.0}
    dealers = _dealers(before)
    if began_in(hole, sightings):
        whole = _logistic((hole.seconds - HAND_MIDDLE) / HAND_SPREAD)
        return _weighed({"0": 1 - whole, "1": whole}, hole, dealers, passed=True)
    rest = _rest(hole, sightings)
    whole = _logistic((hole.seconds - rest - HAND_MIDDLE) / HAND_SPREAD)
    if ended_in(hole, sightings):
        return _weighed({"0": 1 - whole, "1": whole}, hole, dealers[1:], passed=hole.resumed is not None)
    one = DEAL_MOST * _logistic((hole.seconds - DEAL_MIDDLE) / DEAL_SPREAD)
    odds = {"0": 1 - one, "1": one * (1 - whole), "2": one * whole}
    if hole.resumed is not None:
        lies = hole.resumed
        dealt = DEALT_SAME ** len(lies.same) * DEALT_MOVED ** len(lies.moved) * TURNED_RATIO ** len(lies.turned)
        dealt *= STILL_OPEN ** len(set(lies.faces) & set(lies.same))
        if not rest:  # all had shown their cards: what lies there face down is another hand's
            dealt *= TURNED_RATIO ** min(len(lies.backs), 2)
        odds = {value: odd * (1.0 if value == "0" else dealt) for value, odd in odds.items()}
    return _weighed(odds, hole, dealers, passed=False)


def _dealers(before: State) -> tuple[int, ...]:
    """The seats that deal this hand and the next three, as things now stand."""
    last = before.next_dealer()
    order = sorted(before.in_play, key=lambda seat: (seat - last) % len(before.table.names))
    return tuple(order[number % len(order)] for number in range(4))


def _weighed(odds: dict[str, float], hole: Hole, dealers: tuple[int, ...], *, passed: bool) -> dict[str, float]:
    """These odds weighed by where the deck lies; they sum to 1. It should lie with the first of the ``dealers`` if no hand was
    dealt, with the second after one, and so on.

    ``passed``: the deck may have been handed to the next dealer before the hole began.
    """
    was, lies = hole.resumed.deck if hole.resumed is not None else (None, None)
    if lies is not None and (passed or was in (None, dealers[0])):
        elsewhere = DECK_THERE if was is None else DECK_ELSEWHERE
        stayed = DECK_THERE if was == lies else 0.0  # at some tables the deck lies in the same place all evening
        for (value, odd), deals_it in zip(list(odds.items()), dealers, strict=False):
            odds[value] = odd * (1 - elsewhere if lies == deals_it else max(elsewhere, stayed))
    total = sum(odds.values())
    return {value: odd / total for value, odd in odds.items()}


def likeliest(odds: Mapping[str, float]) -> str:
    """The value with the highest odds, the first of several."""
    return max(odds, key=lambda value: odds[value])


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))
