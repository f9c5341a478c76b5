"""The ledger's evenings as a season: what each came to, worked out once, and whose name is whose.

The games' logs are the only source: an evening that is corrected corrects the season. What a finished evening came to is kept
with the version of its log that it was worked out from.
"""

from __future__ import annotations

import datetime
import functools
import json
import threading
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from companion.clock import night_of
from companion.games import GAMES, game_of_log, shown_games
from companion.ledger import GameEntry, Ledger, SeasonBook
from companion.line.chains import counts_elsewhere, goes_on_from, part_of
from companion.line.renaming import Forgetting
from companion.pages.season import Evening, EveningFigures, told_of, under_names, without_money
from companion.table import people as names
from companion.table.errors import LedgerError
from companion.table.language import Lang
from companion.table.log import Line
from companion.table.people import People, Same
from companion.table.sure import SURE_FROM

_FORMAT = 5
"""Rises when kept figures are written, or counted, in another way."""
_NOBODY = "\0"
"""A name that begins so is of somebody who was forgotten when the evening was worked out."""
FIRST_MONTH = 9
"""A season begins with September."""


class GameResult(Struct, frozen=True):
    """What a game of the ledger came to, and which of the house's it is (on disk `wing`)."""

    game_id: str = field(name="wing")
    figures: EveningFigures


class Record(Struct, frozen=True):
    """A game of the ledger that has players. ``counts``: whether it is part of the season; ``went_on_as``: the game
    that it went on as, None for none; ``part_of``: as of `companion.pages.season.Evening`."""

    game: int
    started: float
    source: str
    counts: bool
    told: GameResult
    went_on_as: int | None = None
    part_of: int | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """Who sat at the table."""
        return tuple(player.name for player in self.told.figures.players if player.played)

    @property
    def names(self) -> tuple[str, ...]:
        """Who sat at the table, and partners from outside."""
        return tuple(player.name for player in self.told.figures.players)


class Span(Struct, frozen=True):
    """Days, the first and the last among them; None: no bound."""

    first: datetime.date | None = None
    last: datetime.date | None = None

    @classmethod
    def of_season(cls, year: int) -> Span:
        """The season that begins in September of this year, to the end of August."""
        return cls(datetime.date(year, FIRST_MONTH, 1), datetime.date(year + 1, FIRST_MONTH, 1) - datetime.timedelta(days=1))

    def holds(self, started: float) -> bool:
        """Whether a game that began then (Unix seconds) is of these days."""
        day = night_of(started)
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


@dataclass(frozen=True)
class Seasons:
    """Everything that the season's pages are made of, at one moment.

    Attributes:
        records: the ledger's games, the oldest first, those that do not count among them.
        people: whose name is whose. written: how each person is written.
        sure_from: from which probability on a hand is sure.
    """

    records: tuple[Record, ...]
    people: People
    written: dict[str, str]
    sure_from: float = SURE_FROM

    def played(self) -> tuple[str, ...]:
        """Which of the house's games have evenings that count, the one with most first."""
        return tuple(game_id for game_id, _ in Counter(one.told.game_id for one in self.records if one.counts).most_common())

    def years(self) -> tuple[int, ...]:
        """The years in which seasons with evenings begin, the newest first."""
        return tuple(sorted({year_of(night_of(one.started)) for one in self.records if one.counts}, reverse=True))

    def evenings(self, game_id: str, span: Span | None = None) -> tuple[Evening, ...]:
        """The evenings of a game that count, the oldest first."""
        return tuple(
            self.evening(one) for one in self.records
            if one.counts and one.told.game_id == game_id and (span is None or span.holds(one.started))
        )  # fmt: skip

    def evening(self, record: Record) -> Evening:
        """A record with its players' persons."""
        figures = record.told.figures
        who = tuple(self.people.person(player.name) for player in figures.players)
        unsure, night = figures.unsure(self.sure_from), night_of(record.started)
        return Evening(record.game, record.started, figures, who, unsure, night, record.part_of)

    def clashes(self, person: str) -> tuple[Record, ...]:
        """Evenings at which two names of this person sat at the table."""
        return tuple(one for one in self.records if one.counts and self._sat(one).count(person) > 1)

    def together(self, one: str, other: str) -> bool:
        """Whether two people have sat at the same table."""
        return any({one, other} <= set(self._sat(record)) for record in self.records if record.counts)

    def known_names(self) -> tuple[str, ...]:
        """The names of everybody remembered, those who come most often first, and of several who come equally often the one
        who came last."""
        came: Counter[str] = Counter()
        last: dict[str, float] = {}
        for record in self.records:
            if record.counts:
                for person in {who for who in self._sat(record) if who is not None}:
                    came[person] += 1
                    last[person] = record.started
        return tuple(self.written[person] for person in sorted(came, key=lambda who: (-came[who], -last[who], who)))

    def _sat(self, record: Record) -> list[str | None]:
        return [self.people.person(name) for name in record.players]


