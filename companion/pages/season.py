"""From evening to evening: what a game tells of an evening, and the season's table that the house sums from it. Pure.

A game names its columns and fills them for one evening; the house knows only evenings, wins, and how a column is summed. What is
told of an evening holds no language, so that it can be kept; it says only what hands that are over have laid open.
"""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

from companion.pages.doubts import end_confidence, least_sure
from companion.pages.moments import Moment, advance, up_to_the_last_hand
from companion.table.errors import GameError
from companion.table.game import Over, Rules, State
from companion.table.language import Lang, catalogue
from companion.table.log import Line, tag
from companion.table.text import short

if TYPE_CHECKING:
    from companion.pages.protocol import Pages

Kind = Literal["count", "best", "money", "points"]
"""How a column is summed: counts, money (minor units) and points are added up, of bests the highest stands. A column of points is
shown only where a game was played for points."""


class Column(Struct, frozen=True):
    """A column of the season's table. ``label``: its head; ``help``: what it counts, in a sentence; ``runs``: a best that is a
    number of hands from the first one on, and goes on in the next part of a game."""

    id: str
    label: str
    kind: Kind
    help: str = ""
    runs: bool = False


class PlayedLine(NamedTuple):
    """A line of a log and the game after it."""

    line: Line
    state: State


class PlayerEvening(Struct, frozen=True):
    """One player's evening. ``figures``: column → number; a column that is left out was not told, such as the money of a game
    that is not over. ``stood``: what they had at the beginning and after every hand that counts; ``ends``: what they have after
    all that was told since, such as chips bought, None where that is not told. ``played``: False for a partner from outside, who
    has put money in or taken some."""

    name: str
    won: bool = False
    figures: dict[str, int] = {}
    stood: tuple[int, ...] = ()
    played: bool = True
    ends: int | None = None


class Between(Struct, frozen=True):
    """How often ``by`` did ``what``, in the game's own terms, to ``to``."""

    what: str
    by: str
    to: str
    count: int


class EveningFigures(Struct, frozen=True):
    """What a game tells of an evening.

    Attributes:
        players: in the order of the log, then partners from outside.
        hands: those over and not void. over: the game is.
        settled: the log says what everybody has won or lost, or no money is played for. A game that nobody closed is settled,
            too, once another has begun, if nothing lies on the table.
        sure: of every such hand how probable its ruling is, None where nobody measured it.
        sets: how often the table has said how it stands, whatever the hands came to.
        unknown: the log does not say who had paid what before it began, so nobody's winnings can be counted.
        last: how probable the ruling of the last hand is, with which the game may have ended, be it void; of a game that is over,
            and in which what somebody has hangs on a hand that is not sure, how probable the least sure hand is. None as above.
        left: what nobody took home (minor units), below 0 where more was taken than the log tells of. With what all have won or
            lost it comes to 0.
        points: what is won and lost is a number of points, no money: `Column.kind` says which column has it. points_open: these
            are not final yet, and are told nowhere.
        went_on: it went on as another game, as somebody came or went. What that one holds of its money, a pot that is still
            played for, say, is settled there.
        holds: it would hold, or goes on holding, what was put in in a game that it goes on from, as a pot does.
    """

    players: tuple[PlayerEvening, ...]
    hands: int
    over: bool
    settled: bool
    between: tuple[Between, ...] = ()
    sure: tuple[float | None, ...] = ()
    sets: int = 0
    unknown: bool = False
    left: int = 0
    last: float | None = None
    points: bool = False
    points_open: bool = False
    went_on: bool = False
    holds: bool = False

    @property
    def counts(self) -> bool:
        """Whether this is an evening at all: a hand was played that counts; or before one was, the game is over or went on with
        other money than nothing."""
        return self.hands > 0 or ((self.over or self.went_on) and self._moved)

    @property
    def _moved(self) -> bool:
        return self.sets > 0 or any(one.figures.get(money) for one in self.players for money in ("net", "points"))

    def unsure(self, sure_from: float) -> int:
        """How many hands are counted as they stand though nobody has confirmed them."""
        return sum(1 for one in self.sure if one is not None and one < sure_from)


class Pair(NamedTuple):
    """Something that one does to another, as a player's page heads it."""

    id: str
    given: str
    taken: str


