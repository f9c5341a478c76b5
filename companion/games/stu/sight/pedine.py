"""Counts the pedine before each player: cards of another game, or of no deck that the eyes know, that lie still beside a place.

They lie side by side or fanned, often nearer to the neighbour's place than to the player's own. So those that touch are taken
together as a row, and the whole row belongs to the place that is nearest to one of its ends.

Pedine are cards of any maker, so it does not matter what the eyes call them. A pedina has the size and the shape of a card; it is
no card of Stù, neither the hand's own card in a place nor the deck; and it lies in the same spot in most looks of several
seconds.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion.decks.lists import PEDINE
from companion.eyes.sighting import Point, TableView
from companion.games.stu.sightings import PedineSeen

VOTE_SECONDS = 6.0
"""Seconds of looks that vote on each spot: hands and glare hide pedine for moments."""
VOTE_LOOKS = 8
"""Looks, at least, for a vote."""
LIES, GONE = 0.5, 0.35
"""Share of looks, 0 to 1, that must have found a card in a spot for one to lie there, and below which it lies there no more."""
SETTLED_SECONDS = 1.0
"""Seconds for which a count must have stood before it is reported: of two pedine put down together one becomes sure first."""
SAME_SPOT = 0.3
"""Card lengths from a spot within which a card that is found is the same one. Fanned cards lie nearer to one another, but each
look finds each of them once."""
SEVERAL_WIDTHS = 1.11
"""Width of a pedina that lies alone, in median widths of the pedine on the table, from which on it is two of a tight fan, found
as one. It must be wider than `MAX_WIDTH`, too."""
MAX_WIDTH = 0.72
"""Width of a pedina, in lengths of a Stù card, that no single card of a French deck exceeds."""
FEWEST, SURELY = 3, 0.78
"""Pedine that the median needs, at least; where there are fewer, the width, in lengths of a Stù card, that decides."""
LOOK_WEIGHT = 0.15
"""Weight of each look in the mean of where a card lies."""
MIN_APART_LENGTHS = 0.13
"""Card lengths between two pedine, at least: half of what shows of each in the tightest fan. What lies nearer is one pedina found
twice."""
STIRRED_LENGTHS = 0.5
"""Card lengths around a spot within which motion, mostly a hand, makes a look that finds nothing say nothing."""
TOUCHING_LENGTHS = 0.8
"""Card lengths between centres below which they belong to one row: side by side they are two thirds of a length apart."""
REACH_LENGTHS = 1.7
"""Card lengths from its place within which a row begins."""
OWN_LENGTHS = 0.5
"""Card lengths from a place, or from where its card lies, within which what looks strange is the hand's own card under a hand."""
HOME_LENGTHS = 0.75
"""Card lengths from a place within which a Stù card is the one that is played there."""
LENGTH_RANGE = (0.75, 1.25)
"""Least and greatest length of a pedina, in lengths of a Stù card; bridge and poker cards are a little shorter than one of
Stù."""
WIDTH_RANGE = (0.42, 0.88)
"""Least and greatest width of a pedina as a share of its length: a coaster is square, a receipt slimmer."""

Found = Literal["", "card", "stack"]
"""What a look found in a spot: nothing, a card, or a stack of several."""


@dataclass(slots=True)
class Spot:
    """Where on the table a card was found, first at ``since`` seconds; ``at``, ``width`` (0: not known): means of late, table
    coordinates. ``lies``: a pedina lies there.

    ``votes``: of each look that votes its time (seconds), and whether it found nothing here, a card or a stack.
    """

    at: Point
    since: float
    width: float
    votes: deque[tuple[float, Found]] = field(default_factory=deque)
    lies: bool = False
    missed: float | None = None
    """The first of the latest looks in a row that found nothing here."""

    def settle(self, at: Point, width: float) -> None:
        """A card of this ``width`` was found ``at`` this point. A card that is carried past leaves the spot behind."""
        self.at = self.at[0] + LOOK_WEIGHT * (at[0] - self.at[0]), self.at[1] + LOOK_WEIGHT * (at[1] - self.at[1])
        self.width += LOOK_WEIGHT * (width - self.width)

    def vote(self, t: float, found: Found) -> None:
        """One more look at ``t`` seconds."""
        self.votes.append((t, found))
        while self.votes[0][0] < t - VOTE_SECONDS:
            self.votes.popleft()
        self.missed = None if found else t if self.missed is None else self.missed
        enough = len(self.votes) >= VOTE_LOOKS and t - self.votes[0][0] >= VOTE_SECONDS / 2 and self.missed is None
        cards, stacks = self.number("card"), self.number("stack")
        self.lies = cards > stacks and cards + stacks >= (GONE if self.lies else LIES) * len(self.votes) and (enough or self.lies)

    def number(self, what: Found) -> int:
        """The number of looks that found this here."""
        return sum(found == what for _, found in self.votes)

    @property
    def probability(self) -> float:
        """The probability that a card lies here, from these looks."""
        return (len(self.votes) - self.number("") + 1) / (len(self.votes) + 2)


