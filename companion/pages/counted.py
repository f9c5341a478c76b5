"""What is counted of every player, hand by hand, as a table: a row for each number, which says what it is in one hand. The
season's columns and the bars of an evening's charts are made of it. Pure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import astuple

from companion.pages.charts import Bar, Curve, Series, Strip, chart, series_of
from companion.pages.charts import Column as ChartColumn
from companion.pages.moments import Moment, is_tagged
from companion.pages.season import (
    Between,
    Column,
    EveningFigures,
    Kind,
    PlainSeason,
    PlayedLine,
    PlayerEvening,
    after_hand,
    hand_ends,
)
from companion.pages.sets import marks
from companion.table.game import Over, Rules, State
from companion.table.language import Lang, catalogue

OfHand = Callable[[Any, str], int | None]
"""What a hand came to, as the game's rules have it, and a player → the number in it; None where there is none."""


def nothing(hand: Any, player: str) -> None:
    """None for every hand: for columns that are not worked out from the hands."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One number. Counts are added up from hand to hand, of bests the highest stands.

    Attributes:
        id: its column in the season's book. of_hand: what it is in one hand.
        start: the number before the first hand; None: a player who did nothing that counts has none.
        label, help: head of the column, and a sentence on what it counts, marked by `N_`; without a label it is no column.
        runs: as of `companion.pages.season.Column`.
    """

    id: str
    kind: Kind
    of_hand: OfHand = nothing
    start: int | None = 0
    label: str = ""
    help: str = ""
    runs: bool = False

    def of(self, hands: Iterable[Any], player: str) -> int | None:
        """The column's number over these hands; None where no hand has one."""
        found = [number for hand in hands if (number := self.of_hand(hand, player)) is not None]
        begin = [] if self.start is None else [self.start]
        return max([*begin, *found], default=None) if self.kind == "best" else sum([*begin, *found])


class CountedSeason(PlainSeason):
    """`companion.pages.season.Season` of a game that counts.

    ``kept``: the columns in the order in which they stand in books. ``pairs``: what one does to another, and who does it to whom
    in one hand, as often as it is done."""

    counted: ClassVar[Sequence[Counted]]
    kept: ClassVar[Sequence[str]]
    pairs: ClassVar[Mapping[str, Callable[[Any], Iterable[tuple[str, str]]]]] = {}

    # What a game says of its own.

    def closed(self, state: State, *, ended: bool) -> State:
        """The game at its end; ``ended``: another evening has begun since."""
        return state

    def is_over(self, state: State) -> bool:
        """Whether nobody can go on with it."""
        return isinstance(self._rules.waiting(state), Over)

    def settled(self, state: State, *, ended: bool) -> bool:
        """As of `EveningFigures`; ``ended``: as of `closed`."""
        return self.is_over(state)

    @abstractmethod
    def has(self, state: State) -> Sequence[int]:
        """What everybody has; empty where that is not told."""

    def after(self, played: Sequence[PlayedLine], at: int) -> State:
        """The game when the hand that ended at ``at`` had been paid for."""
        return after_hand(self._rules, played, at)

    def more(
        self, played: Sequence[PlayedLine], state: State, after: Sequence[State], *, settled: bool
    ) -> Mapping[str, dict[str, int]]:
        """Player → further numbers by their columns. ``after``: the game after each hand that counts; ``settled``: whether
        money may be told."""
        return {}

    def others(self, state: State, told: Sequence[PlayerEvening]) -> Iterable[PlayerEvening]:
        """People who have not played, but put money in or took some."""
        return ()

    def finally_told(self, state: State, *, settled: bool) -> dict[str, Any]:
        """``unknown`` and ``left`` of the figures, where they are not the usual ones."""
        return {}

    # What follows from it.

    def columns(self, lang: Lang, /) -> tuple[Column, ...]:
        _ = catalogue(lang).gettext
        return tuple(Column(one.id, _(one.label), one.kind, _(one.help), one.runs) for one in self.counted if one.label)

    def evening(self, played: Sequence[PlayedLine], *, ended: bool) -> EveningFigures:
        state, counted = self.closed(played[-1].state, ended=ended), hand_ends(self._rules, played)
        settled, winner = self.settled(state, ended=ended), self._winner(state)
        hands = [hand for hand in state.hands if not hand.void]
        after = [self.after(played, at) for at in counted]
        more = self.more(played, state, after, settled=settled)
        stood, ends = [self.has(one) for one in (played[0].state, *after)], self.has(state)
        players = []
        for seat, name in enumerate(self._rules.names(state)):
            found = {one.id: one.of(hands, name) for one in self.counted if one.of_hand is not nothing} | more.get(name, {})
            figures = {id: number for id in self.kept if (number := found.get(id)) is not None}
            has = tuple(one[seat] for one in stood) if stood[0] else ()
            players.append(PlayerEvening(name, name == winner, figures, has, ends=ends[seat] if ends else None))
        players += self.others(state, players)
        return EveningFigures(
            tuple(players), len(counted), self.is_over(state), settled, tuple(self._pairs(hands)),
            **self.finally_told(state, settled=settled),
        )  # fmt: skip

    def _pairs(self, hands: Sequence[Any]) -> Iterator[Between]:
        for what, of_hand in self.pairs.items():
            counts: dict[tuple[str, str], int] = {}
            for by, to in (pair for hand in hands for pair in of_hand(hand)):
                counts[by, to] = counts.get((by, to), 0) + 1
            yield from (Between(what, by, to, count) for (by, to), count in counts.items())