class Season(Protocol):
    """What a game tells from evening to evening. Pure."""

    @property
    def revision(self) -> int:
        """Raised when the same log would give other figures: what was kept is then worked out again."""

    @property
    def curve(self) -> str | None:
        """The column that is drawn evening by evening, added up; None: the wins."""

    @property
    def tells_cards(self) -> bool:
        """Whether a figure says which cards somebody had: a hand in which these may be others is then not sure."""

    @property
    def has_balance(self) -> bool:
        """Whether what a player has in the end is what they have won or lost, so that a page which tells one tells both."""

    def columns(self, lang: Lang, /) -> tuple[Column, ...]:
        """Its own columns, in order; the house puts evenings and wins before them."""

    def between(self, lang: Lang, /) -> tuple[Pair, ...]:
        """Which `Between.what` a player's page tells."""

    def evening(self, played: Sequence[PlayedLine], *, ended: bool) -> EveningFigures:
        """What an evening came to. ``played`` ends between two hands; ``ended``: another evening has begun since, and no hand was
        left unfinished: this one may be over, though nobody has closed it. `EveningFigures.sure`, ``sets`` and ``last``
        are filled in by the house."""

    def stands(self, stood: int, lang: Lang, /) -> str:
        """What a player has, such as "2 pedine", from `PlayerEvening.ends`."""

    def highlights(self, told: EveningFigures, lang: Lang, /) -> tuple[str, ...]:
        """The evening's funniest figures as sentences, the best first."""


class PlainSeason:
    """The season of a game that tells nothing of its own: evenings and wins. ``winner``: who has won a game that is over."""

    revision = 1
    curve: str | None = None
    tells_cards = False
    has_balance = False

    def __init__(self, rules: Rules, winner: Callable[[State], str | None]) -> None:
        self._rules, self._winner = rules, winner

    def columns(self, lang: Lang, /) -> tuple[Column, ...]:
        return ()

    def between(self, lang: Lang, /) -> tuple[Pair, ...]:
        return ()

    def evening(self, played: Sequence[PlayedLine], *, ended: bool) -> EveningFigures:
        rules, state = self._rules, played[-1].state
        over = isinstance(rules.waiting(state), Over)
        winner = self._winner(state) if over else None
        players = tuple(PlayerEvening(name=name, won=name == winner) for name in rules.names(state))
        return EveningFigures(players, len(hand_ends(rules, played)), over, settled=True)

    def stands(self, stood: int, lang: Lang, /) -> str:
        return str(stood)

    def highlights(self, told: EveningFigures, lang: Lang, /) -> tuple[str, ...]:
        return ()


def hand_ends(rules: Rules, played: Sequence[PlayedLine]) -> tuple[int, ...]:
    """Where in ``played`` each hand that counts was over: a void one does not count."""
    return tuple(
        at
        for at in range(1, len(played))
        if rules.hands(played[at].state) > rules.hands(played[at - 1].state) and tag(played[at].line.event) != "void"
    )


def after_hand(rules: Rules, played: Sequence[PlayedLine], at: int) -> State:
    """The game after the hand that ended at ``at``, or as the table has then said that it stands."""
    state, hands = played[at].state, rules.hands(played[at].state)
    for one in played[at + 1 :]:
        if tag(one.line.event) == "hand" or rules.hands(one.state) > hands:
            break
        state = one.state if tag(one.line.event) == "set" else state
    return state


def told_of(
    rules: Rules, pages: Pages, lines: Iterable[Line], *, ended: bool, went_on: bool = False
) -> EveningFigures | None:  # fmt: skip
    """What a log comes to, as far as it can have happened; None where it tells no game. ``ended``: another evening has begun
    since. A log that was left in mid-hand has not ended: what lies on the table is nobody's yet. ``went_on``: it went on as
    another game, unless it is over."""
    log, moments = tuple(lines), list[Moment]()
    with suppress(GameError):
        for line in log:
            moments.append(advance(rules, pages, moments[-1] if moments else None, line))
    return _figures(rules, pages, log, moments, ended=ended, went_on=went_on)


def told_so_far(rules: Rules, pages: Pages, moments: Sequence[Moment], *, ended: bool) -> EveningFigures | None:
    """As `told_of`, for a game whose moments are known already."""
    return _figures(rules, pages, [moment.lines[-1] for moment in moments], moments, ended=ended)