class Pedine:
    """Counts the pedine of one table. ``centres``: (N, 2) table coordinates of the places.

    `step` takes the views in order of time and returns the counts that have just become sure or have changed.
    """

    def __init__(self, centres: NDArray[np.float64]) -> None:
        self._centres = centres
        self._spots: list[Spot] = []
        self._places = [Counted() for _ in centres]

    def step(
        self, view: TableView, hidden: frozenset[int] = frozenset(), length: float = 0.0, own: Sequence[Point | None] = (),
        deck: Point | None = None,
    ) -> tuple[PedineSeen, ...]:  # fmt: skip
        """The counts that became sure with this view. ``hidden``: places that could not be seen in it, which do not vote.

        ``length``: of a Stù card, table coordinates, 0 where none has been seen; ``own``: where the hand's cards lie, by place;
        ``deck``: where that lies.
        """
        length = length or (float(np.median(view.lengths)) if view.lengths else 0.0)
        gone = self._look(view, candidates(view, self._centres, length, own, deck), length, hidden)
        lying = list(_once([spot for spot in self._spots if spot.lies], MIN_APART_LENGTHS * length))
        usual = float(np.median([spot.width for spot in lying])) if len(lying) >= FEWEST else SURELY / SEVERAL_WIDTHS * length
        broadest = max(SEVERAL_WIDTHS * usual, MAX_WIDTH * length)
        told = []
        for number, (place, spots) in enumerate(zip(self._places, self._before(lying, length), strict=True)):
            count = 2 if len(spots) == 1 and spots[0].width > broadest else len(spots)
            place.count(view.t, count, spots, gone, number in hidden)
            if (sure := place.sure(view.t, number in hidden)) is not None:
                told.append(PedineSeen(sure, number, count, place.probability(spots)))
        return tuple(told)

    def _look(self, view: TableView, found: Sequence[int], length: float, hidden: frozenset[int]) -> list[Spot]:
        """Follow the spots through one more view; ``found``: indices of its cards that may be pedine. Returns the spots that are
        bare now."""
        near = sorted(
            (math.dist(spot.at, view.centres[i]), n, i)
            for n, spot in enumerate(self._spots) for i in found if math.dist(spot.at, view.centres[i]) < SAME_SPOT * length
        )  # fmt: skip
        spots: dict[int, int] = {}
        taken: set[int] = set()
        for _, n, i in near:
            if n not in spots and i not in taken:
                spots[n] = i
                taken.add(i)
        kept: list[Spot] = []
        gone: list[Spot] = []
        moving = view.motion.ground[view.motion.moving] if view.motion is not None else np.zeros((0, 2))
        for n, spot in enumerate(self._spots):
            lay = spot.lies
            if n in spots:
                spot.settle(view.centres[spots[n]], _width(view, spots[n]))
                spot.vote(view.t, "stack" if view.cards[spots[n]].side == "stack" else "card")
            elif self._nearest(spot.at) not in hidden and not _stirred(spot.at, moving, STIRRED_LENGTHS * length):
                spot.vote(view.t, "")
            (kept if spot.lies or (not lay and spot.number("") < len(spot.votes)) else gone).append(spot)
        fresh = [Spot(view.centres[i], view.t, _width(view, i)) for i in found if i not in taken]
        for spot, i in zip(fresh, (i for i in found if i not in taken), strict=True):
            spot.vote(view.t, "stack" if view.cards[i].side == "stack" else "card")
        self._spots = [*kept, *fresh]
        return gone

    def _nearest(self, at: Point) -> int:
        return int(np.linalg.norm(self._centres - np.array(at), axis=1).argmin())

    def _before(self, lying: Sequence[Spot], length: float) -> list[list[Spot]]:
        """The spots that make up the rows before each place."""
        found: list[list[Spot]] = [[] for _ in self._centres]
        for row in rows([spot.at for spot in lying], TOUCHING_LENGTHS * length):
            distances = np.linalg.norm(self._centres[:, None] - np.array(row)[None], axis=2).min(axis=1)
            nearest = int(distances.argmin())
            if distances[nearest] <= REACH_LENGTHS * length:
                found[nearest] += [spot for spot in lying if spot.at in row]
        return found