class Book(Protocol):
    """What is kept from evening to evening: `companion.ledger.SeasonBook`, or a hall's. Raises LedgerError."""

    @property
    def off(self) -> bool: ...

    @property
    def open(self) -> bool: ...

    def links(self) -> dict[str, str]: ...

    def link(self, links: Mapping[str, str], /) -> None: ...

    def forgotten(self) -> frozenset[bytes]: ...

    def digest(self, key: str, /) -> bytes: ...

    def counts(self) -> dict[int, bool]: ...

    def count(self, games: Iterable[int], /, *, counts: bool) -> None: ...

    def begin_again(self) -> None: ...

    def figures(self) -> dict[int, tuple[str, str]]: ...

    def keep(self, figures: Mapping[int, tuple[str, str]], /) -> None: ...


class Keeper:
    """The season of some evenings, a ledger's or a hall's. Every method may be called from any thread, and raises LedgerError.

    Attributes:
        allowed: False when the program was told to keep no season at all. may: what organisers can say of it, by the names of
            `companion.dashboard.season.settings`.
    """

    may = frozenset({"merge", "split", "count", "anew"})

    def __init__(self, book: Book, *, allowed: bool = True, sure_from: float = SURE_FROM) -> None:
        """``sure_from``: as the pages have it."""
        self.allowed, self._book, self._sure_from = allowed, book, sure_from
        self._lock, self._saying = threading.Lock(), threading.Lock()
        self._told: dict[int, tuple[str, GameResult | None]] = {}
        self._read = False

    @property
    def book(self) -> Book:
        """What is kept."""
        return self._book

    def games(self) -> tuple[tuple[GameEntry, ...], frozenset[int]]:
        """All games, and the ids of those that may still go on."""
        raise NotImplementedError

    def lines(self, game: int) -> tuple[Line, ...] | None:
        """The newest log of a game; None for one that cannot be read, and counts for nothing."""
        raise NotImplementedError

    def goes_on_from(self) -> Mapping[int, int]:
        """Game → the one that it goes on from, as somebody came or went, in the order in which they began."""
        return {}

    def place(self, record: Record, lang: Lang) -> str:
        """Where an evening was, in words; "" where all were at one table."""
        return ""

    def settle(self) -> None:
        """Take forgotten names out of all evenings that are past by now."""

    @property
    def on(self) -> bool:
        """Whether there is a season: otherwise nothing is worked out, and nothing written."""
        return self.allowed and not self.book.off

    def seasons(self) -> Seasons:
        """The season as the ledger has it now."""
        forgotten, digest = self.book.forgotten(), functools.cache(self.book.digest)

        def is_forgotten(key: str) -> bool:
            return key.startswith(_NOBODY) or names.is_nobody(key) or (bool(forgotten) and digest(key) in forgotten)

        goes_on_from = self.goes_on_from()
        went_on = {before: game for game, before in goes_on_from.items()}
        known = self._known(People(forgotten=is_forgotten), went_on)
        said = self.book.counts()
        same = {entry.id: went_on[entry.id] for entry, told in known if told.figures.went_on and entry.id in went_on}
        over = {entry.id for entry, told in known if told.figures.over}
        known = [(entry, _of_its_own(told) if counts_elsewhere(goes_on_from, over, entry.id) else told) for entry, told in known]
        played_as = {entry.id: part_of(same, entry.id) or entry.id for entry, _ in known}
        played = {played_as[entry.id] for entry, told in known if told.figures.counts}
        records = tuple(
            Record(
                entry.id, entry.started, entry.source, said.get(entry.id, True), told,
                same.get(entry.id), part_of(same, entry.id),
            )
            for entry, told in sorted(known, key=lambda one: (one[0].started, one[0].id))
            if played_as[entry.id] in played  # a part without a hand, too: the table may have set in it how it stands
        )
        counted = [one for one in records if one.counts]
        people = People(self.book.links(), names.distinct_keys([one.players for one in counted]), is_forgotten)
        return Seasons(records, people, names.best_spellings(people, [one.names for one in counted]), self._sure_from)

    def merge(self, one: str, other: str) -> None:
        """Let ``one`` be another name of ``other`` (persons' keys).

        Raises:
            Same: they are one person already, or have sat at the same table.
        """
        with self._saying:
            if self.seasons().together(one, other):
                raise Same("these two have sat at the same table")
            self.book.link(names.merged(self.book.links(), one, other))

    def split(self, name: str) -> None:
        """Let a name (a key) be a person's own again."""
        with self._saying:
            self.book.link(names.split(self.book.links(), name))

    def begin_again(self) -> None:
        """No evening so far counts."""
        with self._lock:
            self.book.begin_again()
            self._told.clear()
            self._read = False

    def _known(self, people: People, went_on: Container[int]) -> list[tuple[GameEntry, GameResult]]:
        """Every game that has players, with what it came to: what is known of the version it is at, else worked out now."""
        entries, going_on = self.games()
        house = f"{_FORMAT}:" + ",".join(f"{game.id}.{game.pages.season.revision}" for game in shown_games())
        with self._lock:
            if not self._read:
                kept = self.book.figures().items()
                self._told = {game: (of, told) for game, (of, text) in kept if (told := _decoded(text)) is not None}
                self._read = True
            fresh: dict[int, tuple[str, str]] = {}
            for entry in entries:
                ended = entry.id not in going_on
                of = f"{entry.version}.{int(ended)}{'+' if entry.id in went_on else ''}/{house}"
                if self._told.get(entry.id, ("", None))[0] == of:
                    continue
                told = self._work_out(entry, people, ended=ended, went_on=entry.id in went_on)
                self._told[entry.id] = (of, told)
                if told is not None and (ended or told.figures.over):
                    fresh[entry.id] = (of, _encoded(told))
            if fresh and self.on:  # it may have been switched off meanwhile
                with suppress(LedgerError):  # what is not kept is worked out again: no page needs it
                    self.book.keep(fresh)
            return [(entry, told) for entry in entries if (told := self._told[entry.id][1]) is not None]

    def _work_out(self, entry: GameEntry, people: People, *, ended: bool, went_on: bool) -> GameResult | None:
        if (lines := self.lines(entry.id)) is None:
            return None
        game = game_of_log(lines)
        figures = told_of(game.rules, game.pages, lines, ended=ended, went_on=went_on)
        if figures is None:
            return None
        keys = [names.name_key(player.name) for player in figures.players]
        hidden = [
            f"{_NOBODY}{seat}" if people.forgotten(key) or people.forgotten(names.spelling(player.name)) else player.name
            for seat, (key, player) in enumerate(zip(keys, figures.players, strict=True))
        ]
        return GameResult(game.id, under_names(figures, hidden))