def _figures(
    rules: Rules, pages: Pages, lines: Sequence[Line], moments: Sequence[Moment], *, ended: bool, went_on: bool = False
) -> EveningFigures | None:
    played = _between_hands(rules, pages, lines, moments)
    if not played:
        return None
    ended = ended and not rules.in_hand(moments[-1].seen)
    sets = sum(tag(one.line.event) == "set" for one in played)
    sure = _sure(rules, pages, played, moments)
    last = played[-1].state
    over, holds = isinstance(rules.waiting(last), Over), pages.won_before(last) == {}
    surely = end_confidence(rules, pages, moments) if over else dict(moments[-1].sure).get(rules.hands(last))
    if not went_on or not ended or over:
        return replace(pages.season.evening(played, ended=ended), sure=sure, sets=sets, last=surely, holds=holds)
    found = pages.season.evening(played, ended=not holds)  # else it is settled in the game that it went on as
    return replace(found, sure=sure, sets=sets, last=surely, went_on=True, settled=holds or found.settled, holds=holds)


def without_money(told: EveningFigures, columns: Iterable[Column]) -> EveningFigures:
    """The figures of an evening whose money, in these columns, counts elsewhere: nobody can know what it came to alone."""
    money = {one.id for one in columns if one.kind == "money"}
    if all(money.isdisjoint(one.figures) for one in told.players):
        return told
    players = (replace(one, figures={id: n for id, n in one.figures.items() if id not in money}) for one in told.players)
    return replace(told, players=tuple(players), unknown=True, left=0)


def _between_hands(
    rules: Rules, pages: Pages, lines: Sequence[Line], moments: Sequence[Moment]
) -> tuple[PlayedLine, ...]:  # fmt: skip
    """The log with the game after each line as everybody has seen it, up to the last moment between two hands: a hand in progress
    may hold cards that are not shown yet. ``lines``: one for each moment, or more. A line that stands for an outcome is certain:
    somebody has stated it."""
    over = up_to_the_last_hand(rules, pages, moments)
    played = [*lines[: len(over)]]
    if over and over[-1] is not moments[len(over) - 1]:  # one line has ended its last hand and begun the next
        played[-1] = over[-1].lines[-1]
    told = zip(played, over, strict=True)
    return tuple(PlayedLine(line if now.event is not None else replace(line, confidence=1.0), now.seen) for line, now in told)


def _sure(rules: Rules, pages: Pages, played: Sequence[PlayedLine], moments: Sequence[Moment]) -> tuple[float | None, ...]:
    """How probable it is that each hand went as it is counted: as its ruling is (`Moment.sure`) or, where figures tell a card
    that may be another, no more than its least sure line."""
    least = least_sure(rules, pages, moments) if pages.season.tells_cards else {}
    known = {n: (confidence,) for n, confidence in moments[-1].sure}
    over = (rules.hands(played[at].state) for at in hand_ends(rules, played))
    return tuple(min((*known.get(n, ()), *least.get(n, ())), default=None) for n in over)


@dataclass(frozen=True)
class Evening:
    """A game that counts. ``game``: its id; ``started``: Unix seconds; ``who``: each player's person, None for a forgotten
    one, in the order of ``told.players``; ``unsure``: how many of its hands nobody has confirmed; ``night``: the day on which
    the night began to which it belongs, so that a rematch after midnight is of the same evening; ``part_of``: the last of the
    games that went on as one another, as somebody came or went, which are one game in parts; None: it is no such part."""

    game: int
    started: float
    told: EveningFigures
    who: tuple[str | None, ...]
    unsure: int
    night: datetime.date
    part_of: int | None = None

    @property
    def counted_as(self) -> int:
        """The game as which it counts: the same for all that went on as one another."""
        return self.game if self.part_of is None else self.part_of

    def players_of(self, person: str) -> tuple[PlayerEvening, ...]:
        """What is told of this person: two entries where two names of theirs sat at the table."""
        return tuple(player for player, who in zip(self.told.players, self.who, strict=True) if who == person)


class Row(Struct, frozen=True):
    """A person's season. ``games``: those that they played (`Evening.counted_as`), in these ``nights``; ``figures``: column → sum
    or best; ``unsure``: hands of their games that nobody has confirmed; ``sets``: how often the table has said in them how it
    stands."""

    person: str
    games: frozenset[int] = frozenset()
    won: int = 0
    figures: dict[str, int] = {}
    unsure: int = 0
    sets: int = 0
    nights: frozenset[datetime.date] = frozenset()

    @property
    def evenings(self) -> int:
        """How many games they played."""
        return len(self.games)