class Charted(NamedTuple):
    """A number as a column of bars: as of `companion.pages.charts.Column`; ``head``: marked by `N_`; ``none``: how 0 is said."""

    counted: Counted
    head: str
    x: int
    width: int
    least: int = 1
    none: str = "0"


class CountedCharts:
    """`companion.pages.protocol.Charts` of a game that counts: what everybody has over the hands, then bars.

    ``rows``: a struct with a name, what they had after every hand, the same in words, the last of it, a number for each of
    ``bars``, after which hands it was set and, in a game in which chips are bought, after which they were. ``table``: a struct
    with the number of hands, the stake, the rows. ``curve``: head of the first column, marked by `N_`. ``buys``: tag of the event
    by which somebody (``by``) buys in once more; "" for none."""

    rows: ClassVar[type[Any]]
    table: ClassVar[type[Any]]
    curve: ClassVar[str]
    bars: ClassVar[Sequence[Charted]]
    buys: ClassVar[str] = ""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    @abstractmethod
    def has(self, state: State) -> Sequence[int]:
        """What everybody has, minor units."""

    @abstractmethod
    def amount_text(self, state: State, minor: int, lang: Lang) -> str:
        """A sum of money of this game (minor units) in words."""

    @abstractmethod
    def stake(self, state: State, lang: Lang) -> str:
        """What is played for; "" where nobody has said it."""

    def figures(self, moments: Sequence[Moment], lang: Lang, /) -> Any:
        """The figures of a game that has come this far; nothing but `Moment.seen` goes into them."""
        if not moments:
            return self.table(0, "", ())
        state, set_ = moments[-1].seen, marks(self._rules, moments)
        hands = [hand for hand in state.hands if not hand.void]
        had: list[Series] = series_of(self._rules, moments, self.has, lambda minor: self.amount_text(state, minor, lang))
        bought = self._bought(moments)
        rows = [
            self.rows(name, *series, *(bar.counted.of(hands, name) or 0 for bar in self.bars), set_.get(name, ()),
                      *([tuple(bought.get(name, ()))] if self.buys else []))
            for name, series in zip(self._rules.names(state), had, strict=True)
        ]  # fmt: skip
        return self.table(len(had[0].values) - 1, self.stake(state, lang), tuple(rows))

    def _bought(self, moments: Sequence[Moment]) -> dict[str, list[int]]:
        """Player → the hands (numbers, 0 for none) after which they have bought in once more."""
        found: dict[str, list[int]] = {}
        for now in moments if self.buys else ():
            if is_tagged(now, self.buys):
                found.setdefault(now.event.by, []).append(self._rules.hands(now.seen))
        return found

    def drawing(self, figures: Any, lang: Lang, /) -> str:
        """The drawing as an `<svg>` element; "" where there is no game."""
        _ = catalogue(lang).gettext
        columns = [ChartColumn(_(self.curve), 360, 480)]
        columns += [ChartColumn(_(bar.head), bar.x, bar.width, bar.least) for bar in self.bars]
        strips = []
        for name, values, _said, now, *counts_and_marks in map(astuple, figures.rows):
            counts, marks_ = counts_and_marks[: len(self.bars)], counts_and_marks[len(self.bars) :]
            bars = (Bar(count, str(count) if count else bar.none) for count, bar in zip(counts, self.bars, strict=True))
            strips.append(Strip(name, (Curve(values, now.text, *marks_), *bars)))
        return chart(_("The evening in figures"), columns, strips, figures.hands, _("set by the table"), _("Chips bought"))