class SeasonKeeper(Keeper):
    """The season of a ledger."""

    may = Keeper.may | {"on", "off", "forget", "recall"}

    def __init__(self, ledger: Ledger, *, allowed: bool = True, sure_from: float = SURE_FROM) -> None:
        self._own, self._ledger = SeasonBook(ledger), ledger
        super().__init__(self._own, allowed=allowed, sure_from=sure_from)
        self._forgetting = Forgetting(ledger, self._own)

    def games(self) -> tuple[tuple[GameEntry, ...], frozenset[int]]:
        newest = self._ledger.newest()
        return self._ledger.games(), frozenset() if newest is None else frozenset({newest})

    def lines(self, game: int) -> tuple[Line, ...] | None:
        try:
            return self._ledger.glance(game)[1]
        except LedgerError:  # damaged
            return None

    def switch(self, *, off: bool) -> None:
        """Switch the season off, or on again."""
        with self._lock:
            self._own.switch(off=off)
            self._told.clear()
            self._read = False

    def forget(self, person: str) -> None:
        """Forget somebody: all their names, in all evenings that are past or still to come, and in the one that is on."""
        with self._saying:
            keys = self.seasons().people.names_of(person)
            with self._lock:
                self._own.forget(keys)
                self._told.clear()
                self._read = False
            self._forgetting.settle(everywhere=True)

    def goes_on_from(self) -> Mapping[int, int]:
        return goes_on_from(self._ledger)

    def settle(self) -> None:
        """Take forgotten names out of all evenings that are past by now."""
        self._forgetting.settle()

    def recall(self, name: str) -> bool:
        """Let a forgotten name be somebody's again. False where it was not forgotten."""
        found = [self._own.recall(key) for key in dict.fromkeys((names.name_key(name), names.spelling(name)))]
        if any(found):
            self._forgetting.recall(name)
        with self._lock:
            self._told.clear()
            self._read = False
        return any(found)


def year_of(day: datetime.date) -> int:
    """The year in which the season of this day begins."""
    return day.year if day.month >= FIRST_MONTH else day.year - 1


def _of_its_own(told: GameResult) -> GameResult:
    """What a game came to that holds money which counts elsewhere, without it."""
    if not told.figures.holds:
        return told
    return replace(told, figures=without_money(told.figures, GAMES[told.game_id].pages.season.columns("en")))


def _encoded(told: GameResult) -> str:
    return json.dumps(msgspec.to_builtins(told), ensure_ascii=False, separators=(",", ":"))


def _decoded(text: str) -> GameResult | None:
    try:
        return msgspec.convert(json.loads(text), GameResult)
    except (ValueError, msgspec.ValidationError):
        return None


def person_of_page(seasons: Seasons, page: str) -> str | None:
    """The person whose page has this id; None where there is no such person."""
    return next((person for person in seasons.written if names.page_id(person) == page), None)