def rows(evenings: Iterable[Evening], columns: Sequence[Column], *, partly: bool = False) -> dict[str, Row]:
    """Everybody's season, by person. That of two lists of evenings together is the sum of both. An evening's money is in all
    columns of it or in none, so that they agree; ``partly``: as far as it is known, as an evening by itself shows it."""
    found: dict[str, Row] = {}
    runs: dict[tuple[str, int, str], int | None] = {}
    for evening in evenings:
        for person in dict.fromkeys(evening.who):
            if person is not None:
                row, players = found.get(person) or Row(person), evening.players_of(person)
                players = tuple(_run_on(player, person, evening, columns, runs) for player in players)
                found[person] = _plus(row, evening, players, columns, partly)
    return found


def _run_on(
    player: PlayerEvening, person: str, evening: Evening, columns: Sequence[Column],
    runs: dict[tuple[str, int, str], int | None],
) -> PlayerEvening:  # fmt: skip
    """The player's evening, where what ran through all the parts of the game before this one goes on. ``runs``: how far it has
    come, of a person, in a game and a column; None once it has ended."""
    longer = dict[str, int]()
    for column in columns:
        if column.runs and (figure := player.figures.get(column.id)) is not None:
            key = person, evening.counted_as, column.id
            before = runs.get(key, 0)
            longer[column.id] = (before or 0) + figure
            runs[key] = longer[column.id] if before is not None and figure == evening.told.hands else None
    return replace(player, figures=player.figures | longer) if longer else player


def _plus(row: Row, evening: Evening, players: Sequence[PlayerEvening], columns: Sequence[Column], partly: bool) -> Row:
    figures = dict(row.figures)
    for player in players:
        whole = partly or all(column.id in player.figures for column in columns if column.kind == "money")
        for column in (column for column in columns if whole or column.kind != "money"):
            if (figure := player.figures.get(column.id)) is not None:
                before = figures.get(column.id, figure if column.kind == "best" else 0)
                figures[column.id] = max(before, figure) if column.kind == "best" else before + figure
    won, played = any(player.won for player in players), any(player.played for player in players)
    unsure, sets = row.unsure + evening.unsure, row.sets + evening.told.sets
    nights = row.nights | {evening.night} if played else row.nights
    games = row.games | {evening.counted_as} if played else row.games
    return Row(row.person, games, row.won + won, figures, unsure, sets, nights)


def dealings(evenings: Iterable[Evening], person: str) -> dict[str, tuple[Counter[str | None], Counter[str | None]]]:
    """What this person did to others, and others to them: what → how often to whom, and how often by whom. None stands for
    everybody forgotten."""
    found: defaultdict[str, tuple[Counter[str | None], Counter[str | None]]] = defaultdict(lambda: (Counter(), Counter()))
    for evening in evenings:
        who = {player.name: one for player, one in zip(evening.told.players, evening.who, strict=True)}
        for one in evening.told.between:
            by, to = who.get(one.by), who.get(one.to)
            if by == person:
                found[one.what][0][to] += one.count
            if to == person:
                found[one.what][1][by] += one.count
    return dict(found)


def finest(
    told: EveningFigures, sentences: Iterable[tuple[Callable[[PlayerEvening], int], int, Callable[[int], str]]], lang: Lang
) -> tuple[str, ...]:
    """The evening's finest figures as sentences: the greatest of each figure, if it reaches its least and not too many
    share it. Where two share it, it is said of one of them, and that the other has the same: said of both together it would
    read as the sum.

    ``sentences``: the figure of a player, from which number on it is said, and the text for a number, with blanks for
    ``{player}`` and ``{n}``.
    """
    said = []
    for figure, least, text_for in sentences:
        n = max(map(figure, told.players), default=0)
        names = [short(player.name) for player in told.players if figure(player) == n]
        if n >= least and len(names) <= _MAX_NAMED:
            text = text_for(n).format(player=names[0], n=n)
            also = catalogue(lang).gettext("{said}, and {other} the same")
            said += [also.format(said=text, other=other) for other in names[1:]] or [text]
    return tuple(said)


def figure_of(column: str) -> Callable[[PlayerEvening], int]:
    """What a player's evening came to in this column, 0 where it was not told."""
    return lambda player: player.figures.get(column, 0)


_MAX_NAMED = 2
"""When more players share a figure, nobody is named for it."""


def under_names(told: EveningFigures, names: Sequence[str]) -> EveningFigures:
    """The figures with other names for their players; ``names``: in the order of the players."""
    called = {player.name: name for player, name in zip(told.players, names, strict=True)}
    return replace(
        told,
        players=tuple(replace(player, name=called[player.name]) for player in told.players),
        between=tuple(replace(one, by=called.get(one.by, one.by), to=called.get(one.to, one.to)) for one in told.between),
    )