def _once(spots: Sequence[Spot], apart: float) -> Iterator[Spot]:
    """The ``spots``, surest first, without those that are nearer than ``apart`` to a surer one."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda one: -one.number("card")):
        if all(math.dist(spot.at, other.at) >= apart for other in kept):
            kept.append(spot)
            yield spot


def _stirred(at: Point, moving: NDArray[np.float64], reach: float) -> bool:
    """Whether one of the points that are ``moving`` (n, 2) is within ``reach`` of ``at``."""
    return len(moving) > 0 and bool((np.abs(moving - np.array(at)).max(axis=1) < reach).any())


@dataclass(slots=True)
class Counted:
    """The count of one place. ``looks``: times (seconds) of those that vote; ``since``: when the count began to hold; ``stood``:
    when it was first worked out; ``reported``: the count reported last."""

    looks: deque[float] = field(default_factory=deque)
    number: int = 0
    before: tuple[int, ...] = ()
    since: float | None = None
    stood: float = 0.0
    reported: int | None = None

    def count(self, t: float, number: int, spots: Sequence[Spot], gone: Sequence[Spot], hidden: bool) -> None:
        """At ``t`` seconds ``number`` pedine lie in these ``spots`` before the place, and none any more in those that are
        ``gone``."""
        if not hidden:
            self.looks.append(t)
            while self.looks[0] < t - VOTE_SECONDS:
                self.looks.popleft()
        if self.since is None or number != self.number:
            fresh = [spot.since for spot in spots if id(spot) not in self.before]
            taken = [spot.missed for spot in gone if spot.missed is not None and id(spot) in self.before]
            self.since = max([*fresh, *taken], default=t)
            self.number, self.stood = number, t
        self.before = tuple(map(id, spots))

    def sure(self, t: float, hidden: bool) -> float | None:
        """Since when (seconds) the count holds, where it is to be reported now; else None."""
        enough = len(self.looks) >= VOTE_LOOKS and t - self.looks[0] >= VOTE_SECONDS / 2
        if hidden or not enough or t - self.stood < SETTLED_SECONDS or self.number == self.reported:
            return None
        self.reported = self.number
        return self.since

    def probability(self, spots: Sequence[Spot]) -> float:
        """The probability that the count is right."""
        none = (len(self.looks) + 1) / (len(self.looks) + 2)
        return round(min([none, *(spot.probability for spot in spots)]), 2)


def candidates(
    view: TableView, centres: NDArray[np.float64], length: float, own: Sequence[Point | None] = (), deck: Point | None = None
) -> list[int]:
    """Indices of the cards of a view that may be pedine, or stacks of them; the arguments are those of `Pedine.step`."""
    hands = _own_cards(view, centres, length, own)
    return [
        i for i, card in enumerate(view.cards)
        if card.deck == PEDINE or (card.deck == "unknown" and _strange(view, i, length, [*hands, *([deck] if deck else [])]))
    ]  # fmt: skip


def _own_cards(
    view: TableView, centres: NDArray[np.float64], length: float, own: Sequence[Point | None]
) -> list[Point]:
    """Where the hand's cards may be: the middle of each place, and where its card lies, or where it lay when it is not seen."""
    stu = [view.centres[i] for i, card in enumerate(view.cards) if card.deck == "stu" and card.side != "stack"]
    found: list[Point] = []
    for number, centre in enumerate(centres):
        middle = float(centre[0]), float(centre[1])
        seen = [at for at in stu if math.dist(at, middle) < HOME_LENGTHS * length]
        lay = own[number] if number < len(own) else None
        found += [middle, *(seen or ([lay] if lay is not None else []))]
    return found


def _strange(view: TableView, i: int, length: float, taken: Sequence[Point]) -> bool:
    """Whether this card of an unknown deck may be a pedina: it has the size and shape of one, and lies at none of the points that
    are ``taken`` by Stù cards."""
    if any(math.dist(view.centres[i], at) < OWN_LENGTHS * length for at in taken):
        return False
    broad = _width(view, i) / view.lengths[i] if view.widths else sum(WIDTH_RANGE) / 2
    return LENGTH_RANGE[0] <= view.lengths[i] / length <= LENGTH_RANGE[1] and WIDTH_RANGE[0] <= broad <= WIDTH_RANGE[1]


def _width(view: TableView, i: int) -> float:
    """The card's width in table coordinates; 0 where it is not known."""
    return view.widths[i] if view.widths else 0.0


def rows(points: list[Point], gap: float) -> list[list[Point]]:
    """The points in groups: every point is nearer than ``gap`` to another one of its group."""
    left, found = list(points), []
    while left:
        row = [left.pop()]
        for point in row:  # the row grows during the loop
            near = [other for other in left if math.dist(point, other) < gap]
            row += near
            left = [other for other in left if other not in near]
        found.append(row)
    return found
